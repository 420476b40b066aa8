/** Where the Pod templates of a kind stand. A Pod is its own. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Path } from "../manifest/fault.ts";

/** By `Kind.group`; the core group is empty. */
const TEMPLATES: Readonly<Record<string, Path>> = {
  "Pod.": [],
  "PodTemplate.": ["template"],
  "ReplicationController.": ["spec", "template"],
  "Deployment.apps": ["spec", "template"],
  "StatefulSet.apps": ["spec", "template"],
  "DaemonSet.apps": ["spec", "template"],
  "ReplicaSet.apps": ["spec", "template"],
  "Job.batch": ["spec", "template"],
  "CronJob.batch": ["spec", "jobTemplate", "spec", "template"],
  "Rollout.argoproj.io": ["spec", "template"],
};

/** `Kind.group` of an object, without its version. */
export const kindOf = (object: JsonObject): string => {
  const { apiVersion, kind } = object;
  const cut = String(apiVersion).lastIndexOf("/");
  return `${String(kind)}.${String(apiVersion).slice(0, Math.max(0, cut))}`;
};

/** The template's place in its object; null: the kind has none that is known. */
export const templateOf = (object: JsonObject): Path | null => {
  const kind = kindOf(object);
  return Object.hasOwn(TEMPLATES, kind) ? (TEMPLATES[kind] as Path) : null;
};

export const at = (value: JsonValue | undefined, path: Path): JsonValue | undefined => {
  let here = value;
  for (const key of path) {
    if (Array.isArray(here) && typeof key === "number") here = here[key] as JsonValue | undefined;
    else if (isJsonObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return undefined;
  }
  return here;
};

/** The texts of a mapping's values; what is no text is left out. */
export const textAt = (value: JsonValue | undefined, path: Path): string | null => {
  const found = at(value, path);
  return typeof found === "string" ? found : null;
};

export const listAt = (value: JsonValue | undefined, path: Path): readonly JsonValue[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};
