/** When a call is past: from then on nothing of it can still happen, and no picture from before it is shown (N5, N6). */
import type { OpenIntent, StepState } from "./state.ts";
import { type SteadyTime, steadyTime } from "./steady.ts";
import { CALL_BY_SLACK_MS } from "./step.ts";

/** From when on an absence, or an old picture, is to be believed for this call. */
export const believableFrom = (state: StepState, open: OpenIntent): SteadyTime => {
  const callBy = open.begun + open.callBy - open.at + CALL_BY_SLACK_MS;
  const sentBy = open.outcome === null ? callBy : open.begun;
  const ended = open.ended === null ? callBy : open.ended;
  const alive = state.senderSeen === null ? open.begun : state.senderSeen;
  return steadyTime(Math.max(sentBy, ended, alive) + state.policy.settleMs);
};

/** N6: a process that may act for this call was seen alive, and no look has missed it since: its end is not known. */
export const hasNoEndYet = (state: StepState, open: OpenIntent): boolean =>
  state.senderSeen !== null && (open.ended === null || open.ended < state.senderSeen);

/** The moment from which every call in doubt is past; 0 when none is. */
export const doubtEnds = (state: StepState): SteadyTime =>
  steadyTime(Math.max(0, ...state.open.map((open) => believableFrom(state, open))));
