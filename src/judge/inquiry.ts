/** One claim being judged, over what it cites (`citing.ts`). */
import type { ClaimName } from "../domain/claim.ts";
import { CLAIMS } from "../domain/claim.ts";
import type { Finding, Judgement } from "../domain/finding.ts";
import { Citing } from "./citing.ts";
import { listed } from "./words.ts";

/** A finding before it is known whether the verdict needs it. */
export type Found = Omit<Finding, "required">;

export class Inquiry extends Citing {
  readonly claim: ClaimName;

  constructor(claim: ClaimName) {
    super();
    this.claim = claim;
  }

  proven(reason: string, sentence: string): Found {
    return this.#found("proven", reason, sentence);
  }
  refuted(reason: string, sentence: string): Found {
    return this.#found("refuted", reason, sentence);
  }
  progressing(reason: string, sentence: string): Found {
    return this.#found("progressing", reason, sentence);
  }
  undetermined(reason: string, sentence: string): Found {
    return this.#found("undetermined", reason, sentence);
  }

  /** What was needed is not there. */
  unknown(): Found {
    return this.undetermined(
      "missing",
      `whether ${CLAIMS[this.claim].says} cannot be said without ${listed(this.missing)}`,
    );
  }

  #found(finding: Judgement, reason: string, sentence: string): Found {
    const { layer, doesNotTell } = CLAIMS[this.claim];
    return {
      layer,
      claim: this.claim,
      finding,
      reason,
      sentence,
      evidence: [...this.cited],
      missing: [...this.missing],
      limits: finding === "proven" ? [...this.limits, `it does not tell ${doesNotTell}`] : [...this.limits],
    };
  }
}
