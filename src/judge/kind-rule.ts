/** What a kind of Kubernetes object has to say for itself to be judged: one file a kind under `kinds/`. */
import type { ClaimName } from "../domain/claim.ts";
import type { Resource } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import type { Population } from "./population.ts";
import type { Field, Path } from "./read.ts";

/** Something of another name or namespace that a target names: one object, or (no name) all of a resource in a namespace. */
export interface Followed {
  readonly resource: Resource;
  /** null: it is in none. */
  readonly namespace: string | null;
  readonly name: string | null;
}

export interface KindRule {
  readonly resource: Resource;
  /** Claims that the verdict needs, of those in `rules`. */
  readonly required: readonly ClaimName[];
  readonly rules: Readonly<Partial<Record<ClaimName, Rule>>>;
  /** Claims that this very object needs beside those. */
  readonly requires?: (given: Case) => readonly ClaimName[];
  /**
   * What judging it takes beyond the lists of its own namespace, as far as what was read tells: a parent by its name, then
   * its class. Asked for until nothing new is named.
   */
  readonly follows?: (given: Pick<Case, "target" | "collection">) => readonly Followed[];
  /** Where the labels of its Pods stand, by which Services select them. */
  readonly podLabels?: Path;
  /** Its Pods, as far as they were read; for the statement. undefined: it has none, or they cannot be told. */
  readonly population?: (given: Case) => Population | undefined;
  /** Its Pods where they are in no claim but those about config: a Job's, which run to an end. */
  readonly runs?: (given: Case) => Population | undefined;
  /** Where it says which generation its status speaks of; left out: status.observedGeneration. */
  readonly observed?: Field<number> | undefined;
  /** Of a rule that was declared: what judging takes beside the target, by claim. */
  readonly reads?: Readonly<Partial<Record<ClaimName, readonly Resource[]>>>;
}
