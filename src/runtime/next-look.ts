/**
 * When to look at a target again: when something of it, or of the Pods that its selector takes in, was told to have changed, or
 * after a while. What is told is a hint and nothing else (V6): the looking is done anew, by whoever waits here.
 *
 * The Pods are watched since a rollout goes on without its object: the last old Pod ends, and nothing else changes.
 */
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { parseLabelSelector } from "../domain/label-selector.ts";
import type { CollectionRef, Round, WatchHint } from "../ports/cluster.ts";
import type { LiveOptions, Look } from "./collect.ts";

/** Before a server that did not answer is asked again. */
const PAUSE_MS = 1_000;

export interface Waiting {
  /** At the longest. */
  readonly waitMs: number;
  /** At the shortest, however soon something changes. */
  readonly restMs: number;
}

export const untilNextLook = async (
  { cluster, clock, stop }: Pick<LiveOptions, "cluster" | "clock" | "stop">,
  { subject, target, lists }: Pick<Look, "subject" | "target" | "lists">,
  { waitMs, restMs }: Waiting,
): Promise<void> => {
  if (subject === null || subject.resourceVersion === null)
    return clock.sleep(Math.min(waitMs, PAUSE_MS), stop);
  const { ref, resourceVersion } = subject;
  const beganMs = clock.monotonicMs();
  const round = cluster.round({ deadlineMs: waitMs, stop });
  const named = {
    resource: ref.resource,
    namespace: ref.namespace,
    labelSelector: null,
    fieldSelector: `metadata.name=${ref.name}`,
  };
  const hint = await firstOf(
    round.untilChanged(named, resourceVersion),
    podsChanged(round, ref.namespace, target, lists),
  );
  round.end();
  const passedMs = clock.monotonicMs() - beganMs;
  const leftMs = waitMs - passedMs;
  if (hint.kind === "changed") return clock.sleep(Math.max(0, Math.min(restMs - passedMs, leftMs)), stop);
  // Without the right to watch, or from a server that hung up, looking again after a while has to do.
  const pauseMs = hint.kind === "ended" || hint.kind === "denied" ? leftMs : Math.min(leftMs, PAUSE_MS);
  await clock.sleep(Math.max(0, pauseMs), stop);
};

/** The first change; else what became of the watch on the target, once neither can tell of one any more. */
const firstOf = (target: Promise<WatchHint>, pods: Promise<WatchHint> | null): Promise<WatchHint> =>
  new Promise((resolve) => {
    const told = async (hint: Promise<WatchHint>, other: Promise<WatchHint> | null): Promise<void> => {
      const { kind } = await hint;
      // A server that could not be reached is asked again soon, whatever the other watch waits for.
      if (kind === "changed" || (hint === target && kind !== "ended" && kind !== "denied"))
        return resolve(hint);
      await other;
      resolve(target);
    };
    void told(target, pods);
    if (pods !== null) void told(pods, target);
  });

/** null: it has no Pods of its own that were read. */
const podsChanged = (
  round: Round,
  namespace: string | null,
  target: JsonObject | null,
  lists: Look["lists"],
): Promise<WatchHint> | null => {
  const labelSelector = selectorIn(target);
  const list = lists.find(({ resource }) => resource.group === "" && resource.kind === "Pod");
  if (labelSelector === null || list === undefined || list.reading.kind !== "observed") return null;
  const { resourceVersion } = list.reading;
  if (resourceVersion === null) return null;
  const pods: CollectionRef = { resource: list.resource, namespace, labelSelector, fieldSelector: null };
  return round.untilChanged(pods, resourceVersion);
};

/** Its spec.selector.matchLabels as one text; what a selector cannot be is left alone, for it only says when to look. */
const selectorIn = (target: JsonObject | null): string | null => {
  const spec = target?.["spec"];
  const selector = isJsonObject(spec) ? spec["selector"] : undefined;
  const labels = isJsonObject(selector) ? selector["matchLabels"] : undefined;
  if (!isJsonObject(labels) || Object.keys(labels).length === 0) return null;
  const text = Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(",");
  return "fault" in parseLabelSelector(text) ? null : text;
};
