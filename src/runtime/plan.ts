/**
 * What apply or destroy would do, told from the file and the ledger. Nothing is asked, nothing is written: where a look
 * comes first, the plan says so.
 */

import { approvalFault, asksFor } from "../domain/approval.ts";
import {
  CALLS_OF,
  type Change,
  changeFor,
  changeForLeft,
  compareInputs,
  differences,
} from "../domain/change.ts";
import { awaitsConfirm, confirmText } from "../domain/confirm.ts";
import { formatDuration } from "../domain/duration.ts";
import { referencesIn } from "../domain/expression.ts";
import { graphOf, nearestContainer } from "../domain/graph.ts";
import type { Digest, StepName } from "../domain/ids.ts";
import type { InputsDigest } from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import { isAlive, retainOf, type StepState } from "../domain/state.ts";
import type { Action, Approve, Stack } from "../domain/step.ts";
import { type PlanInput, type PlannedInput, planDigest } from "../wire/api/plan.ts";
import { type Described, writtenOf } from "./describe.ts";
import { prepare, type Resolving } from "./inputs.ts";
import { positionOf } from "./position.ts";
import type { Runtime } from "./runtime.ts";

export interface PlannedChange extends PlannedInput {
  readonly step: StepName;
  readonly do: Change["do"];
  readonly inputsDigest: Digest | null;
}

export interface PlanReport extends PlanInput {
  readonly stack: Stack["name"];
  readonly verb: "apply" | "destroy";
  readonly steps: readonly PlannedChange[];
  readonly digest: Digest;
  readonly position: Digest;
  readonly fileDigest: Digest | null;
}

export interface PlanRequest {
  readonly stack: Stack;
  readonly described: ReadonlyMap<StepName, Described>;
  readonly fileDigest: Digest;
  readonly allowDestroy: boolean;
}

const CHANGING: ReadonlySet<Change["do"]> = new Set(["create", "update", "replace", "destroy"]);

export const planApply = async (runtime: Runtime, request: PlanRequest): Promise<PlanReport> => {
  const states = renamed(await runtime.store.steps(request.stack.name), request.stack);
  const resolving: Resolving = {
    runtime,
    session: { state: (step) => states.get(step) },
    wholeOutputs: new Map(),
  };
  const steps: PlannedChange[] = [];
  const moving = new Set<StepName>();
  for (const name of inOrder(request.stack)) {
    const described = request.described.get(name);
    if (described === undefined) continue;
    const planned = await planStep(resolving, described, states.get(name), moving);
    if (CHANGING.has(planned.do) || planned.do === "observe-first") moving.add(name);
    steps.push(planned);
  }
  for (const state of states.values()) {
    if (request.stack.steps.has(state.step) || state.step.includes("~") || !isAlive(state)) continue;
    steps.push(leftStep(state, request.allowDestroy));
  }
  const position = positionOf((await runtime.store.steps(request.stack.name)).values());
  const planned = finish("apply", request.stack.name, steps, position, request.fileDigest);
  return { ...planned, notes: confirmNotes(request.described, states, moving) };
};

/** What has still to be proven after it, of the steps that change and of those that it was not proven of yet. */
const confirmNotes = (
  described: PlanRequest["described"],
  states: ReadonlyMap<StepName, StepState>,
  moving: ReadonlySet<StepName>,
): readonly string[] =>
  [...described.values()].flatMap(({ step: { name, confirm, windowMs } }) => {
    const state = states.get(name);
    const asks = moving.has(name) || (state !== undefined && awaitsConfirm(state));
    if (confirm.length === 0 || !asks) return [];
    return [
      `${name} is complete only when this is proven within ${formatDuration(windowMs)}: ${confirmText(confirm)}`,
    ];
  });

/** A step under its new name, as apply will find it. */
const renamed = (states: ReadonlyMap<StepName, StepState>, stack: Stack): Map<StepName, StepState> => {
  const result = new Map(states);
  for (const step of stack.steps.values()) {
    const old = step.renamedFrom === null ? undefined : result.get(step.renamedFrom);
    if (old === undefined || result.has(step.name)) continue;
    result.delete(old.step);
    result.set(step.name, { ...old, step: step.name });
  }
  return result;
};

/** Needs before what needs them, so that a change shows in its dependants. */
const inOrder = (stack: Stack): readonly StepName[] => {
  const built = graphOf(stack.steps);
  return "graph" in built ? built.graph.order : [...stack.steps.keys()];
};

const planStep = async (
  resolving: Resolving,
  described: Described,
  state: StepState | undefined,
  moving: ReadonlySet<StepName>,
): Promise<PlannedChange> => {
  const { step, facts, policy } = described;
  const known = await inputsNow(resolving, described, moving);
  const common = {
    step: step.name,
    uses: step.uses,
    changed: [],
    cannotKnow: facts.cannotKnow,
    retained: state === undefined ? null : retainedAs(state),
    destroys: false,
    inputsDigest: known.digest?.digest ?? null,
  };
  if (known.missing !== null) return { ...common, do: "decide", why: known.missing, ...UNGATED };
  const change = changeFor(state, { can: facts.can, onChange: step.onChange, inputsDigest: known.digest });
  const before = state?.applied?.inputs ?? null;
  const differs =
    before !== null &&
    known.inputs !== null &&
    compareInputs(state?.applied?.inputsDigest ?? null, known.digest) === "changed";
  const pointers = differs ? differences(before, known.inputs) : [];
  return {
    ...common,
    do: change.do,
    why: change.why,
    changed: differs && pointers.length === 0 ? ["(input files or secrets)"] : pointers,
    destroys: change.do === "replace",
    ...gated(step.name, policy.approve, state, CALLS_OF[change.do]),
  };
};

const UNGATED = { gate: null, needsApproval: null };

