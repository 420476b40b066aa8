/** Where rule files meet the judge. */
import { resolve } from "node:path";
import { loadRules } from "../adapters/system/rule-file.ts";
import type { CustomRule } from "../domain/custom-rule.ts";
import { kindOf } from "../judge/kinds.ts";
import type { StackFaults } from "./place.ts";

/** All rules of these files. One kind has one rule, wherever it stands. */
export const rulesIn = async (
  files: readonly string[],
  cwd: string,
): Promise<readonly CustomRule[] | StackFaults> => {
  const rules: CustomRule[] = [];
  for (const file of files) {
    const loaded = await loadRules(resolve(cwd, file), file, isOwn);
    if ("faults" in loaded) return { kind: "faults", faults: loaded.faults };
    for (const rule of loaded.rules) {
      const twice = rules.find(({ group, kind }) => group === rule.group && kind === rule.kind);
      if (twice !== undefined)
        return fault(file, `${rule.kind} has a rule in ${twice.source} already; give only one of the files`);
    }
    rules.push(...loaded.rules);
  }
  return rules;
};

const isOwn = (group: string, kind: string): boolean => kindOf({ group, kind }) !== undefined;

const fault = (file: string, message: string): StackFaults => ({
  kind: "faults",
  faults: [{ file, line: null, column: null, field: "", message }],
});
