/** What a state of a cluster tells of when things happened: syncs, ReplicaSets, Pods by UID, container starts, writes. */
import type { Evidence, Seen } from "../domain/evidence.ts";
import { citation } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonValue } from "../domain/json.ts";
import { Collection } from "../judge/collection.ts";
import { citedAt, hint, itemsAt, type Path, TEXT, TIME, valueAt } from "../judge/read.ts";
import { nameOf, quoted } from "../judge/words.ts";

export interface Happened {
  readonly at: Instant;
  /** A clause. */
  readonly what: string;
  readonly evidence: string;
}

/** Of the target and its Application; each once. */
export const happenedIn = (
  evidence: Evidence,
  target: Seen | null,
  application: Seen | null,
): readonly Happened[] => {
  const collection = new Collection(evidence);
  const own = target === null || target.uid === null ? [] : ownedBy(collection, target.uid);
  return [
    ...(application === null ? [] : syncsOf(application)),
    ...(target === null ? [] : writesOf(target)),
    ...own.flatMap((one) => [...begun(one), ...startsOf(one)]),
  ].sort((a, b) => a.at - b.at);
};

const ownedBy = (collection: Collection, uid: string): readonly Seen[] => {
  const sets = collection.controlledBy(uid, "ReplicaSet");
  const pods = [uid, ...sets.flatMap((one) => (one.uid === null ? [] : [one.uid]))];
  return [...sets, ...pods.flatMap((owner) => collection.controlledBy(owner, "Pod"))];
};

const dated = (object: Seen, path: Path, what: string): readonly Happened[] => {
  const at = hint(object.raw, path, TIME);
  return at === undefined ? [] : [{ at, what, evidence: citation(citedAt(object, path)) }];
};

const begun = (object: Seen): readonly Happened[] =>
  dated(
    object,
    ["metadata", "creationTimestamp"],
    `${nameOf(object)} was created (UID ${String(object.uid)})`,
  );

const startsOf = (pod: Seen): readonly Happened[] =>
  pod.kind !== "Pod"
    ? []
    : itemsAt(pod.raw, ["status", "containerStatuses"]).flatMap((status, index) => {
        const base: Path = ["status", "containerStatuses", index];
        const name = quoted(String(valueAt(status, ["name"])));
        const ended = String(valueAt(status, ["lastState", "terminated", "exitCode"]));
        return [
          ...dated(
            pod,
            [...base, "lastState", "terminated", "finishedAt"],
            `${name} in ${nameOf(pod)} ended (exit code ${ended})`,
          ),
          ...dated(pod, [...base, "state", "running", "startedAt"], `${name} in ${nameOf(pod)} was started`),
        ];
      });

const syncsOf = (application: Seen): readonly Happened[] => {
  const history = itemsAt(application.raw, ["status", "history"]).flatMap((one, index) =>
    dated(
      application,
      ["status", "history", index, "deployedAt"],
      `${nameOf(application)} was synced to ${revisionIn(one)}${byOf(valueAt(one, ["initiatedBy"]))}`,
    ),
  );
  const state: Path = ["status", "operationState"];
  const operation = valueAt(application.raw, state);
  const phase = quoted(String(valueAt(operation, ["phase"])));
  const revision = hint(operation, ["syncResult", "revision"], TEXT);
  const of = revision === undefined ? "" : ` to ${revision.slice(0, 10)}`;
  return [
    ...history,
    ...dated(
      application,
      [...state, "startedAt"],
      `a sync of ${nameOf(application)}${of} began${byOf(valueAt(operation, ["operation", "initiatedBy"]))}`,
    ),
    ...dated(application, [...state, "finishedAt"], `that sync ended: ${phase}`),
  ];
};

const revisionIn = (one: JsonValue): string => {
  const single = hint(one, ["revision"], TEXT);
  if (single !== undefined && single !== "") return single.slice(0, 10);
  return (
    itemsAt(one, ["revisions"])
      .map((text) => String(text).slice(0, 10))
      .join(", ") || "a revision that is not told"
  );
};

const byOf = (by: JsonValue | undefined): string => {
  if (valueAt(by, ["automated"]) === true) return ", by itself";
  const user = hint(by, ["username"], TEXT);
  return user === undefined ? "" : `, by ${quoted(user)}`;
};

const writesOf = (target: Seen): readonly Happened[] =>
  itemsAt(target.raw, ["metadata", "managedFields"]).flatMap((entry, index) =>
    valueAt(entry, ["subresource"]) !== undefined
      ? []
      : dated(
          target,
          ["metadata", "managedFields", index, "time"],
          `${quoted(String(valueAt(entry, ["manager"])))} last wrote ${nameOf(target)}`,
        ),
  );
