/** Reads a rule file. */
import { type ParsedRules, parseRules } from "../../wire/rules/parse.ts";
import { loadText } from "./load-text.ts";

/** `named`: as the person wrote it; `isOwn`: kinds that asfound judges by rules of its own. */
export const loadRules = (
  path: string,
  named: string,
  isOwn: (group: string, kind: string) => boolean,
): Promise<ParsedRules> => loadText(path, named, (text) => parseRules(text, named, isOwn));
