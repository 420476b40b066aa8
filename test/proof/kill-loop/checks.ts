/**
 * What must hold of one stack, by its providers' logs first and its ledger second. Each finding begins with one word:
 *
 *   doubled   two objects of one step lived at the same time
 *   unsent    a call arrived that no intent stands for, or more often than intents do (promises 1 and 2)
 *   lost      an object lives that the ledger does not call alive, or an id that it was told is in none of its records
 *   stuck     a run without kills does not end clean, or leaves an object
 */
import type { JournalRecord } from "../../../src/domain/journal.ts";
import { isAlive, type StepState } from "../../../src/domain/state.ts";
import { alive, type Evidence } from "./evidence.ts";

export const doubled = ({ happened }: Evidence): readonly string[] => {
  const findings: string[] = [];
  const live = new Map<string, string>();
  for (const event of happened) {
    if (event.kind === "destroyed") {
      live.delete(event.id);
      continue;
    }
    for (const [id, step] of live)
      if (step === event.step) findings.push(`doubled: ${event.id} was made while ${id} of ${step} lived`);
    live.set(event.id, event.step);
  }
  return findings;
};

/** Updates and destroys over HTTP do not say which call they are: there the counts must fit. */
export const unsent = ({ sent }: Evidence, records: readonly JournalRecord[]): readonly string[] => {
  const intents = new Map<string, number>();
  for (const record of records)
    if (record.kind === "intent")
      for (const name of [
        `${record.step} ${record.action} ${record.key} ${record.operation} ${record.attempt}`,
        `${record.step} ${record.action} ${record.key}`,
        `${record.step} ${record.action}`,
      ])
        intents.set(name, (intents.get(name) ?? 0) + 1);
  const calls = new Map<string, number>();
  for (const { step, action, key, attempt } of sent) {
    const name = [step, action, key, attempt].filter((part) => part !== null).join(" ");
    calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  return [...calls].flatMap(([name, count]) => {
    const may = intents.get(name) ?? 0;
    return count > may
      ? [`unsent: ${count} calls arrived as '${name}', and ${may} intents stand for it`]
      : [];
  });
};

export const lost = (
  evidence: Evidence,
  ledger: {
    readonly states: ReadonlyMap<string, StepState>;
    readonly records: readonly JournalRecord[];
    /** Operations whose process was killed: what they were told in their last moment they may have taken along. */
    readonly killed: ReadonlySet<string>;
  },
): readonly string[] => {
  const { states, records, killed } = ledger;
  const unknown = [...alive(evidence.happened)].flatMap(([id, step]) => {
    const state = states.get(step);
    if (state === undefined) return [`lost: ${id} lives, and the ledger has no ${step}`];
    return isAlive(state) ? [] : [`lost: ${id} lives, and the ledger says ${state.status} (${state.reason})`];
  });
  const askers = new Map<string, readonly string[]>();
  for (const record of records)
    if (record.kind === "intent" && record.action === "create")
      askers.set(record.key, [...(askers.get(record.key) ?? []), record.operation]);
  const text = records.map((record) => JSON.stringify(record));
  const dropped = evidence.told.flatMap(({ step, id, key }) => {
    const asked = askers.get(key ?? "") ?? [];
    if (asked.length === 0 || asked.some((operation) => killed.has(operation))) return [];
    const isKept = text.some((record) => record.includes(JSON.stringify(id)));
    return isKept ? [] : [`lost: the id ${id} of ${step} was told, and no record has it`];
  });
  return [...unknown, ...dropped];
};
