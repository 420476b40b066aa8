/**
 * `recover`: the whole way over one workload: its failure read, the others' state kept, the rollback run as its own operation,
 * a Pod drilled where that is asked for, and all of it looked at again. Each part is the verb of its own.
 */

import type { Io } from "../compose.ts";
import type { Answer } from "../domain/answer.ts";
import type { Before, BystanderReply } from "../domain/bystander.ts";
import { EXIT } from "../domain/exit.ts";
import type { Question } from "../domain/question.ts";
import type { ResponseExpectation } from "../domain/response.ts";
import { bystanderAnswers } from "../runtime/bystander-answers.ts";
import { liveEvidence } from "../runtime/collect.ts";
import { liveSweep } from "../runtime/collect-sweep.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import { seenReply } from "../runtime/readings.ts";
import { type Drilled, type Looked, lookedAt, type RecoveryReport, recoveryOf } from "../runtime/recover.ts";
import { rollbackQuestion } from "../runtime/rollback-plan.ts";
import { questionAfter } from "../runtime/rollback-steps.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { citedFrom } from "./bystanders.ts";
import { type DrillAsked, withDrill } from "./drill.ts";
import type { StackFaults, Where } from "./place.ts";
import { proberFor } from "./prober.ts";
import { planLive } from "./rollback.ts";
import { type RollbackRun, runRollback } from "./rollback-run.ts";
import { asking, type Live, type Opened, openedFor } from "./verify-cluster.ts";

export interface RecoverRun {
  readonly rollback: RollbackRun;
  /** null: no Pod is replaced, and so nothing is confirmed. */
  readonly drill: DrillAsked | null;
  readonly response: ResponseExpectation | null;
  /** What some of the others have to be answered, before and after. */
  readonly replies: readonly BystanderReply[];
}

export const runRecover = async (
  live: Live,
  where: Omit<Where, "file" | "stack" | "needsFile">,
  io: Io,
  run: RecoverRun,
): Promise<RecoveryReport | Refused | StackFaults> => {
  const { ask, shown } = run.rollback;
  const usual = rollbackQuestion({ ...ask, namespace: shown.report.target.namespace });
  const failure = await lookOnce(live, replied(usual, run));
  if (isRefused(failure)) return failure;
  const { replies } = run;
  const before = await stateOfOthers(live, replies);
  if (isRefused(before)) return before;
  const rolled = await runRollback(live, where, io, run.rollback);
  if (rolled.kind !== "done") return rolled;
  const base = {
    plan: rolled.plan,
    failure,
    rollback: { exit: rolled.exit, statement: rolled.statement, wrote: rolled.operation !== null },
    stack: rolled.stack,
  };
  if (rolled.operation !== null && rolled.operation.done.exit !== EXIT.proven)
    return recoveryOf({ ...base, drill: { kind: "not-asked" }, recovery: null, after: null });
  // What the rollback's own look came to is judged again below, with what came after it.
  const through = { ...base, rollback: { ...base.rollback, exit: EXIT.proven } };
  const drill = await drilled(live, where, io, run);
  if ("faults" in drill || isRefusal(drill)) return drill;
  const question = replied(questionAfter(rolled.plan, usual), run);
  const recovery = await lookOnce(live, {
    ...question,
    expected: { ...question.expected, bystanders: { named: null, before, replies } },
  });
  if (isRefused(recovery)) return recovery;
  const after = await planLive(live, ask);
  return recoveryOf({ ...through, drill, recovery, after: isRefused(after) ? null : after });
};

const isRefusal = (drill: Drilled | Refused): drill is Refused => drill.kind === "refused" && "exit" in drill;

const replied = (question: Question, { response }: RecoverRun): Question => ({
  ...question,
  expected: { ...question.expected, response },
  claims: question.claims === null || response === null ? question.claims : [...question.claims, "response"],
});

const lookOnce = (live: Live, question: Question): Promise<Looked | Refused> =>
  asking(live, question, async (options) =>
    lookedAt(await liveEvidence({ ...options, comparison: NO_COMPARISON }).collect(), options.question),
  );

/** All workloads of the namespace, before anything is done. */
const stateOfOthers = (live: Live, replies: RecoverRun["replies"]): Promise<Before | Refused> =>
  openedFor(live, async (opened) => {
    const answers = await answersOfOthers(opened, live, replies);
    if ("exit" in answers) return answers;
    const { collected } = await liveSweep({
      ...opened,
      question: { kinds: null, namespace: opened.cluster.facts.namespace, selector: null, claims: null },
    });
    return {
      named: "the state before",
      server: collected.server,
      evidence: citedFrom("before", {
        ...collected.evidence,
        objects: [...collected.evidence.objects, ...answers.map(seenReply)],
      }),
      unsteady: [],
    };
  });

const answersOfOthers = async (
  { cluster, clock, timeoutMs, stop }: Opened,
  { cwd }: Pick<Live, "cwd">,
  replies: RecoverRun["replies"],
): Promise<readonly Answer[] | Refused> => {
  const made = proberFor(null, cwd);
  if ("fault" in made) return refused(EXIT.usage, made.fault);
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    const untilMs = clock.monotonicMs() + timeoutMs / 2;
    return await bystanderAnswers(
      { round: (ask) => ask(round), clock, prober: made.prober, untilMs, stop },
      replies,
      cluster.facts.namespace,
    );
  } finally {
    round.end();
  }
};

const drilled = async (
  live: Live,
  where: Omit<Where, "file" | "stack" | "needsFile">,
  io: Io,
  { drill: asked }: RecoverRun,
): Promise<Drilled | Refused | StackFaults> => {
  if (asked === null) return { kind: "not-asked" };
  return withDrill(live, where, io, asked, async (one): Promise<Drilled | Refused | StackFaults> => {
    if (!asked.allowNamespaces.includes(one.namespace))
      return {
        kind: "refused",
        why: `the namespace ${one.namespace} is not among those in which a Pod may be removed`,
      };
    const decision = await one.decide();
    if (decision.choice.kind === "refused") return { kind: "refused", why: decision.choice.sentence };
    const ran = await one.run(decision);
    if (ran.kind !== "ran") return ran;
    const findings = ran.outcome === null ? [] : ran.outcome.report.findings;
    const finding = findings.find(({ claim }) => claim === "pod-replaced") ?? null;
    const why =
      ran.outcome === null || ran.outcome.disturbed === null ? ran.step.reason : ran.outcome.disturbed;
    return { kind: "ran", exit: ran.exit, finding, why };
  });
};
