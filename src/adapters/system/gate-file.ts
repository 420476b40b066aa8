/** Reads a gate's file. Whatever is wrong with the file or in it is a fault, never an exception. */
import { type ParsedGate, parseGate } from "../../wire/gate/parse.ts";
import { MAX_BYTES, utf8 } from "../../wire/manifest/text.ts";
import { readPlain } from "./read-file.ts";

export const loadGate = async (path: string): Promise<ParsedGate> => {
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(path, `the file cannot be read: ${read.fault}`);
  const text = utf8(read.bytes);
  return "fault" in text ? wholeFile(path, text.fault) : parseGate(text.text, path);
};

const wholeFile = (file: string, message: string): ParsedGate => ({
  faults: [{ file, line: null, column: null, field: "", message }],
});
