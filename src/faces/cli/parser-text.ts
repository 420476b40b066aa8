/**
 * The parser's own errors, caught as they are: they are put into words only when there are some (`parser-fault.ts`),
 * so that a command line without a fault loads no words for them.
 */
import { text_en } from "@stricli/core";

export type ParserFault =
  | { readonly kind: "no-verb"; readonly typed: string; readonly near: readonly string[] }
  | { readonly kind: "arguments"; readonly error: unknown }
  | { readonly kind: "thrown"; readonly error: unknown };

/** What the parser found wrong with the latest command line. One process runs one command line. */
export const parserFaults: ParserFault[] = [];

const caught = (fault: ParserFault): string => {
  parserFaults.push(fault);
  return "";
};

export const parserText: typeof text_en = {
  ...text_en,
  exceptionWhileParsingArguments: (error) => caught({ kind: "arguments", error }),
  exceptionWhileLoadingCommandFunction: (error) => caught({ kind: "thrown", error }),
  exceptionWhileLoadingCommandContext: (error) => caught({ kind: "thrown", error }),
  exceptionWhileRunningCommand: (error) => caught({ kind: "thrown", error }),
};
