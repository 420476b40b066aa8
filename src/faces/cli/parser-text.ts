/** What the parser says of a command line that it cannot read: one sentence, with the name that was probably meant. */
import { formatMessageForArgumentScannerError, text_en } from "@stricli/core";
import { nearest } from "../../wire/manifest/nearest.ts";
import { FlagFault } from "./flags.ts";
import { PARSER } from "./texts/parser.ts";

type Text = typeof text_en;

const list = (values: readonly string[]): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

const parsing = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return formatMessageForArgumentScannerError(
    error as Parameters<typeof formatMessageForArgumentScannerError>[0],
    {
      FlagNotFoundError: ({ input, corrections }) =>
        PARSER.noFlag(
          `--${input}`,
          corrections.map((near) => `--${near}`),
        ),
      AliasNotFoundError: ({ input }) => PARSER.noFlag(`-${input}`, []),
      ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
        exception instanceof FlagFault
          ? PARSER.badValue(name, exception.message, input)
          : PARSER.badValue(name, "cannot be read", input),
      EnumValidationError: ({ externalFlagName: name, input, values }) =>
        PARSER.notOneOf(name, input, list(values), nearest(input, values) ?? null),
      UnsatisfiedFlagError: ({ externalFlagName: name }) => PARSER.missing(`--${name}`),
      UnsatisfiedPositionalError: ({ placeholder }) =>
        PARSER.missingName(placeholder.replace(/^arg(\d+)$/, "argument $1")),
      UnexpectedPositionalError: ({ expectedCount, input }) => PARSER.tooMany(input, expectedCount),
      UnexpectedFlagError: ({ externalFlagName: name, previousInput, input }) =>
        PARSER.twice(`--${name}`, previousInput, input),
      InvalidNegatedFlagSyntaxError: ({ externalFlagName: name }) => PARSER.noValue(`--${name}`),
    },
  );
};

export const parserText: Text = {
  ...text_en,
  briefs: { ...text_en.briefs, ...PARSER.briefs },
  noCommandRegisteredForInput: ({ input, corrections }) =>
    PARSER.noVerb(
      input,
      corrections.map((near) => near.replaceAll("`", "")),
    ),
  exceptionWhileParsingArguments: (error) => parsing(error),
};
