/** When a call is past: from then on nothing of it can still happen, and no picture from before it is shown (N5, N6). */
import type { Instant } from "./ids.ts";
import { instant } from "./ids.ts";
import type { OpenIntent, StepState } from "./state.ts";
import { CALL_BY_SLACK_MS } from "./step.ts";

/** From when on an absence, or an old picture, is to be believed for this call. */
export const believableFrom = (state: StepState, open: OpenIntent): Instant => {
  const ended =
    open.outcome === null || open.endedAt === null ? open.callBy + CALL_BY_SLACK_MS : open.endedAt;
  const past = state.senderSeenAt === null ? ended : Math.max(ended, state.senderSeenAt);
  return instant(past + state.policy.settleMs);
};

/** The moment from which every call in doubt is past; 0 when none is. */
export const doubtEndsAt = (state: StepState): Instant =>
  instant(Math.max(0, ...state.open.map((open) => believableFrom(state, open))));
