/** graph: which step needs which, as the stack file says. */
import { allNeeds, graphOf } from "../../../domain/graph.ts";
import type { Stack } from "../../../domain/step.ts";
import { type GraphInput, graph as graphJson } from "../../../wire/api/graph.ts";
import type { Cli } from "../context.ts";
import type { Place } from "../flags.ts";
import { graphDot, graphMermaid, graphPage } from "../output/graph-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { refuse, whereOf } from "./where.ts";

export async function graph(this: Cli, flags: Place & PrintFlags): Promise<void> {
  const { readStack } = await import("../../../compose/place.ts");
  const stack = await readStack(whereOf(this, flags, true));
  if ("kind" in stack) return void (await refuse(this, stack));
  const report = reportOf(stack);
  await print(this, flags, {
    page: (page) => {
      if (flags.output === "mermaid") return graphMermaid(report);
      return flags.output === "dot" ? graphDot(report) : graphPage(report, page);
    },
    json: () => graphJson(report),
    names: () => report.steps.map(({ step }) => step),
  });
}

/** A stack that was read has no faults in its graph. */
const reportOf = (stack: Stack): GraphInput => {
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
