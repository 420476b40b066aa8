/**
 * reconcile: ask what is there and settle what is in doubt. It changes nothing outside (R6); its help says so, since
 * elsewhere the word means to change. Waits out `settle`, call-by and a surviving process, unless told not to.
 */
import { EXIT } from "../domain/exit.ts";
import { exitOf } from "../domain/exit-of-step.ts";
import type { StackId, StackName, StepName } from "../domain/ids.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import type { Stack } from "../domain/step.ts";
import { endingOf } from "./call.ts";
import { confirmAgain } from "./confirm.ts";
import { containedIn } from "./containment.ts";
import { progress } from "./intend.ts";
import type { Seen } from "./ledger.ts";
import { follow, lookAgainAfterSettle, lookOnce, recordedSubject, type Subject } from "./look.ts";
import { type Done, haltedBy, operate } from "./operation.ts";
import { runGraph } from "./run-graph.ts";
import type { Refused, Runtime } from "./runtime.ts";
import { type Ending, stopped, through, type Work } from "./work.ts";

export interface ReconcileRequest {
  readonly stack: StackName;
  readonly stackId: StackId | null;
  readonly file: Stack | null;
  readonly parallelism: number;
  readonly wait: boolean;
  /** Ends provider processes that outlived their asfound (N6). */
  readonly endSurvivors: boolean;
  readonly reason: string | null;
  readonly leaseWaitMs: number;
}

export const reconcile = (runtime: Runtime, request: ReconcileRequest): Promise<Done | Refused> =>
  operate(
    runtime,
    {
      stack: request.stack,
      stackId: request.stackId,
      verb: "reconcile",
      reason: request.reason,
      options: { only: [], allowDestroy: false, failFast: false, parallelism: request.parallelism },
      fileDigest: null,
      planned: [],
      renamed: [],
      expectPosition: null,
      create: false,
      leaseWaitMs: request.leaseWaitMs,
    },
    request.file,
    async (work) => {
      const { states } = work.session;
      const contained = containedIn(states);
      const steps = [...states.values()].filter((s) => isAlive(s) || s.open.length > 0).map((s) => s.step);
      const endings = await runGraph({
        steps,
        waitsFor: () => [],
        parallelism: request.parallelism,
        halted: haltedBy(work, () => false),
        run: async (step) => {
          const settled = await settleStep(work, request, step, () => contained(step));
          const ending = await confirmAgain(work, step, settled, request.wait);
          const state = work.session.state(step);
          const why = ending.kind === "stopped" ? ending.why : state?.reason;
          if (state !== undefined)
            work.runtime.reporter.report({ kind: "step", step, status: state.status, why: why ?? "" });
          return ending;
        },
      });
      const doubts = [...states.values()].filter(
        (s) => s.open.length > 0 || exitOf(s) === EXIT.unresolved,
      ).length;
      return {
        endings,
        counted: [...states.keys()],
        unreached: steps.length - endings.size,
        summary: `${endings.size} of ${steps.length} steps were looked at; ${doubts} are in doubt`,
      };
    },
  );

const settleStep = async (
  work: Work,
  request: ReconcileRequest,
  step: StepName,
  contained: () => readonly StepName[],
): Promise<Ending> => {
  const state = work.session.state(step);
  if (state === undefined) return through;
  const canAsk = state.declared?.can.observe === true;
  const subject = canAsk ? await recordedSubject(work, state, contained) : null;
  if (request.endSurvivors) await endSurvivors(work, state, subject);
  if (subject === null) return unobservable(state);
  if ("fault" in subject)
    return stopped(
      state.open.length === 0 ? EXIT.undetermined : EXIT.unresolved,
      `it cannot be asked for: ${subject.fault}`,
    );
  for (const { id } of state.surplus)
    await lookOnce(work, { ...subject, surplusId: id, contained: () => [] });
  const seen = await settleOne(work, request, subject);
  const ending = endingOf(work, step);
  // R2: what is recorded was not seen now, which is neither proof nor doubt about a call.
  if (ending.kind === "through" && seen.belief.kind === "no-answer")
    return stopped(
      EXIT.undetermined,
      `it is recorded as ${seen.state.status}, but could not be observed now: ${seen.belief.why}`,
    );
  return ending;
};

const settleOne = async (work: Work, request: ReconcileRequest, subject: Subject): Promise<Seen> => {
  const inDoubt = (work.session.state(subject.step)?.open.length ?? 0) > 0;
  if (inDoubt && request.wait) return follow(work, subject, { untilMs: null, justCalled: false });
  const seen = await lookOnce(work, subject);
  return request.wait && !inDoubt ? lookAgainAfterSettle(work, subject, seen) : seen;
};

const unobservable = (state: StepState): Ending => {
  if (state.open.length === 0) return through;
  const again =
    state.policy.retry === "idempotent"
      ? "run apply, which may repeat it"
      : `decide: asfound resolve ${state.step} --as present|absent --reason TEXT`;
  return stopped(EXIT.unresolved, `nothing can observe it; ${again}`);
};

/**
 * A look with the senders alive is recorded before they are ended: `settle` counts from their end (N6), for whoever comes
 * after a crash of ours as well.
 */
const endSurvivors = async (
  work: Work,
  state: StepState,
  subject: Awaited<ReturnType<typeof recordedSubject>> | null,
): Promise<void> => {
  if (state.open.length === 0) return;
  const survivors = await work.senders.of(state.keys);
  if (survivors.length > 0 && subject !== null && !("fault" in subject)) await lookOnce(work, subject);
  for (const survivor of survivors) {
    progress(work, state.step, `ending the surviving process ${survivor.pid} (${survivor.command})`);
    await work.runtime.host.end(survivor);
    work.runtime.reached("survivor-ended");
  }
};
