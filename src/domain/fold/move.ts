/**
 * What every part of the fold is made of: a checked change of status, the doubt that remains, and the two ends of an
 * incarnation, `complete` and gone. No other part sets a status.
 */
import { isRefutedOnly, standingOf } from "../confirm.ts";
import { iso } from "../ids.ts";
import type { SettledBy } from "../journal.ts";
import type { JsonObject } from "../json.ts";
import type { OpenIntent, OutputSource, StepState } from "../state.ts";
import type { StepEvent, StepStatus } from "../status.ts";
import { transitionFault } from "../status.ts";
import type { Moment } from "../steady.ts";

/** A journal that breaks the table: a defect of asfound or an altered ledger, never an operator's mistake. */
export class IllegalTransition extends Error {
  readonly code = "ASFOUND_ILLEGAL_TRANSITION";
}

const CLOSED_KEPT = 16;

/** When the record that is being folded was written. */
export const now = ({ updatedAt: at, anchor: { steady } }: StepState): Moment => ({ at, steady });

export const move = (state: StepState, event: StepEvent, to: StepStatus, reason: string): StepState => {
  const fault = transitionFault(state.status, event, to);
  if (fault !== undefined) throw new IllegalTransition(`step ${state.step}: ${fault}`);
  return { ...state, status: to, reason };
};

export const merge = (state: StepState, outputs: JsonObject, source: OutputSource): StepState => {
  const names = Object.keys(outputs);
  if (names.length === 0) return state;
  // An output may be called anything, `__proto__` included, so it is never assigned by name.
  const sources = Object.fromEntries(names.map((name) => [name, source]));
  return {
    ...state,
    outputs: { ...state.outputs, ...outputs },
    outputsFrom: { ...state.outputsFrom, ...sources },
  };
};

export const without = (state: StepState, intent: OpenIntent): StepState => ({
  ...state,
  open: state.open.filter((o) => o.intent !== intent.intent),
});

/** A second object is no more this step's, nor is a destroy that was aimed at it in doubt (N3). */
export const withoutSurplus = (state: StepState, id: string): StepState => ({
  ...state,
  surplus: state.surplus.filter((s) => s.id !== id),
  open: state.open.filter((o) => !(o.action === "destroy" && o.target === id)),
});

/** Settled without an outcome of its own, so a late one may still come (N3). */
const unanswered = (open: OpenIntent): boolean => open.outcome === null || open.outcome === "unknown";

/** With those that are settled now; `leftNothing`: as if nothing came of them. */
export const closing = (
  state: StepState,
  opens: readonly OpenIntent[],
  leftNothing: (open: OpenIntent) => boolean = () => false,
): StepState["closed"] => {
  const settled = opens.filter(unanswered).map((open) => ({ ...open, leftNothing: leftNothing(open) }));
  return [...state.closed, ...settled].slice(-CLOSED_KEPT);
};

/** Why the step is in doubt, as one sentence; undefined when it is not. */
export const inDoubt = (state: StepState): string | undefined => {
  const open = state.open.find((o) => o.outcome !== "failed");
  if (open !== undefined) {
    const what = open.outcome === null ? "no outcome was recorded" : `its outcome is ${open.outcome}`;
    return `${open.action} of ${iso(open.at)} is in doubt: ${what}`;
  }
  if (state.surplus.length > 0) return `a second object exists: ${state.surplus.map((s) => s.id).join(", ")}`;
  return undefined;
};

export const doubtOr = (state: StepState, otherwise: StepStatus): StepStatus =>
  inDoubt(state) === undefined ? otherwise : "unresolved";

export const completed = (state: StepState, event: StepEvent, by: SettledBy, reason: string): StepState => {
  const doubt = inDoubt(state);
  if (doubt !== undefined) return { ...move(state, event, "unresolved", doubt), effect: "known" };
  const whole = { ...state, provenBy: by, failedCommand: null };
  // What was refuted stays so until it is judged again.
  if (state.policy.confirm !== undefined && isRefutedOnly(whole))
    return { ...move(whole, event, "error", standingOf(state, reason).reason), effect: "known" };
  const standing = standingOf(state, reason);
  const moved = move(state, event, standing.status, standing.reason);
  return {
    ...moved,
    provenBy: by,
    effect: "known",
    failedCommand: null,
    failedIn: null,
    lastError: null,
    missingSince: null,
  };
};

/** Its absence is proven. While a second object exists, or may, that is not the end of the step (N3). */
export const ended = (state: StepState, event: StepEvent, by: SettledBy, reason: string): StepState => {
  const { surplus } = state;
  // Who looked by the id has not looked for what stands beside it.
  const beside = state.identity === null ? [] : state.open.filter((o) => o.leftNothing);
  if (surplus.length === 0 && beside.length === 0) return entomb(move(state, event, "destroyed", reason), by);
  const open = state.open.filter((o) => !beside.includes(o));
  const rest = entomb({ ...state, surplus: [], open, reason }, by);
  const alive = { ...rest, ...lookedForByKey(beside), surplus, provenBy: null };
  const doubt = inDoubt(alive);
  return move(alive, event, "unresolved", doubt === undefined ? reason : doubt);
};

/** From now on the keys of these are what is looked for. */
const lookedForByKey = (creates: readonly OpenIntent[]): Partial<StepState> => {
  const [first] = creates;
  if (first === undefined) return {};
  return {
    open: creates.map((o) => ({ ...o, leftNothing: false })),
    key: first.key,
    keySince: { at: first.at, steady: first.begun },
    keys: [...new Set(creates.map((o) => o.key))],
    effect: "possible",
  };
};

/** The incarnation ended: what was known of it stays visible as `previous`, never as identity (W4). */
export const entomb = (state: StepState, by: SettledBy): StepState => {
  const until = now(state);
  const endedBy = state.reason;
  const had = state.identity !== null || Object.keys(state.outputs).length > 0;
  const own = { identity: state.identity === null ? null : state.identity.id, outputs: state.outputs };
  const seconds = state.surplus.map(({ id }) => ({ identity: id, outputs: {}, until, endedBy }));
  const previous = [...state.previous, ...seconds, ...(had ? [{ ...own, until, endedBy }] : [])];
  return {
    ...state,
    previous: previous.slice(-CLOSED_KEPT),
    identity: null,
    surplus: [],
    outputs: {},
    outputsFrom: {},
    present: false,
    open: [],
    closed: closing(state, state.open),
    applied: null,
    key: null,
    keySince: null,
    keys: [],
    owes: [],
    provenBy: by,
    effect: "known",
    failedCommand: null,
    failedIn: null,
    lastError: null,
    missingSince: null,
    confirmed: null,
    retained: null,
  };
};
