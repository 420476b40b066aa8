/** What a release of a workload consists of, as far as its own objects tell: template, images, the config it names. Pure. */
import type { ConfigKind, ConfigReference } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Known } from "../../domain/known.ts";
import { absent, known } from "../../domain/known.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Case } from "../case.ts";
import { consumptionsOf } from "../config/consumptions.ts";
import type { KindRule } from "../kind-rule.ts";
import { isFinished, isTerminating } from "../pod.ts";
import { type Revision, revisionsIn } from "../previous-revision.ts";
import { hint, OBJECT } from "../read.ts";
import { replicaSetsOf } from "../replica-sets.ts";
import { sameTemplate } from "../template.ts";
import { listed } from "../words.ts";
import { imagesOf, type RunImages } from "./images.ts";

/** An object that the template's containers take something from. */
export interface Named {
  readonly kind: ConfigKind;
  readonly name: string;
  readonly references: readonly ConfigReference[];
}

export interface Unit extends RunImages {
  readonly template: JsonObject;
  readonly named: readonly Named[];
  /** Pods that are of another revision on purpose: below a StatefulSet's partition. */
  readonly held: number;
  /** Content that comes by another way, each a clause. */
  readonly untraceable: readonly string[];
  /** What holds this template in the cluster. */
  readonly revision: Known<Revision>;
}

const TEMPLATE = ["spec", "template"] as const;
const KINDS: readonly string[] = [
  RESOURCES.Deployment.kind,
  RESOURCES.StatefulSet.kind,
  RESOURCES.DaemonSet.kind,
];

/** `rule`: of the target's kind. The fault is a clause. */
export const unitOf = (given: Case, rule: KindRule | undefined): Unit | { readonly fault: string } => {
  const { target, collection } = given;
  if (target.group !== "apps" || !KINDS.includes(target.kind) || rule?.population === undefined)
    return { fault: `a release is of a ${listed(KINDS)}, and this is a ${target.kind}` };
  const template = hint(target.raw, TEMPLATE, OBJECT);
  const population = rule.population(given);
  if (template === undefined || population === undefined)
    return { fault: "it does not say enough of its template and its Pods" };
  const pods = population.fresh.filter((pod) => !isFinished(pod) && !isTerminating(pod));
  if (pods.length === 0)
    return { fault: "no Pod of its template runs, so nothing tells which images it runs" };
  const { all, untraceable, faults } = consumptionsOf(target, [...TEMPLATE, "spec"]);
  const [fault] = faults;
  if (fault !== undefined) return { fault: `a field of its template cannot be read: ${fault}` };
  const images = imagesOf(target, TEMPLATE, pods);
  if ("fault" in images) return images;
  return {
    ...images,
    template,
    held: population.held.length,
    named: namedIn(all.filter(({ isServiceAccount }) => !isServiceAccount)),
    untraceable,
    revision: revisionOf(given, template, collection),
  };
};

const namedIn = (all: readonly ConfigReference[]): readonly Named[] =>
  [...Map.groupBy(all, ({ kind, name }) => `${kind}/${name}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([_, references]) => {
      const [first] = references;
      return first === undefined ? [] : [{ kind: first.kind, name: first.name, references }];
    });

/** Of a Deployment the ReplicaSet that its controller takes for the new one; else the highest revision with this template. */
const revisionOf = (given: Case, template: JsonObject, collection: Case["collection"]): Known<Revision> => {
  const all = revisionsIn(given.target, collection);
  if (all.kind !== "known") return all;
  const fresh: Seen | null | undefined = replicaSetOf(given);
  const found = all.value.find((one) =>
    fresh === undefined ? sameTemplate(one.template, template) : one.object === fresh,
  );
  return found === undefined ? absent : known(found);
};

const replicaSetOf = (given: Case): Seen | null | undefined =>
  given.target.kind === RESOURCES.Deployment.kind ? replicaSetsOf(given)?.fresh : undefined;
