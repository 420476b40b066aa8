/** The bystanders that flags name, added to a question. */
import type { StackFaults } from "../../../compose/place.ts";
import type { Bystander } from "../../../domain/bystander.ts";
import type { Question } from "../../../domain/question.ts";
import type { Cli } from "../context.ts";
import type { Verifying } from "../flags.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { targetIn } from "./cluster.ts";

export const besideBystanders = async (
  cli: Cli,
  { bystanders, bystander, bystanderVia }: Pick<Verifying, "bystanders" | "bystander" | "bystanderVia">,
  question: Question,
): Promise<Question | StackFaults> => {
  if (bystanders === undefined) {
    if (bystander !== undefined || bystanderVia !== undefined) throw new Usage(VERDICT.needsBefore);
    return question;
  }
  const { stateBefore } = await import("../../../compose/bystanders.ts");
  const before = await stateBefore(bystanders, cli.terminal.cwd);
  if ("faults" in before) return before;
  const { bystanders: said } = question.expected;
  const inFile = said === null ? null : said.named;
  const replies = [
    ...(said === null || said.replies === undefined ? [] : said.replies),
    ...(bystanderVia ?? []),
  ];
  const named = bystander === undefined ? inFile : bystander.map(namedBy);
  return { ...question, expected: { ...question.expected, bystanders: { named, before, replies } } };
};

const namedBy = (typed: string): Bystander => ({
  ...targetIn(typed),
  namespace: null,
  uid: null,
  generation: null,
  ready: null,
});
