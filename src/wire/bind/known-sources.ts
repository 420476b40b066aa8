/** All config that a reference can mean, found by namespace and name in one look each. */
import type { JsonObject } from "../../domain/json.ts";
import type { Fault } from "../manifest/fault.ts";
import { faultAt, type Manifest, titleOf } from "./manifest.ts";
import { isVersionOf, stemIn, stemOf } from "./names.ts";
import type { Reference } from "./references.ts";
import { type GivenConfig, givenSource, isConfigMap, namespaceOf, type Source, sourceIn } from "./sources.ts";
import { textAt } from "./templates.ts";

/** A reference with the manifest that it stands in, and that one's namespace. */
export interface Found {
  readonly manifest: number;
  readonly reference: Reference;
  readonly namespace: string;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/** A name means a ConfigMap that can be bound, and is not only permitted (rbac). */
const means = ({ kind, naming, name }: Reference): boolean =>
  kind === "ConfigMap" && naming !== "rbac" && name !== null;

/** A function sees names that kustomize has prefixed already beside references that it has not. */
const previousNames = (object: JsonObject): readonly string[] => {
  const listed = textAt(object, ["metadata", "annotations", "internal.config.kubernetes.io/previousNames"]);
  return listed === null ? [] : listed.split(",").filter((name) => name !== "");
};

const add = (index: Map<string, Source[]>, key: string, source: Source): void => {
  const same = index.get(key);
  if (same === undefined) index.set(key, [source]);
  else same.push(source);
};

export class KnownSources {
  readonly faults: Fault[] = [];
  readonly given: Source[] = [];
  readonly #manifests: readonly Manifest[];
  readonly #usual: string | null;
  /** Every ConfigMap of the manifests by its name, whether it can be bound or not. */
  readonly #standing = new Map<string, number>();
  readonly #written = new Map<string, Source>();
  /** By the names that kustomize remembers. */
  readonly #earlier = new Map<string, Source>();
  readonly #ofManifest = new Map<number, Source>();
  readonly #writtenByStem = new Map<string, Source[]>();
  readonly #givenByStem = new Map<string, Source[]>();
  readonly #anywhere = new Map<string, Source>();

  constructor(
    manifests: readonly Manifest[],
    found: readonly Found[],
    given: readonly GivenConfig[],
    usual: string | null,
  ) {
    this.#manifests = manifests;
    this.#usual = usual;
    this.#readWritten(found, given);
    for (const one of given) this.#readGiven(one, found);
  }

