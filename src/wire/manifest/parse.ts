/**
 * A stack file's text, or the object that a TypeScript file made, as a checked `Stack` or as all that is wrong with it.
 * Never throws for what is in the file. YAML and the schema library are loaded when this is first called.
 */
import type { JsonValue } from "../../domain/json.ts";
import type { Stack } from "../../domain/step.ts";
import type { CheckOptions } from "./check.ts";
import type { Fault, FaultList } from "./fault.ts";
import { plainJson } from "./plain.ts";
import { locator, readYaml } from "./text.ts";

export interface ParseOptions extends CheckOptions {
  /** The file's name, for the faults. */
  readonly file: string;
}

export type ParsedStack =
  /** `written`: the plain value the stack was made from, for a digest of the file. */
  { readonly stack: Stack; readonly written: JsonValue } | { readonly faults: readonly Fault[] };

/** Parses YAML or JSON (which YAML contains). */
export const parseStackText = async (text: string, options: ParseOptions): Promise<ParsedStack> => {
  const read = await readYaml(text);
  if ("fault" in read) {
    const { at, message } = read.fault;
    const fault = {
      file: options.file,
      line: at?.line ?? null,
      column: at?.column ?? null,
      field: "",
      message,
    };
    return { faults: [fault] };
  }
  if ("faults" in read) return { faults: await inText(read.faults, text, options.file) };
  const { checkStack } = await import("./check.ts");
  const checked = checkStack(read.value, read.order, options);
  if ("faults" in checked) return { faults: await inText(checked.faults, text, options.file) };
  return { stack: checked.stack, written: read.value };
};

/** Checks the object that a TypeScript file exports: the same schema, the same messages, without lines. */
export const parseStackObject = async (object: unknown, options: ParseOptions): Promise<ParsedStack> => {
  const plain = plainJson(object);
  if ("faults" in plain) return { faults: plain.faults.placed(options.file, () => null) };
  const { checkStack } = await import("./check.ts");
  const checked = checkStack(plain.value, [], options);
  if ("faults" in checked) return { faults: checked.faults.placed(options.file, () => null) };
  return { stack: checked.stack, written: plain.value };
};

const inText = async (faults: FaultList, text: string, file: string): Promise<readonly Fault[]> =>
  faults.placed(file, await locator(text));
