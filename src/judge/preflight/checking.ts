/** One check of a preflight being made, over what it cites. */
import type { Judgement } from "../../domain/finding.ts";
import { CHECKS, type Check, type CheckName } from "../../domain/rollback.ts";
import { Citing } from "../citing.ts";
import { listed } from "../words.ts";

export class Checking extends Citing {
  readonly check: CheckName;

  constructor(check: CheckName) {
    super();
    this.check = check;
  }

  proven(reason: string, sentence: string): Check {
    return this.#made("proven", reason, sentence, null);
  }
  /** `todo`: what the person can do about it. */
  refuted(reason: string, sentence: string, todo: string): Check {
    return this.#made("refuted", reason, sentence, todo);
  }
  undetermined(reason: string, sentence: string, todo: string | null = null): Check {
    return this.#made("undetermined", reason, sentence, todo);
  }

  /** What was needed is not there. */
  unknown(todo: string | null = null): Check {
    const { asks } = CHECKS[this.check];
    return this.undetermined(
      "missing",
      `whether ${asks} cannot be said without ${listed(this.missing)}`,
      todo,
    );
  }

  #made(finding: Judgement, reason: string, sentence: string, todo: string | null): Check {
    return {
      check: this.check,
      finding,
      reason,
      sentence,
      todo,
      evidence: [...this.cited],
      missing: [...this.missing],
      limits: [...this.limits],
      required: CHECKS[this.check].required,
      accepted: false,
    };
  }
}
