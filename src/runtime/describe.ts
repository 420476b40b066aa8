/** What the file's steps mean to their providers: checked before anything is called (W5). */
import type { StepName } from "../domain/ids.ts";
import type { Capabilities, PlannedStep, Policy } from "../domain/journal.ts";
import { compensationOf, type Stack, type Step } from "../domain/step.ts";
import { type InputFault, isFaults, type Provider, type ProviderFacts } from "../ports/provider.ts";
import type { Runtime } from "./runtime.ts";

export interface Described {
  readonly step: Step;
  readonly provider: Provider;
  readonly facts: ProviderFacts;
  readonly policy: Policy;
}

export interface StackFault {
  readonly step: StepName;
  /** Inside the step: `with`, then the provider's path. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Every step described, or all that is wrong. Providers are loaded once each. */
export const describeStack = async (
  runtime: Pick<Runtime, "provider">,
  stack: Stack,
): Promise<
  { readonly steps: ReadonlyMap<StepName, Described> } | { readonly faults: readonly StackFault[] }
> => {
  const steps = new Map<StepName, Described>();
  const faults: StackFault[] = [];
  const add = async (step: Step): Promise<void> => {
    const provider = await runtime.provider(step.uses);
    if (provider === undefined) {
      faults.push({ step: step.name, path: ["uses"], message: `there is no provider named ${step.uses}` });
      return;
    }
    const facts = provider.describe(step.with);
    if (isFaults(facts)) faults.push(...facts.map((fault) => inWith(step.name, fault)));
    else {
      faults.push(...policyFaults(step, facts), ...compensationFaults(step, facts));
      steps.set(step.name, { step, provider, facts, policy: policyOf(step, facts) });
    }
  };
  for (const step of stack.steps.values()) {
    await add(step);
    const compensation = compensationStep(step);
    if (compensation !== null) await add(compensation);
  }
  return faults.length > 0 ? { faults } : { steps };
};

const inWith = (step: StepName, fault: InputFault): StackFault => ({
  step,
  path: ["with", ...fault.path],
  message: fault.message,
});

/** K1: what could only be refused when it is needed is refused now (W5). */
const compensationFaults = (step: Step, facts: ProviderFacts): StackFault[] =>
  !isCompensation(step.name) || facts.can.compensate
    ? []
    : [
        {
          step: step.name,
          path: ["with"],
          message: `${step.uses} has nothing here that it would compensate with; give it compensate`,
        },
      ];

const policyFaults = (step: Step, facts: ProviderFacts): StackFault[] => {
  if (step.onChange === "update" && !facts.can.update)
    return [
      {
        step: step.name,
        path: ["onChange"],
        message: `onChange is update, but ${step.uses} cannot update this step as it is written`,
      },
    ];
  return [];
};

const policyOf = (step: Step, facts: ProviderFacts): Policy => ({
  retry: step.retry ?? facts.retry ?? "once",
  keyLifetimeMs: step.keyLifetimeMs,
  settleMs: step.settleMs,
  deadlineMs: step.deadlineMs,
  retain: step.retain,
  approve: step.approve,
  public: step.public,
  keepSecrets: step.keepSecrets,
  ...(step.confirm.length === 0 ? {} : { confirm: { claims: step.confirm, windowMs: step.windowMs } }),
});

/** K1: the compensation of a step is a step of its own, beside the graph. */
const compensationStep = (step: Step): Step | null => {
  if (step.compensate === null) return null;
  const name = compensationOf(step.name);
  return {
    ...step,
    name,
    uses: step.compensate.uses,
    with: step.compensate.with,
    needs: [],
    partOf: null,
    confirm: [],
    compensate: null,
    onChange: null,
    renamedFrom: null,
  };
};

export const isCompensation = (name: StepName): boolean => name.includes("~");

export const plannedOf = (described: Described): PlannedStep => ({
  step: described.step.name,
  uses: described.step.uses,
  needs: described.step.needs,
  partOf: described.step.partOf,
  policy: described.policy,
});

/** What a step written in the file can do; its inputs still as written. */
export const writtenOf = (described: Described) => ({
  step: described.step.name,
  uses: described.step.uses,
  with: described.step.with,
  files: [...new Set([...described.facts.inputFiles, ...described.step.files])],
  policy: described.policy,
  can: described.facts.can satisfies Capabilities,
});
