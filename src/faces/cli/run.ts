/**
 * Runs one command line, and turns whatever came of it into an exit code of DESIGN §7. Loads as little as it can:
 * `--help` loads no verb.
 */
import { run } from "@stricli/core";
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { app } from "./app.ts";
import { normalArguments } from "./argv.ts";
import type { Cli, Terminal } from "./context.ts";
import { parserFaults } from "./parser-text.ts";

/** Never throws; the answer is the process's exit code. */
export const runCli = async (
  typed: readonly string[],
  terminal: Terminal,
  services: Cli["services"],
): Promise<ExitCode> => {
  const words = normalArguments(typed);
  if (asksForHelp(words)) {
    const help = (await import("./help.ts")).helpFor(words.filter((word) => !word.startsWith("-")));
    if (help !== undefined) {
      terminal.out.write(help.map((line) => `${line}\n`).join(""));
      return EXIT.proven;
    }
  }
  let exit: ExitCode = EXIT.proven;
  // The parser's own words never reach the terminal: its faults are caught, and told in ours.
  const mute = { write: () => {} };
  const parser = { stdout: terminal.out, stderr: mute, exitCode: null as number | null };
  const cli: Cli & { readonly process: typeof parser } = {
    process: parser,
    terminal,
    services,
    exit: (code) => {
      exit = code;
    },
  };
  if (words[0] === "__complete") {
    await (await import("./complete.ts")).complete(cli, words.slice(1));
    return EXIT.proven;
  }
  parserFaults.length = 0;
  await run(app, words, cli);
  const [fault] = parserFaults;
  if (fault !== undefined) return (await import("./tell.ts")).tellFault(terminal, fault, words);
  return parser.exitCode === 0 ? exit : EXIT.broken;
};

/** What follows `--` is a name. */
const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === "--help" || word === "-h");
};
