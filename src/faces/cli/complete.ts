/** What `asfound __complete WORD…` prints for the shells: one proposal a line, with what it is after a tab. */
import { proposeCompletions } from "@stricli/core";
import { app } from "./app.ts";
import type { Cli } from "./context.ts";

export const complete = async (cli: Cli, words: readonly string[]): Promise<void> => {
  const found = await proposeCompletions(app, words, cli);
  cli.terminal.out.write(
    found.map(({ completion, brief }) => `${completion}\t${brief.split("\n")[0]}\n`).join(""),
  );
};
