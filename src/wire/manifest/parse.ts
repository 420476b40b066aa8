/**
 * A stack file's text, or the object that a TypeScript file made, as a checked `Stack` or as all that is wrong with it.
 * Never throws for what is in the file. YAML and the schema library are loaded when this is first called.
 */
import type { JsonValue } from "../../domain/json.ts";
import type { Stack } from "../../domain/step.ts";
import type { CheckOptions } from "./check.ts";
import type { Fault } from "./fault.ts";
import { FaultList } from "./fault.ts";
import { plainJson } from "./plain.ts";
import type { TextFault } from "./text.ts";
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
  const checked = await checkText(text, options);
  if ("stack" in checked) return checked;
  // The values are garbage by now: a large broken file is not in memory twice while its places are looked up.
  if ("faults" in checked) return { faults: checked.faults.placed(options.file, await locator(text)) };
  const { at, message } = checked.fault;
  const fault = {
    file: options.file,
    line: at?.line ?? null,
    column: at?.column ?? null,
    field: "",
    message,
  };
  return { faults: [fault] };
};

const checkText = async (
  text: string,
  options: CheckOptions,
): Promise<{ stack: Stack; written: JsonValue } | { faults: FaultList } | { fault: TextFault }> => {
  const read = await readYaml(text);
  if (!("value" in read)) return read;
  const { checkStack } = await import("./check.ts");
  const checked = checkStack(read.value, read.order, options);
  return "faults" in checked ? checked : { stack: checked.stack, written: read.value };
};

/** Checks the object that a TypeScript file exports: the same schema, the same messages, without lines. */
export const parseStackObject = async (object: unknown, options: ParseOptions): Promise<ParsedStack> => {
  const plain = copied(object);
  if ("faults" in plain) return { faults: plain.faults.placed(options.file, () => null) };
  const { checkStack } = await import("./check.ts");
  const checked = checkStack(plain.value, [], options);
  if ("faults" in checked) return { faults: checked.faults.placed(options.file, () => null) };
  return { stack: checked.stack, written: plain.value };
};

/** Reading a property may run the file's own code (a getter, a proxy), which may throw anything. */
const copied = (object: unknown): ReturnType<typeof plainJson> => {
  try {
    return plainJson(object);
  } catch {
    const faults = new FaultList();
    faults.add([], () => "a property of the stack threw an error when it was read; export plain values");
    return { faults };
  }
};
