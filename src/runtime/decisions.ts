/**
 * What a person decides and records, each with a reason (R1): how a doubt ends, what is kept, given up, taken over or
 * approved. Each is an operation of its own, under the lease. None calls a provider to change anything.
 */

import { approvalFault } from "../domain/approval.ts";
import { CALLS_OF, type Change } from "../domain/change.ts";
import { isRefutedOnly } from "../domain/confirm.ts";
import { EXIT } from "../domain/exit.ts";
import type { Digest, StackId, StackName, StepName } from "../domain/ids.ts";
import type { Decision } from "../domain/journal.ts";
import type { Operation } from "../domain/operation.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import type { Approve, Retain, Stack } from "../domain/step.ts";
import type { SavedPlan } from "../wire/api/plan.ts";
import { containedIn } from "./containment.ts";
import { type Described, plannedOf, writtenOf } from "./describe.ts";
import { prepare } from "./inputs.ts";
import { lookOnce, readAgainWith } from "./look.ts";
import { type Done, operate, type Part } from "./operation.ts";
import { isRefused, type Refused, type Runtime, refused } from "./runtime.ts";
import { through, type Work } from "./work.ts";

export interface DecisionRequest {
  readonly stack: StackName;
  readonly stackId: StackId | null;
  readonly step: StepName;
  readonly reason: string;
  /** Today's file, where there is one: no secret that it holds may be recorded with the reason (E5). */
  readonly file: Stack | null;
  readonly leaseWaitMs: number;
}

const decision = (
  runtime: Runtime,
  verb: Operation["verb"],
  request: DecisionRequest,
  more: { readonly planned: readonly Described[]; readonly create: boolean },
  body: (work: Work) => Promise<Part | Refused>,
): Promise<Done | Refused> => {
  if (request.reason.trim() === "")
    return Promise.resolve(refused(2, "a decision needs its reason: --reason TEXT"));
  return operate(
    runtime,
    {
      stack: request.stack,
      stackId: request.stackId,
      verb,
      reason: request.reason,
      options: { only: [request.step], allowDestroy: false, failFast: false, parallelism: 1 },
      fileDigest: null,
      planned: more.planned.map(plannedOf),
      renamed: [],
      expectPosition: null,
      create: more.create,
      leaseWaitMs: request.leaseWaitMs,
    },
    request.file,
    body,
  );
};

const recorded = { planned: [], create: false } as const;

const part = (step: StepName, summary: string): Part => ({
  endings: new Map([[step, through]]),
  counted: [],
  unreached: 0,
  exits: [EXIT.proven],
  summary,
});

const unknownStep = (step: StepName): Refused =>
  refused(23, `the ledger knows no step named ${step}; nothing was changed`);

// ---- resolve ---------------------------------------------------------------------------------------------------

export const resolveStep = (
  runtime: Runtime,
  request: DecisionRequest & {
    readonly as: "present" | "absent";
    readonly id: string | null;
    readonly owed: "done" | "again" | null;
  },
): Promise<Done | Refused> =>
  decision(runtime, "resolve", request, recorded, async (work) => {
    const state = work.session.state(request.step);
    if (state === undefined) return unknownStep(request.step);
    const fault = resolveFault(state, request);
    if (fault !== undefined) return refused(23, fault);
    const after = await work.session.decide(
      request.step,
      { what: "resolve", as: request.as, id: request.id, owed: request.owed },
      request.reason,
    );
    return part(request.step, `${request.step} is ${after.status}: ${after.reason}`);
  });

const resolveFault = (
  state: StepState,
  request: { readonly as: string; readonly id: string | null; readonly owed: string | null },
): string | undefined => {
  const owing = state.owes.length > 0 || state.open.some((open) => open.action === "owed");
  const settled =
    state.open.length === 0 && state.status !== "unresolved" && state.status !== "error" && !owing;
  if (settled && !(state.status === "destroyed" && request.as === "absent"))
    return `${state.step} is ${state.status}, and nothing about it is in doubt; there is nothing to resolve`;
  if (request.as === "present" && isRefutedOnly(state) && !owing)
    return `${state.step} is there and as declared, and nothing about it is in doubt: what it has to be confirmed by is refuted, and apply asks again`;
  if (request.as === "absent")
    return request.id !== null && request.id !== (state.identity?.id ?? null)
      ? `${state.step} is recorded with the id ${state.identity?.id ?? "(none)"}, not ${request.id}`
      : undefined;
  if (state.lastReading === "ambiguous" && state.identity === null && request.id === null)
    return `several things match ${state.step}, so say which one is present: --id ID`;
  if (owing && request.owed === null)
    return `${state.step} still owes ${state.owes.join("; ")}: say with --owed done that this was done, or with --owed again that it is still to be done`;
  if (!owing && request.owed !== null) return `${state.step} owes nothing, so there is no --owed to decide`;
  return undefined;
};

// ---- retain ----------------------------------------------------------------------------------------------------

