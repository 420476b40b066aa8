/** Somebody with the rights of a role, and no others. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { tempFolder } from "../support/temp-folder.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace } from "./kubectl.ts";

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export const rulesIn = (file: string): readonly PolicyRule[] => {
  const role = fileURLToPath(new URL(`../../docs/rbac/${file}`, import.meta.url));
  return (parse(readFileSync(role, "utf8")) as { readonly rules: readonly PolicyRule[] }).rules;
};
const NOTHING: PolicyRule = { apiGroups: [], resources: [], verbs: [] };

/** A kubeconfig of somebody who may do that in this namespace, and nothing else. */
export const somebody = async (
  namespace: Namespace,
  name: string,
  may: readonly PolicyRule[],
): Promise<string> => {
  const rbac = "rbac.authorization.k8s.io";
  await namespace.apply(
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name }, rules: may },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: namespace.name }],
    },
  );
  const token = (await namespace.run("create", "token", name)).trim();
  const own = JSON.parse(await kubectl(["config", "view", "--raw", "--minify", "--flatten", "-o", "json"]));
  const [{ cluster }] = own.clusters;
  const file = join(tempFolder("kubeconfig"), "config");
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      clusters: [{ name: "here", cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: "here", user: name, namespace: namespace.name } }],
    }),
    { mode: 0o600 },
  );
  // The authorizer hears of a role a moment after it was made; it has heard of all of it, or of nothing.
  const [
    {
      apiGroups: [group = ""],
      resources: [resource = ""],
      verbs: [verb = ""],
    } = NOTHING,
  ] = may;
  const [plural = "", subresource = ""] = resource.split("/");
  const asked = [verb, group === "" ? plural : `${plural}.${group}`, `--subresource=${subresource}`];
  if (plural !== "") await eventually(() => kubectl(["--kubeconfig", file, "auth", "can-i", ...asked]));
  return file;
};
