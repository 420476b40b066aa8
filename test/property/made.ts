/** A generated state of one object, with what is true of it. */
import type { ClaimName } from "../../src/domain/claim.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import type { Question } from "../../src/domain/question.ts";
import type { Files } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";

export interface Made {
  readonly files: Files;
  /** Beyond what the objects declare; left out: nothing. */
  readonly expected?: Partial<Question["expected"]>;
  /** The claims that are proven if and only if this says so. */
  readonly truth: Partial<Record<ClaimName, boolean>>;
  /** What the main claim has to be, where one thing follows from the state. */
  readonly finding?: readonly [ClaimName, Judgement];
  /** The reason of that finding, where the state leaves but one. */
  readonly reason?: string;
}

/** What is asked of it. */
export const askedOf = (target: string, { expected }: Made): Question =>
  about(target, expected === undefined ? {} : { expected });
