/** verify: judges one object from what was saved of a cluster. Asks nothing, changes nothing. */
import { EXIT } from "../../../domain/exit.ts";
import type { Question, VerdictReport } from "../../../runtime/verify.ts";
import { finding, verdictReport } from "../../../wire/api/verdict-report.ts";
import type { Cli } from "../context.ts";
import type { Verifying } from "../flags.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { verdictPage } from "../output/verdict-page.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { refuse } from "./where.ts";

export async function verify(this: Cli, flags: Verifying & PrintFlags, target: string): Promise<void> {
  const { verifySaved } = await import("../../../compose/verify.ts");
  const report = await verifySaved(
    { from: flags.from, at: flags.at ?? null, cwd: this.terminal.cwd },
    questionOf(flags, target),
  );
  if ("kind" in report) return void (await refuse(this, report));
  await print(this, flags, {
    page: (page) => verdictPage(report, adviceFor(report, flags), page),
    json: () => verdictReport(report),
    stream: () => report.findings.map(finding),
    names: () => [`${report.target.kind.toLowerCase()}/${report.target.name}`],
  });
  this.exit(report.exit);
}

const questionOf = (flags: Verifying, target: string): Question => {
  const [, kind, name] = /^([^/]+)\/([^/]+)$/.exec(target) ?? [];
  if (kind === undefined || name === undefined) throw new Usage(VERDICT.noTarget(target));
  return {
    kind,
    namespace: flags.namespace,
    name,
    expected: {
      uid: flags.uid ?? null,
      replicas: flags.replicas ?? null,
      images: new Map(flags.image ?? []),
      injected: flags.injected ?? [],
      since: flags.since ?? null,
    },
    claims: flags.claims ?? null,
  };
};

/** What a person can do about it; deploying again is never offered (DESIGN §7). */
const adviceFor = (report: VerdictReport, flags: Verifying): Advice => {
  const { kind, name } = report.target;
  const more = report.notLookedAt.length > 0 || report.exit === EXIT.progressing;
  const again = VERDICT.save(quoted(flags.namespace), kind.toLowerCase(), name, quoted(folderOf(flags.from)));
  return {
    next: report.exit === EXIT.proven || !more ? [] : [again],
    notOffered: report.exit === EXIT.progressing ? [VERDICT.notAgain] : [],
  };
};

const folderOf = (path: string): string => {
  if (!/\.(json|ya?ml)$/i.test(path)) return path;
  const [, folder] = /^(.*)[/\\][^/\\]*$/.exec(path) ?? [];
  return folder === undefined || folder === "" ? "." : folder;
};
