/** What a caller says, in the form that `compose` and the use cases take. */
import { resolve } from "node:path";
import type { Io, More, Where } from "../../compose.ts";
import { type StepName, stepName } from "../../domain/ids.ts";
import type { OperationOptions } from "../../domain/operation.ts";
import type { Provider } from "../../ports/provider.ts";
import type { ProgressEvent } from "../../ports/reporter.ts";
import { digestOf } from "../../wire/digest.ts";
import type { StackDefinition } from "../../wire/manifest/define-stack.ts";
import type { Fault } from "../../wire/manifest/fault.ts";
import { parseStackObject } from "../../wire/manifest/parse.ts";
import { blankSecrets } from "../../wire/redact.ts";

export interface StackOptions {
  /** Made with `defineStack`, or the path of a stack file. */
  readonly stack: StackDefinition | { readonly file: string };
  /**
   * Where relative paths in a definition start, and where its ledger is unless one is named: `.asfound/ledger.db`. A
   * stack file brings its own folder. Default: the working directory.
   */
  readonly directory?: string;
  /** A path; default: `ASFOUND_LEDGER`, else the stack's own word, else beside the stack. */
  readonly ledger?: string;
  /** Values for `${var.NAME}`. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Who acts, as it is recorded. Default: `ASFOUND_ACTOR`, else the user of the process. */
  readonly actor?: string;
  /** Providers written in code, usable by their name in `uses`; before those that asfound brings. */
  readonly providers?: readonly Provider[];
  /** Progress as it happens; its texts are scrubbed of secrets. */
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Aborted: start nothing more, let calls in flight end, record. What did not run makes the exit 130. */
  readonly stop?: AbortSignal;
  /** Aborted: end calls in flight as well. Their outcome is unknown, and their steps are `unresolved`. */
  readonly kill?: AbortSignal;
  /** What secrets, `CI` and commands' environments are read from. Default: the process's own. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** What every operation can be told. */
export interface RunOptions {
  /** Why, as it is recorded. */
  readonly reason?: string;
  /** How many steps may be at work at once; default 8. */
  readonly parallelism?: number;
  /** How long to wait for another operation on the stack to end, in milliseconds; default 0. */
  readonly leaseWaitMs?: number;
}

export interface ApplyOptions extends RunOptions {
  /** Permits that steps are replaced, and removed when they left the stack. */
  readonly allowDestroy?: boolean;
  /** Start nothing more after the first failure. */
  readonly failFast?: boolean;
}

export interface DestroyOptions extends RunOptions {
  /** These steps and what is contained in them; default: all. */
  readonly only?: readonly string[];
  readonly failFast?: boolean;
}

export interface ReconcileOptions extends RunOptions {
  /** False: look once, and leave what that cannot settle. */
  readonly wait?: boolean;
  /** End provider processes that outlived their asfound (N6). */
  readonly endSurvivors?: boolean;
}

const USUAL_PARALLELISM = 8;

/** Names in the form of the ledger; whether it knows them is said by the operation. */
export const onlyOf = (names: readonly string[]): readonly StepName[] => names.map(stepName);

export const operationOptions = (
  given: RunOptions & {
    readonly only?: readonly string[];
    readonly allowDestroy?: boolean;
    readonly failFast?: boolean;
  },
): OperationOptions => ({
  only: onlyOf(given.only ?? []),
  allowDestroy: given.allowDestroy ?? false,
  failFast: given.failFast ?? false,
  parallelism: given.parallelism ?? USUAL_PARALLELISM,
});

/** The stack to open: as it was defined, checked by the file's schema, or a file's path. */
export type Source =
  | { readonly stack: NonNullable<More["stack"]> | null; readonly file: string | null }
  | { readonly faults: readonly Fault[] };

const IN_CODE = "(stack in code)";

export const sourceOf = async (options: StackOptions): Promise<Source> => {
  const { stack: given } = options;
  if ("file" in given) return { stack: null, file: given.file };
  const vars = new Map(Object.entries(options.vars ?? {}));
  const parsed = await parseStackObject(given, { file: IN_CODE, vars });
  if ("faults" in parsed) return parsed;
  const fileDigest = digestOf(blankSecrets({ stack: parsed.written, vars: Object.fromEntries(vars) }));
  return { stack: { stack: parsed.stack, fileDigest, directory: folderOf(options) }, file: null };
};

const folderOf = (options: StackOptions): string => resolve(options.directory ?? ".");

export const whereOf = (
  options: StackOptions,
  source: { readonly file: string | null },
  needsFile: boolean,
): Where => ({
  file: source.file,
  ledger: options.ledger ?? null,
  stack: null,
  vars: new Map(Object.entries(options.vars ?? {})),
  actor: options.actor ?? null,
  cwd: folderOf(options),
  needsFile,
  // biome-ignore lint/plugin: the caller's process is this library's environment, unless the caller says otherwise.
  environment: options.environment ?? process.env,
});

/** A stop counts as SIGINT: without a signal's name an operation cut short could not say so (exit 130). */
export const ioOf = (options: StackOptions): Io => {
  const signals = [options.stop, options.kill].filter((signal) => signal !== undefined);
  const drain = AbortSignal.any(signals);
  return {
    reporter: { report: (event) => options.onProgress?.(event) },
    interrupt: {
      drain,
      kill: options.kill ?? new AbortController().signal,
      first: () => (drain.aborted ? "SIGINT" : null),
    },
  };
};
