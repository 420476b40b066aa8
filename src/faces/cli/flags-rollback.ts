/** The flags of the rollback verbs. */
import { CHECK_NAMES, type CheckName } from "../../domain/rollback.ts";
import {
  type Asking,
  askingFlags,
  dryRun,
  duration,
  everywhereAliases,
  FlagFault,
  type Flags,
  place,
  reason,
  text,
  toggle,
  type Working,
  wholeFrom,
  working,
} from "./flags.ts";
import { type TracingFlags, tracing } from "./flags-config.ts";
import { drilling } from "./flags-drill.ts";
import { FLAG } from "./texts/flags.ts";

export interface RollbackFlags extends Asking, Pick<TracingFlags, "from" | "at"> {
  readonly to?: string;
  readonly toRevision?: number;
  readonly releases?: string;
  readonly secrets: boolean;
  readonly restoreConfig: boolean;
  readonly acceptIrreversible: boolean;
  readonly accept?: readonly CheckName[];
}

const checkOf = (input: string): CheckName => {
  const found = CHECK_NAMES.find((name) => name === input);
  if (found === undefined) throw new FlagFault(`must be a check: ${CHECK_NAMES.join(", ")}`);
  return found;
};

export const planning: Flags<RollbackFlags> = {
  ...askingFlags,
  from: tracing.from,
  at: tracing.at,
  to: text(FLAG.toRelease, "RELEASE"),
  toRevision: {
    kind: "parsed",
    parse: wholeFrom(1, 1_000_000_000),
    brief: FLAG.toRevision,
    placeholder: "N",
    optional: true,
  },
  releases: text(FLAG.releases, "DIR"),
  secrets: toggle(FLAG.rollbackSecrets),
  restoreConfig: toggle(FLAG.restoreConfig),
  acceptIrreversible: toggle(FLAG.acceptIrreversible),
  accept: {
    kind: "parsed",
    parse: checkOf,
    brief: FLAG.acceptCheck,
    placeholder: "CHECK",
    optional: true,
    variadic: true,
  },
};

export interface RollbackRunFlags extends Omit<RollbackFlags, "from" | "at">, Working {
  readonly ledger?: string;
  readonly actor?: string;
  readonly dryRun: boolean;
  readonly reason?: string;
  readonly window?: number;
  readonly drill: boolean;
  readonly allowNamespace?: readonly string[];
}

const { from: _, at: __, ...plannedLive } = planning;

export const running: Flags<RollbackRunFlags> = {
  ...plannedLive,
  ...working,
  ledger: place.ledger,
  actor: place.actor,
  dryRun,
  reason,
  window: duration(FLAG.rollbackWindow),
  drill: toggle(FLAG.rollbackDrill),
  allowNamespace: drilling.allowNamespace,
};

export const aliases = { ...everywhereAliases, n: "namespace", o: "output" } as const;
