/** What is told of one claim. */
import type { Judgement } from "./finding.ts";
import type { JudgingLaw } from "./law.ts";

/** Where a rule is written down by those who made the API. */
export interface Source {
  readonly title: string;
  readonly url: string;
}

export interface Explanation {
  /** What makes each finding, each a clause; empty: this claim never comes to it. */
  readonly rule: Readonly<Record<Judgement, readonly string[]>>;
  /** Fields that a proof cites, by the kind they are of: `a[].b` is `b` of one item. `TARGET`: of whatever is judged. */
  readonly restsOn: Readonly<Record<string, readonly string[]>>;
  /** Resources of which a complete LIST is needed. `TARGET`: that of what is judged, where a GET of its name will do too. */
  readonly lists: readonly string[];
  /** Beside those of every claim (`LAWS_OF_EVERY_CLAIM`). */
  readonly laws: readonly JudgingLaw[];
  readonly sources: readonly Source[];
  /** V9, beside the claim's own `doesNotTell`. */
  readonly limits: readonly string[];
}
