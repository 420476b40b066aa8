/** `graph -o json`: kind `Graph`, the steps in an order in which they can run. */
import type { JsonObject } from "../../domain/json.ts";
import { document } from "./document.ts";

export interface GraphInput {
  readonly stack: string;
  readonly steps: readonly {
    readonly step: string;
    readonly provider: string;
    readonly needs: readonly string[];
    readonly partOf: string | null;
    readonly depth: number;
  }[];
}

export const graph = (report: GraphInput): JsonObject =>
  document("Graph", {
    stack: report.stack,
    steps: report.steps.map(({ step, provider, needs, partOf, depth }) => ({
      step,
      provider,
      needs: [...needs],
      partOf,
      depth,
    })),
  });
