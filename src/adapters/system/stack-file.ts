import { extname } from "node:path";
import type { Digest } from "../../domain/ids.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Stack } from "../../domain/step.ts";
import { digestOf } from "../../wire/digest.ts";
import type { CheckOptions } from "../../wire/manifest/check.ts";
import type { Fault } from "../../wire/manifest/fault.ts";
import type { ParsedStack } from "../../wire/manifest/parse.ts";
import { parseStackObject, parseStackText } from "../../wire/manifest/parse.ts";
import { decodeText, MAX_BYTES } from "../../wire/manifest/text.ts";
import { blankSecrets } from "../../wire/redact.ts";
import { readPlain } from "./read-file.ts";
import { importStack } from "./stack-module.ts";

export interface LoadOptions {
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
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(path, `the stack file cannot be read: ${read.fault}`);
  const checks: CheckOptions = { vars };
  if (MODULES.has(extname(path))) {
    // Meanwhile what checks it is loaded.
    const loading = import("../../wire/manifest/check.ts");
    const imported = await importStack(path, options.importTimeoutMs);
    await loading;
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
