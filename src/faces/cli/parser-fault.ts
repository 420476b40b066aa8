/** What is said of a command line that cannot be read: one sentence, with the name that was probably meant. */
import { formatMessageForArgumentScannerError } from "@stricli/core";
import { nearest } from "../../wire/manifest/nearest.ts";
import { FlagFault } from "./flags.ts";
import type { ParserFault } from "./parser-text.ts";
import { PARSER } from "./texts/parser.ts";

export const sentenceFor = (fault: Exclude<ParserFault, { kind: "thrown" }>): string =>
  fault.kind === "no-verb" ? PARSER.noVerb(fault.typed, fault.near) : parsing(fault.error);

const list = (values: readonly string[]): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

const isPlaceholder = (name: string): boolean => /^[A-Z]/.test(name);

type ScannerError = Parameters<typeof formatMessageForArgumentScannerError>[0];

const parsing = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return formatMessageForArgumentScannerError(error as ScannerError, {
    FlagNotFoundError: ({ input, corrections }) =>
      PARSER.noFlag(
        `--${input}`,
        corrections.map((near) => `--${near}`),
      ),
    AliasNotFoundError: ({ input }) => PARSER.noFlag(`-${input}`, []),
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
      PARSER.badValue(
        isPlaceholder(name) ? name : `--${name}`,
        exception instanceof FlagFault ? exception.message : PARSER.unreadable,
        input,
      ),
    EnumValidationError: ({ externalFlagName: name, input, values }) =>
      PARSER.notOneOf(name, input, list(values), nearest(input, values) ?? null),
    UnsatisfiedFlagError: ({ externalFlagName: name }) => PARSER.missing(`--${name}`),
    UnsatisfiedPositionalError: ({ placeholder }) => PARSER.missingName(placeholder),
    UnexpectedPositionalError: ({ expectedCount, input }) => PARSER.tooMany(input, expectedCount),
    UnexpectedFlagError: ({ externalFlagName: name, previousInput, input }) =>
      PARSER.twice(`--${name}`, previousInput, input),
    InvalidNegatedFlagSyntaxError: ({ externalFlagName: name }) => PARSER.noValue(`--${name}`),
  });
};
