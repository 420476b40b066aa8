/** Reads a Verification file. */
import { type ParsedVerification, parseVerification } from "../../wire/verification/parse.ts";
import { loadText } from "./load-text.ts";

export const loadVerification = (path: string): Promise<ParsedVerification> =>
  loadText(path, path, parseVerification);
