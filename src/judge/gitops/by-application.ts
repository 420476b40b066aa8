/**
 * The claims about a GitOps controller, of whatever it brings about: of the Application that is expected to, by its name. What
 * that one declares has to have the target in it, else nothing that it says is about the target.
 */
import type { ClaimName, GitOpsClaim } from "../../domain/claim.ts";
import type { Expected } from "../../domain/expected.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import type { Followed } from "../kind-rule.ts";
import { application } from "../kinds/application.ts";
import { hint, LIST, TEXT } from "../read.ts";
import { nameOf, quoted } from "../words.ts";

/** Whoever names a commit, or an Application, wants to know of it. */
export const gitOpsClaims = ({ commit, application: named }: Expected): readonly ClaimName[] => [
  ...(commit === null ? [] : (["intended-commit", "synced-revision"] as const)),
  ...(named === null ? [] : (["synced-revision", "controller-health"] as const)),
];

export const readsOfApplication = ({ application: named }: Expected): readonly Followed[] =>
  named === null ? [] : [{ resource: RESOURCES.Application, ...named }];

export const byApplication =
  (claim: GitOpsClaim): Rule =>
  (given) => {
    const { target, expected, collection } = given;
    const rule = application.rules[claim] as Rule;
    if (target.kind === RESOURCES.Application.kind && target.group === RESOURCES.Application.group)
      return rule(given);
    const inquiry = new Inquiry(claim);
    // An Application names what it declares, and knows no UIDs.
    const stop = sameIncarnation(inquiry, target, expected);
    if (stop !== undefined) return stop;
    const { application: named } = expected;
    if (named === null)
      return inquiry.undetermined(
        "not-asked",
        `which Application brings about ${nameOf(target)} is not said (--application)`,
      );
    const found = collection.object(RESOURCES.Application, named.namespace, named.name);
    const its = nameOf({ kind: RESOURCES.Application.kind, ...named });
    if (found.kind === "absent") {
      inquiry.citeAbsence(collection, RESOURCES.Application, named.namespace, named.name);
      return inquiry.refuted("no-application", `there is no ${its}`);
    }
    if (found.kind !== "known") {
      inquiry.lack(its, null, found);
      return inquiry.unknown();
    }
    const app: Case = { ...given, target: found.value, expected: { ...expected, uid: null } };
    return notDeclared(inquiry, given, app) ?? rule(app);
  };

const notDeclared = (inquiry: Inquiry, { target }: Case, app: Case): Found | undefined => {
  const declared = inquiry.need(app.target, ["status", "resources"], LIST);
  if (declared === undefined) return inquiry.unknown();
  const has = declared.some((one) => {
    const [group, namespace] = [hint(one, ["group"], TEXT), hint(one, ["namespace"], TEXT)];
    return (
      (group === undefined ? "" : group) === target.group &&
      hint(one, ["kind"], TEXT) === target.kind &&
      (namespace === undefined ? null : namespace) === target.namespace &&
      hint(one, ["name"], TEXT) === target.name
    );
  });
  return has
    ? undefined
    : inquiry.refuted(
        "not-declared",
        `${nameOf(app.target)} does not have ${quoted(target.kind)} ${quoted(target.name)} among what it declares`,
      );
};
