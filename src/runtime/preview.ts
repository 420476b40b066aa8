/**
 * A plan with what the tools themselves say that it would change, where a provider can tell (`Provider.preview`). Reads only,
 * writes no row, and is no part of what a saved plan permits: it is true of the moment it was asked.
 */
import { operationId, type StepName } from "../domain/ids.ts";
import type { StepState } from "../domain/state.ts";
import type { Previewed, Provider, Question } from "../ports/provider.ts";
import { type Described, writtenOf } from "./describe.ts";
import { prepare, previousInputs, type Resolving } from "./inputs.ts";
import type { PlannedChange, PlanReport } from "./plan.ts";
import type { Runtime } from "./runtime.ts";

/** Of one step; a person waits for it. */
const PATIENCE_MS = 20_000;

const CALLING: ReadonlySet<PlannedChange["do"]> = new Set(["create", "update", "observe-first"]);

const unknown = (of: string, why: string): Previewed => ({ what: "unknown", of, lines: [why] });

export const previewed = async (
  runtime: Runtime,
  described: ReadonlyMap<StepName, Described>,
  report: PlanReport,
): Promise<PlanReport> => {
  const states = await runtime.store.steps(report.stack);
  const resolving: Resolving = {
    runtime,
    session: { state: (step) => states.get(step) },
    wholeOutputs: new Map(),
  };
  const steps = await Promise.all(
    report.steps.map(async (planned) => {
      const step = described.get(planned.step);
      if (step?.provider.preview === undefined || !CALLING.has(planned.do)) return planned;
      const state = states.get(step.step.renamedFrom ?? planned.step) ?? states.get(planned.step);
      return { ...planned, preview: await previewOf(resolving, report, { planned, described: step, state }) };
    }),
  );
  return { ...report, steps };
};

interface Asked {
  readonly planned: PlannedChange;
  readonly described: Described;
  readonly state: StepState | undefined;
}

const previewOf = async (
  resolving: Resolving,
  report: PlanReport,
  { planned, described, state }: Asked,
): Promise<readonly Previewed[]> => {
  const { runtime } = resolving;
  if (planned.inputsDigest === null)
    return [unknown(planned.step, "its inputs are known only once the steps that it needs are complete")];
  const prepared = await prepare(resolving, writtenOf(described), async () => undefined);
  if (prepared.kind === "not-ready") return [unknown(planned.step, prepared.why)];
  const question: Question = {
    stack: report.stack,
    step: planned.step,
    operation: operationId("plan"),
    attempt: 0,
    key: state?.key ?? null,
    keys: state?.keys ?? [],
    epoch: 0,
    inputs: prepared.inputs,
    identity: state?.identity ?? null,
    outputs: state?.outputs ?? {},
    previousInputs: await previousInputs(resolving, state, async () => undefined),
  };
  const told = await ask(runtime, described.provider, question);
  return told.map(({ what, of, lines }) => ({
    what,
    of: runtime.scrubber.text(of.toWellFormed()),
    lines: lines.map((line) => runtime.scrubber.text(line.toWellFormed())),
  }));
};

const ask = async (
  runtime: Runtime,
  provider: Provider,
  question: Question,
): Promise<readonly Previewed[]> => {
  try {
    const told = await provider.preview?.(question, {
      deadlineMs: PATIENCE_MS,
      stop: runtime.interrupt.kill,
      baseDirectory: runtime.baseDirectory,
      identity: async () => undefined,
      progress: () => undefined,
    });
    return told ?? [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [unknown(question.step, `the provider broke during preview: ${why}`)];
  }
};
