/**
 * An operation that a verb makes in code, for `rollback run`, `drill` and `recover`: its steps go through the same ledger,
 * lease, intents and settlement as those of a stack file (W1, N1, R1), and `status`, `reconcile`, `history` and `show` know
 * it by `--stack`.
 *
 * How a verb uses it:
 *   1. It decides, from what it read, what to do; asks the person; reads again right before (E4).
 *   2. It calls `runRecovery` with the target and the steps, in order. A step names a provider of `compose.ts` and inputs
 *      that hold all that its call needs: UIDs, resourceVersions, which cluster. Inputs are stored as they are, so no secret
 *      stands in them; whoever settles a doubt later has only them.
 *   3. In `use` it reports, from the steps' states and the exit code, while the ledger is still open.
 *
 * A drill after a rollback is an operation of its own in the same stack (`compose/drill.ts`): which Pod is taken can only be
 * chosen once the rollback is through.
 *
 * Laws: a step runs only when the one before it is complete. Doubt about a step that this run does not have is settled first
 * (exit 21), so that nothing is drilled over a rollback of which nobody knows whether it happened. Such steps are otherwise
 * left alone: they are another verb's. The ledger is found as every verb finds it (DESIGN §6); a stack that no file has
 * writes no `asfound.lock`, and where one is, its ledger is the one.
 */

import { type Io, openProject, type Project } from "../compose.ts";
import { EXIT } from "../domain/exit.ts";
import { stepName } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { type RecoveryStepName, type RecoveryTarget, recoveryStack } from "../domain/recovery.ts";
import { DEFAULTS, type Stack, type Step } from "../domain/step.ts";
import { apply } from "../runtime/apply.ts";
import type { Done } from "../runtime/operation.ts";
import { isRefused, type Refused, type Runtime, refused } from "../runtime/runtime.ts";
import { canonicalJson } from "../wire/canonical.ts";
import { digestOf, sha256Hex } from "../wire/digest.ts";
import { findPlace, type StackFaults, type Where } from "./place.ts";

/** What a verb makes of one step. What is left out is as in a file that says nothing of it. */
export interface RecoveryStep {
  readonly name: RecoveryStepName;
  /** A provider that `compose.ts` knows by this name, also later and without the verb. */
  readonly uses: string;
  readonly with: JsonObject;
  /** As in a stack file: what has to be proven of the step's own objects for it to be complete. */
  readonly confirm?: readonly JsonValue[];
  /** For `confirm`. */
  readonly windowMs?: number;
  readonly settleMs?: number;
  readonly deadlineMs?: number;
}

export interface Recovery {
  readonly target: RecoveryTarget;
  /** In order; each needs the one before. */
  readonly steps: readonly RecoveryStep[];
  /** Why, for the history: `drill of Deployment shop/web`. */
  readonly reason: string;
  readonly leaseWaitMs: number;
  /** In place of the one that asks the claims of `confirm`, for a verb that keeps the whole verdict. */
  readonly verifier?: Runtime["verifier"];
}

export interface Ran {
  readonly project: Project;
  readonly done: Done;
}

export const stackOf = (target: RecoveryTarget) =>
  recoveryStack(target, sha256Hex(canonicalJson({ ...target })));

export const runRecovery = async <T>(
  where: Omit<Where, "file" | "stack" | "needsFile">,
  io: Io,
  recovery: Recovery,
  use: (ran: Ran) => Promise<T>,
): Promise<T | Refused | StackFaults> => {
  const name = stackOf(recovery.target);
  const at: Where = { ...where, file: null, stack: name, needsFile: false };
  // Where `status --stack` and `reconcile --stack` look from this folder.
  const place = await findPlace(at);
  if (place.kind !== "found") return place;
  const stack = stackFor(name, recovery.steps);
  const fileDigest = digestOf(
    recovery.steps.map(({ name: step, uses, with: inputs }) => [step, uses, inputs]),
  );
  const opened = await openProject({ ...at, needsFile: true }, "create", io, {
    stack: { stack, fileDigest, directory: place.file.folder },
  });
  if (opened.kind !== "project") return opened;
  try {
    const project = withVerifier(opened, recovery.verifier);
    const doubt = await doubtBeside(project, stack);
    if (doubt !== undefined) return doubt;
    const done = await apply(project.runtime, {
      stack,
      stackId: project.stackId,
      described: project.described,
      fileDigest,
      options: { only: [], allowDestroy: false, failFast: true, parallelism: 1 },
      reason: recovery.reason,
      leaseWaitMs: recovery.leaseWaitMs,
      plan: null,
      leavesOthers: true,
    });
    return isRefused(done) ? done : await use({ project, done });
  } finally {
    await opened.close();
  }
};

const withVerifier = (project: Project, verifier: Recovery["verifier"]): Project =>
  verifier === undefined ? project : { ...project, runtime: { ...project.runtime, verifier } };

const doubtBeside = async ({ runtime, stackName }: Project, stack: Stack): Promise<Refused | undefined> => {
  const states = await runtime.store.steps(stackName);
  const open = [...states.values()].find((state) => !stack.steps.has(state.step) && state.open.length > 0);
  return open === undefined
    ? undefined
    : refused(
        EXIT.unresolved,
        `an earlier ${open.step} of this workload is in doubt: ${open.reason}; settle it first: asfound reconcile --stack ${stackName}; nothing was called`,
      );
};

const stackFor = (name: Stack["name"], steps: readonly RecoveryStep[]): Stack => ({
  name,
  steps: new Map(
    steps.map((step, index) => [stepName(step.name), stepFor(step, steps[index - 1]?.name ?? null)]),
  ),
  ledger: null,
  directory: null,
});

const stepFor = (step: RecoveryStep, before: RecoveryStepName | null): Step => ({
  name: stepName(step.name),
  uses: step.uses,
  with: step.with,
  needs: before === null ? [] : [stepName(before)],
  partOf: null,
  confirm: step.confirm ?? [],
  retry: null,
  keyLifetimeMs: DEFAULTS.keyLifetimeMs,
  settleMs: step.settleMs ?? DEFAULTS.settleMs,
  deadlineMs: step.deadlineMs ?? DEFAULTS.deadlineMs,
  windowMs: step.windowMs ?? DEFAULTS.windowMs,
  files: [],
  onChange: null,
  retain: null,
  approve: null,
  compensate: null,
  public: [],
  keepSecrets: false,
  renamedFrom: null,
});
