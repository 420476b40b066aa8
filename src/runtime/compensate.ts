/** K1: a compensation is a step of its own: journaled, able to fail and to resume, asked for, never automatic. */
import { EXIT } from "../domain/exit.ts";
import type { StackId, StepName } from "../domain/ids.ts";
import type { OperationOptions } from "../domain/operation.ts";
import { compensationOf, type Stack } from "../domain/step.ts";
import { endingOf } from "./call.ts";
import { type Described, plannedOf, writtenOf } from "./describe.ts";
import { prepare } from "./inputs.ts";
import { carryOut } from "./intend.ts";
import { readAgainWith } from "./look.ts";
import { type Done, haltedBy, operate } from "./operation.ts";
import { runGraph } from "./run-graph.ts";
import { type Refused, type Runtime, refused } from "./runtime.ts";
import { type Ending, stopped, type Work } from "./work.ts";

export interface CompensateRequest {
  readonly stack: Stack;
  readonly stackId: StackId | null;
  readonly described: ReadonlyMap<StepName, Described>;
  readonly steps: readonly StepName[];
  readonly options: OperationOptions;
  readonly reason: string | null;
  readonly leaseWaitMs: number;
}

export const compensate = async (runtime: Runtime, request: CompensateRequest): Promise<Done | Refused> => {
  const wanted: Described[] = [];
  for (const step of request.steps) {
    const described = request.described.get(compensationOf(step));
    if (described === undefined) return refused(2, `${step} declares no compensation (compensate:)`);
    wanted.push(described);
  }
  return operate(
    runtime,
    {
      stack: request.stack.name,
      stackId: request.stackId,
      verb: "compensate",
      reason: request.reason,
      options: { ...request.options, only: request.steps },
      fileDigest: null,
      planned: wanted.map(plannedOf),
      renamed: [...request.described.values()].flatMap(({ step }) =>
        step.renamedFrom === null ? [] : [{ from: step.renamedFrom, to: step.name }],
      ),
      expectPosition: null,
      create: false,
      leaseWaitMs: request.leaseWaitMs,
    },
    request.stack,
    async (work) => {
      const names = wanted.map((described) => described.step.name);
      const endings = await runGraph({
        steps: names,
        waitsFor: () => [],
        parallelism: request.options.parallelism,
        halted: haltedBy(work, () => false),
        run: async (name) => {
          const described = request.described.get(name);
          if (described === undefined) throw new Error(`${name} was not described`);
          const ending = await compensateOne(work, described);
          const state = work.session.state(name);
          if (state !== undefined)
            work.runtime.reporter.report({
              kind: "step",
              step: name,
              status: state.status,
              why: state.reason,
            });
          return ending;
        },
      });
      const ended = [...endings.values()].filter((ending) => ending.kind === "through").length;
      return {
        endings,
        counted: names,
        unreached: names.length - endings.size,
        summary: `${ended} of ${names.length} compensations are done`,
      };
    },
  );
};

const compensateOne = async (work: Work, described: Described): Promise<Ending> => {
  const { name } = described.step;
  if (!described.facts.can.compensate)
    return stopped(EXIT.refused, `${described.step.uses} has no command for a compensation here`);
  const state = work.session.state(name);
  const doubt = state?.open.at(-1);
  if (doubt !== undefined && described.policy.retry !== "idempotent")
    return stopped(
      EXIT.unresolved,
      `an earlier attempt is in doubt, and it is not declared idempotent: asfound resolve ${name} --as present|absent --reason TEXT`,
    );
  if (state !== undefined && (await work.senders.of(state.open.length > 0 ? state.keys : [])).length > 0)
    return stopped(EXIT.unresolved, "a provider's process that may still compensate lives");
  if (state?.status === "complete")
    return stopped(EXIT.refused, "it was compensated already; forget that first to do it again");
  const prepared = await prepare(work, writtenOf(described), readAgainWith(work));
  if (prepared.kind === "not-ready") return stopped(EXIT.refused, prepared.why);
  const called = await carryOut(work, described.provider, {
    step: name,
    action: "compensate",
    declared: prepared.declared,
    inputs: prepared.inputs,
    previousInputs: null,
  });
  return called.kind === "not-committed" ? stopped(called.exit, called.why) : endingOf(work, name, called);
};
