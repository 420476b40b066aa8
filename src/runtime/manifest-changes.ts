/**
 * What changed in the manifests between two commits: only what ConfigMaps and Secrets hold, or Pod templates too. By reading the
 * manifests at both, plain YAML and JSON; what a tool makes of templates or overlays is not known from them, and is said so.
 * Names and kinds are told, never what a Secret holds.
 */
import type { PathChange, TreeFile } from "../domain/commit.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import { differencesOf } from "../judge/differences.ts";
import { listed } from "../judge/words.ts";
import type { Repository } from "../ports/repository.ts";
import { titleOf } from "../wire/bind/manifest.ts";
import { openStream } from "../wire/bind/stream.ts";
import { decodeText, MAX_BYTES } from "../wire/manifest/text.ts";
import { whyOf } from "./git-evidence.ts";

export type ChangeKind = "none" | "config-only" | "template" | "config-and-template" | "other" | "unknown";

export interface ManifestChange {
  readonly kind: ChangeKind;
  /** Each with what of it changed, a clause. */
  readonly objects: readonly { readonly object: string; readonly what: string }[];
  /** Why it is not known, a clause; null: it is. */
  readonly why: string | null;
}

const MOST_FILES = 500;
const RENDERED = /(?:^|\/)(?:Chart\.yaml|kustomization\.ya?ml|Kustomization)$|\.(?:jsonnet|libsonnet)$/;
const MANIFEST = /\.(?:ya?ml|json)$/;

const unknown = (why: string): ManifestChange => ({ kind: "unknown", objects: [], why });

/** `sourceType`: as the controller found it; null: it is not told. */
export const manifestChange = async (
  git: Repository,
  before: string,
  after: string,
  path: string,
  sourceType: string | null,
): Promise<ManifestChange> => {
  if (sourceType !== null && sourceType !== "Directory")
    return unknown(`what ${sourceType} makes of the files is not known from them`);
  for (const commit of [before, after]) {
    const files: Known<readonly TreeFile[]> = await git.files(commit, path);
    if (files.kind === "absent") continue;
    if (files.kind !== "known") return unknown(whyOf(files));
    const made = files.value.filter((file) => RENDERED.test(file.path)).map((file) => file.path);
    if (made.length > 0)
      return unknown(`what is made of ${listed(made.slice(0, 3))} is not known from the files`);
  }
  const changes = await git.changes(before, after, path);
  if (changes.kind !== "known") return unknown(whyOf(changes));
  if (changes.value.length > MOST_FILES) return unknown(`${changes.value.length} files changed`);
  const read = await objectsIn(git, changes.value);
  return "why" in read ? unknown(read.why) : comparedIn(read.before, read.after);
};

type Objects = ReadonlyMap<string, JsonObject>;

const objectsIn = async (
  git: Repository,
  changes: readonly PathChange[],
): Promise<{ readonly before: Objects; readonly after: Objects } | { readonly why: string }> => {
  const [before, after] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  for (const change of changes) {
    for (const [entry, into] of [
      [change.before, before],
      [change.after, after],
    ] as const) {
      if (entry === null) continue;
      if (entry.kind !== "file") return { why: `${change.path} is a ${entry.kind}, and is not followed` };
      if (!MANIFEST.test(change.path)) continue;
      const fault = await readInto(git, change.path, entry.id, into);
      if (fault !== undefined) return { why: fault };
    }
  }
  return { before, after };
};

const readInto = async (
  git: Repository,
  path: string,
  id: string,
  into: Map<string, JsonObject>,
): Promise<string | undefined> => {
  const bytes = await git.bytes(id);
  if (bytes.kind !== "known") return `${path}: ${whyOf(bytes)}`;
  if (bytes.value.length > MAX_BYTES) return `${path} has ${bytes.value.length} bytes`;
  const text = decodeText(bytes.value);
  if ("fault" in text) return `${path}: ${text.fault}`;
  const stream = await openStream(text.text, path);
  if ("faults" in stream)
    return `${path} is no manifest: ${stream.faults[0]?.message ?? "it cannot be read"}`;
  for (const { object } of stream.manifests) {
    const name = `${String(object["apiVersion"])} ${titleOf(object)}`;
    if (into.has(name)) return `${titleOf(object)} is written more than once`;
    into.set(name, object);
  }
  return undefined;
};

type Part = "config" | "template" | "other";

const comparedIn = (before: Objects, after: Objects): ManifestChange => {
  const parts = new Set<Part>();
  const objects: { object: string; what: string }[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(name), after.get(name)];
    const found = partsOf(was, is);
    for (const { part } of found) parts.add(part);
    if (found.length > 0)
      objects.push({
        object: titleOf((is ?? was) as JsonObject),
        what: listed(found.map(({ what }) => what)),
      });
  }
  return { kind: kindOf(parts), objects, why: null };
};

const kindOf = (parts: ReadonlySet<Part>): ChangeKind => {
  if (parts.has("template")) return parts.has("config") ? "config-and-template" : "template";
  if (parts.has("other")) return "other";
  return parts.has("config") ? "config-only" : "none";
};

const CONTENT: ReadonlySet<string> = new Set(["data", "binaryData", "stringData"]);

const isConfig = ({ apiVersion, kind }: JsonObject): boolean =>
  apiVersion === "v1" && (kind === "ConfigMap" || kind === "Secret");

const partsOf = (
  was: JsonObject | undefined,
  is: JsonObject | undefined,
): readonly { readonly part: Part; readonly what: string }[] => {
  const one = (is ?? was) as JsonObject;
  if (was === undefined || is === undefined) {
    const what = was === undefined ? "was added" : "was removed";
    if (isConfig(one)) return [{ part: "config", what }];
    return [{ part: templateOf(one) === undefined ? "other" : "template", what }];
  }
  if (isConfig(one)) {
    const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (field) => differencesOf(was[field], is[field]).length > 0,
    );
    const [content, others] = [
      fields.filter((field) => CONTENT.has(field)),
      fields.filter((field) => !CONTENT.has(field)),
    ];
    return [
      ...(content.length === 0 ? [] : [{ part: "config" as const, what: "what it holds changed" }]),
      ...(others.length === 0 ? [] : [{ part: "other" as const, what: `${listed(others)} changed` }]),
    ];
  }
  const [old, young] = [templateOf(was), templateOf(is)];
  const isTemplate = differencesOf(old, young).length > 0;
  const isOther = differencesOf(withoutTemplate(was), withoutTemplate(is)).length > 0;
  return [
    ...(isTemplate ? [{ part: "template" as const, what: "its Pod template changed" }] : []),
    ...(isOther ? [{ part: "other" as const, what: "what it declares beside Pods changed" }] : []),
  ];
};

/** undefined: it runs no Pods, as far as its form tells. */
const templateOf = (object: JsonObject): JsonValue | undefined => at(object, templatePath(object));

const templatePath = ({ kind }: JsonObject): readonly string[] => {
  if (kind === "Pod") return ["spec"];
  return kind === "CronJob" ? ["spec", "jobTemplate", "spec", "template"] : ["spec", "template"];
};

const at = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, key) ? at(value[key], rest) : undefined;
};

const withoutTemplate = (object: JsonObject): JsonObject => dropped(object, templatePath(object));

const dropped = (object: JsonObject, [key = "", ...rest]: readonly string[]): JsonObject => {
  const { [key]: member, ...others } = object;
  return rest.length > 0 && isJsonObject(member) ? { ...others, [key]: dropped(member, rest) } : others;
};
