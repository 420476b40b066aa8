/**
 * `confirm` of a step: what has to be proven for it to be complete, as written and as it is asked. And what the last
 * judgement of it makes of a step that is there and as declared.
 *
 * Laws: what was judged stands until it is judged again, so no look turns `refuted` into anything better; a call begins
 * anew, so nothing that was confirmed before it stands after it.
 */
import { CLAIM_NAMES, type ClaimName, isClaimName } from "./claim.ts";
import type { JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";
import { type ResponseExpectation, viaText } from "./response.ts";
import { parseResponse } from "./response-form.ts";
import { sameJson } from "./same-json.ts";
import type { StepState } from "./state.ts";
import type { Confirm } from "./step.ts";

/** Objects that are asked about together. */
export interface Asking {
  /** null: the objects that the step's outputs name. */
  readonly target: { readonly kind: string; readonly name: string } | null;
  readonly namespace: string | null;
  readonly kubeconfig: string | null;
  readonly context: string | null;
  /** Exactly those that count; null: with `response`, those that count of such an object, and the reply. */
  readonly claims: readonly ClaimName[] | null;
  /** The reply that has to come, judged in the same look as the claims; null: none is asked for. */
  readonly response: ResponseExpectation | null;
}

export interface ConfirmFault {
  /** Into the list. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const FIELDS: ReadonlySet<string> = new Set([
  "target",
  "claims",
  "response",
  "namespace",
  "kubeconfig",
  "context",
]);

/** What is asked, one entry a target; or everything that is wrong with it. */
export const parseConfirm = (
  written: readonly JsonValue[],
): { readonly askings: readonly Asking[] } | { readonly faults: readonly ConfirmFault[] } => {
  const faults: ConfirmFault[] = [];
  const own: ClaimName[] = [];
  const replies: Asking[] = [];
  const named: Asking[] = [];
  for (const [index, item] of written.entries()) {
    if (isJsonObject(item)) {
      const asking = askingOf(item, index, faults);
      if (asking !== undefined) (asking.target === null ? replies : named).push(asking);
      continue;
    }
    const claim = claimOf(item, [index], faults);
    if (claim !== undefined) own.push(claim);
  }
  if (faults.length > 0) return { faults };
  return { askings: [...ownAskings(own, replies), ...named] };
};

/**
 * A reply of the step's own object is judged in one look with its claims: one that came before old Pods were gone would
 * be taken for the new release's.
 */
const ownAskings = (own: readonly ClaimName[], replies: readonly Asking[]): readonly Asking[] => {
  const none = { target: null, namespace: null, kubeconfig: null, context: null, response: null };
  if (replies.length === 0) return own.length === 0 ? [] : [{ ...none, claims: own }];
  return replies.map((reply) => {
    const claims = [...own, ...(reply.claims === null ? [] : reply.claims)];
    return { ...reply, claims: claims.length === 0 ? null : withReply(claims, reply.response) };
  });
};

/** Whose it is counts where the path or the app tells it, as in `verify --via`. */
const withReply = (
  claims: readonly ClaimName[],
  response: ResponseExpectation | null,
): readonly ClaimName[] => {
  if (response === null) return claims;
  const tells = response.pod !== null || response.via.kind === "pod";
  const its: readonly ClaimName[] = tells ? ["response", "answered-by-new-pod"] : ["response"];
  return [...new Set([...claims, ...its])];
};

const askingOf = (
  item: { readonly [key: string]: JsonValue },
  index: number,
  faults: ConfirmFault[],
): Asking | undefined => {
  const before = faults.length;
  const fault = (key: string, message: string): null => {
    faults.push({ path: [index, key], message });
    return null;
  };
  for (const key of Object.keys(item)) if (!FIELDS.has(key)) fault(key, strange(key));
  const textAt = (key: string): string | null => {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (value === undefined) return null;
    return typeof value === "string" && value !== "" ? value : fault(key, "must be a text");
  };
  const typed = textAt("target");
  const target = typed === null ? null : targetOf(typed);
  if (typed !== null && target === null) fault("target", "must be KIND/NAME, as deployment/web");
  const reply = Object.hasOwn(item, "response") ? item["response"] : undefined;
  if (typed === null && reply === undefined && faults.length === before)
    fault("target", "names no object: write target: KIND/NAME, or the claim's name alone for the step's own");
  const response = reply === undefined ? null : replyOf(reply, index, faults);
  const asked = Object.hasOwn(item, "claims") ? item["claims"] : undefined;
  const isList = Array.isArray(asked) && asked.length > 0;
  if (!isList && (asked !== undefined || reply === undefined))
    fault("claims", "must be a list of claims, such as [rollout-complete, old-gone]");
  const read = isList
    ? asked.map((one, at) => claimOf(one, [index, "claims", at], faults, reply !== undefined))
    : [];
  const claims = asked === undefined ? null : read.filter((claim) => claim !== undefined);
  const place = {
    namespace: textAt("namespace"),
    kubeconfig: textAt("kubeconfig"),
    context: textAt("context"),
  };
  if (typed === null && place.namespace !== null)
    fault("namespace", "is told by the step's outputs for its own objects; leave it out, or name a target");
  if (faults.length > before) return undefined;
  const counted = claims === null ? null : withReply(claims, response);
  return { target, ...place, claims: target === null ? claims : counted, response };
};

const replyOf = (value: JsonValue, index: number, faults: ConfirmFault[]): ResponseExpectation | null => {
  const parsed = parseResponse(value);
  if ("response" in parsed) return parsed.response;
  for (const { path, message } of parsed.faults) faults.push({ path: [index, "response", ...path], message });
  return null;
};

const strange = (key: string): string =>
  key === "via" || key === "expect"
    ? "belongs into response: { via: ..., expect: ... }"
    : `there is no field ${JSON.stringify(key)} here; fields are ${[...FIELDS].join(", ")}`;

const targetOf = (typed: string): Asking["target"] => {
  const [kind, name, ...rest] = typed.split("/");
  const isOne = kind !== undefined && name !== undefined && kind !== "" && name !== "" && rest.length === 0;
  return isOne ? { kind, name } : null;
};

/** They need a reply to look at, or say that the object is gone, which no finished step can be confirmed by. */
const OF_REPLY: ReadonlySet<ClaimName> = new Set(["response", "answered-by-new-pod"]);
const NOT_HERE: ReadonlySet<ClaimName> = new Set([...OF_REPLY, "absent"]);
const HERE = CLAIM_NAMES.filter((claim) => !NOT_HERE.has(claim));

const claimOf = (
  item: JsonValue,
  path: ConfirmFault["path"],
  faults: ConfirmFault[],
  hasReply = false,
): ClaimName | undefined => {
  const name = typeof item === "string" && isClaimName(item) ? item : undefined;
  if (name !== undefined && (!NOT_HERE.has(name) || (hasReply && OF_REPLY.has(name)))) return name;
  const what =
    name !== undefined
      ? OF_REPLY.has(name)
        ? `${name} needs a reply: write { response: { via: ... } }`
        : `${name} cannot be asked by confirm`
      : `there is no claim ${JSON.stringify(item)}`;
  faults.push({ path, message: `${what}; claims are ${HERE.join(", ")}` });
  return undefined;
};

const whatOf = ({ claims, response }: Asking): string => {
  const asked = claims === null ? ["the claims that count"] : claims;
  const reply = response === null ? [] : [`a reply by ${viaText(response.via)}`];
  return [...asked.filter((claim) => claim !== "response"), ...reply].join(", ");
};

/** As a person reads it; empty where nothing is asked, or it cannot be read. */
export const confirmText = (written: readonly JsonValue[]): string => {
  const parsed = parseConfirm(written);
  if ("faults" in parsed) return "";
  const ofWhat = ({ target }: Asking): string =>
    target === null ? "its own objects" : `${target.kind}/${target.name}`;
  return parsed.askings.map((one) => `${whatOf(one)} of ${ofWhat(one)}`).join("; ");
};

// ---- what it makes of a step -----------------------------------------------------------------------------------

type Judged = Pick<StepState, "policy" | "confirmed">;

/** There, as declared, and nothing in doubt: what the last judgement makes of that. */
export const standingOf = (
  { policy, confirmed }: Judged,
  reason: string,
): { readonly status: "complete" | "unconfirmed"; readonly reason: string } => {
  if (policy.confirm === undefined || confirmed?.finding === "proven") return { status: "complete", reason };
  const why = confirmed === null ? "what it has to be confirmed by was not judged yet" : confirmed.sentence;
  return { status: "unconfirmed", reason: confirmed === null ? `${reason}; ${why}` : why };
};

/** In error for nothing but a refuted confirm: it is there and as declared. */
export const isRefutedOnly = ({
  status,
  confirmed,
  failedCommand,
  provenBy,
  open,
  surplus,
}: Pick<StepState, "status" | "confirmed" | "failedCommand" | "provenBy" | "open" | "surplus">): boolean =>
  status === "error" &&
  confirmed?.finding === "refuted" &&
  failedCommand === null &&
  provenBy !== null &&
  open.length === 0 &&
  surplus.length === 0;

/** Nothing is left to do to it but to ask what it has to be confirmed by. */
export const awaitsConfirm = (state: StepState): boolean =>
  state.policy.confirm !== undefined &&
  state.open.length === 0 &&
  (state.status === "unconfirmed" || isRefutedOnly(state));

/** As it was written before, whatever the order of its fields: the journal has one of its own. The window is no part of it. */
export const sameConfirm = (one: Confirm | undefined, other: Confirm | undefined): boolean =>
  sameJson(one?.claims ?? null, other?.claims ?? null);
