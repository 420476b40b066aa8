/** A bystander's Pods before and now: which are gone, which were started again, which are not ready any more. */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { type Collection, controllerOf } from "../collection.ts";
import { conditionOf } from "../conditions.ts";
import { containerName, containersOf } from "../containers.ts";
import type { Inquiry } from "../inquiry.ts";
import { isActive } from "../pod.ts";
import { hint, TEXT, TIME, WHOLE } from "../read.ts";
import { counted, listed, nameOf, quoted } from "../words.ts";

/** Times in objects are whole seconds. */
const SECOND_MS = 1_000;

/** Each of the Pods that are wanted, with its UID. Found by owner UIDs, up to the bystander (O2). */
export const podsOf = (inquiry: Inquiry, collection: Collection, of: Seen): ReadonlyMap<string, Seen> => {
  const pods = new Map<string, Seen>();
  for (const pod of owned(collection, of)) {
    if (!isActive(pod)) continue;
    const uid = inquiry.need(pod, ["metadata", "uid"], TEXT);
    const owner = controllerOf(pod);
    if (owner !== undefined && pod !== of)
      inquiry.need(pod, ["metadata", "ownerReferences", owner.at, "uid"], TEXT);
    if (uid !== undefined) pods.set(uid, pod);
  }
  return pods;
};

const owned = (collection: Collection, of: Seen): readonly Seen[] => {
  if (of.kind === "Pod") return [of];
  if (of.uid === null) return [];
  const sets = collection.controlledBy(of.uid, "ReplicaSet");
  return [of, ...sets].flatMap(({ uid }) => (uid === null ? [] : collection.controlledBy(uid, "Pod")));
};

/** What became of them, each a clause; empty: they are as they were. `before`: when `was` was read. */
export const podsChanged = (
  inquiry: Inquiry,
  was: ReadonlyMap<string, Seen>,
  is: ReadonlyMap<string, Seen>,
  before: Instant,
): readonly string[] => {
  const gone = [...was].filter(([uid]) => !is.has(uid)).map(([, pod]) => pod.name);
  const since = [...is].filter(([uid]) => !was.has(uid)).map(([, pod]) => pod);
  const made = since.length;
  for (const pod of since) {
    const at = inquiry.need(pod, ["metadata", "creationTimestamp"], TIME);
    if (at !== undefined && at + SECOND_MS <= before)
      inquiry.miss(`${nameOf(pod)} before: it was there, and is not among its Pods of then`);
  }
  const replaced =
    gone.length === 0
      ? []
      : [
          `${counted(gone.length, "Pod")} of ${was.size} ${gone.length === 1 ? "is" : "are"} gone, or not its own any more (${listed(gone)}) and ${made} new; who deleted one is kept nowhere`,
        ];
  const both = [...was].flatMap(([uid, before]): (readonly [Seen, Seen])[] => {
    const now = is.get(uid);
    return now === undefined ? [] : [[before, now]];
  });
  return [
    ...replaced,
    ...both.flatMap(([before, now]) => startedAgain(inquiry, before, now)),
    ...both.flatMap(([before, now]) => notReadyNow(inquiry, before, now)),
  ];
};

const startedAgain = (inquiry: Inquiry, before: Seen, now: Seen): readonly string[] => {
  const counts = new Map(restartsOf(inquiry, before).map(({ name, count }) => [name, count]));
  return restartsOf(inquiry, now).flatMap(({ name, count, ended }) => {
    const earlier = counts.get(name);
    return earlier === undefined || count === earlier
      ? []
      : [
          `${name} of Pod ${now.name} was started again by its kubelet (restarts: ${earlier}, then ${count}${ended})`,
        ];
  });
};

const restartsOf = (inquiry: Inquiry, pod: Seen) =>
  containersOf(pod).flatMap((container) => {
    const count = inquiry.need(pod, [...container.path, "restartCount"], WHOLE);
    return count === undefined
      ? []
      : [{ name: containerName(container), count, ended: endText(container.status) }];
  });

const endText = (status: Parameters<typeof hint>[0]): string => {
  const [reason, at] = (["reason", "finishedAt"] as const).map((field) =>
    hint(status, ["lastState", "terminated", field], TEXT),
  );
  return reason === undefined
    ? ""
    : `; it ended with ${quoted(reason)}${at === undefined ? "" : ` at ${quoted(at)}`}`;
};

const notReadyNow = (inquiry: Inquiry, before: Seen, now: Seen): readonly string[] => {
  const was = readiness(inquiry, before);
  const is = readiness(inquiry, now);
  if (was !== "True" || is === "True" || is === undefined) return [];
  const at = conditionOf(now, "Ready");
  const since = at.kind === "known" && at.value.transitionedAt !== null ? at.value.transitionedAt : null;
  return [
    `Pod ${now.name} was ready and is not${since === null ? "" : ` since ${new Date(since).toISOString()}`}`,
  ];
};

/** undefined: it says nothing that can be read, and that is named. A Pod that has no such condition yet is not ready. */
export const readiness = (inquiry: Inquiry, pod: Seen): string | undefined => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind === "absent") return "False";
  if (ready.kind === "known") return inquiry.need(pod, [...ready.value.path, "status"], TEXT);
  inquiry.miss(`${nameOf(pod)} ${ready.kind === "unreadable" ? ready.why : "status.conditions"}`);
  return undefined;
};
