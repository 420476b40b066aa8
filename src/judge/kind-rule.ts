/** What a kind of Kubernetes object has to say for itself to be judged: one file a kind under `kinds/`. */
import type { ClaimName } from "../domain/claim.ts";
import type { Resource } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import type { Population } from "./population.ts";
import type { Path } from "./read.ts";

export interface KindRule {
  readonly resource: Resource;
  /** Claims that the verdict needs, of those in `rules`. */
  readonly required: readonly ClaimName[];
  readonly rules: Readonly<Partial<Record<ClaimName, Rule>>>;
  /** Where the labels of its Pods stand, by which Services select them. */
  readonly podLabels?: Path;
  /** Its Pods, as far as they were read; for the statement. undefined: it has none, or they cannot be told. */
  readonly population?: (given: Case) => Population | undefined;
}
