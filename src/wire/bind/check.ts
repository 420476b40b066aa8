/**
 * What is wrong with the way in which manifests tie Pods to config, whoever wrote them: checksums where they change nothing, of what the
 * Pod does not take, or of nothing that can be recomputed (C7); and config that can change under a process without one.
 * Pure. What is not among the manifests cannot be judged, and is told.
 */
import { checksumOf, configDigest, keyDigests } from "../../domain/config-digest.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { sha256Hex } from "../digest.ts";
import type { Path } from "../manifest/fault.ts";
import { textsIn } from "./content.ts";
import { placesOf } from "./declared-path.ts";
import { type Manifest, titleOf } from "./manifest.ts";
import { CHECKSUM, CONFIG_MARK, isVersionOf, versionedName } from "./names.ts";
import { type DeclaredPaths, type Reference, referencesIn } from "./references.ts";
import { isConfigMap, namespaceOf } from "./sources.ts";
import { at, templateOf, textAt } from "./templates.ts";

export const CHECK_RULES = {
  "checksum-not-on-template": "A checksum stands on the Pod template, where a change of it makes a rollout",
  "checksum-of-another": "A checksum is of config that the Pod takes",
  "checksum-opaque": "A checksum can be recomputed from what the Pod takes",
  "checksum-out-of-date": "A checksum is of the config as it stands in the manifests",
  "mutable-without-checksum":
    "Config that is read only at a start (env, subPath) is immutable, or tied to the template by a checksum",
  "name-out-of-date": "A name that was made from the bytes of the config is of the bytes that stand there",
  "key-missing": "A key that a Pod needs is in its ConfigMap",
} as const;

export type CheckRule = keyof typeof CHECK_RULES;

export interface CheckFinding {
  readonly rule: CheckRule;
  readonly of: string;
  readonly manifest: Manifest;
  readonly path: Path;
  readonly sentence: string;
}

export interface Checked {
  readonly findings: readonly CheckFinding[];
  /** Templates that take something from a ConfigMap. */
  readonly templates: number;
  /** What could not be judged, each a sentence. */
  readonly notJudged: readonly string[];
}

export interface CheckedManifest extends Manifest {
  /** The text of the document that is this object alone; null: it shares it with others. */
  readonly text: string | null;
}

export const checkConfig = (
  manifests: readonly CheckedManifest[],
  declared: DeclaredPaths,
  namespace: string | null,
): Checked => new Check(manifests, declared, namespace).run();

interface Config {
  readonly manifest: CheckedManifest;
  readonly title: string;
  readonly name: string;
  readonly digest: string | null;
}

interface Template {
  readonly manifest: CheckedManifest;
  readonly path: Path;
  readonly references: readonly Reference[];
}

/** Names under which people keep checksums of config. */
const IS_CHECKSUM = /checksum|config[-_.]?(?:hash|digest|sha)/i;

class Check {
  readonly #manifests: readonly CheckedManifest[];
  readonly #declared: DeclaredPaths;
  readonly #usual: string | null;
  readonly #configs = new Map<string, Config>();
  /** Whose each digest is that people take of a ConfigMap. */
  readonly #byDigest = new Map<string, Config[]>();
  readonly #findings: CheckFinding[] = [];
  readonly #notJudged = new Set<string>();

  constructor(manifests: readonly CheckedManifest[], declared: DeclaredPaths, namespace: string | null) {
    this.#manifests = manifests;
    this.#declared = declared;
    this.#usual = namespace;
  }

  run(): Checked {
    for (const manifest of this.#manifests) if (isConfigMap(manifest.object)) this.#config(manifest);
    const templates = this.#manifests.flatMap((manifest) => this.#templatesOf(manifest));
    for (const template of templates) this.#template(template);
    return { findings: this.#findings, templates: templates.length, notJudged: [...this.#notJudged] };
  }

  #config(manifest: CheckedManifest): void {
    const { object } = manifest;
    const name = textAt(object, ["metadata", "name"]);
    if (name === null) return;
    const config: Config = { manifest, title: titleOf(object), name, digest: configDigest(object) };
    this.#configs.set(`${namespaceOf(object, this.#usual)}/${name}`, config);
    for (const digest of digestsPeopleTake(manifest)) {
      const same = this.#byDigest.get(digest);
      if (same === undefined) this.#byDigest.set(digest, [config]);
      else same.push(config);
    }
    const base = textAt(object, ["metadata", "annotations", CONFIG_MARK]);
    if (base !== null && config.digest !== null && isVersionOf(name, base)) {
      const meant = versionedName(base, config.digest);
      if (meant !== name)
        this.#say(
          "name-out-of-date",
          manifest,
          ["metadata", "name"],
          `${config.title} was edited after it was bound: its bytes make ${meant}; bind it again`,
        );
    }
  }

