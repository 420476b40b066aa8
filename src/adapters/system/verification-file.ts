/** Reads a Verification file. Whatever is wrong with the file or in it is a fault, never an exception. */
import { MAX_BYTES, utf8 } from "../../wire/manifest/text.ts";
import { type ParsedVerification, parseVerification } from "../../wire/verification/parse.ts";
import { readPlain } from "./read-file.ts";

export const loadVerification = async (path: string): Promise<ParsedVerification> => {
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return wholeFile(path, `the file cannot be read: ${read.fault}`);
  const text = utf8(read.bytes);
  return "fault" in text ? wholeFile(path, text.fault) : parseVerification(text.text, path);
};

const wholeFile = (file: string, message: string): ParsedVerification => ({
  faults: [{ file, line: null, column: null, field: "", message }],
});
