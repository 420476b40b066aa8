/** Waiting for what a cluster does by itself: an object that leaves, a kind that begins to be served. */
import type { ObjectRef } from "../../ports/cluster.ts";
import type { CallIo } from "../../ports/provider.ts";
import { type ClusterReach, found, leavingText, lookAt, type Reach, type There } from "./reach.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export type Waited<T> = { readonly came: T } | { readonly over: true } | { readonly fault: string };

/** Asks until there is an answer, `forMs` are over, or asfound was told to stop. */
export const until = async <T>(
  { clock }: Pick<ClusterReach, "clock">,
  { stop }: CallIo,
  forMs: number,
  ask: () => Promise<{ readonly came: T } | { readonly fault: string } | undefined>,
): Promise<Waited<T>> => {
  const end = clock.monotonicMs() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const leftMs = end - clock.monotonicMs();
    if (leftMs <= 0 || stop.aborted) return { over: true };
    await clock.sleep(Math.min(pauseMs, leftMs), stop);
  }
};

/** Until none of them is seen any more; what holds them is told as progress. `still`: which of what stands there is meant. */
export const untilGone = async (
  reach: Reach,
  io: CallIo,
  refs: readonly ObjectRef[],
  still: (there: There) => boolean,
  forMs: number,
): Promise<{ readonly left: readonly There[] } | { readonly fault: string }> => {
  let left: readonly There[] = [];
  let told = "";
  const waited = await until(reach, io, forMs, async () => {
    const looked = await lookAt(reach, refs);
    if (!("looks" in looked))
      // The time was over: what was seen last says why.
      return looked.kind === "timed-out" && left.length > 0 ? undefined : { fault: looked.sentence };
    left = found(looked.looks).filter(still);
    if (left.length === 0) return { came: true };
    const text = left.map(leavingText).join("; ");
    if (text !== told) io.progress(`waiting until it is gone: ${text}`);
    told = text;
    return undefined;
  });
  return "fault" in waited ? waited : { left };
};
