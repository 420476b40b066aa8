/**
 * Binding config to what consumes it (ADR 0041): ConfigMaps become immutable under a name made from their bytes, each reference
 * to one names that version, and the Pod template carries `checksum/config`. Pure: it says which edits to make and which
 * ConfigMaps to add; who holds the text or the objects makes them. What is bound already needs no edit.
 *
 * A reference is either rewritten or listed with the reason why it is not; none is passed over.
 */
import type { ConfigKind } from "../../domain/config.ts";
import { checksumOf } from "../../domain/config-digest.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Fault, Path } from "../manifest/fault.ts";
import { type Found, KnownSources } from "./known-sources.ts";
import { type Edit, faultAt, type Manifest, titleOf } from "./manifest.ts";
import { CHECKSUM, CONFIG_MARK } from "./names.ts";
import { type DeclaredPaths, type Naming, referencesIn } from "./references.ts";
import { type GivenConfig, isConfigMap, namespaceOf, type Source, secretsIn } from "./sources.ts";
import { at, textAt } from "./templates.ts";

export interface BindOptions {
  readonly given: readonly GivenConfig[];
  /** Of what names none; null: nobody said. */
  readonly namespace: string | null;
  /** `NAME/KEY` of values that look like secrets and are none. */
  readonly allowed: ReadonlySet<string>;
  readonly declared: DeclaredPaths;
}

export interface BoundConfig {
  readonly name: string;
  /** null: that of where it is applied. */
  readonly namespace: string | null;
  readonly boundAs: string;
  readonly sha256: string;
  readonly from: string;
  /** It is added to the manifests. */
  readonly added: boolean;
  /** Places that refer to it. */
  readonly references: number;
}

/** One place that names a ConfigMap or Secret. */
export interface NamedPlace {
  readonly manifest: number;
  readonly of: string;
  readonly path: Path;
  readonly kind: ConfigKind;
  readonly naming: Naming;
  readonly name: string | null;
  /** The versioned name that it has now; null: it was left. */
  readonly to: string | null;
  /** Why it was left. */
  readonly why: string | null;
}

export interface Checksum {
  readonly manifest: number;
  readonly of: string;
  /** Of the annotation. */
  readonly path: Path;
  readonly from: string | null;
  readonly to: string;
}

export interface Binding {
  readonly edits: readonly Edit[];
  /** Objects to add, each in front of the first manifest that refers to it; null: of none. */
  readonly added: readonly { readonly object: JsonObject; readonly before: number | null }[];
  readonly bound: readonly BoundConfig[];
  readonly places: readonly NamedPlace[];
  readonly checksums: readonly Checksum[];
  /** ConfigMaps of the manifests that stay as they are, each a sentence. */
  readonly left: readonly string[];
}

export type Bound =
  | Binding
  | { readonly faults: readonly Fault[] }
  /** Values that look like secrets: refused until somebody allows them by name. */
  | { readonly secrets: readonly Fault[] };

export const bind = (manifests: readonly Manifest[], options: BindOptions): Bound =>
  new Binder(manifests, options).bind();

class Binder {
  readonly #manifests: readonly Manifest[];
  readonly #options: BindOptions;
  readonly #faults: Fault[] = [];
  readonly #found: readonly Found[];
  readonly #known: KnownSources;
  /** Of each found reference the source that it is bound to. */
  readonly #meant = new Map<Found, Source>();
  readonly #used = new Map<Source, Found[]>();

