/** The rights that `verify` needs, as they follow from what its code reads: the targets' kinds, and the table of lists. */
import { type KnownKind, RESOURCES } from "../../src/domain/resource.ts";
import { KINDS } from "../../src/judge/kinds.ts";
import { revisionsOf } from "../../src/judge/previous-revision.ts";
import { READS } from "../../src/runtime/reads.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";

/** Classes are got by their names: an Ingress or a Gateway names one. All else that is followed is a target's kind too. */
const FOLLOWED: readonly KnownKind[] = ["IngressClass", "GatewayClass"];

/** `GROUP/PLURAL VERB`, sorted. A target is got and watched, and listed where many are; all else is listed. */
export const rightsNeeded = (): readonly string[] => {
  const targets = KINDS.flatMap(({ resource }) =>
    ["get", "list", "watch"].map((verb) => `${resource.group}/${resource.plural} ${verb}`),
  );
  const lists = Object.values(READS)
    .flatMap((reads) => Object.values(reads).flat())
    .map((kind: KnownKind) => `${RESOURCES[kind].group}/${RESOURCES[kind].plural} list`);
  const revisions = KINDS.flatMap(({ resource }) => {
    const kept = revisionsOf(resource);
    return kept === undefined ? [] : [`${kept.group}/${kept.plural} list`];
  });
  const followed = FOLLOWED.map((kind) => `${RESOURCES[kind].group}/${RESOURCES[kind].plural} get`);
  return [...new Set([...targets, ...lists, ...followed, ...revisions])].sort();
};

export const rightsIn = (rules: readonly PolicyRule[]): readonly string[] =>
  rules
    .flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    )
    .sort();
