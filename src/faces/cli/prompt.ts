/** Questions on the error stream: stdout holds the result only. */
import { confirm, isCancel, text } from "@clack/prompts";
import type { Prompter } from "./context.ts";

export const terminalPrompter = (streams: {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}): Prompter => ({
  confirm: async (message) => {
    const answer = await confirm({ message, initialValue: false, ...streams });
    if (isCancel(answer)) return "cancelled";
    return answer ? "yes" : "no";
  },
  text: async (message) => {
    const answer = await text({ message, ...streams });
    return isCancel(answer) ? "cancelled" : (answer ?? "");
  },
});