  constructor(manifests: readonly Manifest[], options: BindOptions) {
    this.#manifests = manifests;
    this.#options = options;
    this.#found = manifests.flatMap(({ object }, manifest) => {
      const namespace = namespaceOf(object, options.namespace);
      return referencesIn(object, options.declared).map((reference) => ({ manifest, reference, namespace }));
    });
    this.#known = new KnownSources(manifests, this.#found, options.given, options.namespace);
  }

  bind(): Bound {
    if (this.#known.faults.length > 0) return { faults: this.#known.faults };
    const places = this.#found.map((one) => this.#decide(one));
    const sources = this.#sources();
    this.#refuseCollisions(sources);
    const checksums = this.#checksums();
    if (this.#faults.length > 0) return { faults: this.#faults };
    const secrets = sources.flatMap((source) => this.#secretFaults(source));
    if (secrets.length > 0) return { secrets };
    return {
      edits: [
        ...sources.flatMap((source) => this.#configEdits(source)),
        ...places.flatMap(({ manifest, path, name, to }): readonly Edit[] =>
          to === null || to === name ? [] : [{ manifest, path, value: to }],
        ),
        ...checksums.flatMap(({ manifest, path, from, to }): readonly Edit[] =>
          from === to ? [] : [{ manifest, path, value: to }],
        ),
      ],
      added: sources.flatMap((source) => this.#added(source)),
      bound: sources.map((source) => this.#told(source)),
      places,
      checksums,
      left: this.#left(sources),
    };
  }

  #decide(one: Found): NamedPlace {
    const { manifest, reference } = one;
    const { kind, naming, name, path } = reference;
    const holder = this.#manifests[manifest] as Manifest;
    const place = { manifest, of: titleOf(holder.object), path, kind, naming, name };
    const left = (why: string): NamedPlace => ({ ...place, to: null, why });
    if (kind === "Secret") return left("a Secret: a name made from its bytes would let them be guessed");
    const source = this.#known.find(one);
    if (typeof source === "string") return left(source);
    if (naming === "rbac") return left(`it permits reading by this name; ${source.versioned} is another`);
    this.#meant.set(one, source);
    const used = this.#used.get(source);
    if (used === undefined) this.#used.set(source, [one]);
    else used.push(one);
    const lacking = reference.optional ? [] : (reference.keys ?? []).filter((key) => !source.keys.has(key));
    for (const key of lacking)
      this.#faults.push(
        faultAt(
          holder,
          path,
          `it needs the key ${key} of ${source.base}, which has none: no container would start`,
        ),
      );
    return { ...place, to: source.versioned, why: null };
  }

  /** Those that are bound: given, or referred to. */
  #sources(): readonly Source[] {
    const given = new Set(this.#known.given);
    return [...given, ...[...this.#used.keys()].filter((source) => !given.has(source))];
  }

  #refuseCollisions(sources: readonly Source[]): void {
    const taken = new Map<string, Source>();
    for (const source of sources) {
      const { base, namespace, versioned, from } = source;
      const other = taken.get(`${namespace}/${versioned}`);
      taken.set(`${namespace}/${versioned}`, source);
      const stands = this.#known.inTheWayOf(source);
      const whose = other !== undefined ? other.base : stands !== undefined ? titleOf(stands.object) : null;
      if (whose !== null)
        this.#faults.push({
          file: from,
          line: null,
          column: null,
          field: "",
          message: `${base} would be named ${versioned}, as ${whose} is; give one of them another name`,
        });
    }
  }

  #secretFaults(source: Source): readonly Fault[] {
    return secretsIn(source, this.#options.allowed).map(({ key, named, why }) => {
      const message = `this looks like a secret: ${why}; keep it in a Secret, or say --allow ${named}`;
      const manifest = source.manifest === null ? undefined : this.#manifests[source.manifest];
      return manifest === undefined
        ? { file: source.from, line: null, column: null, field: key, message }
        : faultAt(manifest, ["data", key], message);
    });
  }

  #configEdits({ manifest, base, versioned }: Source): readonly Edit[] {
    if (manifest === null) return [];
    const { object } = this.#manifests[manifest] as Manifest;
    const edit = (path: Path, value: string | boolean): readonly Edit[] =>
      at(object, path) === value ? [] : [{ manifest, path, value }];
    return [
      ...edit(["metadata", "name"], versioned),
      ...edit(["immutable"], true),
      ...edit(["metadata", "annotations", CONFIG_MARK], base),
    ];
  }

  #added(source: Source): Binding["added"] {
    const { manifest, base, versioned, content } = source;
    if (manifest !== null) return [];
    const [first] = this.#used.get(source) ?? [];
    const before = first === undefined ? null : first.manifest;
    const unused = source.namespace === "" ? null : source.namespace;
    const namespace =
      before === null ? unused : textAt(this.#manifests[before]?.object, ["metadata", "namespace"]);
    const { data, binaryData } = content;
    const object: JsonObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: versioned,
        ...(namespace === null ? {} : { namespace }),
        annotations: { [CONFIG_MARK]: base },
      },
      immutable: true,
      ...(data === undefined ? {} : { data }),
      ...(binaryData === undefined ? {} : { binaryData }),
    };
    return [{ object, before }];
  }

  #told(source: Source): BoundConfig {
    const { base, namespace, versioned, digest, from, manifest } = source;
    const used = this.#used.get(source);
    return {
      name: base,
      namespace: namespace === "" ? null : namespace,
      boundAs: versioned,
      sha256: digest,
      from,
      added: manifest === null,
      references: used === undefined ? 0 : used.length,
    };
  }

  /** One for each template that takes something that is bound. */
  #checksums(): readonly Checksum[] {
    const templates = new Map<string, Template>();
    for (const [{ manifest, reference }, { versioned, digest }] of this.#meant) {
      if (reference.template === null) continue;
      const key = JSON.stringify([manifest, reference.template]);
      const one = templates.get(key) ?? { manifest, path: reference.template, digests: new Map() };
      templates.set(key, one);
      one.digests.set(versioned, digest);
    }
    return [...templates.values()].flatMap(({ manifest, path, digests }) => {
      const holder = this.#manifests[manifest] as Manifest;
      const wrong = [["metadata"], ["metadata", "annotations"]].find((part) => {
        const there = at(holder.object, [...path, ...part]);
        return there !== undefined && there !== null && !isJsonObject(there);
      });
      if (wrong !== undefined) {
        this.#faults.push(faultAt(holder, [...path, ...wrong], "it is not a mapping"));
        return [];
      }
      const annotation = [...path, "metadata", "annotations", CHECKSUM];
      const from = textAt(holder.object, annotation);
      return [{ manifest, of: titleOf(holder.object), path: annotation, from, to: checksumOf(digests) }];
    });
  }

  #left(sources: readonly Source[]): readonly string[] {
    const bound = new Set(sources.map(({ manifest }) => manifest));
    return this.#manifests.flatMap(({ object }, index) => {
      if (!isConfigMap(object) || bound.has(index)) return [];
      const source = this.#known.ofManifest(index);
      return source !== undefined && source.written !== source.base
        ? [`${titleOf(object)}: an older version of ${source.base}; it is left for rollbacks`]
        : [`${titleOf(object)}: nothing here refers to it, so it keeps its name`];
    });
  }
}

interface Template {
  readonly manifest: number;
  readonly path: Path;
  /** By versioned name. */
  readonly digests: Map<string, string>;
}
