/**
 * A recovery: an operation whose steps a verb makes in code (`rollback run`, `drill`, `recover`) instead of reading them from
 * a file. What it writes to the ledger is what a file's steps would be, so that it is settled later without the verb.
 */
import type { StackName } from "./ids.ts";
import type { Advice } from "./next-step.ts";

/** The workload that is recovered. */
export interface RecoveryTarget {
  /** The uid of the Namespace kube-system; where that cannot be read, the server's URL. */
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const RECOVERY_STEPS = ["config", "template", "drill"] as const;
export type RecoveryStepName = (typeof RECOVERY_STEPS)[number];

const MOST_OF_NAME = 60;

/**
 * One stack a workload, so that its lease keeps out a second recovery of it (N1). `told` is a digest over the whole target:
 * of two workloads with one name, in two namespaces or clusters, each has its own.
 */
export const recoveryStack = ({ name }: Pick<RecoveryTarget, "name">, told: string): StackName =>
  `recovery-${name.slice(0, MOST_OF_NAME).replaceAll(/[^\p{L}\p{Nd}_-]/gu, "-")}-${told.slice(0, 8)}` as StackName;

const RECOVERY = /^recovery-.+-[0-9a-f]{8}$/;

/** By its name alone: the ledger keeps no more of where a stack came from. */
export const isRecoveryStack = (stack: StackName): boolean => RECOVERY.test(stack);

/** `apply` and what belongs to it need a file: of such a stack only asking and deciding go on without its verb. */
const WITHOUT_VERB = /^asfound (status|reconcile|resolve|forget|approve)\b/;

export const recoveryAdvice = ({ next, notOffered }: Advice): Advice => ({
  next: next.filter(({ command }) => WITHOUT_VERB.test(command)),
  notOffered: notOffered.filter(({ command }) => WITHOUT_VERB.test(command)),
});
