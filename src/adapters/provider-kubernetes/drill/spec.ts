/**
 * A drill's `with`: one Pod, as it was chosen. All that its call and its settlement need is in here, so that a doubt is
 * settled later without the verb that made the step.
 *
 *   workload: { apiVersion, kind, resource, namespace, name, uid }
 *   pod: { name, uid, resourceVersion }
 *   beside: [UIDs of the workload's other Pods]
 *   reply: by which path one has to come from the new Pod, or null
 *   by: evict | delete
 *   allowNamespaces: [shop]
 *   cluster: the uid of its kube-system, or null where that could not be read
 *   kubeconfig, context: or null; allowExec: []
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import type { ObjectRef } from "../../../ports/cluster.ts";
import type { InputFault } from "../../../ports/provider.ts";
import type { Way } from "../reach.ts";
import { isText, isTexts, WithFields } from "../with-fields.ts";

export interface DrillSpec extends Way {
  readonly workload: ObjectRef;
  readonly workloadUid: string;
  readonly pod: ObjectRef;
  readonly podUid: string;
  readonly resourceVersion: string;
  readonly by: "evict" | "delete";
  readonly allowNamespaces: readonly string[];
  readonly cluster: string | null;
  readonly beside: readonly string[];
  readonly reply: string | null;
}

export type ParsedDrill = { readonly spec: DrillSpec } | { readonly faults: readonly InputFault[] };

const WORKLOAD = ["apiVersion", "kind", "resource", "namespace", "name", "uid"] as const;
const POD = ["name", "uid", "resourceVersion"] as const;
const OPTIONAL = ["cluster", "kubeconfig", "context", "reply"] as const;
const KNOWN: readonly string[] = [
  "workload",
  "pod",
  "beside",
  "by",
  "allowNamespaces",
  "allowExec",
  ...OPTIONAL,
];

export const parseDrill = (inputs: JsonObject): ParsedDrill => {
  const fields = new WithFields(inputs, KNOWN);
  const { faults, say } = fields;
  const texts = <N extends string>(at: string, names: readonly N[]): Readonly<Record<N, string>> => {
    const object = fields.own(at);
    const read = isJsonObject(object) ? object : {};
    const own = (name: string): JsonValue | undefined => (Object.hasOwn(read, name) ? read[name] : undefined);
    for (const name of names)
      if (!isText(own(name))) say(`'${at}.${name}' must be a text that is not empty`, at, name);
    return Object.fromEntries(names.map((name) => [name, String(own(name))])) as Record<N, string>;
  };
  const workload = texts("workload", WORKLOAD);
  const pod = texts("pod", POD);
  const by = fields.own("by");
  if (by !== "evict" && by !== "delete") say("'by' must be evict or delete", "by");
  const allowNamespaces = fields.own("allowNamespaces");
  if (!isTexts(allowNamespaces)) say("'allowNamespaces' is a list of namespaces", "allowNamespaces");
  const beside = fields.own("beside") ?? [];
  if (!isTexts(beside)) say("'beside' is a list of UIDs", "beside");
  const allowExec = fields.allowExec();
  const optional = (name: (typeof OPTIONAL)[number]): string | null => {
    const value = fields.own(name) ?? null;
    if (value !== null && !isText(value)) say(`'${name}' must be a text that is not empty, or null`, name);
    return isText(value) ? value : null;
  };
  const [cluster, kubeconfig, context, reply] = OPTIONAL.map(optional);
  if (faults.length > 0) return { faults };
  const { namespace, name } = workload;
  const cut = workload.apiVersion.lastIndexOf("/");
  const group = workload.apiVersion.slice(0, Math.max(0, cut));
  const version = workload.apiVersion.slice(cut + 1);
  const resource = { group, version, resource: workload.resource, kind: workload.kind, namespaced: true };
  const pods = { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true };
  return {
    spec: {
      workload: { resource, namespace, name },
      workloadUid: workload.uid,
      pod: { resource: pods, namespace, name: pod.name },
      podUid: pod.uid,
      resourceVersion: pod.resourceVersion,
      by: by === "delete" ? "delete" : "evict",
      allowNamespaces: isTexts(allowNamespaces) ? allowNamespaces : [],
      allowExec,
      beside: isTexts(beside) ? beside : [],
      cluster: cluster ?? null,
      kubeconfig: kubeconfig ?? null,
      context: context ?? null,
      reply: reply ?? null,
      namespace,
    },
  };
};
