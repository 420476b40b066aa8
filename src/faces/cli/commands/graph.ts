/** graph: which step needs which, as the stack file says. */
import { allNeeds, graphOf } from "../../../domain/graph.ts";
import { type GraphInput, graph as graphJson } from "../../../wire/api/graph.ts";
import type { Cli } from "../context.ts";
import type { Place } from "../flags.ts";
import { graphDot, graphMermaid, graphPage } from "../output/graph-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { reading } from "./open.ts";
import { inFile } from "./show-plan.ts";

export async function graph(this: Cli, flags: Place & PrintFlags): Promise<void> {
  await reading(this, flags, true, async (project) => {
    const report = reportOf(inFile(project).stack);
    await print(this, flags, {
      page: (page) => {
        if (flags.output === "mermaid") return graphMermaid(report);
        return flags.output === "dot" ? graphDot(report) : graphPage(report, page);
      },
      json: () => graphJson(report),
      names: () => report.steps.map(({ step }) => step),
    });
    return 0;
  });
}

/** A stack that was read has no faults in its graph. */
const reportOf = (stack: ReturnType<typeof inFile>["stack"]): GraphInput => {
  const built = graphOf(stack.steps);
  if (!("graph" in built)) throw new Error("a checked stack has a graph with faults");
  const { order, depth } = built.graph;
  const steps = order.flatMap((name) => {
    const step = stack.steps.get(name);
    if (step === undefined) return [];
    return [
      {
        step: name,
        provider: step.uses,
        needs: allNeeds(step),
        partOf: step.partOf,
        depth: depth.get(name) ?? 0,
      },
    ];
  });
  return { stack: stack.name, steps };
};
