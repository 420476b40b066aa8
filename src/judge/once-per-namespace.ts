/**
 * What is told of a namespace as a whole (which Service selects which label) is found once, and then looked up: judging all
 * workloads of a namespace stays linear in what is in it.
 */
import type { Collection } from "./collection.ts";

export const oncePerNamespace = <T extends object>(
  find: (collection: Collection, namespace: string | null) => T,
): ((collection: Collection, namespace: string | null) => T) => {
  const found = new WeakMap<Collection, Map<string | null, T>>();
  return (collection, namespace) => {
    const places = found.get(collection) ?? new Map<string | null, T>();
    found.set(collection, places);
    const known = places.get(namespace);
    if (known !== undefined) return known;
    const made = find(collection, namespace);
    places.set(namespace, made);
    return made;
  };
};

const NOTHING: readonly never[] = [];

/** Looks up by what `keyOf` says of each; what it says nothing of is never found. */
export const indexed = <T>(
  all: readonly T[],
  keyOf: (one: T) => string | undefined,
): ((key: string) => readonly T[]) => {
  const index = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const there = index.get(key);
    if (there === undefined) index.set(key, [one]);
    else there.push(one);
  }
  return (key) => index.get(key) ?? NOTHING;
};
