import type { Instant } from "./ids.ts";

/** Pods that were removed on purpose, and what has to have come in their place. */
export interface Replacing {
  /** UIDs that have to be gone. */
  readonly uids: readonly string[];
  /** UIDs of the workload's Pods that ran beside them; null: not told. */
  readonly beside: readonly string[] | null;
  /** When what came in their place has to be Ready at the latest; null: no time is set. */
  readonly by: Instant | null;
  /** By which path a reply was expected of what came, when it was first looked for; null: none was. */
  readonly reply: string | null;
}
