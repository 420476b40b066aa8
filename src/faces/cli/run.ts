/**
 * Runs one command line, and turns whatever came of it into an exit code of DESIGN §7. Loads as little as it can:
 * `--help` loads no verb.
 */
import { run } from "@stricli/core";
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { app } from "./app.ts";
import { normalArguments } from "./argv.ts";
import type { Cli, Terminal } from "./context.ts";
import { PARSER } from "./texts/parser.ts";
import { Usage } from "./usage.ts";

/** Runs one command line. Never throws; the answer is the process's exit code. */
export const runCli = async (
  typed: readonly string[],
  terminal: Terminal,
  services: Cli["services"],
): Promise<ExitCode> => {
  let exit: ExitCode = EXIT.proven;
  let thrown: unknown;
  const told: string[] = [];
  const stricli = {
    stdout: terminal.out,
    stderr: { write: (text: string) => void told.push(text) },
    exitCode: null as number | null,
  };
  const cli: Cli & { readonly process: typeof stricli } = {
    process: stricli,
    terminal,
    services,
    exit: (code) => {
      exit = code;
    },
  };
  const words = normalArguments(typed);
  if (words[0] === "__complete") {
    await (await import("./complete.ts")).complete(cli, words.slice(1));
    return EXIT.proven;
  }
  if (asksForHelp(words)) {
    const help = (await import("./help.ts")).helpFor(words.filter((word) => !word.startsWith("-")));
    if (help !== undefined) {
      terminal.out.write(help.map((line) => `${line}\n`).join(""));
      return EXIT.proven;
    }
  }
  const determineExitCode = (error: unknown): number => {
    thrown = error;
    return EXIT.broken;
  };
  await run({ ...app, config: { ...app.config, determineExitCode } }, words, cli);
  switch (stricli.exitCode) {
    case 0:
      return exit;
    case EXIT.broken:
      return tellThrown(terminal, thrown);
    default:
      return tellParser(terminal, told, stricli.exitCode ?? EXIT.broken, words);
  }
};

/** What follows `--` is a name. */
const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === "--help" || word === "-h");
};

/** The parser's own codes are negative: these are for what was typed, the rest are faults of ours. */
const UNKNOWN_COMMAND = -5;
const INVALID_ARGUMENT = -4;

const tellParser = (
  terminal: Terminal,
  told: readonly string[],
  code: number,
  words: readonly string[],
): ExitCode => {
  const [first] = told.join("").split("\n");
  const typed = code === UNKNOWN_COMMAND || code === INVALID_ARGUMENT;
  const help = PARSER.help(code === INVALID_ARGUMENT ? verbOf(words) : "");
  terminal.err.write(
    typed
      ? `asfound: ${first}${first?.endsWith("?") ? " " : "; "}${help}\n`
      : `asfound: ${PARSER.bug}\n${told.join("")}`,
  );
  return typed ? EXIT.usage : EXIT.broken;
};

const verbOf = (words: readonly string[]): string => {
  const [verb = "", second = ""] = words;
  return verb === "ledger" && /^[a-z]+$/.test(second) ? `${verb} ${second}` : verb;
};

/** A sentence for what is expected to happen, a stack trace only for what is not. */
const tellThrown = async (terminal: Terminal, thrown: unknown): Promise<ExitCode> => {
  const { printable } = await import("../../wire/redact.ts");
  if (thrown instanceof Usage) {
    terminal.err.write(`asfound: ${printable(thrown.message)}\n`);
    return EXIT.usage;
  }
  const coded = thrown instanceof Error && typeof (thrown as { code?: unknown }).code === "string";
  if (coded) terminal.err.write(`asfound: ${printable(thrown.message)}\n`);
  else {
    const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    terminal.err.write(`asfound: ${PARSER.bug}\n${printable(trace, { lines: "keep" })}\n`);
  }
  return EXIT.broken;
};
