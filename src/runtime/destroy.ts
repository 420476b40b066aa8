/**
 * destroy: everything that may be alive, in the reverse order of its needs, gone only when its absence was observed.
 *
 *   D1 skips only what is not alive. D2 a contained child is not called when its parent goes: it closes on the proof.
 *   D6 what is retained is listed, with all that it needs and is part of.
 */

import type { Digest, StackId, StackName, StepName } from "../domain/ids.ts";
import type { OperationOptions } from "../domain/operation.ts";
import { isAlive, retainOf, type StepState } from "../domain/state.ts";
import type { Stack } from "../domain/step.ts";
import { type Contained, containedIn, dependantsIn, removing } from "./containment.ts";
import { type Described, isCompensation } from "./describe.ts";
import { type Done, haltedBy, operate, type Part } from "./operation.ts";
import { remove } from "./remove.ts";
import { runGraph } from "./run-graph.ts";
import { writeRunFiles } from "./run-record.ts";
import { type Refused, type Runtime, refused } from "./runtime.ts";
import type { Work } from "./work.ts";

export interface DestroyRequest {
  readonly stack: StackName;
  readonly stackId: StackId | null;
  /** Today's file, where there is one: only for what is written when a step fails. */
  readonly file: Stack | null;
  /** Of that file: used only where a recorded declaration cannot be used any more, and today's is the same. */
  readonly described?: ReadonlyMap<StepName, Described>;
  readonly fileDigest: Digest | null;
  readonly options: OperationOptions;
  readonly reason: string | null;
  readonly leaseWaitMs: number;
}

interface Scope {
  /** Called, or found to need no call. */
  readonly going: readonly StepName[];
  /** Closed by their container's absence. */
  readonly carried: readonly StepName[];
  readonly kept: ReadonlyMap<StepName, string>;
  /** What each has to wait for. */
  readonly waitsFor: ReadonlyMap<StepName, readonly StepName[]>;
  readonly contained: Contained;
}

export const destroy = async (runtime: Runtime, request: DestroyRequest): Promise<Done | Refused> => {
  if (request.options.only.length === 0 && (await runtime.store.head(request.stack)) === null)
    return refused(
      0,
      `the ledger knows no stack named ${request.stack}: nothing of it was ever applied, so there is nothing to destroy`,
    );
  // Refused before it is an operation: `resume` would repeat it.
  const states = await runtime.store.steps(request.stack);
  const unfit = scopeFault(states, request.options.only as readonly StepName[]);
  if (unfit !== undefined) return refused(unfit.exit, `${unfit.why}; nothing was called`);
  return operate(
    runtime,
    {
      stack: request.stack,
      stackId: request.stackId,
      verb: "destroy",
      reason: request.reason,
      options: request.options,
      fileDigest: request.fileDigest,
      planned: [],
      renamed: [],
      expectPosition: null,
      create: false,
      leaseWaitMs: request.leaseWaitMs,
    },
    request.file,
    async (work) => {
      const named = request.options.only as readonly StepName[];
      const fault = scopeFault(work.session.states, named);
      return fault === undefined
        ? destroyAll(work, request, scopeOf(work, named))
        : refused(fault.exit, `${fault.why}; nothing was called`);
    },
    request.described,
  );
};

const scopeFault = (
  states: ReadonlyMap<StepName, StepState>,
  named: readonly StepName[],
): { readonly exit: 2 | 23; readonly why: string } | undefined => {
  const unknown = named.find((name) => !states.has(name));
  if (unknown !== undefined) return { exit: 2, why: `the ledger knows no step named ${unknown}` };
  const contained = containedIn(states);
  const inScope = new Set(named.flatMap((name) => [name, ...contained(name)]));
  const dependants = dependantsIn(states.values());
  for (const name of inScope) {
    const needing = (dependants.get(name) ?? []).filter((d) => !inScope.has(d) && mayBeThere(states.get(d)));
    if (needing.length > 0)
      return { exit: 23, why: `${needing.join(", ")} still needs ${name}; destroy it as well, or first` };
  }
  return undefined;
};

const mayBeThere = (state: StepState | undefined): boolean =>
  state !== undefined && (isAlive(state) || state.open.length > 0);

