/** One object of a manifest, wherever it was written, and the few changes that binding makes to it. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { type Fault, fieldOf, type Path } from "../manifest/fault.ts";
import type { Place } from "../manifest/text.ts";
import { textAt } from "./templates.ts";

export interface Manifest {
  readonly object: JsonObject;
  /** As a person knows it. */
  readonly file: string;
  /** null: it has no lines to point at. */
  readonly place: (path: Path) => Place | null;
}

/** Sets what stands at `path`, and makes the mappings on the way to it. */
export interface Edit {
  /** Index of the manifest. */
  readonly manifest: number;
  readonly path: Path;
  readonly value: JsonValue;
}

export const faultAt = ({ file, place }: Manifest, path: Path, message: string): Fault => {
  const found = place(path);
  return { file, line: found?.line ?? null, column: found?.column ?? null, field: fieldOf(path), message };
};

/** `ConfigMap shop/settings` */
export const titleOf = (object: JsonObject): string => {
  const namespace = textAt(object, ["metadata", "namespace"]);
  const name = textAt(object, ["metadata", "name"]);
  return `${String(object["kind"])} ${namespace === null ? "" : `${namespace}/`}${name === null ? "without a name" : name}`;
};

const set = (value: JsonValue | undefined, path: Path, to: JsonValue): JsonValue => {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => (index === key ? set(item, rest, to) : item));
  const object = isJsonObject(value) ? value : {};
  return { ...object, [key]: set(object[key], rest, to) };
};

/** The objects as the edits leave them. */
export const edited = (objects: readonly JsonObject[], edits: readonly Edit[]): readonly JsonObject[] => {
  const all = [...objects];
  for (const { manifest, path, value } of edits) {
    const object = all[manifest];
    if (object !== undefined) all[manifest] = set(object, path, value) as JsonObject;
  }
  return all;
};