  /** ConfigMaps that no reference can mean keep their name: whoever reads them through the API knows it. */
  #readWritten(found: readonly Found[], given: readonly GivenConfig[]): void {
    const named = new Set(
      found.flatMap(({ reference, namespace }) =>
        means(reference) ? [keyOf(namespace, String(reference.name))] : [],
      ),
    );
    const givenNames = new Set(given.map(({ name }) => name));
    for (const [index, manifest] of this.#manifests.entries()) {
      const name = textAt(manifest.object, ["metadata", "name"]);
      if (!isConfigMap(manifest.object) || name === null) continue;
      const namespace = namespaceOf(manifest.object, this.#usual);
      const key = keyOf(namespace, name);
      if (this.#standing.has(key)) {
        this.faults.push(
          faultAt(
            manifest,
            ["metadata", "name"],
            `${titleOf(manifest.object)} stands here a second time; remove one`,
          ),
        );
        continue;
      }
      this.#standing.set(key, index);
      const source = sourceIn(manifest, index, namespace);
      if ("fault" in source) {
        if (named.has(key)) this.faults.push(source.fault);
        continue;
      }
      if (!this.#anywhere.has(source.base)) this.#anywhere.set(source.base, source);
      const earlier = previousNames(manifest.object).map((one) => keyOf(namespace, one));
      const isMeant = [key, keyOf(namespace, source.base), ...earlier].some((one) => named.has(one));
      if (!isMeant && source.base === name && !givenNames.has(name)) continue;
      this.#written.set(key, source);
      for (const one of earlier) if (!this.#earlier.has(one)) this.#earlier.set(one, source);
      this.#ofManifest.set(index, source);
      add(this.#writtenByStem, keyOf(namespace, stemOf(source.base)), source);
    }
  }

  #readGiven(given: GivenConfig, found: readonly Found[]): void {
    const source = givenSource(given);
    if ("fault" in source) {
      this.faults.push(source.fault);
      return;
    }
    const say = (message: string): void =>
      void this.faults.push({ file: given.from, line: null, column: null, field: "", message });
    const namespace = given.namespace ?? this.#usual ?? namespaceMeant(source, found, say);
    if (namespace === undefined) return;
    const { base, versioned } = source;
    const stem = keyOf(namespace, stemOf(base));
    const twice = (this.#givenByStem.get(stem) ?? []).some((one) => one.base === base);
    if (twice) {
      say(`${base} is given a second time; keep one`);
      return;
    }
    const clash = (this.#writtenByStem.get(stem) ?? []).find(
      (one) =>
        one.base === base && (!isVersionOf(String(one.written), base) || one.written !== one.versioned),
    );
    if (clash !== undefined) {
      say(
        `ConfigMap ${clash.written} stands in ${clash.from} too, with content of its own; keep one of the two`,
      );
      return;
    }
    const same = this.#written.get(keyOf(namespace, versioned));
    const placed: Source = same === undefined ? { ...source, namespace } : same;
    this.given.push(placed);
    add(this.#givenByStem, stem, placed);
    if (!this.#anywhere.has(base)) this.#anywhere.set(base, placed);
  }

  /** The source, or why there is none. What was given stands before what is written. */
  find({ reference: { name }, namespace }: Found): Source | string {
    if (name === null) return "what stands there is not a name";
    const given = within(this.#givenByStem, namespace, name);
    if (given[0] !== undefined) return given[0];
    const exact = this.#written.get(keyOf(namespace, name)) ?? this.#earlier.get(keyOf(namespace, name));
    if (exact !== undefined) return exact;
    const [only, ...others] = within(this.#writtenByStem, namespace, name);
    if (others.length > 0)
      return `${others.length + 1} versions of it stand in the manifests, and none has this name`;
    if (only !== undefined) return only;
    const elsewhere = this.#anywhere.get(name);
    if (elsewhere === undefined) return "it is not among the sources";
    return `the source of that name is of ${elsewhere.namespace === "" ? "no namespace that is named" : `namespace ${elsewhere.namespace}`}`;
  }

  ofManifest(index: number): Source | undefined {
    return this.#ofManifest.get(index);
  }

  /** Another ConfigMap of the manifests that has the name which this one will have. */
  inTheWayOf(source: Source): Manifest | undefined {
    const index = this.#standing.get(keyOf(source.namespace, source.versioned));
    return index === undefined || index === source.manifest ? undefined : this.#manifests[index];
  }
}

/** By its plain name, or as some version of it. */
const within = (index: ReadonlyMap<string, readonly Source[]>, namespace: string, name: string) => {
  const stem = stemIn(name);
  return [
    ...(index.get(keyOf(namespace, stemOf(name))) ?? []).filter(({ base }) => base === name),
    ...(stem === null ? [] : (index.get(keyOf(namespace, stem)) ?? [])),
  ];
};

/** A given one without a namespace is of the one namespace in which something refers to it. */
const namespaceMeant = (
  { base }: Pick<Source, "base">,
  found: readonly Found[],
  say: (why: string) => void,
): string | undefined => {
  const of = new Set(
    found.flatMap(({ reference, namespace }) =>
      means(reference) && (reference.name === base || isVersionOf(String(reference.name), base))
        ? [namespace]
        : [],
    ),
  );
  const [only, second] = of;
  if (second === undefined) return only === undefined ? "" : only;
  const names = [...of].map((one) => (one === "" ? "one that is not named" : one)).join(", ");
  say(
    `${base} is referred to in ${of.size} namespaces (${names}); give it for each, as NAMESPACE/${base}=PATH`,
  );
  return undefined;
};
