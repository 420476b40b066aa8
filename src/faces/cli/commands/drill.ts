/** drill: decides which Pod, shows it, asks, decides again, removes it, and looks until what comes in its place is right. */
import type { Drill, DrillAsked, DrillRan } from "../../../compose/drill.ts";
import type { StackFaults } from "../../../compose/place.ts";
import type { Live } from "../../../compose/verify-cluster.ts";
import { EXIT, type ExitCode } from "../../../domain/exit.ts";
import type { Decision } from "../../../runtime/drill.ts";
import { type Refused, refused } from "../../../runtime/runtime.ts";
import { type DrillReportInput, drillReport } from "../../../wire/api/drill-report.ts";
import { isCi } from "../../../wire/environment.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { DrillFlags } from "../flags-drill.ts";
import { decisionLines, drillPage, workloadOf } from "../output/drill-page.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, pageOn, print } from "../output/print.ts";
import { progressFor } from "../progress/choose.ts";
import { type Progress, quiet } from "../progress/progress.ts";
import { elapsed } from "../progress/sentence.ts";
import { DRILL } from "../texts/drill.ts";
import { PROGRESS } from "../texts/progress.ts";
import { Usage } from "../usage.ts";
import { responseOf, unfitAnswering } from "./answering.ts";
import { targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = DrillFlags & PrintFlags;

const TIMEOUT_MS = 30_000;
const WINDOW_MS = 5 * 60_000;

export async function drill(this: Cli, flags: Flags, typed: string): Promise<void> {
  const asked = askedBy(flags, typed);
  if (!flags.dryRun) requireConsent(this, flags, "drill");
  const [{ withDrill }, { armSignals, systemClock }] = await Promise.all([
    import("../../../compose/drill.ts"),
    this.services(),
  ]);
  // Nothing is drawn while a person is asked.
  let shown: Progress = quiet;
  const reporter: Live["reporter"] = { report: (event) => shown.report(event) };
  const graceMs = flags.grace ?? (isCi(this.terminal.environment) ? 6_000 : 30_000);
  const signals = armSignals({
    graceMs,
    clock: systemClock,
    onDrain: (signal) => reporter.report({ kind: "note", text: PROGRESS.drain(signal, elapsed(graceMs)) }),
  });
  const start = async (): Promise<void> => {
    shown = await progressFor(this, flags, systemClock);
  };
  try {
    const came = await withDrill(
      liveOf(this, flags, reporter),
      whereOf(this, flags),
      { reporter, interrupt: signals },
      asked,
      (one) => carriedOut(this, flags, { asked, typed, drill: one, start, stop: () => shown.stop() }),
    );
    if (came !== null) await refuse(this, came);
  } finally {
    shown.stop();
    signals.disarm();
  }
}

const askedBy = (flags: Flags, typed: string): DrillAsked => {
  const target = targetIn(typed);
  if (flags.allowNamespace === undefined) throw new Usage(DRILL.noScope(flags.namespace));
  const unfit = unfitAnswering(flags);
  if (unfit !== undefined) throw new Usage(unfit);
  const response = responseOf(flags);
  if (response !== null && response.via.kind !== "pod" && response.pod === null)
    throw new Usage(DRILL.whoAnswers);
  return {
    target,
    response,
    wish: { by: flags.delete ? "delete" : "evict", allowGap: flags.allowGap },
    allowNamespaces: flags.allowNamespace,
    windowMs: flags.window ?? WINDOW_MS,
    leaseWaitMs: flags.leaseWait ?? 0,
    reason: flags.reason ?? null,
  };
};

const liveOf = ({ terminal }: Cli, flags: Flags, reporter: Live["reporter"]): Live => ({
  kubeconfig: flags.kubeconfig ?? null,
  context: flags.context ?? null,
  namespace: flags.namespace ?? null,
  allowExec: flags.allowExec ?? [],
  timeoutMs: flags.timeout ?? TIMEOUT_MS,
  cwd: terminal.cwd,
  environment: terminal.environment,
  reporter,
});

const whereOf = ({ terminal }: Cli, flags: Flags) => ({
  ledger: flags.ledger ?? null,
  vars: new Map<string, string>(),
  actor: flags.actor ?? null,
  cwd: terminal.cwd,
  environment: terminal.environment,
});

interface Going {
  readonly asked: DrillAsked;
  readonly typed: string;
  readonly drill: Drill;
  /** Shows what is done from here on. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

/** null: all of it was printed. */
const carriedOut = async (cli: Cli, flags: Flags, going: Going): Promise<Refused | StackFaults | null> => {
  const { asked, drill: one } = going;
  if (!asked.allowNamespaces.includes(one.namespace))
    return refused(EXIT.refused, DRILL.outOfScope(one.namespace, asked.allowNamespaces));
  const decision = await one.decide();
  const report = reportOf(flags, decision);
  if (decision.choice.kind === "refused") return told(cli, flags, going, report);
  if (flags.dryRun) {
    const said = await one.rehearse(decision);
    return told(cli, flags, going, { ...report, ...rehearsedBy(said) });
  }
  if (!flags.yes || flags.progress !== "quiet") showDecision(cli, flags, report);
  if (!flags.yes) {
    const { pod } = decision.choice;
    const question = DRILL.question(pod.name, workloadOf(report.target), one.server, asked.wish.by);
    const stopped = await mayGoOn(cli, printable(question));
    if (stopped !== null) {
      cli.exit(stopped);
      return null;
    }
  }
  // E4: the person took some time, and what was read is of before.
  const now = flags.yes ? decision : await one.decide();
  if (now.choice.kind === "refused") return told(cli, flags, going, reportOf(flags, now));
  if (now.choice.pod.uid !== decision.choice.pod.uid)
    return refused(EXIT.refused, DRILL.other(decision.choice.pod.name, now.choice.pod.name));
  await going.start();
  const ran = await one.run(now);
  going.stop();
  if (ran.kind !== "ran") return ran;
  return told(cli, flags, going, { ...reportOf(flags, now), ...came(ran) });
};

const showDecision = (cli: Cli, flags: Flags, report: DrillReportInput): void => {
  const lines = decisionLines(report, pageOn(cli, flags, "err"));
  cli.terminal.err.write(lines.map((line) => `${line}\n`).join(""));
};

const reportOf = (flags: Flags, { choice, report }: Decision): DrillReportInput => ({
  target: report.target,
  dryRun: flags.dryRun,
  by: flags.delete ? "delete" : "evict",
  chosen: choice.kind === "chosen" ? choice : null,
  refused: choice.kind === "refused" ? choice : null,
  rehearsed: null,
  stack: null,
  operation: null,
  step: null,
  verdict: null,
  disturbed: null,
  exit: choice.kind === "refused" ? EXIT.refused : EXIT.proven,
});

const REHEARSED: Readonly<Record<"remove" | "refused" | "unknown", ExitCode>> = {
  remove: EXIT.proven,
  refused: EXIT.refused,
  unknown: EXIT.undetermined,
};

const rehearsedBy = (
  said: Awaited<ReturnType<Drill["rehearse"]>>,
): Pick<DrillReportInput, "rehearsed" | "exit"> => {
  const what = said?.what === "remove" || said?.what === "refused" ? said.what : "unknown";
  return { rehearsed: { what, why: said?.lines[0] ?? null }, exit: REHEARSED[what] };
};

const came = (ran: DrillRan): Partial<DrillReportInput> => ({
  stack: ran.stack,
  operation: ran.operation,
  step: { ...ran.step },
  verdict: ran.outcome === null ? null : ran.outcome.report,
  disturbed: ran.outcome === null ? null : ran.outcome.disturbed,
  exit: ran.exit,
});

const told = async (cli: Cli, flags: Flags, going: Going, report: DrillReportInput): Promise<null> => {
  const { refused: why, chosen } = report;
  if (why !== null) cli.terminal.err.write(`asfound: ${printable(DRILL.refused(why.sentence))}\n`);
  await print(cli, flags, {
    page: (page) => drillPage(report, adviceOn(flags, going, report), page),
    json: () =>
      drillReport({
        ...report,
        refused: why === null ? null : { reason: why.reason, sentence: why.sentence },
      }),
    names: () => (chosen === null ? [] : [`pod/${chosen.pod.name}`]),
  });
  cli.exit(report.exit as ExitCode);
  return null;
};

const adviceOn = (flags: Flags, { typed, drill: one }: Going, report: DrillReportInput): Advice => {
  const way = [
    ...["-n", one.namespace],
    ...(flags.context === undefined ? [] : ["--context", flags.context]),
    ...(flags.kubeconfig === undefined ? [] : ["--kubeconfig", flags.kubeconfig]),
    ...(flags.allowExec ?? []).flatMap((command) => ["--allow-exec", command]),
  ];
  const commandOf = (...words: readonly string[]): string =>
    ["asfound", ...[...words, ...way].map(quoted)].join(" ");
  if (report.rehearsed !== null)
    return {
      next:
        report.exit === EXIT.proven
          ? [
              DRILL.go(
                commandOf(
                  "drill",
                  typed,
                  ...(flags.allowNamespace ?? []).flatMap((name) => ["--allow-namespace", name]),
                  ...(flags.allowGap ? ["--allow-gap"] : []),
                  ...(flags.delete ? ["--delete"] : []),
                ),
              ),
            ]
          : [],
      notOffered: [],
    };
  const { stack } = report;
  const ledger = flags.ledger === undefined ? [] : ["--ledger", flags.ledger];
  const inLedger = (verb: string): string =>
    [`asfound ${verb} --stack`, stack ?? "", ...ledger.map(quoted)].join(" ");
  const recorded = stack === null ? [] : [DRILL.recorded(inLedger("status"))];
  if (report.exit === EXIT.proven) return { next: recorded, notOffered: [] };
  if (report.exit === EXIT.unresolved && stack !== null)
    return { next: [DRILL.settle(inLedger("reconcile")), ...recorded], notOffered: [DRILL.notAgain] };
  return {
    next: [DRILL.look(commandOf("verify", typed)), ...recorded],
    notOffered: report.verdict === null ? [] : [DRILL.notAgain],
  };
};
