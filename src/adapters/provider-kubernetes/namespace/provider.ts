/**
 * `kubernetes-namespace`: makes one new namespace, and removes it with all that is in it. Internal: a lab makes its step. It is
 * for a namespace that nobody else has, so one that is there already is never taken over, and only the one that was made is
 * removed, by its UID (D4).
 */
import type { Call, CommittedIntent } from "../../../domain/committed-intent.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import { known } from "../../../domain/known.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import type { ObjectRef } from "../../../ports/cluster.ts";
import type { CallIo, InputFault, Provider, ProviderFacts, Question } from "../../../ports/provider.ts";
import { type Fence, fenceOf, opened } from "../call.ts";
import { nameOf } from "../inventory.ts";
import { annotation } from "../object.ts";
import {
  type ClusterReach,
  clusterReachOf,
  found,
  lookAt,
  type Parts,
  type There,
  type Way,
} from "../reach.ts";

/** Whose call made it, so that a create without a reply is settled by looking. */
const MADE_BY = "asfound.dev/made-by";

interface NamespaceSpec extends Way {
  readonly ref: ObjectRef;
}

type Parsed = { readonly spec: NamespaceSpec } | { readonly faults: readonly InputFault[] };

const KNOWN: readonly string[] = ["name", "kubeconfig", "context", "allowExec"];
const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

const parse = (inputs: JsonObject): Parsed => {
  const { name, kubeconfig, context, allowExec = [] } = inputs;
  const unknown = Object.keys(inputs).filter((key) => !KNOWN.includes(key));
  const faults = [
    ...unknown.map((key) => ({
      path: [key],
      message: `'${key}' is not known here; known are ${KNOWN.join(", ")}`,
    })),
    ...(isText(name) ? [] : [{ path: ["name"], message: "'name' must be a text that is not empty" }]),
  ];
  if (faults.length > 0 || !isText(name)) return { faults };
  const resource = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
  return {
    spec: {
      ref: { resource, namespace: null, name },
      namespace: null,
      kubeconfig: isText(kubeconfig) ? kubeconfig : null,
      context: isText(context) ? context : null,
      allowExec: Array.isArray(allowExec) ? (allowExec as readonly JsonValue[]).filter(isText) : [],
    },
  };
};

const describe = (inputs: JsonObject): ProviderFacts | readonly InputFault[] => {
  const parsed = parse(inputs);
  if ("faults" in parsed) return parsed.faults;
  return {
    can: { observe: true, create: true, update: false, destroy: true, compensate: false, owed: false },
    retry: "once",
    inputFiles: [],
    cannotKnow: [],
  };
};

const refused = (reason: string): Outcome => ({ kind: "refused", reason });

const outputsOf = ({ clusterUid }: ClusterReach, ref: ObjectRef, uid: string): JsonObject => ({
  cluster: clusterUid,
  name: ref.name,
  uid,
});

/** In which cluster it was made; null: not recorded. */
const clusterIn = (outputs: JsonObject): string | null => {
  const { cluster } = isJsonObject(outputs) ? outputs : {};
  return isText(cluster) ? cluster : null;
};

interface Opened {
  readonly call: Call;
  readonly fence: Fence;
  readonly spec: NamespaceSpec;
  readonly reach: ClusterReach;
  readonly there: There | undefined;
}

/** Looks first; `use` sends. */
const called = async (
  parts: Parts,
  intent: CommittedIntent<"create" | "destroy">,
  io: CallIo,
  use: (begun: Opened) => Promise<Outcome>,
): Promise<Outcome> => {
  const call = await opened(intent);
  if (!("intent" in call)) return call;
  const fence = fenceOf(parts.clock, call);
  const parsed = parse(call.inputs);
  if ("faults" in parsed) return refused(parsed.faults.map(({ message }) => message).join("; "));
  const { spec } = parsed;
  const reach = await clusterReachOf(parts, spec, io, clusterIn(call.outputs));
  if ("fault" in reach) return refused(reach.fault);
  try {
    const looked = await lookAt(reach, [spec.ref]);
    if (!("looks" in looked)) return refused(looked.sentence);
    return await use({ call, fence, spec, reach, there: found(looked.looks)[0] });
  } finally {
    reach.cluster.close();
  }
};

