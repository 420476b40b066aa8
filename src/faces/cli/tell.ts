/** What was wrong, on the error stream: a sentence for what is expected to happen, a stack trace only for a bug. */
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { printable } from "../../wire/redact.ts";
import type { Terminal } from "./context.ts";
import { sentenceFor } from "./parser-fault.ts";
import type { ParserFault } from "./parser-text.ts";
import { PARSER } from "./texts/parser.ts";
import { Usage } from "./usage.ts";

export const tellFault = (terminal: Terminal, fault: ParserFault, words: readonly string[]): ExitCode => {
  if (fault.kind === "thrown") return tellThrown(terminal, fault.error);
  const sentence = printable(sentenceFor(fault));
  const help = PARSER.help(fault.kind === "arguments" ? verbOf(words) : "");
  terminal.err.write(`asfound: ${sentence}${sentence.endsWith("?") ? " " : "; "}${help}\n`);
  return EXIT.usage;
};

const verbOf = ([verb = "", second = ""]: readonly string[]): string =>
  verb === "ledger" && /^[a-z]+$/.test(second) ? `${verb} ${second}` : verb;

const tellThrown = (terminal: Terminal, thrown: unknown): ExitCode => {
  const sentence = (text: string) => terminal.err.write(`asfound: ${printable(text)}\n`);
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
