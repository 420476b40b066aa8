/** Who is contained in whom, from the records: the links were in the intents, so they hold without the file (op-11). */
import type { StepName } from "../domain/ids.ts";
import type { StepState } from "../domain/state.ts";

type States = ReadonlyMap<StepName, StepState>;

/** The steps that are part of one, directly or through another, nearest first. Made for a step when it is first asked for. */
export type Contained = (step: StepName) => readonly StepName[];

export const containedIn = (states: States): Contained => {
  const direct = new Map<StepName, StepName[]>();
  for (const state of states.values()) {
    if (state.partOf === null) continue;
    const list = direct.get(state.partOf);
    if (list === undefined) direct.set(state.partOf, [state.step]);
    else list.push(state.step);
  }
  const made = new Map<StepName, readonly StepName[]>();
  return (step) => {
    const known = made.get(step);
    if (known !== undefined) return known;
    const found = direct.has(step) ? below(direct, step) : [];
    made.set(step, found);
    return found;
  };
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
  const found = new Set<StepName>();
  for (
    let at = states.get(step)?.partOf ?? null;
    at !== null && !found.has(at);
    at = states.get(at)?.partOf ?? null
  )
    found.add(at);
  return [...found];
};

type Names = ReadonlyMap<StepName, readonly StepName[]>;

/**
 * Which container takes a contained step along (D2), among the steps that go. One that needs a step outside which itself
 * needs the container, or something in it, goes first by a call of its own: else the two would wait for each other.
 */
export const carriersIn = (
  states: States,
  going: ReadonlySet<StepName>,
  contained: Contained,
): ReadonlyMap<StepName, StepName> => {
  const dependants = dependantsIn(states.values());
  const firstOf = new Map<StepName, ReadonlySet<StepName>>();
  const carriers = new Map<StepName, StepName>();
  const inside = [...going].map((name) => ({ name, within: containersOf(states, name) }));
  inside.sort((a, b) => a.within.length - b.within.length);
  for (const { name, within } of inside) {
    const nearest = within.find((container) => going.has(container));
    if (nearest === undefined) continue;
    const carriedBy = carriers.get(nearest);
    const container = carriedBy === undefined ? nearest : carriedBy;
    const first = firstOf.get(container) ?? goBefore(container, dependants, contained);
    firstOf.set(container, first);
    if (!first.has(name)) carriers.set(name, container);
  }
  return carriers;
};

/** All that needs, through others, a step outside which needs the container or something in it. */
const goBefore = (container: StepName, dependants: Names, contained: Contained): ReadonlySet<StepName> => {
  const within = new Set([container, ...contained(container)]);
  const outside = [...within].flatMap((name) => (dependants.get(name) ?? []).filter((d) => !within.has(d)));
  const found = new Set(outside);
  for (const name of found) for (const dependant of dependants.get(name) ?? []) found.add(dependant);
  return found;
};

/** What each step that is called has to wait for: whatever needs it, or needs something that goes with it. */
export const waitsOf = (
  states: States,
  called: readonly StepName[],
  carriers: ReadonlyMap<StepName, StepName>,
  contained: Contained,
): Map<StepName, readonly StepName[]> => {
  const dependants = dependantsIn(states.values());
  const result = new Map<StepName, readonly StepName[]>();
  for (const name of called) {
    const found = new Set<StepName>();
    for (const part of [name, ...contained(name)])
      for (const dependant of dependants.get(part) ?? []) found.add(carriers.get(dependant) ?? dependant);
    found.delete(name);
    result.set(name, [...found]);
  }
  return result;
};
