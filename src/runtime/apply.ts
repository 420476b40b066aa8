/**
 * apply: bring every step of today's file to `complete`.
 *
 * Over a step that may exist, one look comes first. Doubt that the look does not settle is left as it is, unless the
 * step's class allows to send again (R5). What fails stops its dependants only (P2), and what did not run is `pending`.
 */

import { approvalFault } from "../domain/approval.ts";
import { changeFor, changeForLeft } from "../domain/change.ts";
import { awaitsConfirm } from "../domain/confirm.ts";
import { EXIT } from "../domain/exit.ts";
import { allNeeds } from "../domain/graph.ts";
import type { Digest, StackId, StepName } from "../domain/ids.ts";
import type { OperationOptions } from "../domain/operation.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import type { Stack } from "../domain/step.ts";
import { endingOf, makeAsDeclared, mayResend, payOwed, type Target } from "./call.ts";
import { confirmed } from "./confirm.ts";
import { type Contained, containedIn, removing } from "./containment.ts";
import { type Described, isCompensation, plannedOf, writtenOf } from "./describe.ts";
import { prepare } from "./inputs.ts";
import type { Seen } from "./ledger.ts";
import { lookAgainAfterSettle, lookOnce, readAgainWith, recordedSubject, type Subject } from "./look.ts";
import { type Done, haltedBy, operate, type Part } from "./operation.ts";
import { planApply } from "./plan.ts";
import { remove } from "./remove.ts";
import { runGraph } from "./run-graph.ts";
import { writeRunFiles } from "./run-record.ts";
import { type Refused, type Runtime, refused } from "./runtime.ts";
import { type Ending, stopped, type Work } from "./work.ts";

export interface ApplyRequest {
  readonly stack: Stack;
  readonly stackId: StackId | null;
  readonly described: ReadonlyMap<StepName, Described>;
  readonly fileDigest: Digest;
  readonly options: OperationOptions;
  readonly reason: string | null;
  readonly leaseWaitMs: number;
  /** A saved plan: its digest, and the steps whose replacing or destroying it shows. */
  readonly plan: SavedPermission | null;
  /** Recorded steps that this stack does not have are another verb's: they did not leave a file, and do not count here. */
  readonly leavesOthers?: boolean;
}

export interface SavedPermission {
  readonly digest: Digest;
  readonly position: Digest;
  readonly destroys: ReadonlySet<StepName>;
  /** The inputs' digest that the plan shows for a step, where it was known. */
  readonly inputs: ReadonlyMap<StepName, Digest>;
}

/**
 * A saved plan has to be the one that would be made now. Where the ledger stands is compared again in the transaction
 * that grants the lease, and each step's inputs right before it is called.
 */
const planFault = async (runtime: Runtime, request: ApplyRequest): Promise<Refused | undefined> => {
  if (request.plan === null) return undefined;
  for (const allowDestroy of [false, true])
    if ((await planApply(runtime, { ...request, allowDestroy })).digest === request.plan.digest)
      return undefined;
  return refused(
    23,
    "the saved plan does not fit any more: the plan made now of the same file is another one; plan again; nothing was called",
  );
};

interface Applying {
  readonly work: Work;
  readonly request: ApplyRequest;
  readonly contained: Contained;
}

export const apply = async (runtime: Runtime, request: ApplyRequest): Promise<Done | Refused> => {
  const unfit = await planFault(runtime, request);
  if (unfit !== undefined) return unfit;
  const inFile = [...request.described.values()].filter((d) => !isCompensation(d.step.name));
  return operate(
    runtime,
    {
      stack: request.stack.name,
      stackId: request.stackId,
      verb: "apply",
      reason: request.reason,
      options: request.options,
      fileDigest: request.fileDigest,
      planned: inFile.map(plannedOf),
      renamed: inFile.flatMap(({ step }) =>
        step.renamedFrom === null ? [] : [{ from: step.renamedFrom, to: step.name }],
      ),
      expectPosition: request.plan?.position ?? null,
      create: true,
      leaseWaitMs: request.leaseWaitMs,
    },
    request.stack,
    async (work) => applyAll({ work, request, contained: containedIn(work.session.states) }),
  );
};

