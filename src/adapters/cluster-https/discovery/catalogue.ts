/** Everything that one server serves, in its order of preference, and how a word that a person typed is found in it. */
import type { Resource } from "../../../ports/cluster.ts";

/** One resource with the names it goes by. */
export interface Entry {
  readonly resource: Resource;
  readonly singular: string;
  readonly shortNames: readonly string[];
}

export interface Catalogue {
  /** Groups in the server's order, their versions likewise. */
  readonly entries: readonly Entry[];
  /** What could not be read of it, each a clause; a word that is not found may be among it. */
  readonly gaps: readonly string[];
}

/** A word taken apart: `deployments.v1.apps`, `deployments.apps`, `deploy`. */
interface Word {
  readonly name: string;
  readonly version: string | null;
  /** null: any group. */
  readonly group: string | null;
}

const VERSION = /^v\d+((alpha|beta)\d+)?$/;

const wordsOf = (text: string): readonly Word[] => {
  const [name = "", second, ...rest] = text.toLowerCase().split(".");
  if (second === undefined) return [{ name, version: null, group: null }];
  const asGroup = { name, version: null, group: [second, ...rest].join(".") };
  return VERSION.test(second) ? [{ name, version: second, group: rest.join(".") }, asGroup] : [asGroup];
};

const fits = ({ resource }: Entry, word: Word): boolean =>
  (word.group === null || word.group === resource.group) &&
  (word.version === null || word.version === resource.version);

const isNamed = ({ resource, singular }: Entry, name: string): boolean =>
  resource.resource === name || singular === name || resource.kind.toLowerCase() === name;

/** One entry a group and resource, the preferred version of it. */
const preferred = (entries: readonly Entry[]): readonly Resource[] => {
  const found = new Map<string, Resource>();
  for (const { resource } of entries) {
    const place = `${resource.group}/${resource.resource}`;
    if (!found.has(place)) found.set(place, resource);
  }
  return [...found.values()];
};

/** As kubectl looks: a full name before any short name, and the server's order decides between groups. */
export const lookUp = (entries: readonly Entry[], text: string): readonly Resource[] => {
  for (const word of wordsOf(text)) {
    const inReach = entries.filter((entry) => fits(entry, word));
    const byName = inReach.filter((entry) => isNamed(entry, word.name));
    const found =
      byName.length > 0 ? byName : inReach.filter((entry) => entry.shortNames.includes(word.name));
    if (found.length > 0) return preferred(found);
  }
  return [];
};
