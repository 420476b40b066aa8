/** recover report: tells a recovery by Git, of a live cluster or of what was saved of one. Changes nothing. */
import type { ReportAsked } from "../../../compose/recover-report.ts";
import { EXIT } from "../../../domain/exit.ts";
import { NOTHING_EXPECTED } from "../../../domain/expected.ts";
import type { GitRecoveryReport } from "../../../runtime/git-recovery.ts";
import { refused } from "../../../runtime/runtime.ts";
import { gitRecoveryReport } from "../../../wire/api/git-recovery-report.ts";
import { printable, printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RecoverReportFlags } from "../flags-recover.ts";
import { gitRecoveryHtml, gitRecoveryMarkdown, gitRecoveryPage } from "../output/git-recovery-page.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { GIT_RECOVERY } from "../texts/git-recovery.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag, targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = RecoverReportFlags & PrintFlags & Everywhere;

export async function recoverReport(this: Cli, flags: Flags, typed: string): Promise<void> {
  const { cwd, environment } = this.terminal;
  const asks = askingFlag(flags);
  if (flags.from !== undefined && asks !== undefined) throw new Usage(VERDICT.asksNone(asks));
  if (flags.from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  if (flags.report !== undefined) {
    const { reportFault } = await import("../../../compose/write-report.ts");
    const fault = reportFault(cwd, flags.report);
    if (fault !== undefined) throw new Usage(`${flags.report}: ${fault}`);
  }
  const { recoveryReportLive, recoveryReportSaved } = await import("../../../compose/recover-report.ts");
  const asked = askedBy(flags, typed);
  const report =
    flags.from === undefined
      ? await askingCluster(this, flags, (live) => recoveryReportLive(live, asked))
      : await recoveryReportSaved({ from: flags.from, at: flags.at ?? null, cwd, environment }, asked);
  if ("kind" in report) return void (await refuse(this, report));
  if (flags.report !== undefined) await keep(this, flags.report, report);
  await print(this, flags, {
    page: (page) => gitRecoveryPage(report, adviceOn(flags, typed), page),
    json: () => gitRecoveryReport(report),
    forms: { markdown: () => gitRecoveryMarkdown(report), html: () => gitRecoveryHtml(report) },
  });
  this.exit(report.exit);
}

const askedBy = (flags: Flags, typed: string): ReportAsked => ({
  git: flags.git,
  normal: flags.normal,
  failure: flags.failure,
  recovery: flags.recovery,
  path: flags.path ?? null,
  failed: flags.failed ?? null,
  repository: flags.repository ?? null,
  question: {
    ...targetIn(typed),
    namespace: flags.namespace ?? "default",
    expected: { ...NOTHING_EXPECTED, application: flags.application ?? null },
    claims: null,
  },
});

const textFor = (file: string, report: GitRecoveryReport): string => {
  if (/\.html?$/i.test(file)) return gitRecoveryHtml(report);
  if (/\.json$/i.test(file)) return `${printableJson(JSON.stringify(gitRecoveryReport(report), null, 2))}\n`;
  return gitRecoveryMarkdown(report);
};

const keep = async (cli: Cli, file: string, report: GitRecoveryReport): Promise<void> => {
  const { writeReport } = await import("../../../compose/write-report.ts");
  const fault = await writeReport(cli.terminal.cwd, file, textFor(file, report));
  if (fault !== undefined) await refuse(cli, refused(EXIT.broken, `${file}: ${fault}`));
  else cli.terminal.err.write(`asfound: ${printable(GIT_RECOVERY.wrote(file))}\n`);
};

const adviceOn = ({ namespace, application }: Flags, typed: string): Advice => {
  const where = namespace === undefined ? "" : ` -n ${quoted(namespace)}`;
  const by =
    application === undefined
      ? ""
      : ` --application ${quoted(`${application.namespace}/${application.name}`)}`;
  return {
    next: [GIT_RECOVERY.verify(`asfound verify ${quoted(typed)}${where}${by}`)],
    notOffered: [GIT_RECOVERY.notDone(`kubectl rollout status ${quoted(typed)}${where}`)],
  };
};