/** The rule that has a say in one of these calls, and what it still waits for. */
const gated = (
  step: StepName,
  rule: Approve | null,
  state: StepState | undefined,
  calls: readonly Action[],
): Pick<PlannedChange, "gate" | "needsApproval"> => {
  const asked = calls.filter((call) => asksFor(rule, call));
  if (asked.length === 0) return UNGATED;
  const missing = asked.map((call) => approvalFault(step, rule, state, call, null));
  return { gate: rule, needsApproval: missing.find((fault) => fault !== undefined) ?? null };
};

const retainedAs = (state: StepState): string | null => {
  const retain = retainOf(state);
  return retain === null ? null : `${retain.owner}: ${retain.reason}; to be reviewed by ${retain.reviewBy}`;
};

interface InputsNow {
  readonly digest: InputsDigest | null;
  readonly inputs: JsonObject | null;
  readonly missing: string | null;
}

const inputsNow = async (
  resolving: Resolving,
  described: Described,
  moving: ReadonlySet<StepName>,
): Promise<InputsNow> => {
  const waits = referencesIn(described.step.with).references.some(
    ({ reference }) =>
      reference.kind === "output" &&
      (moving.has(reference.step) || resolving.session.state(reference.step)?.status !== "complete"),
  );
  if (waits) return { digest: null, inputs: null, missing: null };
  const prepared = await prepare(resolving, writtenOf(described), async () => undefined);
  if (prepared.kind === "not-ready") return { digest: null, inputs: null, missing: prepared.why };
  return { digest: prepared.declared.inputsDigest, inputs: prepared.declared.inputs, missing: null };
};

const leftStep = (state: StepState, allowDestroy: boolean): PlannedChange => {
  const change = changeForLeft(state, allowDestroy);
  return {
    step: state.step,
    uses: state.uses,
    do: change.do,
    why: change.why,
    changed: [],
    cannotKnow: [],
    retained: retainedAs(state),
    ...gated(state.step, state.policy.approve, state, CALLS_OF[change.do]),
    destroys: change.do === "destroy",
    inputsDigest: null,
  };
};

// ---- destroy ---------------------------------------------------------------------------------------------------

export const planDestroy = async (
  runtime: Runtime,
  stack: Stack["name"],
  only: readonly StepName[],
  fileDigest: Digest | null,
): Promise<PlanReport> => {
  const states = await runtime.store.steps(stack);
  const kept = keptNames(states);
  const wanted = new Set(only);
  const isWithin = nearestContainer(states, (name) => wanted.has(name));
  const carrier = nearestContainer(
    states,
    (name) => !kept.has(name) && (wanted.size === 0 || wanted.has(name)) && isAliveStep(states.get(name)),
  );
  const steps = [...states.values()]
    .filter((state) => !state.step.includes("~"))
    .filter((state) => wanted.size === 0 || wanted.has(state.step) || isWithin(state.step) !== undefined)
    .map((state) => destroyStep(state, kept, carrier(state.step)));
  return finish("destroy", stack, steps, positionOf(states.values()), fileDigest);
};

const keptNames = (states: ReadonlyMap<StepName, StepState>): ReadonlyMap<StepName, string> => {
  const kept = new Map<StepName, string>();
  const queue: StepName[] = [];
  for (const state of states.values()) {
    const why = isAlive(state) ? retainedAs(state) : null;
    if (why === null) continue;
    kept.set(state.step, `it is retained (${why})`);
    queue.push(state.step);
  }
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const state = states.get(name);
    if (state === undefined) continue;
    for (const need of state.partOf === null ? state.needs : [...state.needs, state.partOf]) {
      if (kept.has(need)) continue;
      kept.set(need, `${name} needs it and is kept`);
      queue.push(need);
    }
  }
  return kept;
};

const destroyStep = (
  state: StepState,
  kept: ReadonlyMap<StepName, string>,
  container: StepName | undefined,
): PlannedChange => {
  const common = {
    step: state.step,
    uses: state.uses,
    changed: [],
    cannotKnow: [],
    retained: retainedAs(state),
    inputsDigest: null,
  };
  const leave = (why: string): PlannedChange => ({
    ...common,
    do: "leave",
    why,
    ...UNGATED,
    destroys: false,
  });
  if (!isAlive(state) && state.open.length === 0) return leave("nothing of it exists");
  const keep = kept.get(state.step);
  if (keep !== undefined) return leave(keep);
  const approval = gated(state.step, state.policy.approve, state, CALLS_OF.destroy);
  if (container !== undefined)
    return {
      ...common,
      do: "destroy",
      why: `with ${container}, which contains it: gone when that is proven gone`,
      ...approval,
      destroys: true,
    };
  if (state.open.length > 0) {
    const doubt = state.open.at(-1);
    return {
      ...common,
      do: "observe-first",
      why: `an earlier ${doubt?.action ?? "call"} is in doubt; what is found is destroyed`,
      ...approval,
      destroys: true,
    };
  }
  const why =
    state.declared?.can.destroy === false
      ? "it has no destroy: nothing is called, and it is destroyed by its own word"
      : "it exists, or may";
  return { ...common, do: "destroy", why, ...approval, destroys: true };
};

const isAliveStep = (state: StepState | undefined): boolean =>
  state !== undefined && (isAlive(state) || state.open.length > 0);

const finish = (
  verb: PlanReport["verb"],
  stack: Stack["name"],
  steps: readonly PlannedChange[],
  position: Digest,
  fileDigest: Digest | null,
): PlanReport => {
  const digest = planDigest({ verb, stack, position, fileDigest, steps });
  const changes = steps.filter((s) => CHANGING.has(s.do)).length;
  return { stack, verb, steps, changes, digest, position, fileDigest, notes: [] };
};
