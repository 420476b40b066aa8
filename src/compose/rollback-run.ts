/**
 * rollback run: the preflight, again right before the first write; then config and template as one operation of the ledger;
 * then what came of it, layer by layer. What changed between the two readings stops it, and nothing is called.
 */
import { resolve } from "node:path";
import type { Io } from "../compose.ts";
import { EXIT, type ExitCode, worstExit } from "../domain/exit.ts";
import type { RollbackLayers } from "../domain/rollback.ts";
import type { Done } from "../runtime/operation.ts";
import { type RollbackPlan, rollbackQuestion } from "../runtime/rollback-plan.ts";
import {
  drilledText,
  layersOf,
  layersText,
  positionOf,
  questionAfter,
  rollbackSteps,
} from "../runtime/rollback-steps.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { type StatusReport, statusOf } from "../runtime/status.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import type { DrillReportInput } from "../wire/api/drill-report.ts";
import { withDrill } from "./drill.ts";
import type { StackFaults, Where } from "./place.ts";
import { runRecovery, stackOf } from "./recovery.ts";
import { type Planned, planFor, type RollbackAsk } from "./rollback.ts";
import { type Live, verifyLive } from "./verify-cluster.ts";

export interface RollbackDone {
  readonly kind: "done";
  readonly plan: RollbackPlan;
  /** null: there was nothing to write. */
  readonly operation: { readonly done: Done; readonly status: StatusReport | null } | null;
  /** null: the operation did not come through, so nothing of it was looked at. */
  readonly report: VerdictReport | null;
  readonly layers: RollbackLayers | null;
  /** null: none was asked for, or there was nothing yet that it could confirm. */
  readonly drill: DrillReportInput | null;
  readonly statement: string;
  /** The stack that the ledger knows it by. */
  readonly stack: string;
  readonly exit: ExitCode;
}

export interface RollbackRun {
  readonly ask: RollbackAsk;
  /** As the person was shown it, and agreed to. */
  readonly shown: RollbackPlan;
  /** null: none was given. */
  readonly reason: string | null;
  readonly leaseWaitMs: number;
  /** For what comes after. */
  readonly windowMs: number;
  /** Namespaces in which a Pod may be replaced to confirm it; null: no drill was asked for. */
  readonly drillIn: readonly string[] | null;
}

const EVERY_MS = 5_000;

export const runRollback = async (
  live: Live,
  where: Omit<Where, "file" | "stack" | "needsFile">,
  io: Io,
  run: RollbackRun,
): Promise<RollbackDone | Refused | StackFaults> => {
  const again = await planFor(live, run.ask);
  if (isRefused(again)) return again;
  const { plan } = again;
  const changed = changedSince(run.shown, plan);
  if (changed !== null) return changed;
  const steps = rollbackSteps(plan, {
    cluster: again.cluster.uid,
    kubeconfig: live.kubeconfig === null ? null : resolve(live.cwd, live.kubeconfig),
    context: again.context,
    allowExec: live.allowExec,
  });
  if ("fault" in steps) return refused(EXIT.refused, `nothing was changed: ${steps.fault}`);
  const target = recoveryTarget(again);
  const stack = stackOf(target);
  const ended = async (
    operation: RollbackDone["operation"],
  ): Promise<RollbackDone | Refused | StackFaults> => {
    const exit = operation === null ? EXIT.proven : operation.done.exit;
    if (operation !== null && exit !== EXIT.proven)
      return {
        kind: "done",
        plan,
        operation,
        report: null,
        layers: null,
        drill: null,
        statement: `Not rolled back, or not wholly: ${operation.done.summary}`,
        stack,
        exit,
      };
    return judged({ live, where, io, run, plan }, operation, stack);
  };
  if (steps.length === 0) return ended(null);
  const ran = await runRecovery(
    where,
    io,
    { target, steps: steps, reason: reasonOf(plan, run), leaseWaitMs: run.leaseWaitMs },
    async ({ project, done }) => ({
      kind: "ran" as const,
      done,
      status: (await statusOf(project.runtime, project.stackName)) ?? null,
    }),
  );
  return ran.kind === "ran" ? ended({ done: ran.done, status: ran.status }) : ran;
};

const reasonOf = ({ report: { target }, to }: RollbackPlan, { reason }: RollbackRun): string =>
  `rollback of ${target.kind} ${target.namespace}/${target.name} to ${to === null ? "nothing" : to.text}${reason === null ? "" : `: ${reason}`}`;

