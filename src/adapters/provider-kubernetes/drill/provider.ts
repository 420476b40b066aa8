/**
 * `kubernetes-drill`: removes one Pod on purpose, so that its controller makes another. Internal: `asfound drill` makes its
 * step, chooses the Pod and judges what comes after; this only sends, and tells whether that Pod is gone.
 *
 * Laws, each kept here and by the server's preconditions: nothing outside the allowed namespaces; nothing that was changed
 * since it was chosen (resourceVersion); only that incarnation (UID, D4), so that the same Pod is never removed twice.
 * A create is the first drill of a workload, an update each later one: the identity is the workload's name.
 */
import type { Call, CommittedIntent } from "../../../domain/committed-intent.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { known, unreadable } from "../../../domain/known.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import type {
  CallIo,
  InputFault,
  Previewed,
  Provider,
  ProviderFacts,
  Question,
} from "../../../ports/provider.ts";
import { type Fence, fenceOf, opened } from "../call.ts";
import { nameOf } from "../inventory.ts";
import { type ClusterReach, clusterReachOf, found, lookAt, type Parts, type There } from "../reach.ts";
import { type DrillSpec, parseDrill } from "./spec.ts";

const refused = (reason: string): Outcome => ({ kind: "refused", reason: `no Pod was removed: ${reason}` });

const describe = (inputs: JsonObject): ProviderFacts | readonly InputFault[] => {
  const parsed = parseDrill(inputs);
  if ("faults" in parsed) return parsed.faults;
  return {
    can: { observe: true, create: true, update: true, destroy: false, compensate: false, owed: false },
    // A call in doubt is looked at until it is past; it is not sent again before.
    retry: "once",
    inputFiles: [],
    cannotKnow: ["Whether the Pod that comes in its place runs well is not known before it is there."],
  };
};

const identityOf = ({ workload }: DrillSpec): string =>
  `${workload.resource.kind} ${workload.namespace}/${workload.name}`;

/** What `confirm` asks about, and which UID must be gone. */
const outputsOf = ({ workload, workloadUid, podUid, pod, cluster, beside, reply }: DrillSpec): JsonObject => {
  const { group, version, resource, kind } = workload.resource;
  return {
    cluster,
    replaced: [podUid],
    beside: [...beside],
    reply,
    pod: { name: pod.name, uid: podUid },
    objects: [
      {
        apiVersion: group === "" ? version : `${group}/${version}`,
        kind,
        resource,
        namespace: workload.namespace,
        name: workload.name,
        uid: workloadUid,
      },
    ],
  };
};

/** Why the Pod that is there now is not the one that was chosen. */
const changedSince = (spec: DrillSpec, there: There | undefined): string | undefined => {
  const name = nameOf(spec.pod);
  if (there === undefined) return `${name} (uid ${spec.podUid}) is gone already`;
  if (there.uid !== spec.podUid)
    return `${name} is another Pod now (uid ${there.uid}); the one with uid ${spec.podUid} is gone already`;
  if (there.leaving) return `${name} is being deleted already`;
  return there.resourceVersion === spec.resourceVersion
    ? undefined
    : `${name} has changed since it was chosen (resourceVersion ${there.resourceVersion}, and ${spec.resourceVersion} was chosen)`;
};

const send = async (reach: ClusterReach, spec: DrillSpec, fence: Fence, id: string): Promise<Outcome> => {
  const { writer } = reach;
  const { pod, podUid: uid, resourceVersion, by } = spec;
  const way = by === "evict" ? writer.evict : writer.remove;
  const removed = await way(pod, { uid, resourceVersion }, reach.limits(), fence.late);
  const outputs = outputsOf(spec);
  switch (removed.kind) {
    case "taken":
      return { kind: "done", id, outputs, owes: [] };
    case "absent":
      return refused(`${nameOf(pod)} is gone already`);
    case "refused":
    case "not-sent":
      return refused(removed.sentence);
    case "failed":
    case "unknown":
      return { kind: removed.kind, reason: removed.sentence, id: null, outputs: {}, owes: [] };
  }
};