  #templatesOf(manifest: CheckedManifest): readonly Template[] {
    const { object } = manifest;
    const own = templateOf(object);
    const paths = [...(own === null ? [] : [own]), ...placesOf(object, this.#declared.templates)];
    const all = referencesIn(object, this.#declared).filter(({ kind }) => kind === "ConfigMap");
    return paths.flatMap((path): readonly Template[] => {
      const references = all.filter(({ template }) => template?.join("/") === path.join("/"));
      return references.length === 0 ? [] : [{ manifest, path, references }];
    });
  }

  #template(template: Template): void {
    const { manifest, path, references } = template;
    const { object } = manifest;
    const namespace = namespaceOf(object, this.#usual);
    const taken = new Map<string, Config>();
    let isWhole = true;
    for (const { name } of references) {
      const config = name === null ? undefined : this.#configs.get(`${namespace}/${name}`);
      if (config !== undefined) taken.set(config.name, config);
      else {
        isWhole = false;
        this.#notJudged.add(
          `${titleOf(object)} takes ConfigMap ${String(name)}, which is not among the manifests`,
        );
      }
    }
    this.#keys(template, taken);
    if (path.length > 0) this.#ownMetadata(manifest, path);
    const covered = this.#checksums(template, taken, isWhole);
    this.#mutable(template, taken, covered);
  }

  #keys({ manifest, references }: Template, taken: ReadonlyMap<string, Config>): void {
    for (const { name, keys, optional, path } of references) {
      const config = name === null ? undefined : taken.get(name);
      if (config === undefined || keys === null || optional) continue;
      const there = textsIn(config.manifest.object);
      for (const key of keys)
        if (!there.has(key))
          this.#say(
            "key-missing",
            manifest,
            path,
            `${titleOf(manifest.object)} needs the key ${key} of ${config.title}, which has none: no container would start`,
          );
    }
  }

  /** A checksum on the workload itself that its template does not have. */
  #ownMetadata(manifest: CheckedManifest, template: Path): void {
    const { object } = manifest;
    const on = checksumsAt(object, [...template, "metadata", "annotations"]);
    for (const name of checksumsAt(object, ["metadata", "annotations"]).keys())
      if (!on.has(name))
        this.#say(
          "checksum-not-on-template",
          manifest,
          ["metadata", "annotations", name],
          `${titleOf(object)} has ${name} on its own metadata, where a change of it replaces no Pod; it belongs to ${[...template, "metadata", "annotations"].join(".")}`,
        );
  }

  /** What the checksums of a template are known to cover; null: not all of that is known. Empty and not null: it has none. */
  #checksums(
    { manifest, path }: Template,
    taken: ReadonlyMap<string, Config>,
    isWhole: boolean,
  ): ReadonlySet<string> | null {
    const { object } = manifest;
    const annotations: Path = [...path, "metadata", "annotations"];
    const covered = new Set<string>();
    let isKnown = true;
    for (const [name, value] of checksumsAt(object, annotations)) {
      const ofAll = coveredByAll(name, value, taken);
      const own = (this.#byDigest.get(value.toLowerCase()) ?? []).filter(
        (one) => taken.get(one.name) === one,
      );
      for (const one of [...ofAll, ...own.map((config) => config.name)]) covered.add(one);
      if (ofAll.length > 0 || own.length > 0) continue;
      isKnown = false;
      const say = (rule: CheckRule, sentence: string): void =>
        this.#say(rule, manifest, [...annotations, name], `${titleOf(object)} has ${name}: ${sentence}`);
      const [other] = this.#byDigest.get(value.toLowerCase()) ?? [];
      if (other !== undefined)
        say("checksum-of-another", `it is the digest of ${other.title}, of which the Pod takes nothing`);
      else if (!/^[0-9a-f]{64}$/i.test(value)) say("checksum-opaque", opaque(value));
      else if (isWhole)
        say(
          "checksum-out-of-date",
          `it is no digest of ${[...taken.values()].map(({ title }) => title).join(" or ")} as it stands here: it is out of date, or was made in another way`,
        );
      else
        this.#notJudged.add(
          `${titleOf(object)} has ${name}, which cannot be recomputed without all that the Pod takes`,
        );
    }
    return isKnown ? covered : null;
  }

  /** Content that is read only at a start, and can change without one. */
  #mutable(
    { manifest, references }: Template,
    taken: ReadonlyMap<string, Config>,
    covered: ReadonlySet<string> | null,
  ): void {
    if (covered === null) return;
    const told = new Set<string>();
    for (const { name, naming, path } of references) {
      const config = name === null ? undefined : taken.get(name);
      const isReadOnce = naming === "env" || naming === "envFrom" || naming === "subPath";
      if (config === undefined || !isReadOnce || told.has(config.name) || covered.has(config.name)) continue;
      if (config.manifest.object["immutable"] === true) continue;
      told.add(config.name);
      const others = covered.size === 0 ? "no checksum" : `a checksum of ${[...covered].join(", ")} alone`;
      this.#say(
        "mutable-without-checksum",
        manifest,
        path,
        `${titleOf(manifest.object)} takes ${config.title} by ${naming}, which is read only at a start; it is mutable, and the template has ${others}: an edit of it reaches whichever Pod starts next, and no other`,
      );
    }
  }

  #say(rule: CheckRule, manifest: CheckedManifest, path: Path, sentence: string): void {
    this.#findings.push({ rule, of: titleOf(manifest.object), manifest, path, sentence });
  }
}

