import type { Fault } from "../../wire/manifest/fault.ts";
import { MAX_BYTES, utf8 } from "../../wire/manifest/text.ts";
import { readPlain } from "./read-file.ts";

/** Reads a person's file. Whatever is wrong with the file or in it is a fault, never an exception. `named`: as they wrote it. */
export const loadText = async <Parsed>(
  path: string,
  named: string,
  parse: (text: string, named: string) => Promise<Parsed>,
): Promise<Parsed | { readonly faults: readonly Fault[] }> => {
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(named, `the file cannot be read: ${read.fault}`);
  const text = utf8(read.bytes);
  return "fault" in text ? wholeFile(named, text.fault) : parse(text.text, named);
};

const wholeFile = (file: string, message: string): { readonly faults: readonly Fault[] } => ({
  faults: [{ file, line: null, column: null, field: "", message }],
});
