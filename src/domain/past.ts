/** When a call is past: from then on nothing of it can still happen, and no picture from before it is shown (N5, N6). */
import type { Instant } from "./ids.ts";
import { instant } from "./ids.ts";
import type { OpenIntent, StepState } from "./state.ts";
import { CALL_BY_SLACK_MS } from "./step.ts";

/** From when on an absence, or an old picture, is to be believed for this call. */
export const believableFrom = (state: StepState, open: OpenIntent): Instant => {
  const sentBy = open.outcome === null ? open.callBy + CALL_BY_SLACK_MS : open.at;
  const ended = open.endedAt === null ? open.callBy + CALL_BY_SLACK_MS : open.endedAt;
  const alive = state.senderSeenAt === null ? open.at : state.senderSeenAt;
  return instant(Math.max(sentBy, ended, alive) + state.policy.settleMs);
};

/** N6: a process that may act for this call was seen alive, and no look has missed it since: its end is not known. */
export const hasNoEndYet = (state: StepState, open: OpenIntent): boolean =>
  state.senderSeenAt !== null && (open.endedAt === null || open.endedAt < state.senderSeenAt);

/** The moment from which every call in doubt is past; 0 when none is. */
export const doubtEndsAt = (state: StepState): Instant =>
  instant(Math.max(0, ...state.open.map((open) => believableFrom(state, open))));
