/** What `snapshot.json` says was asked for by name beside the lists: those questions, each with its answer. */
import type { Answer, Asked } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

/** `evidence` names the file. A fault says where, as an RFC 6901 pointer. */
export const readFollowed = (
  snapshot: JsonValue,
  evidence: string,
): { readonly asked: readonly Asked[] } | { readonly fault: string; readonly pointer: string } => {
  const list = isJsonObject(snapshot) && Object.hasOwn(snapshot, "followed") ? snapshot["followed"] : [];
  if (!Array.isArray(list)) return { fault: "it is not a list", pointer: "/followed" };
  const asked: Asked[] = [];
  for (const [at, one] of list.entries()) {
    const pointer = `/followed/${at}`;
    const read = isJsonObject(one) ? askedIn(one, { evidence, pointer }) : undefined;
    if (read === undefined)
      return { fault: "it does not say what was asked for, and what the answer was", pointer };
    asked.push(read);
  }
  return { asked };
};

const askedIn = (one: { readonly [key: string]: JsonValue }, source: Asked["source"]): Asked | undefined => {
  const { group, resource, namespaces, name } = one;
  const answer = answerIn(one["answer"], one["why"]);
  if (typeof group !== "string" || typeof resource !== "string" || answer === undefined) return undefined;
  if (typeof name !== "string" && name !== null) return undefined;
  const isTexts = Array.isArray(namespaces) && namespaces.every((text) => typeof text === "string");
  if (namespaces !== null && !isTexts) return undefined;
  return {
    group,
    resource,
    namespaces: isTexts ? (namespaces as readonly string[]) : "all",
    name,
    answer,
    source,
  };
};

const answerIn = (kind: JsonValue | undefined, why: JsonValue | undefined): Answer | undefined => {
  if (kind === "observed" || kind === "absent") return { kind };
  if (kind !== "denied" && kind !== "failed" && kind !== "timed-out") return undefined;
  return typeof why === "string" ? { kind, why } : undefined;
};
