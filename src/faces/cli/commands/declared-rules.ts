/** The rules that --rules names, added to a question. */
import type { StackFaults } from "../../../compose/place.ts";
import type { CustomRule } from "../../../domain/custom-rule.ts";
import type { Cli } from "../context.ts";
import type { Ruled } from "../flags.ts";

/** Empty where no file is named. */
export const declaredRules = async (
  cli: Cli,
  { rules: files }: Ruled,
  already: readonly string[] = [],
): Promise<readonly CustomRule[] | StackFaults> => {
  const all = [...already, ...(files ?? [])];
  if (all.length === 0) return [];
  const { rulesIn } = await import("../../../compose/rules.ts");
  return rulesIn(all, cli.terminal.cwd);
};

export const ruledBy = <T extends object>(
  question: T,
  rules: readonly CustomRule[],
): T & { readonly rules?: readonly CustomRule[] } => (rules.length === 0 ? question : { ...question, rules });
