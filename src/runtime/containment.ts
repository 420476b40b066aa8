/** Who is contained in whom, from the records: the links were in the intents, so they hold without the file (op-11). */
import { nearestContainer } from "../domain/graph.ts";
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

type Names = ReadonlyMap<StepName, readonly StepName[]>;

/** How steps are removed together. */
export interface Removing {
  /** By a call of their own. */
  readonly called: readonly StepName[];
  /** By the absence of the container that is named (D2). */
  readonly carriers: ReadonlyMap<StepName, StepName>;
  /** What each that is called has to wait for: whatever needs it, or needs something that goes with it. */
  readonly waitsFor: Names;
}

/**
 * A container takes along what it contains. Where it would then have to wait for itself (a part of it needs a step outside
 * that needs the container, also around several containers), that part goes first, by a call of its own.
 */
export const removing = (states: States, going: ReadonlySet<StepName>, contained: Contained): Removing => {
  const first = new Set<StepName>();
  for (;;) {
    const carriers = carriersIn(states, going, first);
    const called = [...going].filter((name) => !carriers.has(name));
    const waitsFor = waitsOf(states, called, carriers, contained);
    const stuck = inCircle(called, waitsFor);
    const before = first.size;
    for (const [part, container] of carriers)
      if (
        stuck.has(container) &&
        needsOf(states, part).some((need) => leadsOut(need, container, carriers, stuck))
      )
        first.add(part);
    if (first.size === before) return { called, carriers, waitsFor };
  }
};

const needsOf = (states: States, step: StepName): readonly StepName[] => {
  const state = states.get(step);
  if (state === undefined) return [];
  return state.partOf === null ? state.needs : [...state.needs, state.partOf];
};

const leadsOut = (
  need: StepName,
  container: StepName,
  carriers: ReadonlyMap<StepName, StepName>,
  stuck: ReadonlySet<StepName>,
): boolean => {
  const carrier = carriers.get(need);
  const goesWith = carrier === undefined ? need : carrier;
  return goesWith !== container && stuck.has(goesWith);
};

/** The outermost container that goes, for each step that does not go first. */
const carriersIn = (
  states: States,
  going: ReadonlySet<StepName>,
  first: ReadonlySet<StepName>,
): ReadonlyMap<StepName, StepName> => {
  const nearest = nearestContainer(states, (name) => going.has(name));
  const carrier = nearestContainer(
    states,
    (name) => going.has(name) && (first.has(name) || nearest(name) === undefined),
  );
  const carriers = new Map<StepName, StepName>();
  for (const name of going) {
    const container = first.has(name) ? undefined : carrier(name);
    if (container !== undefined) carriers.set(name, container);
  }
  return carriers;
};

const waitsOf = (
  states: States,
  called: readonly StepName[],
  carriers: ReadonlyMap<StepName, StepName>,
  contained: Contained,
): Names => {
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

/** Those that wait for each other, or for ones that do. */
const inCircle = (called: readonly StepName[], waitsFor: Names): ReadonlySet<StepName> => {
  const left = new Map(called.map((name) => [name, 0]));
  const wakes = new Map<StepName, StepName[]>();
  for (const name of called)
    for (const other of waitsFor.get(name) ?? []) {
      if (!left.has(other)) continue;
      left.set(name, (left.get(name) as number) + 1);
      const list = wakes.get(other);
      if (list === undefined) wakes.set(other, [name]);
      else list.push(name);
    }
  const free = called.filter((name) => left.get(name) === 0);
  for (const name of free) {
    left.delete(name);
    for (const woken of wakes.get(name) ?? []) {
      const count = (left.get(woken) as number) - 1;
      left.set(woken, count);
      if (count === 0) free.push(woken);
    }
  }
  return new Set(left.keys());
};