const scopeOf = (work: Work, named: readonly StepName[]): Scope => {
  const { states } = work.session;
  const contained = containedIn(states);
  const all =
    named.length === 0
      ? [...states.keys()].filter((name) => !isCompensation(name))
      : [...new Set(named.flatMap((n) => [n, ...contained(n)]))];
  const present = all.filter((name) => mayBeThere(states.get(name)));
  const kept = keptBy(work, present);
  const candidates = new Set(present.filter((name) => !kept.has(name)));
  const { called, carriers, waitsFor } = removing(states, candidates, contained);
  return { going: called, carried: [...carriers.keys()], kept, contained, waitsFor };
};

/** D6: what is retained, and all that it needs and is part of. */
const keptBy = (work: Work, present: readonly StepName[]): Map<StepName, string> => {
  const { states } = work.session;
  const kept = new Map<StepName, string>();
  const queue: StepName[] = [];
  for (const name of present) {
    const state = states.get(name);
    const retain = state === undefined ? null : retainOf(state);
    if (retain === null) continue;
    kept.set(name, `retained for ${retain.owner}: ${retain.reason}; to be reviewed by ${retain.reviewBy}`);
    queue.push(name);
  }
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const state = states.get(name);
    for (const need of state === undefined
      ? []
      : [...state.needs, ...(state.partOf === null ? [] : [state.partOf])]) {
      if (kept.has(need) || !mayBeThere(states.get(need))) continue;
      kept.set(need, `kept because ${name} needs it`);
      queue.push(need);
    }
  }
  return kept;
};

const destroyAll = async (work: Work, request: DestroyRequest, scope: Scope): Promise<Part> => {
  let failed = false;
  await markKept(work, scope);
  const endings = await runGraph({
    steps: [...scope.going].reverse(),
    waitsFor: (name) => scope.waitsFor.get(name) ?? [],
    parallelism: request.options.parallelism,
    halted: haltedBy(work, () => request.options.failFast && failed),
    run: async (step) => {
      const contained = scope.contained(step);
      const ending = await remove(work, { step, contained, plan: null });
      if (ending.kind === "stopped") failed = true;
      if (ending.kind === "stopped" && request.file !== null) await writeRunFiles(work, request.file, step);
      const state = work.session.state(step);
      const why = ending.kind === "stopped" ? ending.why : state?.reason;
      if (state !== undefined)
        work.runtime.reporter.report({
          kind: "step",
          step,
          status: state.status,
          why: work.runtime.scrubber.text(why ?? ""),
        });
      return ending;
    },
  });
  await acknowledgeGone(work, request);
  const unreached = scope.going.filter((name) => !endings.has(name)).length;
  const gone = [...scope.going, ...scope.carried].filter(
    (name) => work.session.state(name)?.status === "destroyed",
  ).length;
  return {
    endings,
    notes: [...scope.kept].map(([name, why]) => `${name} was left: ${why}`),
    counted: [
      ...scope.going,
      ...scope.carried,
      ...[...scope.kept.keys()].filter((name) => (work.session.state(name)?.open.length ?? 0) > 0),
    ],
    unreached,
    goneIsFine: true,
    summary: summaryOf(gone, scope),
  };
};

const summaryOf = (gone: number, scope: Scope): string => {
  const all = scope.going.length + scope.carried.length;
  const left = scope.kept.size;
  const kept = left === 0 ? "" : `, ${left} ${left === 1 ? "was" : "were"} left`;
  if (all === 0 && left > 0) return `nothing was destroyed: all that exists is kept on purpose${kept}`;
  return all === 0 ? "nothing was there to be destroyed" : `${gone} of ${all} steps are gone${kept}`;
};

const markKept = async (work: Work, scope: Scope): Promise<void> => {
  for (const name of scope.kept.keys()) {
    const state = work.session.state(name);
    const retain = state === undefined ? null : retainOf(state);
    if (state === undefined || retain === null || state.status === "retained" || state.open.length > 0)
      continue;
    await work.session.decide(
      name,
      { what: "kept" },
      `left by destroy, retained for ${retain.owner}: ${retain.reason}`,
    );
  }
};

/** What had disappeared by itself is what was asked for now. */
const acknowledgeGone = async (work: Work, request: DestroyRequest): Promise<void> => {
  const only = new Set(request.options.only);
  for (const state of work.session.states.values()) {
    if (!state.disappeared || state.status !== "destroyed" || (only.size > 0 && !only.has(state.step)))
      continue;
    await work.session.decide(
      state.step,
      { what: "resolve", as: "absent", id: null, owed: null },
      "destroy was asked for, and it had disappeared",
    );
  }
};
