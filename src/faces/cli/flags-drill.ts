/** The flags of drill. */
import {
  type Answering,
  type Asking,
  answering,
  askingFlags,
  dryRun,
  duration,
  type Everywhere,
  everywhereAliases,
  FlagFault,
  type Flags,
  place,
  reason,
  toggle,
  type Working,
  working,
} from "./flags.ts";
import { FLAG } from "./texts/flags.ts";

export interface DrillFlags extends Asking, Answering, Working, Everywhere {
  readonly ledger?: string;
  readonly actor?: string;
  readonly allowNamespace?: readonly string[];
  readonly allowGap: boolean;
  readonly delete: boolean;
  readonly dryRun: boolean;
  readonly window?: number;
  readonly reason?: string;
}

const namespaceOf = (input: string): string => {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(input))
    throw new FlagFault("must be a namespace's name, written out: patterns are not taken");
  return input;
};

export const drilling: Flags<Omit<DrillFlags, keyof Everywhere>> = {
  ...askingFlags,
  ...answering,
  ...working,
  ledger: place.ledger,
  actor: place.actor,
  allowNamespace: {
    kind: "parsed",
    parse: namespaceOf,
    brief: FLAG.allowNamespace,
    placeholder: "NAMESPACE",
    optional: true,
    variadic: true,
  },
  allowGap: toggle(FLAG.allowGap),
  delete: toggle(FLAG.deletePod),
  dryRun,
  window: duration(FLAG.drillWindow),
  reason,
};

export const drillAliases = { ...everywhereAliases, n: "namespace", o: "output" } as const;
