/** A case from public reports: its states and the finding that each demands, with its healthy twin. */
import type { ClaimName } from "../../src/domain/claim.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import type { Question } from "../../src/domain/question.ts";
import type { Files } from "../support/kubernetes/deployment.ts";

export interface State {
  readonly files: Files;
  readonly question: Question;
  readonly verdict: Judgement;
  /** The findings that the case is about: what each has to be, and its reason where the report has one. */
  readonly findings: Partial<Record<ClaimName, Judgement | readonly [Judgement, string]>>;
  /** What a person has to be told. */
  readonly says?: RegExp;
  readonly readAt: number;
}

export interface Case {
  readonly seenIn: string;
  readonly states: Readonly<Record<string, State>>;
  readonly twin: State;
  /** Where the states are of several kinds: the other kinds' healthy twins. */
  readonly twins?: Readonly<Record<string, State>>;
}
