/** What stands in the way of an apply, all of it read or rehearsed before the first byte is sent (W5). */
import type { NotWritten } from "../../ports/cluster-writer.ts";
import { nameOf, placeOf } from "./inventory.ts";
import type { Incarnation, Standing } from "./known.ts";
import { leavingText, type Reach } from "./reach.ts";
import { firstOf } from "./several.ts";
import { marked, type Target } from "./targets.ts";

/** R4: what is there already is ours only by its recorded UID or its mark. */
export const strangerFault = (
  { spec }: Reach,
  targets: readonly Target[],
  { there, whose }: Standing,
): string | undefined => {
  for (const { ref } of targets) {
    const one = there.get(placeOf(ref));
    if (one === undefined) continue;
    if (one.leaving) return `${leavingText(one)}; it can be made again once it is gone`;
    const name = nameOf(ref);
    switch (whose(one)) {
      case "ours":
        continue;
      case "other-mark":
        return `${name} belongs to another step or ledger (its mark names another inventory)`;
      case "other-uid":
        if (spec.adopt) continue;
        return `${name} is another object now: it was deleted, and somebody made it again (uid ${one.uid}); remove it, or say 'adopt: true' to take it over`;
      case "unmarked":
        if (spec.adopt) continue;
        return `${name} is there already, and nobody's mark is on it; remove it, or say 'adopt: true' to take it over`;
    }
  }
  return undefined;
};

/** Where the inventory lies does not change while the step lives: what is removed has to be found from it. */
export const homeFault = (
  { spec }: Reach,
  targets: readonly Target[],
  known: Incarnation,
): string | undefined => {
  const home = known.home.namespace;
  if (known.inventory?.leaving === true) return `its inventory ${nameOf(known.home)} is being deleted`;
  if (spec.inventory !== null && spec.inventory !== home)
    return `the step's inventory lies in the namespace ${home}, and 'inventory' says ${spec.inventory}; it does not move: say 'inventory: ${home}', or destroy the step and apply it anew ('onChange: replace')`;
  return targets.some(
    ({ ref }) => ref.resource.kind === "Namespace" && ref.resource.group === "" && ref.name === home,
  )
    ? `the Namespace ${home} is among the objects, and the step's inventory would lie in it; say 'inventory: default', or another namespace that is there`
    : undefined;
};

export const because = (result: NotWritten): string =>
  result.kind === "refused" && result.conflicts.length > 0
    ? `${result.sentence}; 'force: true' would take ${result.conflicts.length === 1 ? "that field" : "those fields"} over`
    : result.sentence;

/** A webhook with side effects refuses dry runs with this; then only the apply itself tells. */
const CANNOT_REHEARSE = /does not support dry run/i;

/** What can be rehearsed: not what needs a kind or a namespace that this very step makes first. */
export const rehearsable = (targets: readonly Target[], { there }: Standing): readonly Target[] => {
  const made = new Set(
    targets.flatMap(({ ref }) =>
      ref.resource.kind === "Namespace" && ref.resource.group === "" && !there.has(placeOf(ref))
        ? [ref.name]
        : [],
    ),
  );
  const kinds = new Set(
    targets.flatMap(({ ref }) =>
      ref.resource.kind === "CustomResourceDefinition" && !there.has(placeOf(ref)) ? [ref.name] : [],
    ),
  );
  return targets.filter(
    ({ ref, definedBy }) =>
      (ref.namespace === null || !made.has(ref.namespace)) && (definedBy === null || !kinds.has(definedBy)),
  );
};

/** The server's own refusal of one of the objects, while nothing was changed yet: a conflict, a right, a webhook, a fault in it. */
export const rehearsalFault = (
  reach: Reach,
  targets: readonly Target[],
  standing: Standing,
  mark: string,
): Promise<string | undefined> =>
  firstOf(rehearsable(targets, standing), async (target) => {
    const uid = standing.there.get(placeOf(target.ref))?.uid ?? null;
    const object = marked(target, mark, uid);
    const { force } = reach.spec;
    const rehearsed = await reach.writer.rehearse({ ref: target.ref, object, force }, reach.limits());
    return rehearsed.kind !== "refused" || CANNOT_REHEARSE.test(rehearsed.sentence)
      ? undefined
      : because(rehearsed);
  });
