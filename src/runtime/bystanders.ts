import type { Question } from "../domain/question.ts";
/** The state that bystanders are compared with has to be of the cluster that is judged. */

/** Why it is not, as a sentence; null: it is, or nothing says of which it is. */
export const otherCluster = (
  { expected: { bystanders } }: Pick<Question, "expected">,
  server: string | null,
): string | null => {
  const before = bystanders === null ? null : bystanders.before;
  if (before === null || before.server === null || server === null || before.server === server) return null;
  return `${before.named} is of another cluster: it was read from ${before.server}, and this is ${server}`;
};