const applyAll = async (applying: Applying): Promise<Part> => {
  const { work, request } = applying;
  const steps = [...request.stack.steps.keys()];
  let failed = false;
  const endings = await runGraph({
    steps,
    waitsFor: (name) => {
      const step = request.stack.steps.get(name);
      return step === undefined ? [] : allNeeds(step);
    },
    parallelism: request.options.parallelism,
    halted: haltedBy(work, () => request.options.failFast && failed),
    run: async (name) => {
      const ending = await confirmed(work, name, await applyStep(applying, name));
      if (ending.kind === "stopped") {
        failed = true;
        await tellNotRun(work, name, ending.why);
      }
      report(work, name, ending);
      if (ending.kind === "stopped") await writeRunFiles(work, request.stack, name);
      return ending;
    },
  });
  const isAll = request.leavesOthers !== true;
  const left = isAll ? await leftTheFile(applying, failed) : { endings: new Map(), notes: [] };
  for (const [name, ending] of left.endings) endings.set(name, ending);
  const reached = steps.filter((name) => endings.has(name)).length;
  const complete = steps.filter((name) => work.session.state(name)?.status === "complete").length;
  return {
    endings,
    notes: left.notes,
    counted: isAll ? [...work.session.states.keys()] : steps,
    unreached: steps.length - reached,
    summary: `${complete} of ${steps.length} steps are complete`,
  };
};

/** P1: a step that was come to and could not begin stays `pending`, with the reason. */
const tellNotRun = async (work: Work, step: StepName, why: string): Promise<void> => {
  const state = work.session.state(step);
  if (
    state === undefined ||
    state.status !== "pending" ||
    state.reason === why ||
    work.session.unfit !== null ||
    work.session.lost.aborted
  )
    return;
  await work.session.decide(step, { what: "not-run" }, why);
};

const report = (work: Work, step: StepName, ending: Ending): void => {
  const state = work.session.state(step);
  if (state === undefined) return;
  const why = ending.kind === "stopped" ? ending.why : state.reason;
  work.runtime.reporter.report({
    kind: "step",
    step,
    status: state.status,
    why: work.runtime.scrubber.text(why),
  });
};

/** Steps that are recorded but no longer in the file: removed only where that was permitted, else listed. */
const leftTheFile = async (
  applying: Applying,
  failed: boolean,
): Promise<{ endings: Map<StepName, Ending>; notes: string[] }> => {
  const { work, request } = applying;
  const left = [...work.session.states.values()].filter(
    (s) => !request.stack.steps.has(s.step) && !isCompensation(s.step),
  );
  for (const state of left)
    if (!state.left && work.session.unfit === null && !work.session.lost.aborted)
      await work.session.decide(state.step, { what: "left" }, "the file has it no more");
  const notes: string[] = [];
  const going = new Set<StepName>();
  const stays: StepState[] = [];
  for (const state of left) {
    const change = changeForLeft(state, mayDestroy(request, state));
    if (change.do === "destroy") going.add(state.step);
    else if (isAlive(state)) {
      notes.push(`${state.step}: ${change.why}`);
      stays.push(state);
    }
  }
  // D6: what stays keeps all that it needs and is part of.
  for (const state of stays)
    for (const need of state.partOf === null ? state.needs : [...state.needs, state.partOf]) {
      const needed = work.session.state(need);
      if (needed === undefined || !going.delete(need)) continue;
      notes.push(`${need}: it left the file, and is kept because ${state.step} needs it`);
      stays.push(needed);
    }
  const { states } = work.session;
  const { called, waitsFor } = removing(states, going, applying.contained);
  const endings = await runGraph({
    steps: called,
    waitsFor: (name) => waitsFor.get(name) ?? [],
    parallelism: request.options.parallelism,
    halted: haltedBy(work, () => failed),
    run: async (step) => {
      const contained = applying.contained(step);
      const ending = await remove(work, { step, contained, plan: request.plan?.digest ?? null });
      report(work, step, ending);
      return ending;
    },
  });
  return { endings, notes };
};

