/**
 * What to call the new and the old for a person: the version label where it tells them apart, else the image that differs,
 * else the revision. Words only: which Pods are which is decided by UIDs.
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Population } from "./population.ts";
import { hint, LIST, TEXT } from "./read.ts";
import { quoted } from "./words.ts";

type Names = Pick<Population, "freshVersion" | "oldVersions">;

/** Of ReplicaSets, by their templates. */
export const versionsOf = (fresh: Seen | null, old: readonly Seen[]): Names => {
  const all = fresh === null ? old : [fresh, ...old];
  for (const naming of [byLabel, byImage, byRevision]) {
    const name = naming(all);
    const names = all.map((set) => {
      const its = name(set);
      return its === undefined ? undefined : quoted(its);
    });
    if (names.includes(undefined)) continue;
    const known = names as readonly string[];
    if (all.length > 1 && new Set(known).size === 1) continue;
    const [first, ...rest] = known;
    return fresh === null || first === undefined
      ? { freshVersion: null, oldVersions: [...new Set(known)] }
      : { freshVersion: first, oldVersions: [...new Set(rest)] };
  }
  return { freshVersion: null, oldVersions: [] };
};

const byLabel = () => (set: Seen) =>
  hint(set.raw, ["spec", "template", "metadata", "labels", "app.kubernetes.io/version"], TEXT) ??
  hint(set.raw, ["spec", "template", "metadata", "labels", "version"], TEXT);

/** The first container whose image is not everywhere the same names them all. */
const byImage = (all: readonly Seen[]) => {
  const images = (set: Seen): readonly (readonly [string, string])[] => {
    const containers = hint(set.raw, ["spec", "template", "spec", "containers"], LIST);
    return containers === undefined ? [] : containers.flatMap(imageOf);
  };
  const [one, ...others] = all;
  const differing =
    one === undefined
      ? undefined
      : images(one).find(
          ([name, image]) =>
            others.length === 0 || others.some((set) => new Map(images(set)).get(name) !== image),
        )?.[0];
  return (set: Seen) => {
    const image = differing === undefined ? undefined : new Map(images(set)).get(differing);
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

const byRevision = () => (set: Seen) => {
  const revision = hint(set.raw, ["metadata", "annotations", "deployment.kubernetes.io/revision"], TEXT);
  return revision === undefined ? undefined : `revision ${revision}`;
};
