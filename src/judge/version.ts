/**
 * What to call the new and the old for a person: the version label where it tells them apart, else the image that differs,
 * else the revision. Words only: which Pods are which is decided by UIDs.
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Population } from "./population.ts";
import { hint, LIST, type Path, TEXT } from "./read.ts";
import { quoted } from "./words.ts";

type Names = Pick<Population, "freshVersion" | "oldVersions">;

/** Something that shows a Pod template: a ReplicaSet, or a Pod that was made of one. */
interface Shown {
  readonly object: Seen;
  /** Where its `metadata` and `spec` stand. */
  readonly at: Path;
  /** Its name as a revision. */
  readonly revision: string | undefined;
}

export const ofSet = (object: Seen): Shown => {
  const revision = hint(object.raw, ["metadata", "annotations", "deployment.kubernetes.io/revision"], TEXT);
  return {
    object,
    at: ["spec", "template"],
    revision: revision === undefined ? undefined : `revision ${revision}`,
  };
};

const ofPod = (object: Seen, revision: string): Shown => ({ object, at: [], revision });

/** `old`: one for each other template. */
export const versionsOf = (fresh: Shown | null, old: readonly Shown[]): Names => {
  const all = fresh === null ? old : [fresh, ...old];
  for (const naming of [byLabel, byImage, byRevision]) {
    const name = naming(all);
    const names = all.flatMap((one) => {
      const its = name(one);
      return its === undefined ? [] : [quoted(its)];
    });
    if (names.length < all.length || (names.length > 1 && new Set(names).size === 1)) continue;
    const [first, ...rest] = names;
    return fresh === null || first === undefined
      ? { freshVersion: null, oldVersions: [...new Set(names)] }
      : { freshVersion: first, oldVersions: [...new Set(rest)] };
  }
  return { freshVersion: null, oldVersions: [] };
};

const byLabel =
  () =>
  ({ object, at }: Shown): string | undefined =>
    hint(object.raw, [...at, "metadata", "labels", "app.kubernetes.io/version"], TEXT) ??
    hint(object.raw, [...at, "metadata", "labels", "version"], TEXT);

/** The first container whose image is not everywhere the same names them all. */
const byImage = (all: readonly Shown[]) => {
  const images = ({ object, at }: Shown): readonly (readonly [string, string])[] => {
    const containers = hint(object.raw, [...at, "spec", "containers"], LIST);
    return containers === undefined ? [] : containers.flatMap(imageOf);
  };
  const [one, ...others] = all;
  const differing =
    one === undefined
      ? undefined
      : images(one).find(
          ([name, image]) =>
            others.length === 0 || others.some((other) => new Map(images(other)).get(name) !== image),
        )?.[0];
  return (shown: Shown): string | undefined => {
    const image = differing === undefined ? undefined : new Map(images(shown)).get(differing);
    return image === undefined ? undefined : shortImage(image);
  };
};

const imageOf = (container: JsonValue): readonly (readonly [string, string])[] => {
  const name = hint(container, ["name"], TEXT);
  const image = hint(container, ["image"], TEXT);
  return name === undefined || image === undefined ? [] : [[name, image]];
};

/** `v2` of `registry:5000/shop/web:v2`, the beginning of a digest. */
const shortImage = (image: string): string => {
  const digest = /@sha256:([0-9a-f]{12})/.exec(image)?.[1];
  if (digest !== undefined) return `sha256:${digest}`;
  const tag = /:([^/:@]+)$/.exec(image)?.[1];
  return tag === undefined ? image : tag;
};

const byRevision =
  () =>
  ({ revision }: Shown): string | undefined =>
    revision;

/** One Pod for each revision, in the order of their names; for kinds that control their Pods themselves. */
export const versionsOfPods = (
  fresh: readonly Seen[],
  old: readonly Seen[],
  revisionOf: (pod: Seen) => string | undefined,
): Names => {
  const firsts = new Map<string, Seen>();
  for (const pod of old) {
    const revision = revisionOf(pod);
    if (revision !== undefined && !firsts.has(revision)) firsts.set(revision, pod);
  }
  const others = [...firsts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([revision, pod]) => ofPod(pod, revision));
  const [one] = fresh;
  return versionsOf(one === undefined ? null : ofPod(one, String(revisionOf(one))), others);
};
