/**
 * Runs one command line, and turns whatever came of it into an exit code of DESIGN §7. Loads as little as it can: the
 * list of verbs is text alone, and a verb's own help loads no verb.
 */
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { GROUPS, normalArguments } from "./argv.ts";
import type { Cli, Terminal } from "./context.ts";

/** Never throws; the answer is the process's exit code. */
export const runCli = async (
  typed: readonly string[],
  terminal: Terminal,
  services: Cli["services"],
): Promise<ExitCode> => {
  const words = normalArguments(typed);
  const end = words.indexOf("--");
  const asks = (...flags: string[]): boolean =>
    (end < 0 ? words : words.slice(0, end)).some((word) => flags.includes(word));
  const names = words.filter((word) => !word.startsWith("-"));
  if (isGroup(names) && (names.length === 1 || asks("--help", "-h")))
    return tell(terminal, (await import("./help-list.ts")).helpList(names));
  if (words[0] === "--version" || words[0] === "-v")
    return tell(terminal, [await (await import("./version.ts")).version()]);
  const { dispatch } = await import("./dispatch.ts");
  return dispatch({ words, help: asks("--help", "-h") }, terminal, services);
};

/** What has verbs below it and is none itself. */
const isGroup = (names: readonly string[]): boolean =>
  names.length === 0 || (names.length === 1 && GROUPS.has(String(names[0])));

const tell = (terminal: Terminal, lines: readonly string[]): ExitCode => {
  terminal.out.write(lines.map((line) => `${line}\n`).join(""));
  return EXIT.proven;
};
