/** Finds the resource that a word means: among the built-in ones, else in what the server says it serves. */
import type { Found, ReadFailure } from "../../../ports/cluster.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Caller } from "../ask.ts";
import { failure } from "../failure.ts";
import { BUILT_IN } from "./built-in.ts";
import { type Catalogue, lookUp } from "./catalogue.ts";
import { readCatalogue } from "./read.ts";

export interface Finder {
  find(caller: Caller, word: string): Promise<Found>;
}

const found = (resources: ReturnType<typeof lookUp>): Found | null => {
  const [resource, ...others] = resources;
  return resource === undefined ? null : { kind: "found", resource, others };
};

const countOf = ({ entries }: Catalogue): number =>
  new Set(entries.map(({ resource }) => `${resource.group}/${resource.resource}`)).size;

/** Asks the server once in its life; a failure is not kept. */
export const finder = (): Finder => {
  let asked: Promise<Catalogue | ReadFailure> | null = null;

  const catalogue = async (caller: Caller): Promise<Catalogue | ReadFailure> => {
    const mine = asked ?? readCatalogue(caller);
    asked = mine;
    const read = await mine;
    if ("sentence" in read && asked === mine) asked = null;
    return read;
  };
  return {
    async find(caller, word) {
      const builtIn = found(lookUp(BUILT_IN, word));
      if (builtIn !== null) return builtIn;
      const read = await catalogue(caller);
      if ("sentence" in read) return read;
      const named = found(lookUp(read.entries, word));
      if (named !== null) return named;
      const shown = `"${printable(word)}"`;
      const [gap] = read.gaps;
      if (gap !== undefined)
        return failure(
          `what ${shown} is`,
          "unavailable",
          `a part of what the server serves is missing (${gap})`,
          [],
        );
      return {
        kind: "unknown",
        sentence: `the server serves nothing that is called ${shown}: it is not among the ${countOf(read)} resources that were listed (kubectl api-resources)`,
      };
    },
  };
};
