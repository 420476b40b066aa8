/** What was wrong, on the error stream: a sentence for what is expected to happen, a stack trace only for a bug. */
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { printable } from "../../wire/redact/printable.ts";
import { withoutUser } from "../../wire/redact/url-user.ts";
import type { Terminal } from "./context.ts";
import { sentenceFor } from "./parser-fault.ts";
import type { ParserFault } from "./parser-text.ts";
import { PARSER } from "./texts/parser.ts";
import { Usage } from "./usage.ts";

/** It may repeat what was typed. */
const safe = (sentence: string): string => printable(withoutUser(sentence));

export const tellFault = (terminal: Terminal, fault: ParserFault, verb: string): ExitCode => {
  if (fault.kind === "thrown") return tellThrown(terminal, fault.error);
  const sentence = safe(sentenceFor(fault));
  const help = PARSER.help(verb);
  terminal.err.write(`asfound: ${sentence}${sentence.endsWith("?") ? " " : "; "}${help}\n`);
  return EXIT.usage;
};

const tellThrown = (terminal: Terminal, thrown: unknown): ExitCode => {
  const sentence = (text: string) => terminal.err.write(`asfound: ${safe(text)}\n`);
  if (thrown instanceof Usage) {
    sentence(thrown.message);
    return EXIT.usage;
  }
  if (thrown instanceof Error && typeof (thrown as { code?: unknown }).code === "string")
    sentence(thrown.message);
  else {
    const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    terminal.err.write(`asfound: ${PARSER.bug}\n${printable(trace, { lines: "keep" })}\n`);
  }
  return EXIT.broken;
};
