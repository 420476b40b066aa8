/**
 * `content`: each ConfigMap and Secret that the target names holds what it held in the target (C5). A release recorded its
 * digest. Of a revision nobody recorded anything: that nothing was written since the revision was made can be shown by
 * times, and else nothing (`config/writes.ts`).
 */
import type { Seen } from "../../domain/evidence.ts";
import type { ReleasedConfig } from "../../domain/release.ts";
import type { Check } from "../../domain/rollback.ts";
import { objectText } from "../config/lack.ts";
import { lastWrite } from "../config/writes.ts";
import { createdAt } from "../pod.ts";
import { FLAG, hint } from "../read.ts";
import { counted, listed, nameOf, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { ContentDigests, Given } from "./given.ts";
import { type Need, needsOf } from "./needs.ts";
import { recordedOf, restoringOf } from "./restoring.ts";

export const content = (given: Given): Check => {
  const checking = new Checking("content");
  const needs = needsOf(given, checking);
  if (needs === undefined) return checking.unknown();
  if (needs.length === 0)
    return checking.proven("none", "no container of the target takes anything from a ConfigMap or Secret");
  const told = needs.map((need) => ({ need, ...contentOf(checking, given, need) }));
  const of = (kind: Told["kind"]) => told.filter((one) => one.kind === kind);
  const differs = of("differs");
  if (differs.length > 0) {
    const canRestore = differs.filter(({ need }) => restoringOf(given, need) === "asked-for");
    return checking.refuted(
      "digest-differs",
      `the target's Pods would be given something else than they had: ${listed(differs.map(({ says }) => says))}`,
      canRestore.length > 0
        ? `the release holds the bytes of ${listed(canRestore.map(({ need }) => objectText(need)))}: --restore-config writes them back`
        : "bring the recorded content back, under this name, before anything is rolled back",
    );
  }
  if (checking.missing.length > 0) return checking.unknown();
  const open = of("open");
  if (open.length > 0)
    return checking.undetermined(
      "not-recorded",
      `what the target's Pods were given is not known of ${listed(open.map(({ says }) => says))}`,
      given.target.release === null
        ? "roll back to a recorded release, or look at it yourself and say --accept content"
        : "look at it yourself, and say --accept content",
    );
  const restored = of("restored");
  return checking.proven(
    restored.length > 0 ? "restored" : "as-recorded",
    restored.length > 0
      ? `${listed(restored.map(({ says }) => says))}; the rest of ${counted(needs.length, "object")} is as it was`
      : `${listed(needs.map(objectText))} ${needs.length === 1 ? "holds" : "hold"} what the target had`,
  );
};

interface Told {
  readonly kind: "same" | "differs" | "open" | "restored";
  readonly says: string;
}

const contentOf = (checking: Checking, given: Given, need: Need): Told => {
  const what = objectText(need);
  const recorded = recordedOf(given, need);
  const unheld = given.target.release?.unheld.find(
    ({ kind, name }) => kind === need.kind && name === need.name,
  );
  const { source } = need;
  if (source.kind === "absent") {
    const restoring = restoringOf(given, need);
    if (restoring === "make")
      return { kind: "restored", says: `${what} would be made again from the release's bytes` };
    if (recorded !== undefined)
      return { kind: "differs", says: `${what} is not there, and was in the target` };
    return unheld?.reason === "absent"
      ? { kind: "same", says: what }
      : { kind: "open", says: `${what} (it is not there)` };
  }
  if (source.kind !== "known") {
    checking.lack(
      nameOf({ kind: need.kind, namespace: given.live.namespace, name: quoted(need.name) }),
      null,
      source,
    );
    return { kind: "open", says: what };
  }
  for (const field of ["data", "binaryData"] as const)
    if (source.value.raw[field] !== undefined) checking.cite(source.value, [field]);
  if (unheld?.reason === "absent")
    return { kind: "differs", says: `${what} is there, and was not in the target` };
  if (recorded === undefined) return byTimes(checking, given, need, source.value);
  const now = given.digests.config(source.value);
  if (now === null)
    return {
      kind: "open",
      says:
        need.kind === "Secret"
          ? `${what} (its digest is keyed, and the key is not here)`
          : `${what} (its content is not as the API has it)`,
    };
  const difference = differenceOf(need, recorded, now);
  if (difference === null) {
    if (recorded.digest !== now.digest)
      checking.limit(`other keys of ${what} than those that the target takes hold something else by now`);
    return { kind: "same", says: what };
  }
  if (restoringOf(given, need) === "write-back")
    return { kind: "restored", says: `the release's bytes would be written back into ${what}` };
  const isImmutable = hint(source.value.raw, ["immutable"], FLAG) === true;
  return {
    kind: "differs",
    says: `${what} ${difference} (it is ${isImmutable ? "immutable, so it was made again" : "mutable"})`,
  };
};

/** A clause; null: all that the target takes is as it was. Values are never told. */
const differenceOf = (need: Need, recorded: ReleasedConfig, now: ContentDigests): string | null => {
  if (recorded.digest === now.digest) return null;
  const keys = need.keys ?? [...new Set([...recorded.keys.keys(), ...now.keys.keys()])].sort();
  const changed: string[] = [];
  for (const key of keys) {
    const [was, is] = [recorded.keys.get(key), now.keys.get(key)];
    if (was === is) continue;
    const named = quoted(key);
    changed.push(
      was === undefined ? `${named} is new` : is === undefined ? `${named} is gone` : `${named} changed`,
    );
  }
  if (changed.length > 0) return `has other content: ${listed(changed)}`;
  return need.keys === null ? "has another digest than was recorded" : null;
};

/** Not written since before the revision was made: its Pods were given what is there now. */
const byTimes = (checking: Checking, given: Given, need: Need, object: Seen): Told => {
  const what = objectText(need);
  const immutable = hint(object.raw, ["immutable"], FLAG) === true;
  const open = (why: string): Told => ({
    kind: "open",
    says: `${what} (${immutable ? "immutable" : "mutable"}, and ${why})`,
  });
  const { revision, release } = given.target;
  if (release !== null) return open("the release did not record it");
  const made = revision === null ? undefined : createdAt(revision.object);
  const created = createdAt(object);
  if (revision === null || made === undefined || created === undefined)
    return open("no times tell when it was made");
  const write = lastWrite(object, need.keys);
  if (write.kind !== "known") return open("when it was written last is not known");
  if (created > made || write.value.at > made)
    return open(`it may have been written since that revision was made, last by ${write.value.manager}`);
  checking.cite(revision.object, ["metadata", "creationTimestamp"]);
  checking.cite(object, ["metadata", "creationTimestamp"]);
  for (const path of write.value.cites) checking.cite(object, path);
  if (need.keys === null)
    checking.limit(`that somebody removed a key of ${what} since leaves no trace in times`);
  return { kind: "same", says: what };
};
