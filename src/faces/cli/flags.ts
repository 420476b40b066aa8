/** The flags that verbs share. Names are those of kubectl and terraform where they mean the same (DESIGN §7). */
import type { FlagParametersForType, TypedFlagParameter } from "@stricli/core";
import type { BystanderReply } from "../../domain/bystander.ts";
import { CLAIM_NAMES, type ClaimName, isClaimName } from "../../domain/claim.ts";
import type { ExpectedConfig } from "../../domain/config.ts";
import { parseDuration } from "../../domain/duration.ts";
import { commitFault, parseApplication } from "../../domain/expected-commit.ts";
import type { Instant } from "../../domain/ids.ts";
import { type LabelSelector, parseLabelSelector } from "../../domain/label-selector.ts";
import {
  type Expectation,
  MOST_SAMPLES,
  type PodTeller,
  parseExpectation,
  parseHost,
  parsePodTeller,
  parseRequestPath,
  parseVia,
  usualReply,
  type Via,
} from "../../domain/response.ts";
import { parseTime } from "../../domain/time.ts";
import { configNameFault } from "../../domain/verification.ts";
import type { Cli } from "./context.ts";
import { FLAG } from "./texts/flags.ts";

export type Flag<T> = TypedFlagParameter<T, Cli>;
export type Flags<T> = FlagParametersForType<T, Cli>;

/** A value that a flag cannot take; the message is a clause that follows the flag's name. */
export class FlagFault extends Error {
  readonly code = "ASFOUND_FLAG";
}

export const text = (brief: string, placeholder: string): Flag<string | undefined> => ({
  kind: "parsed",
  parse: nonEmpty,
  brief,
  placeholder,
  optional: true,
});

export const nonEmpty = (input: string): string => {
  if (input.trim() === "") throw new FlagFault("must not be empty");
  return input;
};

export const toggle = (brief: string): Flag<boolean> => ({
  kind: "boolean",
  brief,
  default: false,
  withNegated: false,
});

