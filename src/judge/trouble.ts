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
import { probeTrouble, volumeEvent } from "./events.ts";
import type { Path } from "./read.ts";
import { FLAG, hint, LIST, TEXT, TIME, valueAt, WHOLE } from "./read.ts";
import { quoted } from "./words.ts";

export interface Trouble {
  /** A stable code: `crash-loop`, `image-pull`, `unschedulable` … */
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
  unscheduled(pod, at) ??
  containersOf(pod)
    .map((container) => containerTrouble(container, at))
    .find((trouble) => trouble !== undefined) ??
  notStarted(pod, collection) ??
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

const unscheduled = (pod: Seen, at: Instant): Trouble | undefined => {
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled.kind !== "known" || scheduled.value.status !== "False") return undefined;
  const { reason, message, path } = scheduled.value;
  const since = sinceText(scheduled.value, at);
  if (reason === "SchedulingGated")
    return {
      reason: "scheduling-gated",
      clause: `is held back by a scheduling gate${since}`,
      lasting: false,
      path,
    };
  const volume = /unbound immediate PersistentVolumeClaims|persistentvolumeclaim/i.test(message);
  return {
    reason: volume ? "volume-unbound" : "unschedulable",
    clause: `is unschedulable${since} (${quoted(message)})`,
    // An autoscaler may add a node, a claim may be bound: only the deadline ends this wait (k8s-15).
    lasting: false,
    path,
  };
};

const sinceText = ({ transitionedAt }: Condition, at: Instant): string =>
  transitionedAt === null ? "" : ` since ${age(at - transitionedAt)}`;

interface Container {
  readonly role: "init container" | "sidecar" | "container";
  readonly status: JsonValue;
  readonly path: Path;
}

/** In the order in which they start. */
const containersOf = ({ raw }: Seen): readonly Container[] => {
  const sidecars = new Set(
    listAt(raw, ["spec", "initContainers"]).flatMap((one) =>
      hint(one, ["restartPolicy"], TEXT) === "Always" ? [hint(one, ["name"], TEXT)] : [],
    ),
  );
  const of = (field: string, role: (name: string | undefined) => Container["role"]) =>
    listAt(raw, ["status", field]).map((status, at) => ({
      role: role(hint(status, ["name"], TEXT)),
      status,
      path: ["status", field, at],
    }));
  return [
    ...of("initContainerStatuses", (name) => (sidecars.has(name) ? "sidecar" : "init container")),
    ...of("containerStatuses", () => "container"),
  ];
};

const listAt = (raw: JsonValue, path: Path): readonly JsonValue[] => {
  const list = hint(raw, path, LIST);
  return list === undefined ? [] : list;
};

const PULL = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);
const CREATE = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "PreCreateHookError",
  "PreStartHookError",
  "PostStartHookError",
]);

const containerTrouble = (container: Container, at: Instant): Trouble | undefined => {
  const { role, status, path } = container;
  const name = hint(status, ["name"], TEXT);
  const who = name === undefined ? role : `${role} ${quoted(name)}`;
  const waiting = hint(status, ["state", "waiting", "reason"], TEXT);
  const message = hint(status, ["state", "waiting", "message"], TEXT);
  const why = message === undefined ? "" : ` (${quoted(message)})`;
  const there: Path = [...path, "state", "waiting", "reason"];
  if (waiting === "CrashLoopBackOff")
    return {
      reason: "crash-loop",
      clause: `crashes again and again: ${who} ${lastEnd(status)}`,
      lasting: true,
      path: there,
    };
  if (waiting !== undefined && PULL.has(waiting)) {
    const image = hint(status, ["image"], TEXT);
    const clause = `cannot pull the image ${image === undefined ? `of ${who}` : quoted(image)}: ${waiting}${why}`;
    return { reason: "image-pull", clause, lasting: true, path: there };
  }
  if (waiting !== undefined && CREATE.has(waiting))
    return {
      reason: "container-create",
      clause: `cannot start ${who}: ${waiting}${why}`,
      lasting: true,
      path: there,
    };
  const code = hint(status, ["state", "terminated", "exitCode"], WHOLE);
  if (code !== undefined && (code !== 0 || role !== "init container")) {
    const ended = hint(status, ["state", "terminated", "finishedAt"], TIME);
    const when = ended === undefined ? "" : ` ${age(at - ended)} ago`;
    return {
      reason: "exited",
      clause: `waits for a restart: ${who} ended with ${exitText(valueAt(status, ["state", "terminated"]))}${when}`,
      lasting: false,
      path: [...path, "state", "terminated", "exitCode"],
    };
  }
  return undefined;
};

/** How the container ended before it is tried again. */
const lastEnd = (status: JsonValue): string => {
  const last = valueAt(status, ["lastState", "terminated"]) ?? valueAt(status, ["state", "terminated"]);
  const restarts = hint(status, ["restartCount"], WHOLE);
  const times = restarts === undefined ? "" : `, restarted ${restarts === 1 ? "once" : `${restarts} times`}`;
  return last === undefined ? `ended${times}` : `ended with ${exitText(last)}${times}`;
};

const exitText = (terminated: JsonValue | undefined): string => {
  const code = hint(terminated, ["exitCode"], WHOLE);
  const reason = hint(terminated, ["reason"], TEXT);
  const said =
    reason === undefined || reason === "Error" || reason === "Completed" ? "" : ` (${quoted(reason)})`;
  return `exit code ${code === undefined ? "unknown" : code}${said}`;
};

/** Running init containers, containers that are being created, volumes that do not come. */
const notStarted = (pod: Seen, collection: Collection): Trouble | undefined => {
  for (const { role, status, path } of containersOf(pod)) {
    const waiting = hint(status, ["state", "waiting", "reason"], TEXT);
    if (role === "init container" && valueAt(status, ["state", "running"]) !== undefined)
      return {
        reason: "init-container",
        clause: `is still in its init container ${quoted(String(hint(status, ["name"], TEXT)))}`,
        lasting: false,
        path: [...path, "state", "running"],
      };
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

const notReady = (pod: Seen, collection: Collection, at: Instant): Trouble | undefined => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind !== "known" || ready.value.status === "True") return undefined;
  const since = sinceText(ready.value, at);
  const gates = listAt(pod.raw, ["spec", "readinessGates"]).flatMap((one) => {
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
  const unstarted = containersOf(pod).find(({ status }) => hint(status, ["started"], FLAG) === false);
  const probe = probeTrouble(pod, collection, at);
  if (unstarted !== undefined && probe?.probe !== "readiness")
    return {
      reason: "startup-probe",
      clause: `has not started yet${probe === undefined ? "" : `: ${probe.clause}`}`,
      lasting: false,
      path: [...unstarted.path, "started"],
    };
  return {
    reason: probe === undefined ? "not-ready" : `${probe.probe}-probe`,
    clause:
      probe === undefined
        ? `is not ready${since}${restartText(pod)}`
        : `is not ready${since}: ${probe.clause}`,
    lasting: false,
    path: ready.value.path,
  };
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
