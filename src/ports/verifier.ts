import type { ClaimName } from "../domain/claim.ts";
import type { ExpectedCommit } from "../domain/expected-commit.ts";
import type { Judgement } from "../domain/finding.ts";
import type { Replacing } from "../domain/replacing.ts";
import type { ResponseExpectation } from "../domain/response.ts";

/** One object, and the claims that have to be proven of it. */
export interface AskedOf {
  readonly kind: string;
  readonly name: string;
  /** null: what the kubeconfig's context says. */
  readonly namespace: string | null;
  /** Pins the incarnation; null: whichever is there. */
  readonly uid: string | null;
  /** null: those that count of such an object. */
  readonly claims: readonly ClaimName[] | null;
  /** The reply that has to come; null: none is asked for. */
  readonly response: ResponseExpectation | null;
  /** What `pod-replaced` is about; null: no Pod was removed. */
  readonly replaced: Replacing | null;
  /** What has to be declared and synced; null: none is named. */
  readonly commit: ExpectedCommit | null;
}

export interface Verified {
  readonly finding: Judgement;
  /** For a person: what was found, and what is not proven. */
  readonly sentence: string;
}

export interface Looking {
  /** 0: one look. */
  readonly windowMs: number;
  readonly stop: AbortSignal;
  /** What is waited for, one line a claim, as it changes. */
  readonly note: (text: string) => void;
}

/** The judge that `verify` uses, over a live cluster. Reads only. */
export interface Verifier {
  /** Looks until it is proven, no waiting changes it, or the window is over. A cluster that cannot be asked is undetermined. */
  verify(asked: AskedOf, looking: Looking): Promise<Verified>;
  close(): void;
}

/** Which cluster; null: as the environment says. */
export interface ClusterNamed {
  readonly kubeconfig: string | null;
  readonly context: string | null;
}
