/** When the recorder looks again: when a watch says that something changed (a hint and nothing else, V6), or after a while. */
import type { Clock } from "../ports/clock.ts";
import type { Cluster, CollectionRef, WatchHint } from "../ports/cluster.ts";

export interface Watched {
  readonly collection: CollectionRef;
  readonly resourceVersion: string;
}

/** `waitMs`: at the longest; `restMs`: at the shortest. */
export const untilNextRecording = async (
  { cluster, clock, stop }: { readonly cluster: Cluster; readonly clock: Clock; readonly stop: AbortSignal },
  watched: readonly Watched[],
  { waitMs, restMs }: { readonly waitMs: number; readonly restMs: number },
): Promise<void> => {
  const beganMs = clock.monotonicMs();
  const round = cluster.round({ deadlineMs: waitMs, stop });
  const hint = await firstOf(
    watched.map(({ collection, resourceVersion }) => round.untilChanged(collection, resourceVersion)),
  );
  round.end();
  const passedMs = clock.monotonicMs() - beganMs;
  // Without the right to watch, and from a server that hung up early and may again, looking after a while has to do.
  const isToWait = hint === "ended" || hint === "denied";
  await clock.sleep(Math.max(0, (isToWait ? waitMs : restMs) - passedMs), stop);
};

/** The first that is more than the end of a watch; else the last. */
const firstOf = (hints: readonly Promise<WatchHint>[]): Promise<WatchHint["kind"]> =>
  new Promise((resolve) => {
    let left = hints.length;
    if (left === 0) resolve("ended");
    for (const hint of hints)
      void hint.then(({ kind }) => {
        left -= 1;
        if (kind === "changed" || kind === "failed" || left === 0) resolve(kind);
      });
  });
