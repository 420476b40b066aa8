/**
 * Events, as hints only: they are dropped after an hour and counted loosely, so no finding rests on one. They tell what
 * conditions do not: which probe failed, and with which status code.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { age } from "../domain/time.ts";
import type { Collection } from "./collection.ts";
import { hint, TEXT, TIME, WHOLE } from "./read.ts";
import { quoted } from "./words.ts";

interface Told {
  readonly reason: string;
  readonly message: string;
  readonly count: number | undefined;
  readonly first: Instant | undefined;
  readonly last: Instant | undefined;
}

/** The newest last; core/v1 and events.k8s.io/v1 name their fields differently. */
const eventsOf = (object: Seen, collection: Collection): readonly Told[] =>
  collection
    .eventsOf(object.uid)
    .flatMap(({ raw }) => {
      const reason = hint(raw, ["reason"], TEXT);
      const message = hint(raw, ["message"], TEXT) ?? hint(raw, ["note"], TEXT);
      if (reason === undefined || message === undefined) return [];
      const seen = hint(raw, ["eventTime"], TIME);
      return [
        {
          reason,
          message,
          count:
            hint(raw, ["series", "count"], WHOLE) ??
            hint(raw, ["count"], WHOLE) ??
            hint(raw, ["deprecatedCount"], WHOLE),
          first: hint(raw, ["firstTimestamp"], TIME) ?? hint(raw, ["deprecatedFirstTimestamp"], TIME) ?? seen,
          last:
            hint(raw, ["series", "lastObservedTime"], TIME) ??
            hint(raw, ["lastTimestamp"], TIME) ??
            hint(raw, ["deprecatedLastTimestamp"], TIME) ??
            seen,
        },
      ];
    })
    .sort((a, b) => order(a.last) - order(b.last) || (a.message < b.message ? -1 : 1));

const order = (at: Instant | undefined): number => (at === undefined ? Number.NEGATIVE_INFINITY : at);

export interface ProbeTrouble {
  readonly probe: "readiness" | "liveness" | "startup";
  /** `its readiness answers 503 (12 times, for 2m)`. */
  readonly clause: string;
}

const PROBE = /^(Readiness|Liveness|Startup) probe (?:failed|errored)/;

/** The latest probe that failed, by the kubelet's event `Unhealthy` (pkg/kubelet/prober). */
export const probeTrouble = (pod: Seen, collection: Collection, at: Instant): ProbeTrouble | undefined => {
  const latest = eventsOf(pod, collection).findLast(
    ({ reason, message }) => reason === "Unhealthy" && PROBE.test(message),
  );
  if (latest === undefined) return undefined;
  const probe = String(PROBE.exec(latest.message)?.[1]).toLowerCase() as ProbeTrouble["probe"];
  const status = /statuscode: (\d{3})/.exec(latest.message)?.[1];
  const says = status === undefined ? `probe fails (${quoted(latest.message)})` : `answers ${status}`;
  const often = [
    ...(latest.count === undefined ? [] : [latest.count === 1 ? "once" : `${latest.count} times`]),
    ...(latest.first === undefined ? [] : [`for ${age(at - latest.first)}`]),
  ];
  return { probe, clause: `its ${probe} ${says}${often.length === 0 ? "" : ` (${often.join(", ")})`}` };
};

/** Why its volumes or its network do not come. */
export const volumeEvent = (pod: Seen, collection: Collection): string | undefined =>
  eventsOf(pod, collection).findLast(({ reason }) =>
    ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedMapVolume"].includes(reason),
  )?.message;

/** What was last said of an object, of whatever kind. */
export const latestEvent = (object: Seen, collection: Collection): string | undefined =>
  eventsOf(object, collection).at(-1)?.message;
