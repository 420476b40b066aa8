/**
 * `kubernetes-template`: gives a workload the template of an earlier revision, or of a recorded release, as a whole: what
 * the present one has beyond it goes. Internal: `asfound rollback run` makes its step and judges what comes after.
 *
 * Laws, kept here and by the server's preconditions: only that incarnation of the workload, and only as it was read (uid and
 * resourceVersion; another is refused, and nothing is changed); only the template of that very revision (by its uid).
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import { known, unreadable } from "../../../domain/known.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import { sameJson } from "../../../domain/same-json.ts";
import type { Provider, Question } from "../../../ports/provider.ts";
import type { Fence } from "../call.ts";
import { nameOf } from "../inventory.ts";
import { type ClusterReach, type Look, lookAt, type Parts, type There } from "../reach.ts";
import { parseTemplate, type TemplateSpec } from "./spec.ts";
import { refused, rollbackProvider } from "./step.ts";

const HASH_LABEL = "pod-template-hash";

/** In Go null is not there; the hash is the ReplicaSet's own. */
const plain = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null || name === HASH_LABEL ? [] : [[name, plain(member)]],
    ),
  );
};

const templateIn = (object: JsonObject, ...path: readonly string[]): JsonObject | undefined => {
  let at: JsonValue | undefined = object;
  for (const name of path) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  if (!isJsonObject(at)) return undefined;
  const { $patch: _, ...template } = at;
  return plain(template) as JsonObject;
};

interface Both {
  readonly live: There;
  readonly liveTemplate: JsonObject | undefined;
  readonly wanted: JsonObject;
}

/** A sentence: what has to be there is not. */
const bothIn = (spec: TemplateSpec, looks: readonly Look[]): Both | { readonly fault: string } => {
  const [live, from] = looks;
  if (live === undefined || live.kind === "absent") return { fault: `${nameOf(spec.workload)} is not there` };
  if (live.there.uid !== spec.workloadUid)
    return {
      fault: `${nameOf(spec.workload)} is another one now (uid ${live.there.uid}; ${spec.workloadUid} was meant)`,
    };
  const liveTemplate = templateIn(live.there.object, "spec", "template");
  if (spec.from === null)
    return { live: live.there, liveTemplate, wanted: plain(spec.template ?? {}) as JsonObject };
  const name = nameOf(spec.from.ref);
  if (from === undefined || from.kind === "absent")
    return { fault: `${name}, which kept the template, is not there any more` };
  if (from.there.uid !== spec.from.uid)
    return { fault: `${name} is another one now (uid ${from.there.uid}; ${spec.from.uid} was meant)` };
  const isSet = spec.from.ref.resource.kind === "ReplicaSet";
  const wanted = templateIn(
    from.there.object,
    ...(isSet ? ["spec", "template"] : ["data", "spec", "template"]),
  );
  return wanted === undefined
    ? { fault: `${name} holds no template` }
    : { live: live.there, liveTemplate, wanted };
};

const refsOf = ({ workload, from }: TemplateSpec) => (from === null ? [workload] : [workload, from.ref]);

const outputsOf = ({ workload, workloadUid }: TemplateSpec): JsonObject => ({
  workload: {
    kind: workload.resource.kind,
    namespace: workload.namespace,
    name: workload.name,
    uid: workloadUid,
  },
});

const send = async (reach: ClusterReach, spec: TemplateSpec, fence: Fence, id: string): Promise<Outcome> => {
  const looked = await lookAt(reach, refsOf(spec));
  if (!("looks" in looked)) return refused(looked.sentence);
  const both = bothIn(spec, looked.looks);
  if ("fault" in both) return refused(both.fault);
  const { live, liveTemplate, wanted } = both;
  const done: Outcome = { kind: "done", id, outputs: outputsOf(spec), owes: [] };
  if (liveTemplate !== undefined && sameJson(liveTemplate, wanted)) return done;
  if (live.resourceVersion !== spec.resourceVersion)
    return refused(
      `${nameOf(spec.workload)} has changed since it was looked at (resourceVersion ${live.resourceVersion}, and ${spec.resourceVersion} was looked at); look again, and decide again`,
    );
  const patched = await reach.writer.patch(
    {
      ref: spec.workload,
      preconditions: { uid: spec.workloadUid, resourceVersion: spec.resourceVersion },
      patch: { kind: "json", operations: [{ op: "replace", path: "/spec/template", value: wanted }] },
    },
    reach.limits(),
    fence.late,
  );
  switch (patched.kind) {
    case "applied":
      return done;
    case "refused":
    case "not-sent":
      return refused(patched.sentence);
    case "failed":
    case "unknown":
      return { kind: patched.kind, reason: patched.sentence, id: null, outputs: {}, owes: [] };
  }
};

const idOf = ({ workload }: TemplateSpec): string => nameOf(workload);

/** The last rollback was another one, and is settled: what is asked about now has not begun. */
const isAboutAnother = (spec: TemplateSpec, { previousInputs, inDoubt }: Question): boolean => {
  if (inDoubt === true || previousInputs === null) return false;
  const before = parseTemplate(previousInputs);
  return (
    "spec" in before &&
    (before.spec.resourceVersion !== spec.resourceVersion || before.spec.from?.uid !== spec.from?.uid)
  );
};

const look = async (reach: ClusterReach, spec: TemplateSpec, question: Question): Promise<Reading> => {
  const id = question.identity?.id ?? idOf(spec);
  if (isAboutAnother(spec, question))
    return {
      kind: "observed",
      id,
      outputs: {},
      asDeclared: unreadable("the last rollback was another one"),
      reason: null,
    };
  const looked = await lookAt(reach, refsOf(spec));
  if (!("looks" in looked)) return { kind: looked.kind, reason: looked.sentence };
  const both = bothIn(spec, looked.looks);
  if ("fault" in both) return { kind: "failed", reason: both.fault };
  if (both.liveTemplate !== undefined && sameJson(both.liveTemplate, both.wanted))
    return { kind: "observed", id, outputs: outputsOf(spec), asDeclared: known(true), reason: null };
  if (question.identity === null) return { kind: "absent" };
  const reason = `${nameOf(spec.workload)} has another template`;
  return { kind: "observed", id, outputs: {}, asDeclared: known(false), reason };
};

export const templateProvider = (parts: Parts): Provider =>
  rollbackProvider(parts, {
    name: "kubernetes-template",
    cannotKnow: "Whether the Pods of the template come up is not known before they are there.",
    parse: parseTemplate,
    send,
    look,
    idOf,
  });
