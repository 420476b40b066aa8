/** Whoever a change was not about (Y3): its UIDs, template, Pods and readiness are to be after it what they were before. */
import type { Evidence, Unsteady } from "./evidence.ts";
import type { ResponseExpectation } from "./response.ts";

/** One of them, as a person or a file names it. null: not told. */
export interface Bystander {
  /** As it was written: a kind, a plural or short name, `PLURAL.GROUP`. */
  readonly kind: string;
  /** null: that of the target. */
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string | null;
  /** The API server counts one for each change of a spec, so an equal one is an equal template. */
  readonly generation: number | null;
  /** How many of its Pods were ready. */
  readonly ready: number | null;
}

/** What one of them has to be answered, before and after. */
export interface BystanderReply extends Pick<Bystander, "kind" | "namespace" | "name"> {
  readonly response: ResponseExpectation;
}

/** The state before, as it was saved. */
export interface Before {
  /** As the person named it. */
  readonly named: string;
  /** The address of the cluster that it was read from; null: nothing says it. */
  readonly server: string | null;
  /** Its readings are cited beside those of now, so each bears a name of its own. */
  readonly evidence: Evidence;
  /** What changed while it was read, and so is of no one moment. */
  readonly unsteady: readonly Unsteady[];
}

export interface Bystanders {
  /** null: all workloads that `before` holds, but for the target. */
  readonly named: readonly Bystander[] | null;
  /** null: what is named says by itself what it was. */
  readonly before: Before | null;
  /** Left out: none of them is asked. */
  readonly replies?: readonly BystanderReply[];
}

/** The field manager of what asfound itself writes: by it a change of ours is told from one of somebody else. */
export const OUR_MANAGER = "asfound";
