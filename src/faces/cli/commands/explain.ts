/** verify --explain: what a claim rests on. Without a target nothing is asked and no cluster is needed. */
import { CLAIM_NAMES, type ClaimName, isClaimName } from "../../../domain/claim.ts";
import { claimExplanation, claimExplanations } from "../../../wire/api/claim-explanations.ts";
import { nearby } from "../../../wire/manifest/nearest.ts";
import type { Cli } from "../context.ts";
import type { Format } from "../flags.ts";
import { explanationMarkdown } from "../output/explanation-markdown.ts";
import { explanationPage } from "../output/explanation-page.ts";
import { print } from "../output/print.ts";
import { EXPLAIN } from "../texts/explain.ts";
import { Usage } from "../usage.ts";
import { selectingFlag, type VerifyFlags } from "./verify-flags.ts";

/** The claims that are to be explained; null: none is. Throws `Usage` where it cannot be. */
export const explainedBy = (flags: VerifyFlags, isTargeted: boolean): readonly ClaimName[] | null => {
  if (flags.explain === undefined) return null;
  const claims = claimsIn(flags.explain);
  const many = selectingFlag(flags);
  if (many !== undefined) throw new Usage(EXPLAIN.ofOne(many));
  const forms = isTargeted ? WITH_TARGET : ALONE;
  if (!forms.has(flags.output)) throw new Usage(EXPLAIN.noForm(flags.output));
  const idle = isTargeted ? undefined : Object.entries(flags).find(([name, value]) => isIdle(name, value));
  if (idle !== undefined) throw new Usage(EXPLAIN.nothingAsked(`--${kebab(idle[0])}`));
  return claims;
};

const WITH_TARGET: ReadonlySet<Format> = new Set<Format>(["table", "wide", "json", "yaml"]);
const ALONE: ReadonlySet<Format> = new Set<Format>([...WITH_TARGET, "jsonl", "name", "markdown"]);

/** What an explanation can do with, or has no say in. */
const FITS: ReadonlySet<string> = new Set(["explain", "output", "noHeaders", "color", "yes", "progress"]);

const isIdle = (name: string, value: unknown): boolean =>
  value !== undefined && value !== false && !FITS.has(name);

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Empty: all of them. */
const claimsIn = (typed: string): readonly ClaimName[] => {
  if (typed === "") return CLAIM_NAMES;
  const names = typed.split(",").map((name) => name.trim());
  return [...new Set(names.map(claimOf))];
};

const claimOf = (name: string): ClaimName => {
  if (isClaimName(name)) return name;
  throw new Usage(
    name.includes("/") ? EXPLAIN.targetFirst(name) : EXPLAIN.noClaim(name, nearby(name, CLAIM_NAMES)),
  );
};

export const printExplanations = (
  cli: Cli,
  flags: VerifyFlags,
  claims: readonly ClaimName[],
): Promise<void> =>
  print(cli, flags, {
    page: (page) => explanationPage(claims, null, page),
    json: () => claimExplanations(claims),
    stream: () => claims.map(claimExplanation),
    names: () => claims,
    forms: { markdown: () => explanationMarkdown(claims) },
  });
