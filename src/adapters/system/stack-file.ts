/** Finding and loading the stack file, YAML, JSON or TypeScript. */
import { stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import type { Digest } from "../../domain/ids.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Stack } from "../../domain/step.ts";
import { digestOf } from "../../wire/digest.ts";
import type { CheckOptions } from "../../wire/manifest/check.ts";
import type { Fault } from "../../wire/manifest/fault.ts";
import type { ParsedStack } from "../../wire/manifest/parse.ts";
import { parseStackObject, parseStackText } from "../../wire/manifest/parse.ts";
import { decodeText, MAX_BYTES } from "../../wire/manifest/text.ts";
import { blankSecrets, printable } from "../../wire/redact.ts";
import { readPlain } from "./read-file.ts";
import { importStack } from "./stack-module.ts";

/** Looked for in this folder, then in its parents. */
const NAMES = ["asfound.yaml", "asfound.ts"] as const;

/** The stack file: the one that `-f` names, else the nearest default. The fault is one sentence. */
export const findStackFile = async (
  flag: string | null,
  directory: string,
): Promise<{ readonly path: string } | { readonly fault: string }> => {
  if (flag === "-")
    return {
      fault:
        "a stack is read from a file, not from stdin, since paths in it start at its folder; name the file",
    };
  if (flag !== null)
    return flag === "" ? { fault: "-f needs the name of a stack file" } : { path: resolve(directory, flag) };
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const here: string[] = [];
    for (const name of NAMES) if (await isThere(join(folder, name))) here.push(join(folder, name));
    const [path, second] = here;
    if (second !== undefined)
      return {
        fault: `${printable(folder)} has both ${NAMES.join(" and ")}; name one with -f, or remove the other`,
      };
    if (path !== undefined) return { path };
    if (dirname(folder) === folder) break;
  }
  return {
    fault: `there is no ${NAMES.join(" or ")} in ${printable(resolve(directory))} or any folder above; name the stack file with -f, or write one with asfound init`,
  };
};

/** A name that is there but cannot be looked at counts: loading it says what is wrong, a parent's file would be another stack. */
const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
};

export interface LoadOptions {
  readonly confirm?: "refuse" | "accept";
  /** How long a TypeScript file may take to load, its top-level awaits included. */
  readonly importTimeoutMs?: number;
}

export type LoadedStack =
  | {
      readonly stack: Stack;
      /** Of what was written and the variables, secret literals left out: the same for the same file, however formatted. */
      readonly fileDigest: Digest;
      /** The text, to point at lines in (`locate`); null for TypeScript. */
      readonly text: string | null;
    }
  | { readonly faults: readonly Fault[] };

const MODULES: ReadonlySet<string> = new Set([".ts", ".mts", ".js", ".mjs"]);

/** Loads and checks a stack file. Whatever is wrong with the file or in it is a fault, never an exception. */
export const loadStackFile = async (
  path: string,
  vars: ReadonlyMap<string, string>,
  options: LoadOptions = {},
): Promise<LoadedStack> => {
  const read = await readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(path, `the stack file cannot be read: ${read.fault}`);
  const checks: CheckOptions = { vars, confirm: options.confirm ?? "refuse" };
  if (MODULES.has(extname(path))) {
    const imported = await importStack(path, options.importTimeoutMs);
    if ("faults" in imported) return imported;
    return withDigest(await parseStackObject(imported.object, { ...checks, file: path }), vars, null);
  }
  const decoded = decodeText(read.bytes);
  if ("fault" in decoded) return wholeFile(path, decoded.fault);
  return withDigest(await parseStackText(decoded.text, { ...checks, file: path }), vars, decoded.text);
};

const wholeFile = (file: string, message: string): LoadedStack => ({
  faults: [{ file, line: null, column: null, field: "", message }],
});

const withDigest = (
  parsed: ParsedStack,
  vars: ReadonlyMap<string, string>,
  text: string | null,
): LoadedStack => {
  if ("faults" in parsed) return parsed;
  const all: JsonValue = { stack: parsed.written, vars: Object.fromEntries(vars) };
  return { stack: parsed.stack, fileDigest: digestOf(blankSecrets(all)), text };
};
