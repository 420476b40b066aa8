/**
 * `controller-health`: the GitOps controller calls it healthy, and said so after the sync. Rules: status.health is the worst of
 * the kinds that have a rule, as of status.reconciledAt; an object that is not there may not count in it (argo-cd#13514), so
 * that each declared object is looked at. Argo CD 3 keeps the objects' health elsewhere: one that is Synced exists.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { notAsked } from "../../domain/known.ts";
import { resourceOf } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { Followed } from "../kind-rule.ts";
import { hint, itemsAt, LIST, TEXT, TIME, valueAt } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { counted, listed, quoted } from "../words.ts";
import { objectText } from "./object-text.ts";
import { comparisonFault } from "./sources.ts";

export const controllerHealth: Rule = (given) => {
  const inquiry = new Inquiry("controller-health");
  const { target, expected } = given;
  const stop = sameIncarnation(inquiry, target, expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  // V3: which objects it declares, and which are not there, is told by a status of this spec, from after the sync, or not at all.
  const fault = comparisonFault(inquiry, target) ?? staleFault(inquiry, target);
  if (fault !== undefined) return fault;
  const absent = absentOf(inquiry, given);
  if (absent === undefined) return inquiry.unknown();
  if ("finding" in absent) return absent;
  const status = inquiry.need(target, ["status", "health", "status"], TEXT);
  if (status === undefined) return inquiry.unknown();
  const message = hint(target.raw, ["status", "health", "message"], TEXT);
  const more = message === undefined || message === "" ? "" : `: ${quoted(message)}`;
  switch (status) {
    case "Healthy":
      return healthy(inquiry, target, absent);
    case "Progressing":
      return inquiry.progressing("progressing", `its controller calls it Progressing${more}`);
    case "Degraded":
    case "Missing":
      return inquiry.refuted(status.toLowerCase(), `its controller calls it ${status}${more}`);
    default:
      return inquiry.undetermined("other-health", `its controller calls it ${quoted(status)}${more}`);
  }
};

const healthy = (inquiry: Inquiry, target: Seen, { total, open }: Declared): Found => {
  if (valueAt(target.raw, ["operation"]) !== undefined)
    return inquiry.progressing("syncing", "its controller calls it Healthy, and a sync of it was asked for");
  const [first] = open;
  if (first !== undefined) {
    inquiry.miss(`whether ${listed(open.slice(0, 3))} ${open.length === 1 ? "is" : "are"} there`);
    return inquiry.undetermined(
      "object-unknown",
      `its controller calls it Healthy, and ${counted(open.length, "declared object")} may not be there: ${listed(open.slice(0, 3))} ${open.length === 1 ? "is" : "are"} not as declared, with no health of its own`,
    );
  }
  inquiry.limit("kinds for which Argo CD has no rule count as Healthy");
  return inquiry.proven(
    "healthy",
    `its controller calls it Healthy, with ${total === 1 ? "its one declared object" : `all of its ${total} declared objects`} there`,
  );
};

const isDeclared = (one: JsonValue): boolean =>
  valueAt(one, ["hook"]) !== true && valueAt(one, ["requiresPruning"]) !== true;

interface Declared {
  readonly total: number;
  /** Objects of which it is not told whether they are there. */
  readonly open: readonly string[];
}

/** k8s-07: never the worst of what exists. undefined: something is missing, and named. */
const absentOf = (inquiry: Inquiry, { target, collection }: Case): Declared | Found | undefined => {
  const at = ["status", "resources"] as const;
  const all = inquiry.need(target, at, LIST);
  if (all === undefined) return undefined;
  const declared = all.filter(isDeclared);
  if (declared.length === 0)
    return inquiry.undetermined(
      "vacuous",
      "it declares no object, so there is nothing that could be healthy",
    );
  const standing = declared.map((one) => ({ name: objectText(one), is: standingOf(one, collection) }));
  const absent = standing.filter(({ is }) => is === "absent").map(({ name }) => name);
  if (absent.length > 0)
    return inquiry.refuted(
      "declared-absent",
      `${counted(absent.length, "declared object")} of ${declared.length} ${absent.length === 1 ? "is" : "are"} not there: ${listed(absent.slice(0, 3))}${absent.length > 3 ? ` and ${absent.length - 3} more` : ""}`,
    );
  return {
    total: declared.length,
    open: standing.filter(({ is }) => is === "open").map(({ name }) => name),
  };
};

/** Where its controller does not tell, what was read of the object itself does. */
const standingOf = (
  one: JsonValue,
  collection: Pick<Case["collection"], "object">,
): "there" | "absent" | "open" => {
  const health = hint(one, ["health", "status"], TEXT);
  if (health === "Missing") return "absent";
  if (health !== undefined || hint(one, ["status"], TEXT) === "Synced") return "there";
  const its = placeOf(one);
  const seen = its === undefined ? undefined : collection.object(its.resource, its.namespace, its.name);
  if (seen?.kind === "absent") return "absent";
  return seen?.kind === "known" ? "there" : "open";
};

const placeOf = (one: JsonValue): (Followed & { readonly name: string }) | undefined => {
  const [group, kind, namespace, name] = ["group", "kind", "namespace", "name"].map((field) =>
    hint(one, [field], TEXT),
  );
  const resource = kind === undefined ? undefined : resourceOf(group === undefined ? "" : group, kind);
  return resource === undefined || name === undefined
    ? undefined
    : { resource, namespace: namespace === undefined ? null : namespace, name };
};

const MOST_FOLLOWED = 50;

/** Declared objects of which the controller does not tell whether they are there. */
export const followDeclared = ({ target }: Pick<Case, "target">): readonly Followed[] =>
  itemsAt(target.raw, ["status", "resources"])
    .filter((one) => isDeclared(one) && standingOf(one, NOTHING_READ) === "open")
    .slice(0, MOST_FOLLOWED)
    .map(placeOf)
    .filter((place) => place !== undefined);

const NOTHING_READ: Pick<Case["collection"], "object"> = { object: () => notAsked };

/** k8s-05: what was said before the sync ended says nothing of what the sync made. */
const staleFault = (inquiry: Inquiry, target: Seen): Found | undefined => {
  const reconciled = inquiry.need(target, ["status", "reconciledAt"], TIME);
  if (reconciled === undefined) return inquiry.unknown();
  if (valueAt(target.raw, ["status", "operationState"]) === undefined) {
    inquiry.limit("no sync of it is recorded: what is there agreed with what is declared without one");
    return undefined;
  }
  if (inquiry.need(target, ["status", "operationState", "phase"], TEXT) === "Running")
    return inquiry.progressing("syncing", "a sync of it is under way");
  const finishedAt = ["status", "operationState", "finishedAt"] as const;
  const finished = inquiry.need(target, finishedAt, TIME);
  if (finished === undefined || inquiry.missing.length > 0) return inquiry.unknown();
  if (reconciled > finished) return undefined;
  inquiry.miss("its controller's word from after the sync");
  const said = `its controller last looked at ${String(valueAt(target.raw, ["status", "reconciledAt"]))}, and the sync ended at ${String(valueAt(target.raw, finishedAt))}`;
  return reconciled === finished
    ? inquiry.undetermined("same-second", `${said}: which was first is not told by whole seconds`)
    : inquiry.undetermined("older-than-sync", `${said}: its health is older than the sync`);
};