// ---- one step --------------------------------------------------------------------------------------------------

const applyStep = async (applying: Applying, name: StepName): Promise<Ending> => {
  const { work, request } = applying;
  const described = request.described.get(name);
  if (described === undefined) throw new Error(`step ${name} was not described`);
  const prepared = await prepare(work, writtenOf(described), readAgainWith(work));
  if (prepared.kind === "not-ready") return stopped(EXIT.refused, prepared.why);
  const unfit = await described.provider.precheck?.(prepared.inputs, work.runtime.baseDirectory);
  if (unfit !== undefined) return stopped(EXIT.refused, work.runtime.scrubber.text(unfit));
  const shown = request.plan?.inputs.get(name);
  if (shown !== undefined && shown !== prepared.declared.inputsDigest.digest)
    return stopped(EXIT.refused, "its inputs are not those that the saved plan shows; plan again");
  const subject: Subject = {
    step: name,
    provider: described.provider,
    inputs: prepared.inputs,
    inputsDigest: prepared.declared.inputsDigest.digest,
    contained: () => applying.contained(name),
  };
  const target: Target = { subject, provider: described.provider, declared: prepared.declared };

  const seen = await lookFirst(work, target);
  const state = seen?.state ?? work.session.state(name);
  if (state === undefined) throw new Error(`step ${name} was not planned`);
  if (state.open.some((open) => open.action !== "owed")) return overDoubt(applying, target, state, seen);
  if (seen?.belief.kind === "no-answer" && (state.status === "complete" || awaitsConfirm(state)))
    return stopped(
      EXIT.undetermined,
      `it is recorded as ${state.status}, but could not be observed now: ${seen.belief.why}`,
    );
  const paid = await payOwed(work, target);
  if (paid.kind === "stopped") return paid;
  return carryChange(applying, target, described, foundNothing(seen));
};

const foundNothing = (seen: Seen | undefined): boolean => seen?.state.lastReading === "absent";

/** Looks where something may be there, or where a later adoption by name depends on it; twice at what seems gone (R3). */
const lookFirst = async (work: Work, target: Target): Promise<Seen | undefined> => {
  const { subject, declared } = target;
  const state = work.session.state(subject.step);
  if (state === undefined) return undefined;
  if (state.status === "retained")
    await work.session.decide(
      subject.step,
      { what: "taken-up" },
      "apply goes on with it: the file has the step",
    );
  if (!declared.can.observe) return undefined;
  for (const surplus of state.surplus)
    await lookOnce(work, { ...subject, surplusId: surplus.id, contained: () => [] });
  const byName = declared.policy.retry === "named" && !isAlive(state);
  if (!isAlive(state) && state.open.length === 0 && !byName) return undefined;
  const first = await lookOnce(work, await whereItWasSent(work, subject, state));
  return first.state.open.length === 0 ? lookAgainAfterSettle(work, subject, first) : first;
};

/**
 * A create in doubt that never named an id is looked for where it was sent, by the inputs that it carried: today's may lead
 * elsewhere, and nothing found there says nothing of it (R1).
 */
const whereItWasSent = async (work: Work, subject: Subject, state: StepState): Promise<Subject> => {
  const isElsewhere = state.open.some(
    ({ action, inputsDigest }) => action === "create" && inputsDigest !== subject.inputsDigest,
  );
  if (!isElsewhere || state.identity !== null) return subject;
  const recorded = await recordedSubject(work, state, subject.contained);
  return "fault" in recorded ? subject : recorded;
};

/** The look did not settle it: again only where the class allows it, else left for reconcile or a person (R5). */
const overDoubt = async (
  applying: Applying,
  target: Target,
  state: StepState,
  seen: Seen | undefined,
): Promise<Ending> => {
  const { work } = applying;
  const doubt = state.open.at(-1);
  const why = await mayResend(work, target, foundNothing(seen));
  if (doubt === undefined || why !== undefined || (doubt.action !== "create" && doubt.action !== "update")) {
    // Where the look found something, what it says tells more than the class.
    const told = foundNothing(seen) || seen === undefined || !("why" in seen.belief) ? why : seen.belief.why;
    const because = told ?? `an earlier ${doubt?.action ?? "call"} is in doubt`;
    return stopped(EXIT.unresolved, `${state.reason}; it is not sent again: ${because}`);
  }
  const approval = approvalFault(
    state.step,
    state.policy.approve,
    state,
    doubt.action,
    applying.request.plan?.digest ?? null,
  );
  if (approval !== undefined) return stopped(EXIT.refused, approval);
  const ending = await makeAsDeclared(work, target, doubt.action, doubt.absenceSeen);
  return ending.kind === "through" ? payOwed(work, target) : ending;
};

