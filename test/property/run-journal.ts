/** One run over one step, checked after every record and after every deed. */
import { LAWS, type Laws } from "../support/step-history.ts";
import { type Deed, Operator, type Setting } from "./operator.ts";
import { checkRecord, checkTruth, Memory } from "./step-invariants.ts";

export const runJournal = (chosen: Setting, script: readonly Deed[], laws: Laws = LAWS): void => {
  const memory = new Memory();
  let operator: Operator | undefined;
  operator = new Operator(
    chosen,
    {
      watch: (record, before, after) => {
        if (operator !== undefined) checkRecord(operator, memory, laws, record, before, after);
      },
    },
    laws,
  );
  for (const deed of script) {
    operator.carryOut(deed);
    checkTruth(operator);
  }
};