export const duration = (brief: string): Flag<number | undefined> => ({
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

export const wholeFrom =
  (least: number, most: number) =>
  (input: string): number => {
    const count = /^\d{1,9}$/.test(input) ? Number(input) : Number.NaN;
    if (!(count >= least && count <= most))
      throw new FlagFault(`must be a whole number from ${least} to ${most}`);
    return count;
  };

/** A parser whose fault is a clause, as a flag's. */
export const orFault =
  <T extends object>(parse: (input: string) => T | { readonly fault: string }) =>
  (input: string): T => {
    const parsed = parse(input);
    if ("fault" in parsed) throw new FlagFault(parsed.fault);
    return parsed;
  };

const whole = (brief: string, least: number, most: number, usual: number): Flag<number> => ({
  kind: "parsed",
  parse: wholeFrom(least, most),
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

export const everywhere: Flags<Everywhere> = {
  yes: toggle(FLAG.yes),
  color: { kind: "enum", values: ["auto", "always", "never"], brief: FLAG.color, default: "auto" },
};

export const everywhereAliases = { y: "yes" } as const;

// ---- verbs that work on a stack ------------------------------------------------------------------------------------

export interface Place {
  readonly file?: string;
  readonly ledger?: string;
  readonly var?: readonly (readonly [string, string])[];
  readonly actor?: string;
}

export const place: Flags<Place> = {
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
};

export const placeAliases = { ...everywhereAliases, f: "file" } as const;

// ---- output ----------------------------------------------------------------------------------------------------------

export type Format =
  | "table"
  | "wide"
  | "json"
  | "yaml"
  | "jsonl"
  | "name"
  | "text"
  | "mermaid"
  | "dot"
  | "junit"
  | "sarif"
  | "github"
  | "markdown"
  | "html"
  | "verification";

export interface Printed {
  readonly output: Format;
  readonly noHeaders: boolean;
}

/** The formats that a verb can print, the usual one first. */
export const printed = (...formats: readonly [Format, ...Format[]]): Flags<Printed> => ({
  output: { kind: "enum", values: formats, brief: FLAG.output, default: formats[0] },
  noHeaders: toggle(FLAG.noHeaders),
});

export const tables: Flags<Printed> = printed("table", "wide", "json", "yaml", "jsonl", "name");

export const printedAliases = { ...placeAliases, o: "output" } as const;

// ---- operations --------------------------------------------------------------------------------------------------------

export interface Working {
  readonly progress: ProgressMode;
  readonly leaseWait?: number;
  readonly grace?: number;
}

export type ProgressMode = "auto" | "tree" | "plain" | "quiet" | "json";

export const working: Flags<Working> = {
  progress: {
    kind: "enum",
    values: ["auto", "tree", "plain", "quiet", "json"],
    brief: FLAG.progress,
    default: "auto",
  },
  leaseWait: duration(FLAG.leaseWait),
  grace: duration(FLAG.grace),
};

/** What an operation may do. */
export interface Permitted {
  readonly parallelism: number;
  readonly failFast: boolean;
  readonly dryRun: boolean;
  readonly reason?: string;
}

export const reason: Flag<string | undefined> = text(FLAG.reason, "TEXT");
export const dryRun: Flag<boolean> = toggle(FLAG.dryRun);
export const allowDestroy: Flag<boolean> = toggle(FLAG.allowDestroy);
export const parallelism: Flag<number> = whole(FLAG.parallelism, 1, 256, 8);

export const permitted: Flags<Permitted> = {
  parallelism,
  failFast: toggle(FLAG.failFast),
  dryRun,
  reason,
};

const day: Flag<string | undefined> = {
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

export const stackName: Flag<string | undefined> = text(FLAG.stack, "NAME");

export const retaining: Flags<{ owner?: string; reviewBy?: string; release: boolean }> = {
  owner: text(FLAG.owner, "NAME"),
  reviewBy: day,
  release: toggle(FLAG.release),
};

export const ids: Flags<{ known?: string; expected?: string; required: string }> = {
  known: text(FLAG.id, "ID"),
  expected: text(FLAG.expectedId, "ID"),
  required: { kind: "parsed", parse: nonEmpty, brief: FLAG.id, placeholder: "ID" },
};

export const files: Flags<{ out?: string; plan?: string; approvePlan?: string }> = {
  out: text(FLAG.out, "FILE"),
  plan: text(FLAG.plan, "FILE"),
  approvePlan: text(FLAG.approvePlan, "FILE"),
};

export const looking: Flags<{ noWait: boolean; endSurvivor: boolean }> = {
  noWait: toggle(FLAG.noWait),
  endSurvivor: toggle(FLAG.endSurvivor),
};

export const limit: Flag<number> = whole(FLAG.limit, 1, 100_000, 20);

export const starting: Flags<{ name?: string; example: "exec" | "http" }> = {
  name: text(FLAG.name, "NAME"),
  example: { kind: "enum", values: ["exec", "http"], brief: FLAG.example, default: "exec" },
};

// ---- verification --------------------------------------------------------------------------------------------------------

/** Which cluster is asked, as kubectl has it, and how. */
export interface Asking {
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly allowExec?: readonly string[];
  readonly timeout?: number;
}

/** Files with rules for kinds that asfound has none of its own for. */
export interface Ruled {
  readonly rules?: readonly string[];
}

export const ruled: Flags<Ruled> = {
  rules: {
    kind: "parsed",
    parse: nonEmpty,
    brief: FLAG.rules,
    placeholder: "FILE",
    optional: true,
    variadic: true,
  },
};

export interface Verifying extends Asking, Ruled {
  readonly file?: string;
  readonly selector?: LabelSelector;
  readonly all: boolean;
  readonly allNamespaces: boolean;
  readonly stepSummary: boolean;
  readonly secrets: boolean;
  readonly from?: string;
  readonly baseline?: string;
  readonly proven?: string;
  readonly record: boolean;
  readonly evidence?: string;
  readonly signingKey?: string;
  readonly held?: string;
  readonly git?: string;
  readonly watch: boolean;
  readonly window?: number;
  readonly failFast: boolean;
  readonly progress: ProgressMode;
  readonly at?: Instant;
  readonly since?: { readonly generation: number } | { readonly at: Instant };
  readonly uid?: string;
  readonly commit?: string;
  readonly application?: { readonly namespace: string; readonly name: string };
  readonly repository?: string;
  readonly replicas?: number;
  readonly image?: readonly (readonly [string, string])[];
  readonly injected?: readonly string[];
  readonly release?: string;
  readonly releases?: string;
  readonly bystanders?: string;
  readonly bystander?: readonly string[];
  readonly bystanderVia?: readonly BystanderReply[];
  readonly config?: readonly (readonly [string, ExpectedConfig])[];
  readonly replaced?: readonly string[];
  readonly claims?: readonly ClaimName[];
  /** Claims, as they were typed; empty: all. */
  readonly explain?: string;
  readonly via?: Via;
  readonly path?: string;
  readonly host?: string;
  readonly port?: number;
  readonly expect?: readonly Expectation[];
  readonly ca?: string;
  readonly pod?: PodTeller;
  readonly samples?: number;
}

export const timeOf = (input: string): Instant => {
  const at = parseTime(input);
  if (at === undefined) throw new FlagFault("must be a time as Kubernetes writes it (2026-11-30T03:00:00Z)");
  return at;
};

const sinceOf = (input: string): NonNullable<Verifying["since"]> =>
  /^[1-9]\d{0,14}$/.test(input) ? { generation: Number(input) } : { at: timeOf(input) };

const imageOf = (input: string): readonly [string, string] => {
  const [, container, digest] = /^([^=]+)=(?:.*@)?(sha256:[0-9a-f]{64})$/.exec(input) ?? [];
  if (container === undefined || digest === undefined)
    throw new FlagFault("must be CONTAINER=sha256:DIGEST, with 64 hex digits");
  return [container, digest];
};

const bystanderOf = (input: string): string => {
  if (!/^[^/\s]+\/[^/\s]+$/.test(input)) throw new FlagFault("must be KIND/NAME, as in deployment/web");
  return input;
};

const bystanderViaOf = (input: string): BystanderReply => {
  const [, kind, name, path] = /^([^/=\s]+)\/([^/=\s]+)=(.+)$/.exec(input) ?? [];
  if (kind === undefined || name === undefined || path === undefined)
    throw new FlagFault("must be KIND/NAME=PATH, as in deployment/web=service");
  const { via } = orFault(parseVia)(path);
  return { kind, name, namespace: null, response: usualReply(via) };
};

/** A reply that some of the others have to give as well. */
export const bystanderVia: Flags<{ readonly bystanderVia?: readonly BystanderReply[] }> = {
  bystanderVia: {
    kind: "parsed",
    parse: bystanderViaOf,
    brief: FLAG.bystanderVia,
    placeholder: "KIND/NAME=PATH",
    optional: true,
    variadic: true,
  },
};

const configOf = (input: string): readonly [string, ExpectedConfig] => {
  const [, name, sha256] = /^([^=]+)=(?:sha256:)?([0-9a-f]{64})$/.exec(input) ?? [];
  if (name === undefined || sha256 === undefined)
    throw new FlagFault("must be CONFIGMAP=sha256:DIGEST, with 64 hex digits");
  const fault = configNameFault(name);
  if (fault !== null) throw new FlagFault(fault);
  return [name, { sha256, version: null }];
};

const claimsOf = (input: string): readonly ClaimName[] => {
  const names = input.split(",").map((name) => name.trim());
  return names.map((name) => {
    if (!isClaimName(name)) throw new FlagFault(`must be claims out of ${CLAIM_NAMES.join(", ")}`);
    return name;
  });
};

/** The reply that is asked for. */
export type Answering = Pick<
  Verifying,
  "via" | "path" | "host" | "port" | "expect" | "ca" | "pod" | "samples"
>;

export const answering: Flags<Answering> = {
  via: {
    kind: "parsed",
    parse: (input) => orFault(parseVia)(input).via,
    brief: FLAG.via,
    placeholder: "PATH",
    optional: true,
  },
  path: {
    kind: "parsed",
    parse: (input) => orFault(parseRequestPath)(input).path,
    brief: FLAG.path,
    placeholder: "PATH",
    optional: true,
  },
  host: {
    kind: "parsed",
    parse: (input) => orFault(parseHost)(input).host,
    brief: FLAG.host,
    placeholder: "HOST",
    optional: true,
  },
  port: { kind: "parsed", parse: wholeFrom(1, 65_535), brief: FLAG.port, placeholder: "N", optional: true },
  expect: {
    kind: "parsed",
    parse: orFault(parseExpectation),
    brief: FLAG.expect,
    placeholder: "WHAT=VALUE",
    optional: true,
    variadic: true,
  },
  ca: text(FLAG.ca, "FILE"),
  pod: {
    kind: "parsed",
    parse: (input) => orFault(parsePodTeller)(input).pod,
    brief: FLAG.pod,
    placeholder: "WHERE",
    optional: true,
  },
  samples: {
    kind: "parsed",
    parse: wholeFrom(1, MOST_SAMPLES),
    brief: FLAG.samples,
    placeholder: "N",
    optional: true,
  },
};

export const askingFlags: Flags<Asking> = {
  namespace: text(FLAG.namespace, "NAMESPACE"),
  context: text(FLAG.context, "NAME"),
  kubeconfig: text(FLAG.kubeconfig, "FILE"),
  allowExec: {
    kind: "parsed",
    parse: nonEmpty,
    brief: FLAG.allowExec,
    placeholder: "COMMAND",
    optional: true,
    variadic: true,
  },
  timeout: duration(FLAG.timeout),
};

const selectorOf = (input: string): LabelSelector => orFault(parseLabelSelector)(nonEmpty(input));

/** Of verdicts. */
export const verdicts: Flags<Printed> = printed(
  "table",
  "wide",
  "json",
  "yaml",
  "jsonl",
  "name",
  "junit",
  "sarif",
  "github",
  "markdown",
);

const applicationOf = (input: string): { readonly namespace: string; readonly name: string } => {
  const named = parseApplication(input);
  if (named === undefined) throw new FlagFault("must be NAMESPACE/NAME, as in argocd/shop");
  return named;
};

const commitOf = (input: string): string => {
  const fault = commitFault(input);
  if (fault !== undefined) throw new FlagFault(fault);
  return input;
};

export const verifying: Flags<Verifying> = {
  file: text(FLAG.verification, "FILE"),
  ...ruled,
  ...askingFlags,
  selector: {
    kind: "parsed",
    parse: selectorOf,
    brief: FLAG.selector,
    placeholder: "SELECTOR",
    optional: true,
  },
  all: toggle(FLAG.all),
  allNamespaces: toggle(FLAG.allNamespaces),
  stepSummary: toggle(FLAG.stepSummary),
  secrets: toggle(FLAG.secretKeys),
  from: text(FLAG.from, "PATH"),
  baseline: text(FLAG.baseline, "PATH"),
  proven: text(FLAG.proven, "DIR"),
  record: toggle(FLAG.record),
  evidence: text(FLAG.evidence, "DIR"),
  signingKey: text(FLAG.signingKey, "FILE"),
  held: text(FLAG.held, "DIR"),
  git: text(FLAG.git, "DIR"),
  watch: toggle(FLAG.watch),
  window: duration(FLAG.window),
  failFast: toggle(FLAG.failFastWatch),
  progress: working.progress,
  at: { kind: "parsed", parse: timeOf, brief: FLAG.at, placeholder: "TIME", optional: true },
  since: {
    kind: "parsed",
    parse: sinceOf,
    brief: FLAG.since,
    placeholder: "GENERATION|TIME",
    optional: true,
  },
  uid: text(FLAG.uid, "UID"),
  commit: {
    kind: "parsed",
    parse: commitOf,
    brief: FLAG.applicationCommit,
    placeholder: "SHA",
    optional: true,
  },
  repository: text(FLAG.repository, "URL"),
  application: {
    kind: "parsed",
    parse: applicationOf,
    brief: FLAG.application,
    placeholder: "NAMESPACE/NAME",
    optional: true,
  },
  replicas: {
    kind: "parsed",
    parse: (input) => {
      if (!/^\d{1,9}$/.test(input)) throw new FlagFault("must be a whole number");
      return Number(input);
    },
    brief: FLAG.replicas,
    placeholder: "N",
    optional: true,
  },
  image: {
    kind: "parsed",
    parse: imageOf,
    brief: FLAG.image,
    placeholder: "CONTAINER=DIGEST",
    optional: true,
    variadic: true,
  },
  injected: {
    kind: "parsed",
    parse: nonEmpty,
    brief: FLAG.injected,
    placeholder: "CONTAINER",
    optional: true,
    variadic: true,
  },
  release: text(FLAG.expectRelease, "NAME|ID"),
  releases: text(FLAG.releases, "DIR"),
  bystanders: text(FLAG.bystanders, "PATH"),
  bystander: {
    kind: "parsed",
    parse: bystanderOf,
    brief: FLAG.bystander,
    placeholder: "KIND/NAME",
    optional: true,
    variadic: true,
  },
  ...bystanderVia,
  config: {
    kind: "parsed",
    parse: configOf,
    brief: FLAG.config,
    placeholder: "CONFIGMAP=DIGEST",
    optional: true,
    variadic: true,
  },
  replaced: {
    kind: "parsed",
    parse: nonEmpty,
    brief: FLAG.replaced,
    placeholder: "UID",
    optional: true,
    variadic: true,
  },
  claims: { kind: "parsed", parse: claimsOf, brief: FLAG.claims, placeholder: "CLAIMS", optional: true },
  explain: {
    kind: "parsed",
    parse: String,
    brief: FLAG.explain,
    placeholder: "CLAIMS",
    optional: true,
    inferEmpty: true,
    proposeCompletions: (partial) => CLAIM_NAMES.filter((name) => name.startsWith(partial)),
  },
  ...answering,
};

/** What a snapshot is of. */
export type Selecting = Pick<Verifying, "file" | "selector" | "all" | "allNamespaces">;

export const selecting: Flags<Selecting> = {
  file: text(FLAG.verificationOf, "FILE"),
  selector: verifying.selector,
  all: verifying.all,
  allNamespaces: verifying.allNamespaces,
};

export const snapshotAliases = {
  ...everywhereAliases,
  f: "file",
  A: "allNamespaces",
  l: "selector",
  n: "namespace",
} as const;

export const verifyingAliases = {
  ...everywhereAliases,
  f: "file",
  A: "allNamespaces",
  l: "selector",
  n: "namespace",
  o: "output",
  w: "watch",
} as const;
