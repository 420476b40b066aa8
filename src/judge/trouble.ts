/**
 * Why one Pod is not ready, named: scheduling, image pull, crash loop with exit code, init and sidecar containers, probes,
 * volumes, readiness gates. Reasons are those that kubelet and scheduler write (pkg/kubelet/container/sync_result.go,
 * pkg/kubelet/images/types.go, the scheduler's PodScheduled condition).
 *
 * `lasting` trouble contradicts a rollout; the rest may pass by itself while the Pod starts, and only says what it waits for.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonValue } from "../domain/json.ts";
import { age } from "../domain/time.ts";
import type { Collection } from "./collection.ts";
import { type Condition, conditionOf } from "./conditions.ts";
import { type Container, containerName, containersOf } from "./containers.ts";
import { volumeEvent } from "./events.ts";
import { pullTrouble } from "./image-pull.ts";
import { killedFor, probeTrouble, startupClause } from "./probes.ts";
import type { Path } from "./read.ts";
import { FLAG, hint, itemsAt, TEXT, TIME, valueAt, WHOLE } from "./read.ts";
import { unscheduled } from "./unscheduled.ts";
import { quoted } from "./words.ts";

export interface Trouble {
  /** A stable code: `crash-loop`, `image-not-found`, `unschedulable` … */
  readonly reason: string;
  /** What stands after the Pod's name: `cannot pull the image web:v2 (not found)`. */
  readonly clause: string;
  readonly lasting: boolean;
  /** Where in the Pod it stands. */
  readonly path: Path;
}

/** undefined: nothing is wrong that the Pod or its events tell. */
export const troubleOf = (pod: Seen, collection: Collection, at: Instant): Trouble | undefined =>
  failed(pod) ??
  withoutNode(pod, collection, at) ??
  containersOf(pod)
    .map((container) => containerTrouble(pod, container, collection, at))
    .find((trouble) => trouble !== undefined) ??
  notStarted(pod, collection, at) ??
  notReady(pod, collection, at);

const failed = ({ raw }: Seen): Trouble | undefined => {
  if (hint(raw, ["status", "phase"], TEXT) !== "Failed") return undefined;
  const reason = hint(raw, ["status", "reason"], TEXT);
  const message = hint(raw, ["status", "message"], TEXT);
  const why = [reason, message].filter((one) => one !== undefined).join(": ");
  return {
    reason: "pod-failed",
    clause: why === "" ? "has failed" : `has failed (${quoted(why)})`,
    lasting: true,
    path: ["status", "phase"],
  };
};

/** An autoscaler may add a node, a claim may be bound: only the deadline ends this wait (k8s-15). */
const withoutNode = (pod: Seen, collection: Collection, at: Instant): Trouble | undefined => {
  const found = unscheduled(pod, collection, at);
  return found === undefined ? undefined : { ...found, lasting: false };
};

const CREATE = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "PreCreateHookError",
  "PreStartHookError",
  "PostStartHookError",
]);

const containerTrouble = (
  pod: Seen,
  container: Container,
  collection: Collection,
  at: Instant,
): Trouble | undefined => {
  const { status, path } = container;
  const who = containerName(container);
  const waiting = hint(status, ["state", "waiting", "reason"], TEXT);
  const there: Path = [...path, "state", "waiting", "reason"];
  if (waiting === "CrashLoopBackOff")
    return {
      reason: "crash-loop",
      clause: `crashes again and again: ${who} ${lastEnd(status)}${killedFor(pod, container, collection)}`,
      lasting: true,
      path: there,
    };
  const pull = pullTrouble(pod, container, collection);
  if (pull !== undefined) return { ...pull, path: there };
  if (waiting !== undefined && CREATE.has(waiting)) {
    const message = hint(status, ["state", "waiting", "message"], TEXT);
    const why = message === undefined ? "" : ` (${quoted(message)})`;
    return {
      reason: "container-create",
      clause: `cannot start ${who}: ${waiting}${why}`,
      lasting: true,
      path: there,
    };
  }
  return ended(pod, container, collection, at);
};

/** A container that is over: to be started again, or ended in a way that leaves its Pod short. */
const ended = (pod: Seen, container: Container, collection: Collection, at: Instant): Trouble | undefined => {
  const { role, status, path, isOver } = container;
  const code = hint(status, ["state", "terminated", "exitCode"], WHOLE);
  if (code === undefined || (code === 0 && (role === "init container" || isOver))) return undefined;
  // A sidecar is ended by the kubelet once the others are over, whatever it makes of that.
  if (role === "sidecar" && isOver) return undefined;
  const there: Path = [...path, "state", "terminated", "exitCode"];
  // The kubelet calls it a back-off a moment later; two failures in a row are the same before.
  if (!isOver && code !== 0 && failedBefore(status))
    return {
      reason: "crash-loop",
      clause: `crashes again and again: ${containerName(container)} ${howEnded(status, valueAt(status, ["state", "terminated"]))}${killedFor(pod, container, collection)}`,
      lasting: true,
      path: there,
    };
  const finished = hint(status, ["state", "terminated", "finishedAt"], TIME);
  const when = finished === undefined ? "" : ` ${age(at - finished)} ago`;
  const how = `${containerName(container)} ended with ${exitText(valueAt(status, ["state", "terminated"]))}${when}${killedFor(pod, container, collection)}`;
  return {
    reason: "exited",
    clause: isOver ? `is over in part, and is not started again: ${how}` : `waits for a restart: ${how}`,
    lasting: false,
    path: there,
  };
};

const failedBefore = (status: JsonValue): boolean => {
  const code = hint(status, ["lastState", "terminated", "exitCode"], WHOLE);
  return code !== undefined && code !== 0;
};

