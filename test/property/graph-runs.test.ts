/** P2 and the order of a run, over generated graphs: steps fail, take their time, and run next to each other. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/domain/exit.ts";
import { type StepName, stepName } from "../../src/domain/ids.ts";
import { runGraph } from "../../src/runtime/run-graph.ts";
import { stopped, through } from "../../src/runtime/work.ts";

interface Node {
  readonly needs: readonly number[];
  readonly fails: boolean;
  /** Turns of the event loop that it takes. */
  readonly turns: number;
}

const graph: fc.Arbitrary<readonly Node[]> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
      fails: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      turns: fc.nat({ max: 3 }),
    }),
    { maxLength: 31 },
  )
  .map((nodes) =>
    nodes.map((node, i) => ({ ...node, needs: [...new Set(node.needs.filter((n) => n < i))] })),
  );

const name = (index: number): StepName => stepName(`s${index}`);

interface Ran {
  readonly started: readonly number[];
  readonly most: number;
  readonly early: readonly string[];
  /** Times that a step's needs were asked for. */
  readonly asked: number;
}

type RunGraph = typeof runGraph;

const run = async (nodes: readonly Node[], parallelism: number, runner: RunGraph): Promise<Ran> => {
  const started: number[] = [];
  const over = new Set<number>();
  const early: string[] = [];
  let now = 0;
  let most = 0;
  let asked = 0;
  await runner({
    steps: nodes.map((_, i) => name(i)),
    waitsFor: (step) => {
      asked += 1;
      return (nodes[Number(step.slice(1))] as Node).needs.map(name);
    },
    parallelism,
    halted: () => false,
    run: async (step) => {
      const index = Number(step.slice(1));
      const node = nodes[index] as Node;
      started.push(index);
      for (const need of node.needs) if (!over.has(need)) early.push(`${index} before ${need}`);
      now += 1;
      most = Math.max(most, now);
      for (let turn = 0; turn < node.turns; turn++) await new Promise(setImmediate);
      now -= 1;
      if (node.fails) return stopped(EXIT.refuted, "it failed");
      over.add(index);
      return through;
    },
  });
  return { started, most, early, asked };
};

/** Who can be reached, worked out without the runner: all needs reachable and none failed. */
const reachable = (nodes: readonly Node[]): readonly number[] => {
  const fine = new Set<number>();
  const reached: number[] = [];
  for (const [index, node] of nodes.entries()) {
    if (!node.needs.every((need) => fine.has(need))) continue;
    reached.push(index);
    if (!node.fails) fine.add(index);
  }
  return reached;
};

const holds = async (runner: RunGraph, seed?: number): Promise<fc.RunDetails<[readonly Node[], number]>> =>
  fc.check(
    fc.asyncProperty(graph, fc.integer({ min: 1, max: 5 }), async (nodes, parallelism) => {
      const ran = await run(nodes, parallelism, runner);
      expect([...ran.started].sort((a, b) => a - b)).toEqual(reachable(nodes));
      expect(ran.early).toEqual([]);
      expect(ran.most).toBeLessThanOrEqual(parallelism);
      expect(ran.asked).toBe(nodes.length);
    }),
    { numRuns: 300, ...(seed === undefined ? {} : { seed }) },
  );

describe("every graph of steps", () => {
  it("P2: what waits for a failed step never starts, all else runs once, after its needs, and no more than allowed at a time", async () => {
    const found = await holds(runGraph);
    expect(found.failed ? fc.defaultReportMessage(found) : "holds").toBe("holds");
  });

  const mutants: Readonly<Record<string, RunGraph>> = {
    "a dependant of a failed step starts": (it) =>
      runGraph({ ...it, run: (step) => it.run(step).then(() => through) }),
    "needs are not waited for": (it) =>
      runGraph({ ...it, waitsFor: (step) => [it.waitsFor(step), []][1] ?? [] }),
    "one more than allowed runs": (it) => runGraph({ ...it, parallelism: it.parallelism + 1 }),
    "one failure stops all": (it) => {
      let failed = false;
      return runGraph({
        ...it,
        halted: () => failed,
        run: async (step) => {
          const ending = await it.run(step);
          failed ||= ending.kind === "stopped";
          return ending;
        },
      });
    },
  };
  for (const [what, mutant] of Object.entries(mutants))
    it(`mutant: ${what}: caught`, async () => {
      expect((await holds(mutant, 7)).failed).toBe(true);
    });

  it("asks for needs once per step, and works through ten thousand of them in one chain and in one fan", async () => {
    const chain: Node[] = Array.from({ length: 10_000 }, (_, i) => ({
      needs: i === 0 ? [] : [i - 1],
      fails: false,
      turns: 0,
    }));
    const fan: Node[] = Array.from({ length: 10_000 }, (_, i) => ({
      needs: i === 0 ? [] : [0],
      fails: false,
      turns: 0,
    }));
    for (const nodes of [chain, fan]) {
      const ran = await run(nodes, 10, runGraph);
      expect([ran.started.length, ran.asked, ran.early.length]).toEqual([10_000, 10_000, 0]);
    }
  });

  it("steps that wait for each other are a defect, and are named", async () => {
    const cycle: Node[] = [
      { needs: [1], fails: false, turns: 0 },
      { needs: [0], fails: false, turns: 0 },
    ];
    await expect(run(cycle, 2, runGraph)).rejects.toThrow(/s0, s1/);
  });
});