const carryChange = async (
  applying: Applying,
  target: Target,
  described: Described,
  nothing: boolean,
): Promise<Ending> => {
  const { work, request } = applying;
  const { step } = target.subject;
  const state = work.session.state(step);
  const { can } = target.declared;
  const change = changeFor(state, {
    can,
    onChange: described.step.onChange,
    inputsDigest: target.declared.inputsDigest,
  });
  switch (change.do) {
    case "leave":
      return endingOf(work, step);
    case "create":
      return nameTaken(target, state, nothing) ?? allowed(applying, target, "create", nothing);
    case "update":
      return allowed(applying, target, "update", nothing);
    case "replace": {
      if (!mayDestroy(request, state))
        return stopped(
          EXIT.refused,
          `${change.why}; replacing destroys it first, so it needs --allow-destroy or an approved saved plan`,
        );
      const plan = request.plan?.digest ?? null;
      // Both before anything is removed: else a replace would end half-way (W5).
      const rule = approvalFault(step, target.declared.policy.approve, state, "create", plan);
      if (rule !== undefined) return stopped(EXIT.refused, rule);
      const removed = await remove(work, { step, contained: target.subject.contained(), plan });
      if (removed.kind === "stopped") return removed;
      work.runtime.reached("replaced-gone");
      return finished(work, target, await makeAsDeclared(work, target, "create", true));
    }
    case "observe-first":
      return stopped(EXIT.unresolved, change.why);
    case "decide":
      return stopped(
        state !== undefined && state.surplus.length > 0 ? EXIT.unresolved : EXIT.refused,
        change.why,
      );
    case "destroy":
      throw new Error(`apply never destroys ${step}, which is in the file`);
  }
};

/** R5, `named`: a thing found by its name later is ours only if nothing of that name was there before. */
const nameTaken = (target: Target, state: StepState | undefined, nothing: boolean): Ending | undefined => {
  if (target.declared.policy.retry !== "named" || !target.declared.can.observe || nothing) return undefined;
  if (state?.lastReading === "observed" || state?.lastReading === "ambiguous")
    return stopped(
      EXIT.refused,
      "something of that name is there already, and it is not this step's: import it, or choose another name",
    );
  return stopped(
    EXIT.undetermined,
    "it is declared retry: named, so its absence has to be observed before it is created, and it could not be observed",
  );
};

/** What a destroy within apply needs: the flag, or a saved plan that shows it and that somebody approved. */
const mayDestroy = (request: ApplyRequest, state: StepState | undefined): boolean => {
  const { plan, options } = request;
  if (plan === null) return options.allowDestroy;
  // A saved plan is carried out as it shows, whatever the flags of today.
  if (state === undefined || !plan.destroys.has(state.step)) return false;
  return options.allowDestroy || state.approvals.some((approval) => approval.plan === plan.digest);
};

const allowed = async (
  applying: Applying,
  target: Target,
  action: "create" | "update",
  nothing: boolean,
): Promise<Ending> => {
  const { work, request } = applying;
  const state = work.session.state(target.subject.step);
  const approval = approvalFault(
    target.subject.step,
    target.declared.policy.approve,
    state,
    action,
    request.plan?.digest ?? null,
  );
  if (approval !== undefined) return stopped(EXIT.refused, approval);
  return finished(work, target, await makeAsDeclared(work, target, action, nothing));
};

const finished = (work: Work, target: Target, ending: Ending): Promise<Ending> | Ending =>
  ending.kind === "through" ? payOwed(work, target) : ending;
