/** How command lines are read: the same for one verb alone and for all of them together. */
import { parserText } from "./parser-text.ts";

export const parserConfiguration = {
  name: "asfound",
  scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
  documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
  completion: { includeAliases: false },
  localization: { text: parserText },
} as const;