const checksumsAt = (object: JsonObject, path: Path): ReadonlyMap<string, string> => {
  const annotations = at(object, path);
  if (!isJsonObject(annotations)) return new Map();
  return new Map(
    Object.entries(annotations).flatMap(([name, value]) =>
      IS_CHECKSUM.test(name) ? [[name, typeof value === "string" ? value : JSON.stringify(value)]] : [],
    ),
  );
};

/** As `config bind` makes it: over all that is taken, or over what of it is bound. */
const coveredByAll = (name: string, value: string, taken: ReadonlyMap<string, Config>): readonly string[] => {
  if (name !== CHECKSUM) return [];
  const all = [...taken.values()];
  const bound = all.filter(({ manifest }) => manifest.object["immutable"] === true);
  for (const some of [all, bound]) {
    const digests = new Map(some.flatMap(({ name: of, digest }) => (digest === null ? [] : [[of, digest]])));
    if (digests.size > 0 && digests.size === some.length && checksumOf(digests) === value)
      return [...digests.keys()];
  }
  return [];
};

/** Of the object (C3), of each key, and of the document as a template engine printed it (`include … | sha256sum`). */
const digestsPeopleTake = ({ object, text }: CheckedManifest): ReadonlySet<string> => {
  const own = configDigest(object);
  const keys = keyDigests(object);
  const printed = text === null ? [] : [text, text.replace(/^\s*# Source: .*\n/, "")];
  const forms = printed.flatMap((form) => [
    form,
    form.replace(/^\r?\n/, ""),
    form.trim(),
    `${form.trim()}\n`,
  ]);
  return new Set([
    ...(own === null ? [] : [own]),
    ...(keys === null ? [] : keys.values()),
    ...forms.map((form) => sha256Hex(form)),
  ]);
};

const opaque = (value: string): string => {
  const isTime =
    /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(value) ||
    /^1\d{9}(?:\d{3}){0,3}$/.test(value) ||
    /\d{1,2}:\d{2}:\d{2}/.test(value);
  const after = "a change of it makes a rollout, and tells nothing of which config runs";
  if (isTime) return `it is a time; ${after}`;
  if (/^[0-9a-f]{32}$|^[0-9a-f]{40}$/i.test(value))
    return `it is ${value.length} hex digits, which are not recomputed here; SHA-256 can be`;
  return `it is a text that no config makes; ${after}`;
};
