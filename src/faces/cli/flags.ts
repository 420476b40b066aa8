/** The flags that verbs share. Names are those of kubectl and terraform where they mean the same (DESIGN §7). */
import type { TypedFlagParameter } from "@stricli/core";
import { parseDuration } from "../../domain/duration.ts";
import type { Cli } from "./context.ts";
import { FLAG } from "./texts/flags.ts";

/** A value that a flag cannot take; the message is a clause that follows the flag's name. */
export class FlagFault extends Error {
  readonly code = "ASFOUND_FLAG";
}

const text = (brief: string, placeholder: string): TypedFlagParameter<string | undefined, Cli> => ({
  kind: "parsed",
  parse: nonEmpty,
  brief,
  placeholder,
  optional: true,
});

const nonEmpty = (input: string): string => {
  if (input.trim() === "") throw new FlagFault("must not be empty");
  return input;
};

const toggle = (brief: string): TypedFlagParameter<boolean, Cli> => ({
  kind: "boolean",
  brief,
  default: false,
  withNegated: false,
});

const duration = (brief: string): TypedFlagParameter<number | undefined, Cli> => ({
  kind: "parsed",
  parse: (input) => {
    const parsed = parseDuration(input);
    if ("fault" in parsed) throw new FlagFault(`cannot be read: ${parsed.fault}`);
    return parsed.ms;
  },
  brief,
  placeholder: "DURATION",
  optional: true,
});

const whole = (
  brief: string,
  least: number,
  most: number,
  usual: number,
): TypedFlagParameter<number, Cli> => ({
  kind: "parsed",
  parse: (input) => {
    const count = /^\d{1,9}$/.test(input) ? Number(input) : Number.NaN;
    if (!(count >= least && count <= most))
      throw new FlagFault(`must be a whole number from ${least} to ${most}`);
    return count;
  },
  brief,
  placeholder: "N",
  default: String(usual),
});

const variable = (input: string): readonly [string, string] => {
  const at = input.indexOf("=");
  if (at <= 0) throw new FlagFault("must be NAME=VALUE");
  return [input.slice(0, at), input.slice(at + 1)];
};

// ---- every verb --------------------------------------------------------------------------------------------------

export interface Everywhere {
  readonly yes: boolean;
  readonly color: "auto" | "always" | "never";
}

export const everywhere = {
  yes: toggle(FLAG.yes),
  color: { kind: "enum", values: ["auto", "always", "never"], brief: FLAG.color, default: "auto" },
} as const satisfies { [K in keyof Everywhere]: TypedFlagParameter<Everywhere[K], Cli> };

export const everywhereAliases = { y: "yes" } as const;

// ---- verbs that work on a stack ------------------------------------------------------------------------------------

export interface Place {
  readonly file?: string;
  readonly ledger?: string;
  readonly var?: readonly (readonly [string, string])[];
  readonly actor?: string;
}

export const place = {
  file: text(FLAG.file, "FILE"),
  ledger: text(FLAG.ledger, "PATH"),
  var: {
    kind: "parsed",
    parse: variable,
    brief: FLAG.var,
    placeholder: "NAME=VALUE",
    optional: true,
    variadic: true,
  },
  actor: text(FLAG.actor, "NAME"),
} as const satisfies { [K in keyof Required<Place>]: TypedFlagParameter<Place[K], Cli> };

export const placeAliases = { ...everywhereAliases, f: "file" } as const;

// ---- output ----------------------------------------------------------------------------------------------------------

export type Format = "table" | "wide" | "json" | "yaml" | "jsonl" | "name" | "text" | "mermaid" | "dot";

export interface Printed {
  readonly output: Format;
  readonly noHeaders: boolean;
}

/** The formats that a verb can print, the usual one first. */
export const printed = (...formats: readonly [Format, ...Format[]]) =>
  ({
    output: { kind: "enum", values: formats, brief: FLAG.output, default: formats[0] },
    noHeaders: toggle(FLAG.noHeaders),
  }) as const satisfies { [K in keyof Printed]: TypedFlagParameter<Printed[K], Cli> };

export const tables = printed("table", "wide", "json", "yaml", "jsonl", "name");

export const printedAliases = { ...placeAliases, o: "output" } as const;

// ---- operations --------------------------------------------------------------------------------------------------------

export interface Working {
  readonly progress: ProgressMode;
  readonly leaseWait?: number;
  readonly grace?: number;
}

export type ProgressMode = "auto" | "tree" | "plain" | "quiet" | "json";

export const working = {
  progress: {
    kind: "enum",
    values: ["auto", "tree", "plain", "quiet", "json"],
    brief: FLAG.progress,
    default: "auto",
  },
  leaseWait: duration(FLAG.leaseWait),
  grace: duration(FLAG.grace),
} as const satisfies { [K in keyof Required<Working>]: TypedFlagParameter<Working[K], Cli> };

/** What an operation may do. */
export interface Permitted {
  readonly parallelism: number;
  readonly failFast: boolean;
  readonly dryRun: boolean;
  readonly reason?: string;
}

export const reason = text(FLAG.reason, "TEXT");
export const dryRun = toggle(FLAG.dryRun);
export const allowDestroy = toggle(FLAG.allowDestroy);
export const parallelism = whole(FLAG.parallelism, 1, 256, 8);

export const permitted = {
  parallelism,
  failFast: toggle(FLAG.failFast),
  dryRun,
  reason,
} as const satisfies { [K in keyof Required<Permitted>]: TypedFlagParameter<Permitted[K], Cli> };

const day: TypedFlagParameter<string | undefined, Cli> = {
  kind: "parsed",
  parse: (input) => {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(input) ? Date.parse(`${input}T00:00:00Z`) : Number.NaN;
    if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== input)
      throw new FlagFault("must be a day, written YYYY-MM-DD");
    return input;
  },
  brief: FLAG.reviewBy,
  placeholder: "DAY",
  optional: true,
};

export const stackName = text(FLAG.stack, "NAME");

export const retaining = {
  owner: text(FLAG.owner, "NAME"),
  reviewBy: day,
  release: toggle(FLAG.release),
} as const;

export const ids = {
  known: text(FLAG.id, "ID"),
  expected: text(FLAG.expectedId, "ID"),
  required: { kind: "parsed", parse: nonEmpty, brief: FLAG.id, placeholder: "ID" },
} as const;

export const files = {
  out: text(FLAG.out, "FILE"),
  plan: text(FLAG.plan, "FILE"),
  approvePlan: text(FLAG.approvePlan, "FILE"),
} as const;

export const looking = { noWait: toggle(FLAG.noWait), endSurvivor: toggle(FLAG.endSurvivor) } as const;

export const limit = whole(FLAG.limit, 1, 100_000, 20);

export const starting = {
  name: text(FLAG.name, "NAME"),
  example: { kind: "enum", values: ["exec", "http"], brief: FLAG.example, default: "exec" },
} as const;
