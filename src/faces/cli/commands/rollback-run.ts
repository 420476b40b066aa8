/** rollback run: shows the plan, asks, looks again, carries it out as one operation, and says what it came to. */
import type { StackFaults } from "../../../compose/place.ts";
import type { RollbackDone } from "../../../compose/rollback-run.ts";
import { EXIT } from "../../../domain/exit.ts";
import type { RollbackPlan } from "../../../runtime/rollback-plan.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { rollbackReport } from "../../../wire/api/rollback-report.ts";
import { stepStatus } from "../../../wire/api/stack-status.ts";
import { isCi } from "../../../wire/environment.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RollbackRunFlags } from "../flags-rollback.ts";
import { printedLine } from "../output/line.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, pageOn, print } from "../output/print.ts";
import { rollbackPlanPage } from "../output/rollback-plan-page.ts";
import { rollbackReportPage } from "../output/rollback-report-page.ts";
import { progressFor } from "../progress/choose.ts";
import { elapsed } from "../progress/sentence.ts";
import { PROGRESS } from "../texts/progress.ts";
import { ROLLBACK } from "../texts/rollback.ts";
import { Usage } from "../usage.ts";
import { askingCluster } from "./cluster.ts";
import { askOf, planAdvice, printPlan } from "./rollback.ts";
import { refuse } from "./where.ts";

type Flags = RollbackRunFlags & PrintFlags & Everywhere;

const WINDOW_MS = 300_000;

export async function rollbackRun(this: Cli, flags: Flags, typed: string): Promise<void> {
  const ask = askOf(this, flags, typed);
  if (flags.drill !== (flags.allowNamespace !== undefined)) throw new Usage(ROLLBACK.drillScope);
  if (!flags.dryRun) requireConsent(this, flags, "rollback run");
  const { planLive } = await import("../../../compose/rollback.ts");
  const shown = await askingCluster(this, flags, (live) => planLive(live, ask));
  if ("kind" in shown) return void (await refuse(this, shown));
  if (flags.dryRun || shown.decision !== "proven") return printPlan(this, flags, typed, shown);
  tellPlan(this, flags, shown, planAdvice(typed, flags, shown));
  if (!flags.yes) {
    const stopped = await mayGoOn(
      this,
      ROLLBACK.goOn(`${shown.report.target.kind} ${shown.report.target.name}`),
    );
    if (stopped !== null) return this.exit(stopped);
  }
  const done = await ran(this, flags, typed, shown);
  if (done.kind !== "done") return void (await refuse(this, done));
  const advice = adviceAfter(typed, flags, done);
  await print(this, flags, {
    page: (page) => rollbackReportPage(done, advice, page),
    json: () => rollbackReport(done, advice),
    stream: () => (done.operation?.status?.steps ?? []).map(stepStatus),
    names: () => (done.operation?.status?.steps ?? []).map(({ step }) => step),
  });
  this.exit(done.exit);
}

/** On the error stream: stdout is for what it came to. */
const tellPlan = (cli: Cli, flags: Flags, plan: RollbackPlan, advice: Advice): void => {
  if (flags.progress === "quiet" || flags.progress === "json") return;
  const page = pageOn(cli, flags, "err");
  for (const line of rollbackPlanPage(plan, { ...advice, next: [], notOffered: [] }, page))
    cli.terminal.err.write(`${printedLine(line)}\n`);
};

const ran = async (
  cli: Cli,
  flags: Flags,
  typed: string,
  shown: RollbackPlan,
): Promise<RollbackDone | Refused | StackFaults> => {
  const { armSignals, systemClock } = await cli.services();
  const { runRollback } = await import("../../../compose/rollback-run.ts");
  const progress = await progressFor(cli, flags, systemClock);
  const { cwd, environment } = cli.terminal;
  const graceMs = flags.grace ?? (isCi(environment) ? 6_000 : 30_000);
  const signals = armSignals({
    graceMs,
    clock: systemClock,
    onDrain: (signal) => progress.report({ kind: "note", text: PROGRESS.drain(signal, elapsed(graceMs)) }),
  });
  try {
    return await askingCluster(cli, flags, (live) =>
      runRollback(
        { ...live, reporter: progress },
        { ledger: flags.ledger ?? null, vars: new Map(), actor: flags.actor ?? null, cwd, environment },
        { reporter: progress, interrupt: signals },
        {
          ask: askOf(cli, flags, typed),
          shown,
          reason: flags.reason ?? null,
          leaseWaitMs: flags.leaseWait ?? 0,
          windowMs: flags.window ?? WINDOW_MS,
          drillIn: flags.drill ? (flags.allowNamespace ?? []) : null,
        },
      ),
    );
  } finally {
    progress.stop();
    signals.disarm();
  }
};

const adviceAfter = (typed: string, { namespace }: Flags, done: RollbackDone): Advice => {
  const where = namespace === undefined ? "" : ` -n ${quoted(namespace)}`;
  const there = `${quoted(typed)}${where}`;
  if (done.exit === EXIT.unresolved)
    return {
      next: [ROLLBACK.reconcile(`asfound reconcile --stack ${quoted(done.stack)}`)],
      notOffered: [ROLLBACK.notAgain(`asfound rollback run ${there}`)],
    };
  const namespaceOf = done.plan.report.target.namespace;
  const isOut = done.layers?.rollout === "proven" && namespaceOf !== null && done.drill === null;
  return {
    next: [
      ...(isOut
        ? [ROLLBACK.drill(`asfound drill ${there} --allow-namespace ${quoted(String(namespaceOf))}`)]
        : []),
      ROLLBACK.trace(`asfound config trace ${there}`),
      ROLLBACK.history(`asfound history --stack ${quoted(done.stack)}`),
    ],
    notOffered:
      done.layers?.timeBomb === true
        ? [ROLLBACK.notDone(`kubectl rollout status ${quoted(typed)}${where}`)]
        : [],
  };
};
