/** What binding is told by a file: a function's configuration, or `bind` of a step. The same fields everywhere. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { type DeclaredPath, parseDeclaredPath } from "./declared-path.ts";
import type { DeclaredPaths } from "./references.ts";

export interface FileSource {
  readonly name: string;
  /** null: that of whatever refers to it. */
  readonly namespace: string | null;
  readonly path: string;
  readonly isFolder: boolean;
}

export interface BindSettings {
  readonly sources: readonly FileSource[];
  /** `NAME/KEY` of values that look like secrets and are none. */
  readonly allow: readonly string[];
  readonly declared: DeclaredPaths;
}

export const NO_SETTINGS: BindSettings = {
  sources: [],
  allow: [],
  declared: { references: [], templates: [] },
};

const KNOWN = ["sources", "allow", "references", "templates"];

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

type Parsed = BindSettings | { readonly fault: string };

/** The fault is a clause that follows the name of what holds the settings. */
export const bindSettings = (value: JsonObject): Parsed => {
  const unknown = Object.keys(value).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) return { fault: `.${unknown} is not known here; known are ${KNOWN.join(", ")}` };
  const textsOf = (name: string): readonly string[] | null => {
    const list = value[name];
    if (list === undefined) return [];
    return Array.isArray(list) && list.every(isText) ? list : null;
  };
  const allow = textsOf("allow");
  if (allow === null) return { fault: ".allow must be a list of NAME/KEY" };
  const listed = value["sources"] === undefined ? [] : value["sources"];
  const sources = Array.isArray(listed) ? listed.map(sourceIn) : [null];
  if (!sources.every((one) => one !== null))
    return {
      fault: ".sources must be a list of { name, file } or { name, folder }, with a namespace if need be",
    };
  const references = declaredIn(textsOf("references"), ".references");
  if ("fault" in references) return references;
  const templates = declaredIn(textsOf("templates"), ".templates");
  if ("fault" in templates) return templates;
  return { sources, allow, declared: { references: references.paths, templates: templates.paths } };
};

const declaredIn = (
  texts: readonly string[] | null,
  name: string,
): { readonly paths: readonly DeclaredPath[] } | { readonly fault: string } => {
  if (texts === null) return { fault: `${name} must be a list of KIND[.GROUP]:PATH` };
  const paths: DeclaredPath[] = [];
  for (const text of texts) {
    const parsed = parseDeclaredPath(text);
    if ("fault" in parsed) return { fault: `${name} ${parsed.fault}` };
    paths.push(parsed);
  }
  return { paths };
};

const sourceIn = (value: JsonValue): FileSource | null => {
  if (!isJsonObject(value)) return null;
  const { name, namespace, file, folder, ...others } = value;
  if (!isText(name) || Object.keys(others).length > 0) return null;
  if (namespace !== undefined && !isText(namespace)) return null;
  const [path, isFolder] =
    file === undefined ? [folder, true] : [folder === undefined ? file : undefined, false];
  if (!isText(path)) return null;
  return { name, namespace: namespace === undefined ? null : namespace, path, isFolder };
};
