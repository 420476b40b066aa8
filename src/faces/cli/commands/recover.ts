/** recover: shows what a rollback would meet, asks, runs it, drills if asked, and reports all of it side by side. */
import type { DrillAsked } from "../../../compose/drill.ts";
import { EXIT } from "../../../domain/exit.ts";
import type { ResponseExpectation } from "../../../domain/response.ts";
import type { RecoveryReport } from "../../../runtime/recover.ts";
import { refused } from "../../../runtime/runtime.ts";
import { recoveryReport } from "../../../wire/api/recovery-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RecoverFlags } from "../flags-recover.ts";
import { printedLine } from "../output/line.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, pageOn, print } from "../output/print.ts";
import { recoveryMarkdown, recoveryPage } from "../output/recovery-page.ts";
import { rollbackPlanPage } from "../output/rollback-plan-page.ts";
import { RECOVER } from "../texts/recover.ts";
import { Usage } from "../usage.ts";
import { responseOf, unfitAnswering } from "./answering.ts";
import { askingCluster, targetIn } from "./cluster.ts";
import { signalling } from "./open.ts";
import { askOf, planAdvice, printPlan } from "./rollback.ts";
import { refuse } from "./where.ts";

type Flags = RecoverFlags & PrintFlags & Everywhere;

const WINDOW_MS = 300_000;

export async function recover(this: Cli, flags: Flags, typed: string): Promise<void> {
  const ask = askOf(this, flags, typed);
  const unfit = unfitAnswering(flags);
  if (unfit !== undefined) throw new Usage(unfit);
  const response = responseOf(flags);
  const drill = drillOf(flags, typed, response);
  if (!flags.dryRun) requireConsent(this, flags, "recover");
  await refuseReportThatIsThere(this, flags);
  const { planLive } = await import("../../../compose/rollback.ts");
  const shown = await askingCluster(this, flags, (live) => planLive(live, ask));
  if ("kind" in shown) return void (await refuse(this, shown));
  if (flags.dryRun || shown.decision !== "proven") return printPlan(this, flags, typed, shown);
  if (flags.progress !== "quiet" && flags.progress !== "json") {
    const advice = { ...planAdvice(typed, flags, shown), next: [], notOffered: [] };
    for (const line of rollbackPlanPage(shown, advice, pageOn(this, flags, "err")))
      this.terminal.err.write(`${printedLine(line)}\n`);
  }
  if (!flags.yes) {
    const stopped = await mayGoOn(this, RECOVER.goOn(typed));
    if (stopped !== null) return this.exit(stopped);
  }
  const { runRecover } = await import("../../../compose/recover.ts");
  const { cwd, environment } = this.terminal;
  const report = await signalling(this, flags, (io) =>
    askingCluster(this, flags, (live) =>
      runRecover(
        { ...live, reporter: io.reporter },
        { ledger: flags.ledger ?? null, vars: new Map(), actor: flags.actor ?? null, cwd, environment },
        io,
        {
          rollback: {
            ask,
            shown,
            reason: flags.reason ?? null,
            leaseWaitMs: flags.leaseWait ?? 0,
            windowMs: flags.window ?? WINDOW_MS,
            // The drill comes after it, with the reply that is asked for.
            drillIn: null,
          },
          drill,
          response,
          replies: flags.bystanderVia ?? [],
        },
      ),
    ),
  );
  if ("kind" in report) return void (await refuse(this, report));
  await told(this, flags, typed, report);
}

/** A Pod is replaced in a namespace that was named, never by default. */
const drillOf = (flags: Flags, typed: string, response: ResponseExpectation | null): DrillAsked | null => {
  if (!flags.drill) {
    if (flags.allowNamespace !== undefined) throw new Usage(RECOVER.needsDrill("--allow-namespace"));
    if (flags.allowGap) throw new Usage(RECOVER.needsDrill("--allow-gap"));
    return null;
  }
  if (flags.allowNamespace === undefined) throw new Usage(RECOVER.noScope);
  const tells = response !== null && (response.via.kind === "pod" || response.pod !== null);
  return {
    target: targetIn(typed),
    response: tells ? response : null,
    wish: { by: "evict", allowGap: flags.allowGap },
    allowNamespaces: flags.allowNamespace,
    windowMs: flags.window ?? WINDOW_MS,
    leaseWaitMs: flags.leaseWait ?? 0,
    reason: flags.reason ?? null,
  };
};

const refuseReportThatIsThere = async (cli: Cli, { report }: Flags): Promise<void> => {
  if (report === undefined) return;
  const { reportFault } = await import("../../../compose/write-report.ts");
  const fault = reportFault(cli.terminal.cwd, report);
  if (fault !== undefined) throw new Usage(`${report}: ${fault}`);
};

const told = async (cli: Cli, flags: Flags, typed: string, report: RecoveryReport): Promise<void> => {
  if (flags.report !== undefined) {
    const { writeReport } = await import("../../../compose/write-report.ts");
    const fault = await writeReport(cli.terminal.cwd, flags.report, recoveryMarkdown(report));
    if (fault !== undefined) await refuse(cli, refused(EXIT.broken, `${flags.report}: ${fault}`));
    else cli.terminal.err.write(`asfound: ${printable(RECOVER.wrote(flags.report))}\n`);
  }
  await print(cli, flags, {
    page: (page) => recoveryPage(report, adviceOn(flags, typed, report), page),
    json: () => recoveryReport(report),
    forms: { markdown: () => recoveryMarkdown(report) },
  });
  cli.exit(report.exit);
};

const adviceOn = ({ namespace }: Flags, typed: string, { stack, verdict }: RecoveryReport): Advice => {
  const there = `${quoted(typed)}${namespace === undefined ? "" : ` -n ${quoted(namespace)}`}`;
  return {
    next: [
      RECOVER.verify(`asfound verify ${there}`),
      RECOVER.history(`asfound history --stack ${quoted(stack)}`),
    ],
    notOffered: verdict === "proven" ? [] : [RECOVER.notDone(`kubectl rollout status ${there}`)],
  };
};
