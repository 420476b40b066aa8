/**
 * `guard`: who may edit or delete what the target takes its config from, as far as the namespace's Roles and RoleBindings
 * tell (rbac.authorization.k8s.io/v1). Roles of the whole cluster are not read, so that nobody else may is never said.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { hint, itemsAt, TEXT } from "../read.ts";
import { listed, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";
import { type Need, needsOf } from "./needs.ts";

export const guard = (given: Given): Check => {
  const checking = new Checking("guard");
  const needs = needsOf(given, checking);
  if (needs === undefined) return checking.unknown();
  if (needs.length === 0)
    return checking.proven("none", "the target takes no config that somebody could change");
  const { collection, live } = given;
  const roles = checking.needList(collection, RESOURCES.Role, live.namespace);
  const bindings = checking.needList(collection, RESOURCES.RoleBinding, live.namespace);
  if (roles === undefined || bindings === undefined) return checking.unknown();
  checking.limit("ClusterRoleBindings are not read: whoever may change it everywhere may change it here");
  const may = new Set<string>();
  for (const binding of bindings.objects) {
    const kind = hint(binding.raw, ["roleRef", "kind"], TEXT);
    const name = hint(binding.raw, ["roleRef", "name"], TEXT);
    if (name === undefined) continue;
    if (
      kind === "ClusterRole"
        ? WRITES.has(name)
        : roles.objects.some((role) => role.name === name && writes(role, needs))
    )
      for (const subject of itemsAt(binding.raw, ["subjects"])) may.add(subjectText(subject, live.namespace));
    else if (kind === "ClusterRole")
      checking.limit(`what ClusterRole ${quoted(name)} allows is not read (${binding.name})`);
  }
  return may.size === 0
    ? checking.proven(
        "nobody-named",
        "no Role or RoleBinding of the namespace lets anybody edit or delete it",
      )
    : checking.undetermined(
        "may-change",
        `${listed([...may].sort())} may edit or delete what the target takes its config from, also after this was read`,
      );
};

/** ClusterRoles that every cluster has (kubernetes.io/docs, RBAC, "User-facing roles"). */
const WRITES: ReadonlySet<string> = new Set(["cluster-admin", "admin", "edit"]);
const CHANGES: ReadonlySet<string> = new Set(["*", "update", "patch", "delete", "deletecollection"]);

const writes = (role: Seen, needs: readonly Need[]): boolean =>
  itemsAt(role.raw, ["rules"]).some((rule) => {
    const has = (field: string, wanted: (one: string) => boolean): boolean =>
      itemsAt(rule, [field]).some((one) => typeof one === "string" && wanted(one));
    if (!has("verbs", (verb) => CHANGES.has(verb)) || !has("apiGroups", (one) => one === "" || one === "*"))
      return false;
    const only = itemsAt(rule, ["resourceNames"]);
    return needs.some(
      ({ kind, name }) =>
        has("resources", (one) => one === "*" || one === RESOURCES[kind].plural) &&
        (only.length === 0 || only.includes(name)),
    );
  });

const subjectText = (subject: JsonValue, namespace: string | null): string => {
  const kind = hint(subject, ["kind"], TEXT);
  const name = hint(subject, ["name"], TEXT);
  if (kind === undefined || name === undefined) return "somebody who cannot be read";
  const its = hint(subject, ["namespace"], TEXT);
  return `${quoted(kind)} ${its === undefined || its === namespace ? "" : `${quoted(its)}/`}${quoted(name)}`;
};
