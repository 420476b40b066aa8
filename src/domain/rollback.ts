/** Words for a rollback and for what is looked at before one (DESIGN §4, C4, C5, Y5). */
import type { Cited } from "./evidence.ts";
import type { Judgement } from "./finding.ts";

/**
 * What is looked at before a rollback. `required`: while it is undetermined, nothing is rolled back. `acceptable`: a person
 * may take it upon themself, also when it is refuted; what would not work, or would bring something else back than what was
 * asked for, nobody can accept.
 */
export const CHECKS = {
  target: {
    asks: "the target is kept whole, and is of this very workload",
    required: true,
    acceptable: true,
  },
  "target-health": { asks: "nothing shows the target itself broken", required: false, acceptable: true },
  references: {
    asks: "every ConfigMap and Secret that the target's containers need is there, with the keys",
    required: true,
    acceptable: false,
  },
  content: { asks: "each holds what it held in the target", required: true, acceptable: false },
  identity: { asks: "each is the very object that the target had", required: true, acceptable: true },
  images: { asks: "the target's images are fixed by digest", required: false, acceptable: true },
  surplus: {
    asks: "the live template has no container or volume that nobody would remove again",
    required: true,
    acceptable: true,
  },
  rollout: { asks: "its controller would replace the Pods", required: true, acceptable: true },
  "disruption-budget": { asks: "a Pod may be disrupted", required: true, acceptable: true },
  quota: { asks: "the namespace's quota has room for the new Pods", required: false, acceptable: true },
  capacity: { asks: "no Pod waits for a node", required: false, acceptable: true },
  owner: { asks: "no GitOps controller would undo it", required: true, acceptable: true },
  guard: { asks: "nobody may edit or delete the target's config", required: false, acceptable: true },
  irreversible: {
    asks: "nothing is left behind that no rollback brings back",
    required: true,
    acceptable: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

interface Kind {
  readonly asks: string;
  readonly required: boolean;
  readonly acceptable: boolean;
}

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as readonly CheckName[];

export interface Check {
  readonly check: CheckName;
  readonly finding: Judgement;
  /** A stable code; scripts branch on it. */
  readonly reason: string;
  readonly sentence: string;
  /** What to do; null: nothing. */
  readonly todo: string | null;
  /** What it rests on (V1). */
  readonly evidence: readonly Cited[];
  readonly missing: readonly string[];
  readonly limits: readonly string[];
  readonly required: boolean;
  /** A person has taken it upon themself, so that it keeps nothing from being done. */
  readonly accepted: boolean;
}

/** What becomes of one object of config. Secrets are never written: they have to be there. */
export interface ConfigStep {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  /**
   * - `make`        it is not there, and is made again from the release's bytes
   * - `write-back`  it is mutable and holds something else: the release's bytes are written into it
   * - `leave`       it is as the target had it, or nothing shows that it is not
   */
  readonly do: "make" | "write-back" | "leave";
  readonly immutable: boolean;
  /** As it was looked at; null: it is not there, or does not say. */
  readonly uid: string | null;
  readonly resourceVersion: string | null;
  /** In hex, as the release recorded it; null: nobody did. */
  readonly recorded: string | null;
  /** In hex; null: it is not there, or cannot be told, or is a Secret (C6). */
  readonly now: string | null;
  /** Other workloads of the namespace whose containers take something from it, as `Deployment other`. */
  readonly sharers: readonly string[];
}

/** What is told of a rollback after it was carried out, each layer by itself: a green rollout is no recovery. */
export interface RollbackLayers {
  readonly rollout: Judgement | null;
  readonly configLoaded: Judgement | null;
  readonly configBound: Judgement | null;
  /** The next container would be given something else than the running ones were. */
  readonly timeBomb: boolean;
}
