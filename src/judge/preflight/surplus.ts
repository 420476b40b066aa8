/**
 * `surplus`: containers and volumes of the live template that are in the target neither, nor in what anybody applies. An
 * apply takes away only what the applier had before (last-applied-configuration, or its own managed fields), so after an
 * undo such a container survives every later apply (kubernetes#94698, k8s-26): live is not what was intended.
 *
 * The other half is foreseen too: what the target brings back and the last apply does not name, the next apply would leave.
 */

import type { Seen } from "../../domain/evidence.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Check } from "../../domain/rollback.ts";
import { hint, itemsAt, LIST, OBJECT, type Path, TEXT, valueAt } from "../read.ts";
import { listed, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

const LISTS = ["initContainers", "containers", "volumes"] as const;
type List = (typeof LISTS)[number];
const WORD: Readonly<Record<List, string>> = {
  initContainers: "init container",
  containers: "container",
  volumes: "volume",
};

export const surplus = ({ live, target }: Given): Check => {
  const checking = new Checking("surplus");
  const entries = checking.need(live, ["metadata", "managedFields"], LIST);
  if (entries === undefined)
    return checking.unknown("read it with its managedFields (kubectl get --show-managed-fields)");
  const appliers = entries.filter(isApplier);
  const applied = lastApplied(live);
  if (appliers.length === 0 && applied === undefined)
    return checking.proven(
      "nobody-applies",
      "nobody has applied it, and a rollback replaces its containers and volumes as a whole",
    );
  const found: string[] = [];
  const left: string[] = [];
  for (const list of LISTS) {
    const path: Path = ["spec", "template", "spec", list];
    // A template without containers is none; the other two may be left out.
    if (list === "containers" && checking.need(live, path, LIST) === undefined) return checking.unknown();
    const named = new Set([...namesOwned(appliers, path), ...namesAt(applied, path)]);
    const wanted = new Set(namesAt(target.holder.raw, [...target.path, "spec", list]));
    const present = namesAt(live.raw, path);
    for (const name of present)
      if (!wanted.has(name) && !named.has(name)) found.push(`${WORD[list]} ${quoted(name)}`);
    for (const name of wanted)
      if (!named.has(name) && !present.includes(name)) left.push(`${WORD[list]} ${quoted(name)}`);
  }
  if (left.length > 0)
    checking.limit(
      `${listed(left)} would come back that the last apply did not have: the next apply without ${left.length === 1 ? "it" : "them"} leaves ${left.length === 1 ? "it" : "them"} there, so put it into what is applied, or take it out by hand`,
    );
  if (found.length > 0)
    return checking.refuted(
      "surplus-container",
      `a surplus ${found.length === 1 ? "one" : "few"} would survive every apply: ${listed(found)} ${found.length === 1 ? "is" : "are"} in the live template, and neither in the target nor in what anybody applies`,
      "remove it from the live object, or take it into what is applied; or say --accept surplus: this rollback itself would take it away",
    );
  return checking.proven(
    "none",
    "every container and volume of the live template is of the target, or of what is applied",
  );
};

/** Who changes objects by a three-way merge without server-side apply (their field managers' names). */
const CLIENT_SIDE: ReadonlySet<string> = new Set([
  "kubectl-client-side-apply",
  "before-first-apply",
  "helm",
  "argocd-controller",
  "argocd-application-controller",
]);

const isApplier = (entry: JsonValue): boolean => {
  if (valueAt(entry, ["subresource"]) !== undefined) return false;
  const manager = hint(entry, ["manager"], TEXT);
  return hint(entry, ["operation"], TEXT) === "Apply" || (manager !== undefined && CLIENT_SIDE.has(manager));
};

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** undefined: there is none, or it is not told (a snapshot leaves it out). */
const lastApplied = ({ raw }: Seen): JsonObject | undefined => {
  const text = hint(raw, ["metadata", "annotations", LAST_APPLIED], TEXT);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value as JsonValue) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

const namesAt = (from: JsonObject | undefined, path: Path): readonly string[] =>
  itemsAt(from, path).flatMap((one) => {
    const name = hint(one, ["name"], TEXT);
    return name === undefined ? [] : [name];
  });

/** Container and volume names are DNS labels: nothing in them is escaped. */
const nameIn = (key: string): readonly string[] => {
  const name = /^k:\{"name":"([a-z0-9-]+)"\}$/.exec(key)?.[1];
  return name === undefined ? [] : [name];
};

/** Items that an applier's managed fields name (`k:{"name":"web"}`). */
const namesOwned = (appliers: readonly JsonValue[], path: Path): readonly string[] => {
  const at = ["fieldsV1", ...path.map((part) => `f:${part}`)];
  return appliers.flatMap((entry) => {
    const owned = hint(entry, at, OBJECT);
    return owned === undefined ? [] : Object.keys(owned).flatMap(nameIn);
  });
};
