/** Finds the verb that was named, has the parser read its flags, and runs it. Only this one verb is made for the parser. */
import { buildApplication, run } from "@stricli/core";
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import { GROUPS } from "./argv.ts";
import { COMMANDS } from "./commands.ts";
import type { Cli, Terminal } from "./context.ts";
import { parserConfiguration } from "./parser.ts";
import { type ParserFault, parserFaults } from "./parser-text.ts";

interface Line {
  readonly words: readonly string[];
  readonly help: boolean;
}

export const dispatch = async (
  { words, help }: Line,
  terminal: Terminal,
  services: Cli["services"],
): Promise<ExitCode> => {
  let exit: ExitCode = EXIT.proven;
  // The parser's own words never reach the terminal: its faults are caught, and told in ours.
  const parser = { stdout: terminal.out, stderr: { write: () => {} }, exitCode: null as number | null };
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
  const name = commandName(words);
  const make = COMMANDS[name];
  if (make === undefined) return tell(terminal, await noSuchVerb(name), "");
  const command = make();
  if (help) {
    const { helpFor } = await import("./help.ts");
    terminal.out.write(
      helpFor(name, command)
        .map((line) => `${line}\n`)
        .join(""),
    );
    return EXIT.proven;
  }
  parserFaults.length = 0;
  await run(buildApplication(command, parserConfiguration), words.slice(name.split(" ").length), cli);
  const [fault] = parserFaults;
  if (fault !== undefined) return tell(terminal, fault, name);
  return parser.exitCode === 0 ? exit : EXIT.broken;
};

/** A verb may have one below it, too: `recover report` beside `recover KIND/NAME`. */
const commandName = ([first = "", second]: readonly string[]): string => {
  if (second === undefined || second.startsWith("-")) return first;
  const both = `${first} ${second}`;
  return GROUPS.has(first) || Object.hasOwn(COMMANDS, both) ? both : first;
};

const noSuchVerb = async (typed: string): Promise<ParserFault> => {
  const { nearest } = await import("../../wire/manifest/nearest.ts");
  const near = nearest(typed, Object.keys(COMMANDS));
  return { kind: "no-verb", typed, near: near === undefined ? [] : [near] };
};

const tell = async (terminal: Terminal, fault: ParserFault, verb: string): Promise<ExitCode> =>
  (await import("./tell.ts")).tellFault(terminal, fault, verb);
