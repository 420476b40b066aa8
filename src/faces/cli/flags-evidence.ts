/** The flags of the evidence verbs and of key. */
import { parseDuration } from "../../domain/duration.ts";
import type { Judgement } from "../../domain/finding.ts";
import { everywhereAliases, FlagFault, type Flags, limit, text, toggle } from "./flags.ts";
import { FLAG } from "./texts/flags.ts";

export interface EvidenceFlags {
  readonly evidence?: string;
}

/** Where evidence is. */
export const evidence: Flags<EvidenceFlags> = { evidence: text(FLAG.evidence, "DIR") };

export interface SigningFlags {
  readonly signingKey?: string;
}

/** Who signs what is recorded. */
export const signing: Flags<SigningFlags> = { signingKey: text(FLAG.signingKey, "FILE") };

export interface EvidenceVerifyFlags extends EvidenceFlags {
  readonly all: boolean;
  readonly key?: readonly string[];
  readonly checkpoint?: string;
  readonly chainOnly: boolean;
  readonly recipe: boolean;
}

export const verifying: Flags<EvidenceVerifyFlags> = {
  ...evidence,
  all: toggle(FLAG.allRuns),
  key: {
    kind: "parsed",
    parse: String,
    brief: FLAG.publicKey,
    placeholder: "PUBLIC.pem",
    optional: true,
    variadic: true,
  },
  checkpoint: text(FLAG.checkpoint, "FILE|RUN@SHA256"),
  chainOnly: toggle(FLAG.chainOnly),
  recipe: toggle(FLAG.recipe),
};

export interface RotateFlags extends EvidenceFlags, SigningFlags {
  readonly actor?: string;
  readonly reason?: string;
}

export const rotating: Flags<RotateFlags> = {
  ...evidence,
  ...signing,
  actor: text(FLAG.actor, "NAME"),
  reason: text(FLAG.reason, "TEXT"),
};

export interface PruneFlags extends RotateFlags {
  readonly olderThan: number;
  readonly dryRun: boolean;
}

const DAY_MS = 86_400_000;

/** Days are what retention is agreed in, and no Go duration has them. */
const ageMs = (input: string): number => {
  const days = /^(\d{1,6})d$/.exec(input)?.[1];
  if (days !== undefined) return Number(days) * DAY_MS;
  const parsed = parseDuration(input);
  if ("fault" in parsed) throw new FlagFault(`must be an age like 90d or 36h: ${parsed.fault}`);
  return parsed.ms;
};

export const pruning: Flags<PruneFlags> = {
  ...rotating,
  olderThan: {
    kind: "parsed",
    parse: ageMs,
    brief: FLAG.olderThan,
    placeholder: "AGE",
  },
  dryRun: toggle(FLAG.dryRun),
};

export interface EvidenceListFlags extends EvidenceFlags {
  readonly limit: number;
  readonly namespace?: string;
  readonly verdict?: Judgement;
}

export const listing: Flags<EvidenceListFlags> = {
  ...evidence,
  limit,
  namespace: text(FLAG.evidenceNamespace, "NAMESPACE"),
  verdict: {
    kind: "enum",
    values: ["proven", "refuted", "progressing", "undetermined"],
    brief: FLAG.ofVerdict,
    optional: true,
  },
};

export const listAliases = { ...everywhereAliases, n: "namespace", o: "output" } as const;

export type ReplayFlags = EvidenceFlags & SigningFlags;

export const replaying: Flags<ReplayFlags> = { ...evidence, ...signing };

export const aliases = { ...everywhereAliases, o: "output" } as const;
