/**
 * The entry of `asfound`, started by bin/start.cjs: makes a terminal out of the process and runs one command line.
 */
import { Console } from "node:console";
import { isatty } from "node:tty";
import { EXIT } from "../../domain/exit.ts";
import type { Sink, Terminal } from "./context.ts";
import { runCli } from "./run.ts";

/** Why the result did not arrive whole, and could not. */
let unwritten: string | null = null;

/** A reader that went away (`| head`) is no error of ours: what is written after that is dropped. */
const sinkOf = (stream: NodeJS.WriteStream): Sink => {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && stream === process.stdout) unwritten = error.code ?? error.message;
  });
  return {
    write: (text) => void stream.write(text),
    ready: () =>
      stream.writableNeedDrain && !stream.destroyed
        ? new Promise((resolve) => {
            stream.once("drain", resolve);
            stream.once("close", resolve);
          })
        : Promise.resolve(),
    isTTY: stream.isTTY === true,
    get columns() {
      return knownSize(stream.columns);
    },
    get rows() {
      return knownSize(stream.rows);
    },
  };
};

/** A terminal that nobody gave a size says 0. */
const knownSize = (size: number | undefined): number | null =>
  size === undefined || size === 0 ? null : size;

const processTerminal = (): Terminal => ({
  out: sinkOf(process.stdout),
  err: sinkOf(process.stderr),
  input: async () => (await import("./read-input.ts")).inputBytes(),
  canAsk: isatty(0) && isatty(2),
  prompter: async () =>
    (await import("./prompt.ts")).terminalPrompter({ input: process.stdin, output: process.stderr }),
  // biome-ignore lint/plugin: the one place where the face takes the environment, to hand it on.
  environment: process.env,
  cwd: process.cwd(),
});

// stdout holds the result alone (DESIGN §7): what a stack file or one of its modules logs goes beside it.
globalThis.console = new Console(process.stderr, process.stderr);
// A loop that runs empty before the verb has ended must not look like success.
process.exitCode = EXIT.broken;
const main = async (): Promise<void> => {
  const exit = await runCli(process.argv.slice(2), processTerminal(), () => import("../../compose.ts"));
  await new Promise((resolve) => process.stdout.write("", resolve));
  if (unwritten !== null)
    process.stderr.write(
      `asfound: the result could not be written (${unwritten}); what was done is recorded: asfound status\n`,
    );
  await new Promise((resolve) => process.stderr.write("", resolve));
  // What a stack written in TypeScript left behind (a timer, an open handle) must not keep the verb from ending.
  process.exit(unwritten === null ? exit : EXIT.broken);
};

// Not awaited here: the bundle is CommonJS, and what it throws ends the process all the same.
void main();
