/**
 * Runs steps over a graph, at most `parallelism` at once. A step starts when all it waits for are through; what waits
 * for a step that stopped is never started (P2). Linear in steps and edges.
 */
import type { StepName } from "../domain/ids.ts";
import { type Ending, guarded } from "./work.ts";

export interface GraphRun {
  /** In the order in which ready steps are preferred. */
  readonly steps: readonly StepName[];
  /** What a step waits for; names that are not in `steps` count as through. */
  readonly waitsFor: (step: StepName) => readonly StepName[];
  readonly parallelism: number;
  /** Asked before each start: a reason starts nothing more. */
  readonly halted: () => boolean;
  readonly run: (step: StepName) => Promise<Ending>;
}

/** The endings of all steps that were started. An error of `run` ends the run, after what is in flight has ended. */
export const runGraph = async (graph: GraphRun): Promise<Map<StepName, Ending>> => {
  const endings = new Map<StepName, Ending>();
  const waiting = new Map<StepName, number>();
  const wakes = new Map<StepName, StepName[]>();
  const known = new Set(graph.steps);
  const ready: StepName[] = [];
  for (const step of graph.steps) {
    const needs = graph.waitsFor(step).filter((need) => known.has(need));
    waiting.set(step, needs.length);
    if (needs.length === 0) ready.push(step);
    for (const need of needs) {
      const list = wakes.get(need);
      if (list === undefined) wakes.set(need, [step]);
      else list.push(step);
    }
  }
  await new Promise<void>((resolve, reject) => {
    let running = 0;
    let next = 0;
    const failures: unknown[] = [];
    const finish = (step: StepName, ending: Ending) => {
      endings.set(step, ending);
      if (ending.kind !== "through") return;
      for (const woken of wakes.get(step) ?? []) {
        const left = (waiting.get(woken) ?? 0) - 1;
        waiting.set(woken, left);
        if (left === 0) ready.push(woken);
      }
    };
    const pump = () => {
      while (running < graph.parallelism && next < ready.length && failures.length === 0 && !graph.halted()) {
        const step = ready[next++] as StepName;
        running++;
        guarded(() => graph.run(step))
          .then((ending) => finish(step, ending))
          .catch((error: unknown) => void failures.push(error))
          .finally(() => {
            running--;
            pump();
          });
      }
      if (running > 0) return;
      if (failures.length > 0) reject(failures[0]);
      else resolve();
    };
    pump();
  });
  const waitsForItself = endings.size < known.size && !graph.halted() && allThrough(endings);
  if (waitsForItself)
    throw new Error(
      `these steps wait for each other and none was started: ${graph.steps.filter((step) => !endings.has(step)).join(", ")}`,
    );
  return endings;
};

const allThrough = (endings: ReadonlyMap<StepName, Ending>): boolean =>
  [...endings.values()].every((ending) => ending.kind === "through");