const drill = async (
  parts: Parts,
  intent: CommittedIntent<"create" | "update">,
  io: CallIo,
): Promise<Outcome> => {
  const call: Call | Outcome = await opened(intent);
  if (!("intent" in call)) return call;
  const fence = fenceOf(parts.clock, call);
  const parsed = parseDrill(call.inputs);
  if ("faults" in parsed) return refused(parsed.faults.map(({ message }) => message).join("; "));
  const { spec } = parsed;
  if (!spec.allowNamespaces.includes(spec.namespace ?? ""))
    return refused(
      `the namespace ${spec.namespace} is not among those allowed (${spec.allowNamespaces.join(", ") || "none"})`,
    );
  const reach = await clusterReachOf(parts, spec, io, spec.cluster);
  if ("fault" in reach) return refused(reach.fault);
  try {
    const looked = await lookAt(reach, [spec.pod]);
    if (!("looks" in looked)) return refused(looked.sentence);
    const [there] = found(looked.looks);
    const changed = changedSince(spec, there);
    if (changed !== undefined) return refused(changed);
    return await send(reach, spec, fence, call.identity?.id ?? identityOf(spec));
  } finally {
    reach.cluster.close();
  }
};

/** What the server says to it now: budgets, preconditions, rights. Changes nothing. */
const preview = async (parts: Parts, question: Question, io: CallIo): Promise<readonly Previewed[]> => {
  const parsed = parseDrill(question.inputs);
  if ("faults" in parsed) return [];
  const { spec } = parsed;
  const of = nameOf(spec.pod);
  const reach = await clusterReachOf(parts, spec, io, spec.cluster);
  if ("fault" in reach) return [{ what: "unknown", of, lines: [reach.fault] }];
  try {
    const { writer } = reach;
    const way = spec.by === "evict" ? writer.rehearseEviction : writer.rehearseRemoval;
    const { podUid: uid, resourceVersion } = spec;
    const said = await way(spec.pod, { uid, resourceVersion }, reach.limits());
    if (said.kind === "taken") return [{ what: "remove", of, lines: [] }];
    if (said.kind === "absent") return [{ what: "refused", of, lines: [`${of} is gone already`] }];
    return [{ what: said.kind === "refused" ? "refused" : "unknown", of, lines: [said.sentence] }];
  } finally {
    reach.cluster.close();
  }
};

/** Where the last drill was of another Pod, and is settled: what is asked about now has not begun. */
const isAboutAnother = (spec: DrillSpec, { previousInputs, inDoubt }: Question): boolean => {
  if (inDoubt === true || previousInputs === null) return false;
  const before = parseDrill(previousInputs);
  return "spec" in before && before.spec.podUid !== spec.podUid;
};

const observe = async (parts: Parts, question: Question, io: CallIo): Promise<Reading> => {
  const parsed = parseDrill(question.inputs);
  if ("faults" in parsed)
    return { kind: "failed", reason: parsed.faults.map(({ message }) => message).join("; ") };
  const { spec } = parsed;
  const id = question.identity?.id ?? identityOf(spec);
  if (isAboutAnother(spec, question))
    return {
      kind: "observed",
      id,
      outputs: {},
      asDeclared: unreadable("the last drill was of another Pod"),
      reason: null,
    };
  const reach = await clusterReachOf(parts, spec, io, spec.cluster);
  if ("fault" in reach) return { kind: "failed", reason: reach.fault };
  try {
    const looked = await lookAt(reach, [spec.pod]);
    if (!("looks" in looked)) return { kind: looked.kind, reason: looked.sentence };
    const [there] = found(looked.looks);
    const isStill = there !== undefined && there.uid === spec.podUid && !there.leaving;
    if (!isStill)
      return { kind: "observed", id, outputs: outputsOf(spec), asDeclared: known(true), reason: null };
    if (question.identity === null) return { kind: "absent" };
    const reason = `${nameOf(spec.pod)} (uid ${spec.podUid}) is there and is not being deleted`;
    return { kind: "observed", id, outputs: {}, asDeclared: known(false), reason };
  } finally {
    reach.cluster.close();
  }
};

export const drillProvider = (parts: Parts): Provider => ({
  name: "kubernetes-drill",
  describe,
  observe: (question, io) => observe(parts, question, io),
  preview: (question, io) => preview(parts, question, io),
  create: (intent, io) => drill(parts, intent, io),
  update: (intent, io) => drill(parts, intent, io),
  destroy: async () => refused("a drill leaves nothing that could be destroyed"),
  compensate: async () => refused("a drill has nothing to compensate with"),
  owed: async () => refused("a drill owes nothing"),
});
