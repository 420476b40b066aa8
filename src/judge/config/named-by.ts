/** Which templates name a ConfigMap or Secret: those that the next Pod is made of, and those that a rollback would go back to. */
import type { ConfigKind } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { type Collection, controllerOf } from "../collection.ts";
import { hint, OBJECT, type Path, TEXT } from "../read.ts";
import { sameTemplate } from "../template.ts";
import { type Consumption, consumptionsOf } from "./consumptions.ts";

export interface ConfigObject {
  readonly kind: ConfigKind;
  readonly name: string;
}

export interface Naming {
  readonly template: Seen;
  readonly references: readonly Consumption[];
}

/** A ReplicaSet of an earlier template of its Deployment. */
export interface KeptNaming extends Naming {
  readonly owner: string;
  /** As the Deployment's controller counts them; null: it does not say. */
  readonly revision: string | null;
}

const OF_TEMPLATE: Path = ["spec", "template", "spec"];

/** Where the spec of a kind's Pods stands. */
export const POD_SPEC: Readonly<Record<string, Path>> = {
  Pod: ["spec"],
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"],
  Deployment: OF_TEMPLATE,
  StatefulSet: OF_TEMPLATE,
  DaemonSet: OF_TEMPLATE,
  ReplicaSet: OF_TEMPLATE,
  Job: OF_TEMPLATE,
};

/** undefined: a kind that asfound finds no Pod template in. */
export const podSpecOf = ({ kind }: Pick<Seen, "kind">): Path | undefined => POD_SPEC[kind];

/** What the template of a workload takes of the object, and the fields of it that could not be read. */
export const namingOf = (
  template: Seen,
  object: ConfigObject,
): { readonly references: readonly Consumption[]; readonly faults: readonly string[] } => {
  const path = POD_SPEC[template.kind];
  if (path === undefined) return { references: [], faults: [] };
  const { all, faults } = consumptionsOf(template, path);
  return { references: all.filter(({ kind, name }) => kind === object.kind && name === object.name), faults };
};

/** Earlier templates, as far as ReplicaSets keep them. */
export const keptNamings = (
  collection: Collection,
  namespace: string | null,
  object: ConfigObject,
): readonly KeptNaming[] =>
  collection.seen(RESOURCES.ReplicaSet, namespace).flatMap((set) => {
    const owner = controllerOf(set);
    const { references } = namingOf(set, object);
    if (references.length === 0 || owner === undefined || owner.kind !== RESOURCES.Deployment.kind) return [];
    const deployment = collection.object(RESOURCES.Deployment, namespace, owner.name);
    const isPresent =
      deployment.kind === "known" &&
      deployment.value.uid === owner.uid &&
      sameTemplate(templateOf(deployment.value), templateOf(set));
    if (isPresent) return [];
    const revision = hint(set.raw, ["metadata", "annotations", "deployment.kubernetes.io/revision"], TEXT);
    return [{ template: set, references, owner: owner.name, revision: revision ?? null }];
  });

const templateOf = ({ raw }: Seen): JsonValue => hint(raw, ["spec", "template"], OBJECT) ?? null;
