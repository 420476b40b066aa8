/** The flags of the verbs about config: what a trace looks at, what is bound to what, and what a recorder keeps. */
import { parseBytes } from "../../domain/bytes.ts";
import { parseDuration } from "../../domain/duration.ts";
import type { Instant } from "../../domain/ids.ts";
import type { LabelSelector } from "../../domain/label-selector.ts";
import { type DeclaredPath, parseDeclaredPath } from "../../wire/bind/declared-path.ts";
import {
  type Asking,
  askingFlags,
  duration,
  everywhereAliases,
  type Flag,
  FlagFault,
  type Flags,
  nonEmpty,
  orFault,
  text,
  timeOf,
  toggle,
  verifying,
} from "./flags.ts";
import { FLAG } from "./texts/flags.ts";

export interface TracingFlags extends Asking {
  readonly held?: string;
  readonly selector?: LabelSelector;
  readonly all: boolean;
  readonly allNamespaces: boolean;
  readonly secrets: boolean;
  readonly readFiles: boolean;
  readonly from?: string;
  readonly at?: Instant;
}

export const tracing: Flags<TracingFlags> = {
  ...askingFlags,
  held: verifying.held,
  selector: verifying.selector,
  all: verifying.all,
  allNamespaces: verifying.allNamespaces,
  secrets: verifying.secrets,
  readFiles: toggle(FLAG.readFiles),
  from: text(FLAG.from, "PATH"),
  at: { kind: "parsed", parse: timeOf, brief: FLAG.at, placeholder: "TIME", optional: true },
};

export const tracingAliases = {
  ...everywhereAliases,
  A: "allNamespaces",
  l: "selector",
  n: "namespace",
  o: "output",
} as const;

/** `NAMESPACE/NAME=PATH` */
const sourceOf = (input: string) => {
  const [, namespace, name, path] = /^(?:([^/=]+)\/)?([^/=]+)=(.+)$/s.exec(input) ?? [];
  if (name === undefined || path === undefined)
    throw new FlagFault("must be NAME=PATH, with a file or a folder");
  return { namespace: namespace ?? null, name, path };
};

export interface BindingFlags extends Asking {
  readonly file: string;
  readonly fromFile?: readonly ReturnType<typeof sourceOf>[];
  readonly fromLive: boolean;
  readonly allow?: readonly string[];
  readonly reference?: readonly DeclaredPath[];
  readonly template?: readonly DeclaredPath[];
  readonly write: boolean;
  readonly check: boolean;
  readonly output?: (typeof BINDING_FORMATS)[number];
  readonly noHeaders: boolean;
}

const BINDING_FORMATS = ["yaml", "json", "table", "sarif", "github"] as const;

const declaredPath = (brief: string): Flag<readonly DeclaredPath[] | undefined> => ({
  kind: "parsed",
  parse: orFault(parseDeclaredPath),
  brief,
  placeholder: "KIND:PATH",
  optional: true,
  variadic: true,
});

export const binding: Flags<BindingFlags> = {
  ...askingFlags,
  namespace: text(FLAG.namespaceOfManifests, "NAMESPACE"),
  file: { kind: "parsed", parse: nonEmpty, brief: FLAG.manifests, placeholder: "PATH" },
  fromFile: {
    kind: "parsed",
    parse: sourceOf,
    brief: FLAG.fromFile,
    placeholder: "NAME=PATH",
    optional: true,
    variadic: true,
  },
  fromLive: toggle(FLAG.fromLive),
  allow: {
    kind: "parsed",
    parse: nonEmpty,
    brief: FLAG.allowValue,
    placeholder: "NAME/KEY",
    optional: true,
    variadic: true,
  },
  reference: declaredPath(FLAG.referencePath),
  template: declaredPath(FLAG.templatePath),
  write: toggle(FLAG.write),
  check: toggle(FLAG.checkConfig),
  output: { kind: "enum", values: BINDING_FORMATS, brief: FLAG.bindingOutput, optional: true },
  noHeaders: toggle(FLAG.noHeaders),
};

export const bindingAliases = { ...everywhereAliases, f: "file", n: "namespace", o: "output" } as const;

// ---- the recorder ------------------------------------------------------------------------------------------------------

export interface RecordingFlags extends Asking {
  readonly to: string;
  readonly selector?: LabelSelector;
  readonly allNamespaces: boolean;
  readonly secrets: boolean;
  readonly for?: number;
  readonly keep: number;
  readonly maxSize: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** As a duration, or in whole days. */
const keepOf = (input: string): number => {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(input) ?? [];
  if (days !== undefined) return Number(days) * DAY_MS;
  const parsed = parseDuration(input);
  if ("fault" in parsed) throw new FlagFault(`cannot be read: ${parsed.fault}, or in days like 30d`);
  if (parsed.ms < 60_000) throw new FlagFault("must be a minute or more");
  return parsed.ms;
};

const LEAST_BYTES = 64 * 1024;

const sizeOf = (input: string): number => {
  const { bytes } = orFault(parseBytes)(input);
  if (bytes < LEAST_BYTES) throw new FlagFault("must be 64KiB or more");
  return bytes;
};

export const recording: Flags<RecordingFlags> = {
  to: { kind: "parsed", parse: nonEmpty, brief: FLAG.to, placeholder: "DIR" },
  ...askingFlags,
  selector: { ...verifying.selector, brief: FLAG.selectorOfConfig },
  allNamespaces: verifying.allNamespaces,
  secrets: toggle(FLAG.secretsHeld),
  for: duration(FLAG.for),
  keep: { kind: "parsed", parse: keepOf, brief: FLAG.keep, placeholder: "AGE", default: "30d" },
  maxSize: { kind: "parsed", parse: sizeOf, brief: FLAG.maxSize, placeholder: "SIZE", default: "64MiB" },
};

export const recordingAliases = {
  ...everywhereAliases,
  A: "allNamespaces",
  l: "selector",
  n: "namespace",
  o: "output",
} as const;
