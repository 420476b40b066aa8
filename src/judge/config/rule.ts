/** How the claims about config begin: this incarnation, its Pods by their owners, and every reference that could be read. */
import type { ClaimName } from "../../domain/claim.ts";
import type { ConfigReference } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Case, Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import { type PopulationFor, strangersThere } from "../old-gone.ts";
import { listed, quoted } from "../words.ts";

/** `judge`: with the Pods of the template that is to run. */
export const configRule =
  (
    claim: ClaimName,
    populationFor: PopulationFor,
    judge: (inquiry: Inquiry, given: Case, pods: readonly Seen[]) => Found,
  ): Rule =>
  (given) => {
    const inquiry = new Inquiry(claim);
    const stop = sameIncarnation(inquiry, given.target, given.expected);
    if (stop !== undefined) return stop;
    const population = populationFor(inquiry, given);
    if (population === undefined) return inquiry.unknown();
    if ("claim" in population) return population;
    if (population.unknown.length > 0) return strangersThere(inquiry, population.unknown);
    return judge(inquiry, given, population.fresh);
  };

/** That something is expected of a ConfigMap that no container takes anything from; null: each is taken from. */
export const unreferenced = ({ expected }: Case, own: readonly ConfigReference[]): string | null => {
  const taken = new Set(own.flatMap(({ kind, name }) => (kind === "ConfigMap" ? [name] : [])));
  const lacking = [...expected.config.keys()].filter((name) => !taken.has(name)).sort();
  return lacking.length === 0
    ? null
    : `no container takes anything from ConfigMap ${listed(lacking.map(quoted))}, of which something is expected`;
};

/** Whether every reference could be read; what could not is named, and what cannot be followed is a limit. */
export const isWhole = (
  inquiry: Inquiry,
  { faults, untraceable }: { readonly faults: readonly string[]; readonly untraceable: readonly string[] },
): boolean => {
  for (const fault of faults) inquiry.miss(fault);
  for (const what of untraceable) inquiry.limit(`what asfound cannot follow: ${what}`);
  return faults.length === 0;
};
