/** A generated state of one object, with what is true of it. */
import type { ClaimName } from "../../src/domain/claim.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import type { Files } from "../support/kubernetes/deployment.ts";

export interface Made {
  readonly files: Files;
  /** The claims that are proven if and only if this says so. */
  readonly truth: Partial<Record<ClaimName, boolean>>;
  /** What the main claim has to be, where one thing follows from the state. */
  readonly finding?: readonly [ClaimName, Judgement];
  /** The reason of that finding, where the state leaves but one. */
  readonly reason?: string;
}