const create = ({ call, fence, spec: { ref }, reach, there }: Opened): Promise<Outcome> | Outcome => {
  if (there !== undefined) return refused(`${nameOf(ref)} is there already, and somebody else's is not used`);
  const object = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: ref.name, annotations: { [MADE_BY]: call.key } },
  };
  return made(reach, ref, reach.writer.apply({ ref, object, force: false }, reach.limits(), fence.late));
};

const made = async (
  reach: ClusterReach,
  ref: ObjectRef,
  applying: ReturnType<ClusterReach["writer"]["apply"]>,
): Promise<Outcome> => {
  const applied = await applying;
  switch (applied.kind) {
    case "applied":
      return { kind: "done", id: applied.uid, outputs: outputsOf(reach, ref, applied.uid), owes: [] };
    case "refused":
    case "not-sent":
      return refused(applied.sentence);
    case "failed":
    case "unknown":
      return { kind: applied.kind, reason: applied.sentence, id: null, outputs: {}, owes: [] };
  }
};

/** Its controller writes its status, so what was read may be old at once. */
const MOST_TURNS = 5;

const destroy = async ({ call, fence, spec: { ref }, reach, there }: Opened): Promise<Outcome> => {
  const id = call.identity === null ? null : call.identity.id;
  const done: Outcome = { kind: "done", id, outputs: {}, owes: [] };
  let now = there;
  for (let turn = 1; ; turn += 1) {
    if (now === undefined || now.uid !== id || now.leaving) return done;
    const { uid, resourceVersion } = now;
    const removed = await reach.writer.remove(ref, { uid, resourceVersion }, reach.limits(), fence.late);
    if (removed.kind === "taken" || removed.kind === "absent") return done;
    if (removed.kind === "not-sent") return refused(removed.sentence);
    if (removed.kind !== "refused")
      return { kind: removed.kind, reason: removed.sentence, id, outputs: {}, owes: [] };
    if (removed.status !== 409 || turn === MOST_TURNS) return refused(removed.sentence);
    const looked = await lookAt(reach, [ref]);
    if (!("looks" in looked)) return refused(looked.sentence);
    [now] = found(looked.looks);
  }
};

const observe = async (parts: Parts, question: Question, io: CallIo): Promise<Reading> => {
  const parsed = parse(question.inputs);
  if ("faults" in parsed)
    return { kind: "failed", reason: parsed.faults.map(({ message }) => message).join("; ") };
  const { spec } = parsed;
  const reach = await clusterReachOf(parts, spec, io, clusterIn(question.outputs));
  if ("fault" in reach) return { kind: "failed", reason: reach.fault };
  try {
    const looked = await lookAt(reach, [spec.ref]);
    if (!("looks" in looked)) return { kind: looked.kind, reason: looked.sentence };
    const [there] = found(looked.looks);
    // Another of that name is not ours, whoever made it (R1).
    if (there === undefined || !isOurs(there, question)) return { kind: "absent" };
    const outputs = outputsOf(reach, spec.ref, there.uid);
    const reason = there.leaving ? `${nameOf(spec.ref)} is being deleted` : null;
    return { kind: "observed", id: there.uid, outputs, asDeclared: known(!there.leaving), reason };
  } finally {
    reach.cluster.close();
  }
};

const isOurs = ({ uid, object }: There, { identity, keys }: Question): boolean => {
  if (identity !== null) return identity.id === uid;
  const key = annotation(object, MADE_BY);
  return key !== null && (keys as readonly string[]).includes(key);
};

export const namespaceProvider = (parts: Parts): Provider => ({
  name: "kubernetes-namespace",
  describe,
  observe: (question, io) => observe(parts, question, io),
  create: (intent, io) => called(parts, intent, io, async (begun) => create(begun)),
  update: async () => refused("a namespace that was made for one use does not change"),
  destroy: (intent, io) => called(parts, intent, io, destroy),
  compensate: async () => refused("a namespace has nothing to compensate with"),
  owed: async () => refused("a namespace owes nothing"),
});
