/**
 * Events, as hints only: they are dropped after an hour and counted loosely, so no finding rests on one. They tell what
 * conditions do not: which probe failed, and with which status code.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Collection } from "./collection.ts";
import { indexed, oncePerNamespace } from "./once-per-namespace.ts";
import { hint, type Shape, TEXT, TIME, valueAt, WHOLE } from "./read.ts";

export interface Told {
  readonly reason: string;
  readonly message: string;
  readonly count: number | undefined;
  readonly first: Instant | undefined;
  readonly last: Instant | undefined;
  /** Who says it: `kubelet`, `cluster-autoscaler`. */
  readonly component: string | undefined;
  /** Which container of a Pod it is about; undefined: the Pod, or it is not told. */
  readonly container: string | undefined;
}

/** About this incarnation, the newest last; core/v1 and events.k8s.io/v1 name their fields differently. */
export const eventsOf = (object: Seen, collection: Collection): readonly Told[] =>
  toldBy(collection.eventsOf(object.uid));

const toldBy = (events: readonly Seen[]): readonly Told[] =>
  events
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
          component:
            hint(raw, ["reportingComponent"], NAME) ??
            hint(raw, ["reportingController"], NAME) ??
            hint(raw, ["source", "component"], NAME) ??
            hint(raw, ["deprecatedSource", "component"], NAME),
          container: containerIn(
            hint(raw, ["involvedObject", "fieldPath"], TEXT) ?? hint(raw, ["regarding", "fieldPath"], TEXT),
          ),
        },
      ];
    })
    .sort((a, b) => order(a.last) - order(b.last) || (a.message < b.message ? -1 : 1));

/** `reportingComponent` is there and empty in events of older clients. */
const NAME: Shape<string> = {
  what: "a name",
  read: (value) => (typeof value === "string" && value !== "" ? value : undefined),
};
/** `spec.containers{web}`, as the kubelet writes it. */
const containerIn = (fieldPath: string | undefined): string | undefined =>
  fieldPath === undefined ? undefined : CONTAINER.exec(fieldPath)?.[1];
const CONTAINER = /^spec\.(?:initContainers|containers)\{(.+)\}$/;

const order = (at: Instant | undefined): number => (at === undefined ? Number.NEGATIVE_INFINITY : at);

/** Why its volumes or its network do not come. */
export const volumeEvent = (pod: Seen, collection: Collection): string | undefined =>
  eventsOf(pod, collection).findLast(({ reason }) =>
    ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedMapVolume"].includes(reason),
  )?.message;

/** What was last said of an object, of whatever kind. */
export const latestEvent = (object: Seen, collection: Collection): Told | undefined =>
  eventsOf(object, collection).at(-1);

/**
 * What was last said of the claims that a Pod names, since the Pod was made: the claims themselves are not read for that, so
 * an earlier one of such a name is told apart by time alone.
 */
export const claimEvent = (
  pod: Seen,
  claims: readonly string[],
  collection: Collection,
): Told | undefined => {
  const since = hint(pod.raw, ["metadata", "creationTimestamp"], TIME);
  const about = claims.flatMap((claim) => claimEventsIn(collection, pod.namespace)(claim));
  return toldBy(about).findLast(({ last }) => last !== undefined && since !== undefined && last >= since);
};

const claimEventsIn = oncePerNamespace((collection, namespace) =>
  indexed(collection.seen(RESOURCES.Event, namespace), ({ raw }) => {
    const about = valueAt(raw, ["involvedObject"]) ?? valueAt(raw, ["regarding"]);
    return hint(about, ["kind"], TEXT) === RESOURCES.PersistentVolumeClaim.kind
      ? hint(about, ["name"], TEXT)
      : undefined;
  }),
);