const recoveryTarget = ({ plan, cluster }: Planned) => {
  const { subject } = plan.report;
  return {
    cluster: cluster.uid ?? String(cluster.server),
    group: subject === null ? "" : subject.group,
    kind: plan.report.target.kind,
    namespace: plan.report.target.namespace ?? "",
    name: plan.report.target.name,
  };
};

/** What the person agreed to is what is done, or nothing. */
const changedSince = (shown: RollbackPlan, now: RollbackPlan): Refused | null => {
  if (now.decision !== "proven") return refused(EXIT.refused, `nothing was changed: ${now.statement}`);
  return positionOf(shown) === positionOf(now)
    ? null
    : refused(
        EXIT.refused,
        "nothing was changed: the workload, its target or its config changed while you looked at the plan; look again, and decide again",
      );
};

interface Going {
  readonly live: Live;
  readonly where: Omit<Where, "file" | "stack" | "needsFile">;
  readonly io: Io;
  readonly run: RollbackRun;
  readonly plan: RollbackPlan;
}

const judged = async (
  going: Going,
  operation: RollbackDone["operation"],
  stack: string,
): Promise<RollbackDone | Refused | StackFaults> => {
  const { live, run, plan } = going;
  const { kind, name } = run.ask;
  const namespace = plan.report.target.namespace;
  const question = questionAfter(plan, { ...rollbackQuestion({ kind, name, namespace }), namespace });
  const watching = { windowMs: run.windowMs, everyMs: EVERY_MS, failFast: false };
  const report = await verifyLive(live, question, watching, { baseline: null, record: null });
  // The operation is over, whatever the look at it came to.
  const failed = "findings" in report ? null : isRefused(report) ? report.why : "it could not be looked at";
  const layers = "findings" in report ? layersOf(report) : null;
  const drill =
    layers === null || layers.rollout !== "proven" || run.drillIn === null
      ? null
      : await drilled(going, run.drillIn);
  if (drill !== null && "kind" in drill) return drill;
  const exit = "findings" in report ? report.exit : EXIT.undetermined;
  const told =
    drill !== null
      ? drilledText(drill, "findings" in report ? report : null)
      : layers === null
        ? ""
        : layersText(layers);
  return {
    kind: "done",
    plan,
    operation,
    report: "findings" in report ? report : null,
    layers,
    drill,
    statement:
      layers === null
        ? `Rolled back, and not looked at afterwards: ${failed}`
        : `${operation === null ? "There was nothing to write. " : ""}${told}`,
    stack,
    exit: drill === null ? exit : worstExit([exit, drill.exit as ExitCode]),
  };
};

/** Decided by the drill's own rules: it is another step of the same workload's stack. */
const drilled = async (
  { live, where, io, run, plan }: Going,
  allowNamespaces: readonly string[],
): Promise<DrillReportInput | Refused | StackFaults> => {
  const wish = { by: "evict", allowGap: false } as const;
  const asked = {
    target: { kind: run.ask.kind, name: run.ask.name },
    response: null,
    wish,
    allowNamespaces,
    windowMs: run.windowMs,
    leaseWaitMs: run.leaseWaitMs,
    reason: reasonOf(plan, run),
  };
  const none = {
    target: plan.report.target,
    dryRun: false,
    by: wish.by,
    chosen: null,
    refused: null,
    rehearsed: null,
    stack: null,
    operation: null,
    step: null,
    verdict: null,
    disturbed: null,
    exit: EXIT.refused,
  };
  return withDrill(live, where, io, asked, async (one): Promise<DrillReportInput | Refused | StackFaults> => {
    if (!allowNamespaces.includes(one.namespace))
      return {
        ...none,
        refused: {
          reason: "out-of-scope",
          sentence: `the namespace ${one.namespace} is not among those in which a Pod may be replaced (${allowNamespaces.join(", ")})`,
        },
      };
    const decision = await one.decide();
    const { choice } = decision;
    if (choice.kind === "refused")
      return { ...none, refused: { reason: choice.reason, sentence: choice.sentence } };
    const ran = await one.run(decision);
    if (ran.kind !== "ran") return ran;
    const { stack, operation, step, outcome, exit } = ran;
    return {
      ...none,
      chosen: choice,
      stack,
      operation,
      step: { status: step.status, reason: step.reason, effect: step.effect },
      verdict: outcome === null ? null : outcome.report,
      disturbed: outcome === null ? null : outcome.disturbed,
      exit,
    };
  });
};
