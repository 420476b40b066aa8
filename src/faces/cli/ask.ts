/** Asking a person, or saying in one sentence why that is not possible here. */
import { EXIT, type ExitCode } from "../../domain/exit.ts";
import type { Cli } from "./context.ts";
import { ASK } from "./texts/ask.ts";
import { Usage } from "./usage.ts";

/** null: go on. Else what the process exits with; nothing was called. */
export const mayGoOn = async (cli: Cli, question: string): Promise<ExitCode | null> => {
  const prompter = await cli.terminal.prompter();
  const answer = await prompter.confirm(question);
  if (answer === "yes") return null;
  cli.terminal.err.write(`asfound: ${ASK.declined}\n`);
  return answer === "no" ? EXIT.refused : EXIT.interrupted;
};

/** Throws `Usage` where the verb has to ask and cannot. */
export const requireConsent = (cli: Cli, flags: { readonly yes: boolean }, verb: string): void => {
  if (!flags.yes && !cli.terminal.canAsk) throw new Usage(ASK.noTerminal(verb));
};

/** The reason of a decision, from the flag or from the person; null: the person gave up. */
export const reasonFor = async (
  cli: Cli,
  flags: { readonly reason?: string },
  verb: string,
): Promise<string | null> => {
  if (flags.reason !== undefined) return flags.reason;
  if (!cli.terminal.canAsk) throw new Usage(ASK.noReason(verb));
  const prompter = await cli.terminal.prompter();
  const answer = await prompter.text(ASK.reason);
  if (answer === "cancelled") return null;
  if (answer.trim() === "") throw new Usage(ASK.noReason(verb));
  return answer;
};
