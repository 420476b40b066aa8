/** Reads a rule file. Whatever is wrong with the file or in it is a fault, never an exception. */
import { MAX_BYTES, utf8 } from "../../wire/manifest/text.ts";
import { type ParsedRules, parseRules } from "../../wire/rules/parse.ts";
import { readPlain } from "./read-file.ts";

/** `named`: as the person wrote it; `isOwn`: kinds that asfound judges by rules of its own. */
export const loadRules = async (
  path: string,
  named: string,
  isOwn: (group: string, kind: string) => boolean,
): Promise<ParsedRules> => {
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(named, `the file cannot be read: ${read.fault}`);
  const text = utf8(read.bytes);
  return "fault" in text ? wholeFile(named, text.fault) : parseRules(text.text, named, isOwn);
};

const wholeFile = (file: string, message: string): ParsedRules => ({
  faults: [{ file, line: null, column: null, field: "", message }],
});
