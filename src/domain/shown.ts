/** A step's status as it is shown: what is stored, corrected by what can only be told when it is read. Pure. */
import type { OperationId, StepName } from "./ids.ts";
import { iso } from "./ids.ts";
import type { OpenIntent, StepState } from "./state.ts";
import type { StepStatus } from "./status.ts";

export interface Shown {
  readonly status: StepStatus;
  readonly reason: string;
}

type States = ReadonlyMap<StepName, StepState>;

/**
 * W3: a call whose owner is dead is `unresolved`, never `pending`, never `error`. `live` is the operation whose lease
 * binds now. D2: while its container's destroy is in doubt, so is what is contained.
 */
export const shown = (state: StepState, states: States, live: OperationId | null): Shown => {
  if (state.status === "running" || state.status === "destroying") {
    const open = state.open.at(-1);
    if (open !== undefined && open.operation === live) return { status: state.status, reason: state.reason };
    // A row that says running holds the intent that made it so; one without it is damaged, and in doubt all the more.
    if (open === undefined) return { status: "unresolved", reason: "a call was begun that is not recorded" };
    const how =
      open.outcome === "done"
        ? "was answered with done, but was not observed"
        : "has no outcome, and its owner is not running any more";
    return { status: "unresolved", reason: `${open.action} of ${iso(open.at)} ${how}` };
  }
  if ((state.status === "complete" || state.status === "unconfirmed") && state.missingSince !== null)
    return {
      status: "unresolved",
      reason: `it was ${state.status}, but nothing was found at ${iso(state.missingSince.at)}; a second look, settle later, decides`,
    };
  if (state.status === "complete" || state.status === "unconfirmed") {
    const container = doubtfulContainer(state, states, live);
    if (container !== undefined)
      return { status: "unresolved", reason: `it is contained in ${container}, whose destroy is in doubt` };
  }
  return { status: state.status, reason: state.reason };
};

/** The container whose destroy is in doubt; one that a live operation is waiting for is not yet. */
const doubtfulContainer = (
  state: StepState,
  states: States,
  live: OperationId | null,
): StepName | undefined => {
  const seen = new Set<StepName>();
  for (let at = state.partOf; at !== null && !seen.has(at); ) {
    seen.add(at);
    const parent = states.get(at);
    if (parent === undefined) return undefined;
    const doubtful = (open: OpenIntent) =>
      open.action === "destroy" && (open.outcome !== null || open.operation !== live);
    if (parent.open.some(doubtful)) return at;
    at = parent.partOf;
  }
  return undefined;
};

/** What a step that did not run waits for (P1, P2). */
export const waitingOn = (
  state: StepState,
  states: States,
  live: OperationId | null,
): readonly { readonly step: StepName; readonly why: string }[] => {
  if (state.status !== "pending") return [];
  const needs = new Set(state.partOf === null ? state.needs : [...state.needs, state.partOf]);
  return [...needs].flatMap((need) => {
    const needed = states.get(need);
    if (needed === undefined) return [{ step: need, why: `${need} was never applied` }];
    const { status } = shown(needed, states, live);
    return status === "complete" ? [] : [{ step: need, why: `${need} is ${status}` }];
  });
};
