/** Which scenario is sure to hit each point. A new point does not compile before it is named here. */
import { CRASH_POINTS, type CrashPoint } from "../../../src/domain/crash-point.ts";
import type { Uses } from "./clouds.ts";
import type { Hit } from "./scenario.ts";

export const WHERE: Readonly<Record<CrashPoint, string>> = {
  "ledger-opened": "exec: create",
  "lock-written": "exec: create",
  "lease-granted": "exec: create",
  "spool-taken-over": "exec: apply after a result that the ledger could not take",
  "spool-cleared": "exec: apply after a result that the ledger could not take",
  "operation-ending": "exec: create",
  "operation-ended": "exec: create",
  "question-due": "exec: create",
  "answer-told": "exec: create",
  "reading-durable": "exec: create",
  "look-waits": "exec: an answer that comes late",
  "survivor-ended": "exec: reconcile --end-survivor while the provider's process lives on",
  "decision-due": "http: resolve as absent",
  "decision-durable": "http: resolve as absent",
  "removal-due": "exec: destroy",
  "replaced-gone": "exec: replace",
  "slot-taken": "exec: create",
  "intent-durable": "exec: create",
  "fence-passed": "exec: create",
  "identity-told": "exec: create",
  "identity-durable": "exec: create",
  "identity-spooled": "exec: a result that the ledger cannot take",
  "outcome-told": "exec: create",
  "outcome-durable": "exec: create",
  "outcome-refused": "exec: a result that the ledger cannot take",
  "outcome-spooled": "exec: a result that the ledger cannot take",
  "exec-spawned": "exec: create",
  "exec-fed": "exec: create",
  "exec-line-read": "exec: create",
  "exec-ended": "exec: create",
  "http-connected": "http: create",
  "http-sent": "http: create",
  "http-head": "http: create",
  "http-replied": "http: create",
  "write-connected": "kubernetes: create",
  "write-sent": "kubernetes: create",
  "write-replied": "kubernetes: create",
};

/** Every passing of every point. */
export const hitsOf = (passed: readonly CrashPoint[]): readonly Hit[] => {
  const seen = new Map<CrashPoint, number>();
  return passed.map((point) => {
    const nth = (seen.get(point) ?? 0) + 1;
    seen.set(point, nth);
    return { point, nth };
  });
};

/** The same code whatever is called: in CI they are hit where `alike` says so, not in every scenario. */
const ALIKE: ReadonlySet<CrashPoint> = new Set([
  "ledger-opened",
  "lock-written",
  "lease-granted",
  "slot-taken",
  "operation-ending",
  "operation-ended",
]);

/**
 * What CI can afford: each point once, over exec the last time as well where more than one call is made. Of what runs at
 * once another passing for each point, so that it dies at its beginning, in the middle and at its end.
 */
export const chosenOf = (
  all: readonly Hit[],
  { calls, alike, uses }: { readonly calls: number | null; readonly alike: boolean; readonly uses: Uses },
): readonly Hit[] => {
  const points = [...new Set(all.map(({ point }) => point))].filter((point) => alike || !ALIKE.has(point));
  return points.flatMap((point, at) => {
    const own = all.filter((hit) => hit.point === point);
    if (calls === null) return own.slice(at % own.length).slice(0, 1);
    if (calls <= 1 || own.length === 1) return own.slice(0, 1);
    return uses === "exec" ? [...own.slice(0, 1), ...own.slice(-1)] : own.slice(-1);
  });
};

/** The points that a scenario, as `WHERE` names it, was to hit and did not. */
export const unhit = (name: string, hits: readonly Hit[]): readonly CrashPoint[] => {
  const points = new Set(hits.map(({ point }) => point));
  return (Object.keys(CRASH_POINTS) as CrashPoint[]).filter(
    (point) => WHERE[point] === name && !points.has(point),
  );
};