/** How the container ended before it is tried again. */
const lastEnd = (status: JsonValue): string =>
  howEnded(status, valueAt(status, ["lastState", "terminated"]) ?? valueAt(status, ["state", "terminated"]));

const howEnded = (status: JsonValue, end: JsonValue | undefined): string => {
  const restarts = hint(status, ["restartCount"], WHOLE);
  const times = restarts === undefined ? "" : `, restarted ${restarts === 1 ? "once" : `${restarts} times`}`;
  return end === undefined ? `ended${times}` : `ended with ${exitText(end)}${times}`;
};

const sinceText = ({ transitionedAt }: Condition, at: Instant): string =>
  transitionedAt === null ? "" : ` since ${age(at - transitionedAt)}`;

const exitText = (terminated: JsonValue | undefined): string => {
  const code = hint(terminated, ["exitCode"], WHOLE);
  const reason = hint(terminated, ["reason"], TEXT);
  const said =
    reason === undefined || reason === "Error" || reason === "Completed" ? "" : ` (${quoted(reason)})`;
  return `exit code ${code === undefined ? "unknown" : code}${said}`;
};

/** Running init containers, sidecars that do not start, containers that are being created, volumes that do not come. */
const notStarted = (pod: Seen, collection: Collection, at: Instant): Trouble | undefined => {
  for (const container of containersOf(pod)) {
    const { role, name, status, path } = container;
    const waiting = hint(status, ["state", "waiting", "reason"], TEXT);
    if (role === "init container" && valueAt(status, ["state", "running"]) !== undefined)
      return {
        reason: "init-container",
        clause: `is still in its init container ${quoted(String(name))}`,
        lasting: false,
        path: [...path, "state", "running"],
      };
    // The containers after it are not begun before.
    if (role === "sidecar" && isStarting(container)) return starting(pod, container, collection, at);
    if (waiting === "ContainerCreating" || waiting === "PodInitializing") {
      const event = volumeEvent(pod, collection);
      const clause = event === undefined ? "is being created" : `is being created (${quoted(event)})`;
      return {
        reason: event === undefined ? "creating" : "volume-mount",
        clause,
        lasting: false,
        path: [...path, "state", "waiting", "reason"],
      };
    }
  }
  return undefined;
};

const isStarting = ({ status }: Container): boolean =>
  valueAt(status, ["state", "running"]) !== undefined && hint(status, ["started"], FLAG) === false;

const starting = (pod: Seen, container: Container, collection: Collection, at: Instant): Trouble => ({
  reason: "startup-probe",
  clause: `waits for ${whose(pod, container)}, which ${startupClause(pod, container, collection, at)}`,
  lasting: false,
  path: [...container.path, "started"],
});

/** `its sidecar proxy`; a Pod of one container needs no name. */
const whose = (pod: Seen, container: Container): string =>
  containersOf(pod).length === 1 ? `its ${container.role}` : `its ${containerName(container)}`;

const notReady = (pod: Seen, collection: Collection, at: Instant): Trouble | undefined => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind !== "known" || ready.value.status === "True") return undefined;
  const since = sinceText(ready.value, at);
  const gates = itemsAt(pod.raw, ["spec", "readinessGates"]).flatMap((one) => {
    const type = hint(one, ["conditionType"], TEXT);
    if (type === undefined) return [];
    const gate = conditionOf(pod, type);
    return gate.kind === "known" && gate.value.status === "True" ? [] : [type];
  });
  const contained = conditionOf(pod, "ContainersReady");
  if (gates.length > 0 && contained.kind === "known" && contained.value.status === "True")
    return {
      reason: "readiness-gate",
      clause: `waits for its readiness gate ${gates.map(quoted).join(", ")}${since}`,
      lasting: false,
      path: ready.value.path,
    };
  const unready = containersOf(pod).filter(
    ({ role, status, isOver }) =>
      role !== "init container" && !isOver && hint(status, ["ready"], FLAG) === false,
  );
  const unstarted = unready.find(isStarting);
  if (unstarted !== undefined) return starting(pod, unstarted, collection, at);
  return {
    ...unreadyContainers(pod, unready, collection, at, since),
    lasting: false,
    path: ready.value.path,
  };
};

/** Which of its containers is not ready, where there are several; and which probe says so. */
const unreadyContainers = (
  pod: Seen,
  unready: readonly Container[],
  collection: Collection,
  at: Instant,
  since: string,
): Pick<Trouble, "reason" | "clause"> => {
  const several = containersOf(pod).filter(({ role }) => role !== "init container").length > 1;
  for (const container of unready) {
    // It has started, so its startup probe has succeeded since.
    const probe = probeTrouble(pod, container, collection, at, ["readiness", "liveness"]);
    if (probe === undefined) continue;
    const its = several ? `its ${containerName(container)}'s ${probe.clause}` : `its ${probe.clause}`;
    return { reason: `${probe.probe}-probe`, clause: `is not ready${since}: ${its}` };
  }
  const names = several && unready.length > 0 ? ` (its ${unready.map(containerName).join(" and its ")})` : "";
  return { reason: "not-ready", clause: `is not ready${since}${names}${restartText(pod)}` };
};

const restartText = (pod: Seen): string => {
  const most = containersOf(pod)
    .flatMap(({ status }) => {
      const count = hint(status, ["restartCount"], WHOLE);
      return count === undefined || count === 0 ? [] : [{ count, status }];
    })
    .sort((a, b) => b.count - a.count)[0];
  return most === undefined ? "" : `, and its container ${lastEnd(most.status)}`;
};
