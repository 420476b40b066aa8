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
import type { StepState } from "./state.ts";
import type { Confirm } from "./step.ts";

/** Objects that are asked about together. */
export interface Asking {
  /** null: the objects that the step's outputs name. */
  readonly target: { readonly kind: string; readonly name: string } | null;
  readonly namespace: string | null;
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly claims: readonly ClaimName[];
}

export interface ConfirmFault {
  /** Into the list. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const FIELDS: ReadonlySet<string> = new Set(["target", "claims", "namespace", "kubeconfig", "context"]);

/** What is asked, one entry a target; or everything that is wrong with it. */
export const parseConfirm = (
  written: readonly JsonValue[],
): { readonly askings: readonly Asking[] } | { readonly faults: readonly ConfirmFault[] } => {
  const faults: ConfirmFault[] = [];
  const own: ClaimName[] = [];
  const named: Asking[] = [];
  for (const [index, item] of written.entries()) {
    if (isJsonObject(item)) {
      const asking = namedAsking(item, index, faults);
      if (asking !== undefined) named.push(asking);
      continue;
    }
    const claim = claimOf(item, [index], faults);
    if (claim !== undefined) own.push(claim);
  }
  if (faults.length > 0) return { faults };
  const none = { target: null, namespace: null, kubeconfig: null, context: null };
  return { askings: [...(own.length === 0 ? [] : [{ ...none, claims: own }]), ...named] };
};

const namedAsking = (
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
  if (typed === null && faults.length === before)
    fault("target", "names no object: write target: KIND/NAME, or the claim's name alone for the step's own");
  const asked = item["claims"];
  const isList = Array.isArray(asked) && asked.length > 0;
  if (!isList) fault("claims", "must be a list of claims, such as [rollout-complete, old-gone]");
  const read = isList ? asked.map((one, at) => claimOf(one, [index, "claims", at], faults)) : [];
  const claims = read.filter((claim) => claim !== undefined);
  const place = {
    namespace: textAt("namespace"),
    kubeconfig: textAt("kubeconfig"),
    context: textAt("context"),
  };
  return faults.length === before && target !== null ? { target, ...place, claims } : undefined;
};

const strange = (key: string): string =>
  key === "response" || key === "answered-by-new-pod"
    ? "an expected reply is not asked by confirm in this version: run asfound verify --via after it"
    : `there is no field ${JSON.stringify(key)} here; fields are ${[...FIELDS].join(", ")}`;

const targetOf = (typed: string): Asking["target"] => {
  const [kind, name, ...rest] = typed.split("/");
  const isOne = kind !== undefined && name !== undefined && kind !== "" && name !== "" && rest.length === 0;
  return isOne ? { kind, name } : null;
};

/** They need a reply to look at, or say that the object is gone, which no finished step can be confirmed by. */
const NOT_HERE: ReadonlySet<ClaimName> = new Set(["response", "answered-by-new-pod", "absent"]);
const HERE = CLAIM_NAMES.filter((claim) => !NOT_HERE.has(claim));

const claimOf = (
  item: JsonValue,
  path: ConfirmFault["path"],
  faults: ConfirmFault[],
): ClaimName | undefined => {
  if (typeof item === "string" && isClaimName(item) && !NOT_HERE.has(item)) return item;
  const what =
    typeof item === "string" && isClaimName(item)
      ? `${item} cannot be asked by confirm`
      : `there is no claim ${JSON.stringify(item)}`;
  faults.push({ path, message: `${what}; claims are ${HERE.join(", ")}` });
  return undefined;
};

/** As a person reads it; empty where nothing is asked, or it cannot be read. */
export const confirmText = (written: readonly JsonValue[]): string => {
  const parsed = parseConfirm(written);
  if ("faults" in parsed) return "";
  const ofWhat = ({ target }: Asking): string =>
    target === null ? "its own objects" : `${target.kind}/${target.name}`;
  return parsed.askings.map((one) => `${one.claims.join(", ")} of ${ofWhat(one)}`).join("; ");
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

/** As it was written before; the window is no part of what is asked. */
export const sameConfirm = (one: Confirm | undefined, other: Confirm | undefined): boolean =>
  JSON.stringify(one?.claims ?? null) === JSON.stringify(other?.claims ?? null);
