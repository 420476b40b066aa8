/** What `asfound __complete WORD…` prints for the shells: one proposal a line, with what it is after a tab. */
import { buildApplication, buildRouteMap, type Command, proposeCompletions } from "@stricli/core";
import { COMMANDS } from "./commands.ts";
import type { Cli } from "./context.ts";
import { parserConfiguration } from "./parser.ts";
import { APP_BRIEF, VERB, type VerbText } from "./texts/verbs.ts";

export const complete = async (cli: Cli, words: readonly string[]): Promise<void> => {
  const found = await proposeCompletions(buildApplication(everyVerb(), parserConfiguration), words, cli);
  cli.terminal.out.write(
    found.map(({ completion, brief }) => `${completion}\t${brief.split("\n")[0]}\n`).join(""),
  );
};

const everyVerb = () => {
  const routes: Record<string, Command<Cli>> = {};
  const groups = new Map<string, Record<string, Command<Cli>>>();
  for (const [name, make] of Object.entries(COMMANDS)) {
    const [first = name, second] = name.split(" ");
    if (second === undefined) routes[first] = make();
    else if (!Object.hasOwn(COMMANDS, first)) groups.set(first, { ...groups.get(first), [second]: make() });
  }
  const maps = [...groups].map(([name, verbs]) => {
    const text: VerbText | undefined = (VERB as Readonly<Record<string, VerbText | undefined>>)[name];
    return [
      name,
      buildRouteMap<string, Cli>({ docs: { brief: text?.brief ?? name }, routes: verbs }),
    ] as const;
  });
  return buildRouteMap<string, Cli>({
    docs: { brief: APP_BRIEF },
    routes: { ...routes, ...Object.fromEntries(maps) },
  });
};
