/**
 * What is read of a cluster beside the target, by kind and claim: one LIST each in the target's namespace (what it names
 * beyond those is followed by name: `follow.ts`). The rights in
 * docs/rbac/verify-only.yaml follow from this table, and a test holds it against what the judge uses: nothing that it
 * needs is missing, and nothing is read that changes no verdict.
 */
import type { ClaimName } from "../domain/claim.ts";
import type { Question } from "../domain/question.ts";
import { type KnownKind, RESOURCES, type Resource } from "../domain/resource.ts";
import type { KindRule } from "../judge/kind-rule.ts";
import { rulesOf } from "../judge/rules.ts";

type Reads = Readonly<Partial<Record<ClaimName, readonly KnownKind[]>>>;

/** What keeps the revisions of kinds that control their Pods themselves. */
const REVISIONS: Reads = { "as-released": ["ControllerRevision"] };

const CONFIG: Reads = {
  "config-loaded": ["Pod", "ConfigMap"],
  "config-bound": ["Pod", "ConfigMap"],
};

const REPLACED: Reads = { "pod-replaced": ["Pod", "ConfigMap", "Event"] };

/** Of kinds that control their Pods themselves. Events tell which probe fails, which no condition does. */
const OWN_PODS: Reads = {
  "rollout-complete": ["Pod", "Event"],
  "old-gone": ["Pod"],
  "endpoints-ready": ["Service", "EndpointSlice", "Pod"],
  artifact: ["Pod"],
};

export const READS: Readonly<Partial<Record<KnownKind, Reads>>> = {
  Deployment: {
    "as-released": ["ReplicaSet"],
    "rollout-complete": ["ReplicaSet", "Pod", "Event"],
    "old-gone": ["ReplicaSet", "Pod"],
    capacity: ["ReplicaSet", "Pod", "HorizontalPodAutoscaler", "Event"],
    "endpoints-ready": ["Service", "EndpointSlice", "ReplicaSet", "Pod"],
    artifact: ["ReplicaSet", "Pod"],
    "pod-replaced": ["ReplicaSet", "Pod", "ConfigMap", "Event"],
    "config-loaded": ["ReplicaSet", "Pod", "ConfigMap"],
    "config-bound": ["ReplicaSet", "Pod", "ConfigMap"],
  },
  StatefulSet: {
    ...OWN_PODS,
    ...CONFIG,
    ...REPLACED,
    ...REVISIONS,
    capacity: ["Pod", "HorizontalPodAutoscaler", "Event"],
  },
  DaemonSet: { ...OWN_PODS, ...CONFIG, ...REPLACED, ...REVISIONS, capacity: ["Pod", "Event"] },
  ReplicaSet: { ...OWN_PODS, ...CONFIG, capacity: ["Pod", "HorizontalPodAutoscaler", "Event"] },
  Job: { "rollout-complete": ["Pod", "Event"], ...CONFIG },
  CronJob: {
    "rollout-complete": ["Job", "Pod", "Event"],
    "config-loaded": ["Job", "Pod", "ConfigMap"],
    "config-bound": ["Job", "Pod", "ConfigMap"],
  },
  Pod: { "rollout-complete": ["Event"], ...CONFIG },
  Service: { "endpoints-ready": ["EndpointSlice", "Pod"] },
  EndpointSlice: { "endpoints-ready": ["Pod"] },
  Ingress: { "endpoints-ready": ["Service", "EndpointSlice", "Pod"] },
  Gateway: {},
  HTTPRoute: { "endpoints-ready": ["Service", "EndpointSlice", "Pod"] },
  GRPCRoute: { "endpoints-ready": ["Service", "EndpointSlice", "Pod"] },
  HorizontalPodAutoscaler: {},
  PodDisruptionBudget: {},
  Application: {},
  PersistentVolumeClaim: { "reported-ready": ["StorageClass", "PersistentVolume", "Event"] },
};

/** The lists that judging this target takes; none for a kind without rules, or where only its absence is in question. */
export const readsFor = (
  target: { readonly group: string; readonly kind: string },
  question: Pick<Question, "claims" | "expected" | "rules" | "secrets" | "only">,
): readonly Resource[] => {
  const { claims, expected } = question;
  const rule = rulesOf(question).of(target);
  if (rule === undefined) return [];
  const reads = rule.reads ?? readsOfKind(target.kind as KnownKind);
  const asked = claims === null ? [] : claims;
  // A Service that selects the Pods makes its endpoints count: so Services are looked for, unless no Pod is expected.
  const routed: readonly ClaimName[] = expected.replicas === 0 ? [] : ["endpoints-ready"];
  // Whose Pods they are, and what stands behind the Service.
  const answered: readonly ClaimName[] = expected.response === null ? [] : ["old-gone", "endpoints-ready"];
  const config: readonly ClaimName[] = expected.config.size === 0 ? [] : ["config-loaded", "config-bound"];
  const replaced: readonly ClaimName[] = expected.replaced === null ? [] : ["pod-replaced"];
  const released: readonly ClaimName[] = expected.release === null ? [] : ["as-released"];
  const usual =
    asked.includes("absent") || question.only !== undefined
      ? []
      : [...rule.required, ...routed, ...answered, ...config, ...replaced, ...released];
  const resources = [...usual, ...asked].flatMap((claim) => {
    const its = reads[claim];
    return its === undefined ? [] : its;
  });
  const secrets =
    question.secrets === true && resources.includes(RESOURCES.ConfigMap) ? [RESOURCES.Secret] : [];
  return [...new Set([...resources, ...secrets])];
};

const readsOfKind = (kind: KnownKind): NonNullable<KindRule["reads"]> => {
  const reads = READS[kind];
  return reads === undefined
    ? {}
    : Object.fromEntries(
        Object.entries(reads).map(([claim, kinds]) => [claim, kinds.map((one) => RESOURCES[one])]),
      );
};
