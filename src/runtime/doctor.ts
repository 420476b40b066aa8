/** doctor: is the ledger whole, does every row follow from its records, and is anything left over on this host. */
import { advance } from "../domain/fold.ts";
import type { Key, StackName, StepName } from "../domain/ids.ts";
import type { Declared, JournalRecord } from "../domain/journal.ts";
import type { JsonValue } from "../domain/json.ts";
import type { StepState } from "../domain/state.ts";
import type { Store } from "../ports/store.ts";
import { canonicalJson } from "../wire/canonical.ts";
import { holdsSecret } from "../wire/redact.ts";
import type { Runtime } from "./runtime.ts";
import { liveOperation, orphanKeys, programOf } from "./status.ts";

export interface Check {
  readonly name: string;
  readonly finding: "fine" | "wrong" | "not-checked";
  readonly sentence: string;
}

/** Folds every stack's records again and compares what comes out with the stored rows. One stack is held at a time. */
export const checkStates = async (store: Store): Promise<readonly Check[]> => {
  const checks: Check[] = [];
  for (const head of await store.stacks()) checks.push(await checkStack(store, head.name));
  return checks;
};

const checkStack = async (store: Store, stack: StackName): Promise<Check> => {
  const name = `states of ${stack}`;
  const folded = new Map<StepName, StepState>();
  let stored: ReadonlyMap<StepName, StepState>;
  let records = 0;
  try {
    stored = await store.steps(stack);
    for await (const { record } of store.records({ stack })) {
      records++;
      const renamed =
        record.kind === "decision" && record.decision.what === "renamed" ? record.decision.from : record.step;
      const next = advance(folded.get(renamed), record);
      if (renamed !== record.step) folded.delete(renamed);
      folded.set(record.step, next);
    }
  } catch (error) {
    return { name, finding: "wrong", sentence: error instanceof Error ? error.message : String(error) };
  }
  const differing = [...new Set([...stored.keys(), ...folded.keys()])].filter(
    (step) => !same(stored.get(step), folded.get(step)),
  );
  if (differing.length === 0)
    return { name, finding: "fine", sentence: `${stored.size} steps follow from ${records} records` };
  return {
    name,
    finding: "wrong",
    sentence: `${differing.slice(0, 5).join(", ")}: what is stored does not follow from the records; restore a backup, or import an export`,
  };
};

const same = (a: StepState | undefined, b: StepState | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  canonicalJson(a as unknown as JsonValue) === canonicalJson(b as unknown as JsonValue);

/** Whether anything in the ledger was digested or sealed with a key, so that the key's loss is one. */
export const isKeyUsed = async (store: Store): Promise<boolean> => {
  for (const head of await store.stacks())
    for await (const { record } of store.records({ stack: head.name })) {
      const declared = declaredIn(record);
      if (declared !== null && declared.inputsDigest.keyId !== null) return true;
      if (holdsSecret(record as unknown as JsonValue)) return true;
    }
  return false;
};

const declaredIn = (record: JournalRecord): Declared | null => {
  if (record.kind === "intent") return record.declared;
  return record.kind === "decision" && record.decision.what === "import" ? record.decision.declared : null;
};

/** Results that wait in this host's spool, and provider processes that outlived their asfound. */
export const checkHost = async (
  runtime: Pick<Runtime, "spool" | "store" | "host" | "clock">,
): Promise<readonly Check[]> => {
  const waiting = (await runtime.spool.pending()).length;
  const spool: Check =
    waiting === 0
      ? { name: "spool", finding: "fine", sentence: "no result waits to be recorded" }
      : {
          name: "spool",
          finding: "wrong",
          sentence: `${waiting} ${waiting === 1 ? "result waits" : "results wait"} to be recorded; any apply, reconcile or destroy takes them over`,
        };
  const keys = new Set<Key>();
  for (const head of await runtime.store.stacks()) {
    const live = liveOperation(runtime, head)?.operation ?? null;
    for (const key of orphanKeys((await runtime.store.steps(head.name)).values(), live)) keys.add(key);
  }
  const survivors = keys.size === 0 ? [] : await runtime.host.survivors(keys);
  const processes: Check =
    survivors.length === 0
      ? {
          name: "surviving processes",
          finding: "fine",
          sentence: "no provider's process outlived its asfound",
        }
      : {
          name: "surviving processes",
          finding: "wrong",
          sentence: `still alive: ${survivors.map((s) => `pid ${s.pid} (${programOf(s.command)})`).join(", ")}; wait, or asfound reconcile --end-survivor`,
        };
  return [spool, processes];
};
