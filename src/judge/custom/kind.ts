/** A declared rule as a kind that is judged like any other. Pure. */
import type { ClaimName } from "../../domain/claim.ts";
import type { CustomPods, CustomRule } from "../../domain/custom-rule.ts";
import type { Resource } from "../../domain/resource.ts";
import { artifact } from "../artifact.ts";
import { capacity } from "../capacity.ts";
import type { Rule } from "../case.ts";
import { endpointsReady } from "../endpoints.ts";
import type { KindRule } from "../kind-rule.ts";
import { oldGone } from "../old-gone.ts";
import { WHOLE } from "../read.ts";
import { childResource } from "./children.ts";
import { observedRule } from "./generation.ts";
import { customPods, customPodsFor, customRollout, podReads } from "./pods.ts";
import { reportedReady } from "./ready.ts";
import { GENERATION } from "./scalar.ts";

export const customKind = (rule: CustomRule): KindRule => {
  const observed = observedRule(rule);
  const own: Readonly<Partial<Record<ClaimName, Rule>>> = {
    ...(observed === null ? {} : { "spec-observed": observed }),
    "reported-ready": reportedReady(rule),
  };
  const children = rule.children.map(childResource);
  const { generation, pods } = rule;
  const shared = {
    resource: resourceOfRule(rule),
    ...(generation.kind === "field"
      ? { observed: { path: generation.path, shape: GENERATION[generation.as] } }
      : {}),
  };
  if (pods === null)
    return {
      ...shared,
      required: Object.keys(own) as ClaimName[],
      rules: own,
      reads: { "reported-ready": children },
    };
  const withPods = podRules(rule, pods);
  return {
    ...shared,
    required: [...(Object.keys(own) as ClaimName[]), ...withPods.required],
    rules: { ...own, ...withPods.rules },
    reads: { ...podReads(pods), "reported-ready": children },
    podLabels: [...pods.template, "metadata", "labels"],
    population: withPods.population,
  };
};

const podRules = (rule: CustomRule, pods: CustomPods) => {
  const population = customPods(pods);
  const populationFor = customPodsFor(pods, population);
  const counted = {
    "rollout-complete": customRollout(rule, pods, population),
    capacity: capacity({
      available: pods.available,
      declared: (inquiry, target) => inquiry.need(target, pods.wanted, WHOLE),
      population,
    }),
    "endpoints-ready": endpointsReady([...pods.template, "metadata", "labels"], population),
  };
  // Without a version nobody can tell old Pods from new ones.
  const toldApart = pods.version !== null;
  const required: readonly ClaimName[] = ["rollout-complete", ...(toldApart ? OLD_GONE : []), "capacity"];
  const rules: Readonly<Partial<Record<ClaimName, Rule>>> = toldApart
    ? { ...counted, "old-gone": oldGone(populationFor), artifact: artifact(pods.template, populationFor) }
    : counted;
  return { population, required, rules };
};

const OLD_GONE = ["old-gone"] as const;

const resourceOfRule = ({ group, kind, plural, short }: CustomRule): Resource => ({
  group,
  kind,
  plural,
  short,
});