export const retainStep = (
  runtime: Runtime,
  request: DecisionRequest & { readonly retain: Retain | null },
): Promise<Done | Refused> =>
  decision(runtime, "retain", request, recorded, async (work) => {
    const state = work.session.state(request.step);
    if (state === undefined) return unknownStep(request.step);
    if (request.retain !== null && !isAlive(state))
      return refused(23, `${request.step} is ${state.status}: there is nothing of it to retain`);
    if (request.retain === null && state.retained === null && state.policy.retain !== null)
      return refused(23, `${request.step} is retained by the file's word; remove retain there and apply`);
    const what: Decision =
      request.retain === null
        ? { what: "release-retain" }
        : { what: "retain", retain: runtime.scrubber.json({ ...request.retain }) as unknown as Retain };
    const after = await work.session.decide(request.step, what, request.reason);
    return part(request.step, `${request.step} is ${after.status}: ${after.reason}`);
  });

// ---- forget ----------------------------------------------------------------------------------------------------

export const forgetStep = (
  runtime: Runtime,
  request: DecisionRequest & { readonly id: string | null },
): Promise<Done | Refused> =>
  decision(runtime, "forget", request, recorded, async (work) => {
    const state = work.session.state(request.step);
    if (state === undefined) return unknownStep(request.step);
    const known = [state.identity?.id ?? null, ...state.surplus.map((s) => s.id)];
    if (!known.includes(request.id)) {
      const expected =
        state.identity === null ? "no id is recorded, so give none" : `give --id ${state.identity.id}`;
      return refused(23, `to forget ${request.step}, its expected id has to be given: ${expected}`);
    }
    const after = await work.session.decide(request.step, { what: "forget", id: request.id }, request.reason);
    return part(request.step, `${request.step} is ${after.status}: ${after.reason}`);
  });

// ---- import ----------------------------------------------------------------------------------------------------

export const importStep = (
  runtime: Runtime,
  request: DecisionRequest & { readonly id: string; readonly described: Described },
): Promise<Done | Refused> =>
  decision(runtime, "import", request, { planned: [request.described], create: true }, async (work) => {
    const { described } = request;
    const state = work.session.state(request.step);
    if (state !== undefined && (isAlive(state) || state.open.length > 0))
      return refused(
        23,
        `${request.step} is ${state.status} already (id ${state.identity?.id ?? "none"}); forget it first`,
      );
    const prepared = await prepare(work, writtenOf(described), readAgainWith(work));
    if (prepared.kind === "not-ready") return refused(23, prepared.why);
    if (!prepared.declared.can.observe)
      return refused(
        23,
        `${request.step} has no observe, so nothing could confirm that ${request.id} is there`,
      );
    await work.session.decide(
      request.step,
      { what: "import", id: request.id, declared: prepared.declared },
      request.reason,
    );
    const { state: after } = await lookOnce(work, {
      step: request.step,
      provider: described.provider,
      inputs: prepared.inputs,
      inputsDigest: prepared.declared.inputsDigest.digest,
      contained: () => containedIn(work.session.states)(request.step),
    });
    const summary = `${request.step} was imported as ${request.id} and is ${after.status}: ${after.reason}`;
    return { endings: new Map([[request.step, through]]), counted: [request.step], unreached: 0, summary };
  });

// ---- approve ---------------------------------------------------------------------------------------------------

export const approveStep = (
  runtime: Runtime,
  request: DecisionRequest & { readonly before: Approve["before"]; readonly plan: Digest | null },
): Promise<Done | Refused> =>
  decision(runtime, "approve", request, recorded, async (work) => {
    const state = work.session.state(request.step);
    if (state === undefined) return unknownStep(request.step);
    const by = state.policy.approve?.by ?? [];
    if (!by.includes(runtime.actor) && (request.plan === null || by.length > 0)) {
      const why = by.length === 0 ? "asks for no approval" : `asks for an approval by ${by.join(" or ")}`;
      return refused(23, `${request.step} ${why}, and you are ${runtime.actor}; nothing was recorded`);
    }
    await work.session.decide(
      request.step,
      { what: "approve", before: request.before, plan: request.plan },
      request.reason,
    );
    return part(request.step, `${runtime.actor} approved ${request.before} of ${request.step}`);
  });

export interface PlanApproval extends Omit<DecisionRequest, "step"> {
  readonly before: Approve["before"];
  readonly plan: Pick<SavedPlan, "digest" | "gated" | "destroys">;
  /** null: every step of the plan that waits. */
  readonly step: StepName | null;
}

/** What a saved plan waits for, each step a decision of its own; the first that is refused ends it. */
export const approvePlan = async (runtime: Runtime, request: PlanApproval): Promise<Done | Refused> => {
  const { plan, before } = request;
  const states = await runtime.store.steps(request.stack);
  const asked =
    request.step === null ? new Set([...plan.gated.keys(), ...plan.destroys]) : new Set([request.step]);
  let last: Done | null = null;
  for (const step of asked) {
    if (!waits(states.get(step), step, plan)) continue;
    const done = await approveStep(runtime, { ...request, step, before, plan: plan.digest });
    if (isRefused(done)) return done;
    last = done;
  }
  return last ?? refused(0, "nothing in this plan waits for an approval any more");
};

/** What it removes needs the plan's own approval, whatever the step asks for. */
const waits = (state: StepState | undefined, step: StepName, plan: PlanApproval["plan"]): boolean => {
  if (state === undefined) return true;
  if (plan.destroys.has(step) && !state.approvals.some((given) => given.plan === plan.digest)) return true;
  const calls = CALLS_OF[plan.gated.get(step) as Change["do"]] ?? [];
  return calls.some(
    (call) => approvalFault(step, state.policy.approve, state, call, plan.digest) !== undefined,
  );
};
