/** Who is contained in whom, from the records: the links were in the intents, so they hold without the file (op-11). */
import type { StepName } from "../domain/ids.ts";
import type { StepState } from "../domain/state.ts";

type States = ReadonlyMap<StepName, StepState>;

/** For every step, the steps that are part of it, directly or through another, nearest first. One pass. */
export const containedIn = (states: States): ReadonlyMap<StepName, readonly StepName[]> => {
  const direct = new Map<StepName, StepName[]>();
  for (const state of states.values()) {
    if (state.partOf === null) continue;
    const list = direct.get(state.partOf);
    if (list === undefined) direct.set(state.partOf, [state.step]);
    else list.push(state.step);
  }
  const all = new Map<StepName, readonly StepName[]>();
  for (const parent of direct.keys()) all.set(parent, below(direct, parent));
  return all;
};

const below = (direct: ReadonlyMap<StepName, readonly StepName[]>, parent: StepName): StepName[] => {
  const found = new Set<StepName>();
  const queue = [...(direct.get(parent) ?? [])];
  for (let at = 0; at < queue.length; at++) {
    const child = queue[at] as StepName;
    if (found.has(child) || child === parent) continue;
    found.add(child);
    queue.push(...(direct.get(child) ?? []));
  }
  return [...found];
};

/** Who needs each step, or is part of it, by the records. */
export const dependantsIn = (states: Iterable<StepState>): ReadonlyMap<StepName, readonly StepName[]> => {
  const found = new Map<StepName, StepName[]>();
  for (const state of states)
    for (const need of new Set(state.partOf === null ? state.needs : [...state.needs, state.partOf])) {
      const list = found.get(need);
      if (list === undefined) found.set(need, [state.step]);
      else list.push(state.step);
    }
  return found;
};

/** The steps that contain this one, nearest first. */
export const containersOf = (states: States, step: StepName): StepName[] => {
  const found: StepName[] = [];
  for (
    let at = states.get(step)?.partOf ?? null;
    at !== null && !found.includes(at);
    at = states.get(at)?.partOf ?? null
  )
    found.push(at);
  return found;
};
