/**
 * Whether what was read from a ledger is what it truly held: the truth was read by SQL before the damage, and an earlier
 * commit is told by folding the true records up to it.
 */
import { isDeepStrictEqual } from "node:util";
import type { DamagedLedger } from "./ledger-damage.ts";
import { folded, type Snapshot, type TrueStack } from "./true-ledger.ts";

/** All that a reader of the ledger learns of one stack. */
export interface ReadStack {
  readonly name: string;
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly lease: unknown;
  /** Newest first. */
  readonly operations: readonly unknown[];
  readonly records: readonly unknown[];
  readonly steps: ReadonlyMap<string, unknown>;
}

const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text));

/** How what was read of a stack differs from what it held; undefined when it does not. */
const differsNow = (read: ReadStack, truth: TrueStack): string | undefined => {
  if (read.id !== truth.id || read.seq !== truth.seq || read.hash !== truth.hash) return "its row is another";
  if (read.epoch !== truth.epoch || !isDeepStrictEqual(read.lease, truth.lease))
    return "its epoch or its lease is another";
  if (!isDeepStrictEqual(read.operations, truth.operations)) return "its operations are others";
  if (!isDeepStrictEqual(read.records, parsed(truth.bodies))) return "its records are others";
  return stepsDiffer(read, truth.steps);
};

const stepsDiffer = (read: ReadStack, steps: ReadonlyMap<string, unknown>): string | undefined => {
  const missing = [...steps.keys()].find((name) => !read.steps.has(name));
  if (missing !== undefined) return `its step ${missing} is not there`;
  for (const [name, state] of steps) {
    const found = Object(read.steps.get(name));
    const field = Object.keys(Object(state)).find(
      (key) => !isDeepStrictEqual(Object(state)[key], found[key]),
    );
    if (field !== undefined || !isDeepStrictEqual(found, state))
      return `${field} of its step ${name} was ${JSON.stringify(Object(state)[field ?? ""])}, and ${JSON.stringify(found[field ?? ""])} was read`;
  }
  return read.steps.size === steps.size ? undefined : "it has more steps than it had";
};

const wasEarlier = (read: ReadStack, last: TrueStack): boolean => {
  if (read.id !== last.id) return false;
  if (!isDeepStrictEqual(read.records, parsed(last.bodies.slice(0, read.seq)))) return false;
  return stepsDiffer(read, folded(last.bodies.slice(0, read.seq))) === undefined;
};

/** `readable`: doctor may tell it; else it must not have been opened at all. */
export interface Differs {
  readonly why: string;
  readonly readable: boolean;
}

/** `end`: the same ledger's last moment, which knows all that ever was. */
export const ledgerFault = (
  { truth, mayBeEarlier }: Pick<DamagedLedger, "truth" | "mayBeEarlier">,
  read: readonly ReadStack[],
  end: Snapshot,
): Differs | undefined => {
  for (const stack of read) {
    const now = truth.stacks.get(stack.name);
    const last = end.stacks.get(stack.name);
    if (last === undefined)
      return { why: `a stack ${JSON.stringify(stack.name)} was read that it never held`, readable: true };
    if (mayBeEarlier && wasEarlier(stack, last)) continue;
    const differs = now === undefined ? "it did not hold it yet" : differsNow(stack, now);
    if (differs !== undefined) return { why: `of stack ${stack.name}: ${differs}`, readable: true };
  }
  const names = new Set(read.map(({ name }) => name));
  const lost = [...truth.stacks.keys()].filter((name) => !names.has(name));
  if (lost.length > 0 && !mayBeEarlier)
    return { why: `it was read without the stack ${lost.join(", ")}`, readable: false };
  return undefined;
};
