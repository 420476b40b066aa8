/**
 * `owner`: whether a GitOps controller would put back what a live rollback changes. Argo CD marks what it manages with a
 * tracking id or a label, Flux with labels; both show as field managers (Argo CD docs, "Resource Tracking" and "Automated
 * Sync Policy"; Flux docs, kustomize-controller and helm-controller).
 */
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { FLAG, hint, itemsAt, LIST, OBJECT, type Path, TEXT } from "../read.ts";
import { quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

interface Owner {
  readonly controller: "Argo CD" | "Flux (kustomize-controller)" | "Flux (helm-controller)";
  /** Of the Application or Kustomization; null: not told. */
  readonly name: string | null;
  readonly namespace: string | null;
  readonly path: Path;
}

export const owner = (given: Given): Check => {
  const checking = new Checking("owner");
  const { live } = given;
  const found = gitOpsOwner(live);
  if (found === null) {
    const managers = checking.need(live, ["metadata", "managedFields"], LIST);
    if (managers === undefined)
      return checking.unknown("read it with its managedFields (kubectl get --show-managed-fields)");
    checking.limit("a controller that leaves neither mark nor field manager is not seen");
    return checking.proven("none", "no mark of Argo CD or Flux, and no field of theirs, is on it");
  }
  checking.cite(live, found.path);
  const who = `${found.controller}${found.name === null ? "" : ` (${quoted(found.name)})`}`;
  const heals = healing(checking, given, found);
  if (heals !== null) {
    checking.limit(`the next sync of ${who} puts back what Git says: revert there too`);
    return checking.proven("no-self-heal", `${who} manages it, and ${heals}`);
  }
  return checking.refuted(
    "self-heal",
    `${who} manages it: what a live rollback changes would be put back as Git has it`,
    gitWay(given),
  );
};

/** By the marks on the object. */
export const gitOpsOwner = (live: Seen): Owner | null => {
  const label = (name: string): string | undefined => hint(live.raw, ["metadata", "labels", name], TEXT);
  const tracking = hint(live.raw, ["metadata", "annotations", TRACKING], TEXT);
  if (tracking !== undefined) {
    const [application = ""] = tracking.split(":");
    const [namespace, name] = application.includes("_")
      ? application.split("_", 2)
      : [undefined, application];
    return {
      controller: "Argo CD",
      name: name ?? null,
      namespace: namespace ?? null,
      path: ["metadata", "annotations", TRACKING],
    };
  }
  for (const [controller, its] of MARKS) {
    const name = label(its.name);
    if (name !== undefined)
      return {
        controller,
        name,
        namespace: its.namespace === null ? null : (label(its.namespace) ?? null),
        path: ["metadata", "labels", its.name],
      };
  }
  const entries = itemsAt(live.raw, ["metadata", "managedFields"]);
  for (const [at, entry] of entries.entries()) {
    const manager = hint(entry, ["manager"], TEXT);
    const controller = manager === undefined ? undefined : MANAGERS.get(manager);
    if (controller !== undefined)
      return { controller, name: null, namespace: null, path: ["metadata", "managedFields", at, "manager"] };
  }
  return null;
};

const TRACKING = "argocd.argoproj.io/tracking-id";

const MARKS: readonly (readonly [
  Owner["controller"],
  { readonly name: string; readonly namespace: string | null },
])[] = [
  ["Argo CD", { name: "argocd.argoproj.io/instance", namespace: null }],
  [
    "Flux (kustomize-controller)",
    { name: "kustomize.toolkit.fluxcd.io/name", namespace: "kustomize.toolkit.fluxcd.io/namespace" },
  ],
  [
    "Flux (helm-controller)",
    { name: "helm.toolkit.fluxcd.io/name", namespace: "helm.toolkit.fluxcd.io/namespace" },
  ],
];

const MANAGERS: ReadonlyMap<string, Owner["controller"]> = new Map([
  ["argocd-controller", "Argo CD"],
  ["argocd-application-controller", "Argo CD"],
  ["kustomize-controller", "Flux (kustomize-controller)"],
  ["helm-controller", "Flux (helm-controller)"],
]);

/** A clause where what it is synced by was read, and says that nothing is put back by itself; null: it is, or may be. */
const healing = (checking: Checking, { live, collection }: Given, found: Owner): string | null => {
  if (
    found.controller === "Flux (kustomize-controller)" &&
    hint(live.raw, ["metadata", "annotations", "kustomize.toolkit.fluxcd.io/reconcile"], TEXT) === "disabled"
  ) {
    checking.cite(live, ["metadata", "annotations", "kustomize.toolkit.fluxcd.io/reconcile"]);
    return "its annotation says that it is not reconciled";
  }
  if (found.controller !== "Argo CD" || found.name === null) return null;
  const its = collection
    .ofKind(RESOURCES.Application.group, RESOURCES.Application.kind)
    .filter(({ name, namespace }) => name === found.name && (found.namespace ?? namespace) === namespace);
  const [application] = its;
  if (application === undefined || its.length > 1) return null;
  if (checking.need(application, ["spec"], OBJECT) === undefined) return null;
  const heals = hint(application.raw, ["spec", "syncPolicy", "automated", "selfHeal"], FLAG) === true;
  const enabled = hint(application.raw, ["spec", "syncPolicy", "automated", "enabled"], FLAG);
  return heals && enabled !== false ? null : "its Application does not heal itself";
};

const gitWay = ({ target }: Given): string => {
  const commit = target.release?.source?.commit;
  return commit === undefined
    ? "revert, in the repository that it is synced from, the commit that brought the present template (git revert), and let it sync"
    : `in the repository that it is synced from: git revert --no-edit ${quoted(commit)}..HEAD, then push, and let it sync`;
};
