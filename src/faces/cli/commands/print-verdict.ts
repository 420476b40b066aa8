/** A verdict, or many, in the form that was asked for; and the exit that it means. */
import type { ClaimName } from "../../../domain/claim.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { VerdictList } from "../../../runtime/sweep.ts";
import type { VerdictReport } from "../../../runtime/verify.ts";
import { verdictList } from "../../../wire/api/verdict-list.ts";
import { finding, verdictReport } from "../../../wire/api/verdict-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import { print } from "../output/print.ts";
import { adviceOn, adviceOnList } from "../output/verdict-advice.ts";
import { markdownOf, verdictForms } from "../output/verdict-forms.ts";
import { verdictListPage } from "../output/verdict-list-page.ts";
import { verdictPage } from "../output/verdict-page.ts";
import { VERDICT } from "../texts/verdict.ts";
import type { VerifyFlags } from "./verify-flags.ts";

interface Told {
  readonly report: VerdictReport;
  /** The target as the person wrote it. */
  readonly typed: string;
  /** To be explained beside it; null: none. */
  readonly claims: readonly ClaimName[] | null;
}

export const printReport = async (cli: Cli, flags: VerifyFlags, told: Told): Promise<void> => {
  const { report, typed, claims } = told;
  if (claims !== null) return printExplained(cli, flags, { report, claims });
  await print(cli, flags, {
    page: (page) => verdictPage(report, adviceOn(report, typed, flags), page),
    json: () => verdictReport(report),
    stream: () => report.findings.map(finding),
    names: () => [nameOf(report)],
    forms: verdictForms(report),
  });
  await summarise(cli, flags, report);
  tellKept(cli, report);
  cli.exit(report.exit);
};

/** That it was not kept has to be heard whatever the output is. */
const tellKept = ({ terminal }: Cli, { kept }: Pick<VerdictReport, "kept">): void => {
  if (kept?.kind === "fault") terminal.err.write(`asfound: ${printable(VERDICT.notKept(kept.fault))}\n`);
};

const printExplained = async (
  cli: Cli,
  flags: VerifyFlags,
  { report, claims }: { readonly report: VerdictReport; readonly claims: readonly ClaimName[] },
): Promise<void> => {
  // Of all of them, those that were judged.
  const told = flags.explain === "" ? report.findings.map(({ claim }) => claim) : claims;
  const { explanationPage } = await import("../output/explanation-page.ts");
  const { claimExplanation } = await import("../../../wire/api/claim-explanations.ts");
  await print(cli, flags, {
    page: (page) => explanationPage(told, report, page),
    json: () => ({ ...verdictReport(report), explanations: told.map(claimExplanation) }),
  });
  await summarise(cli, flags, report);
  tellKept(cli, report);
  cli.exit(report.exit);
};

export const printList = async (cli: Cli, flags: VerifyFlags, list: VerdictList): Promise<void> => {
  await print(cli, flags, {
    page: (page) => verdictListPage(list, adviceOnList(list, flags), page),
    json: (short) => verdictList(short ? { ...list, items: [] } : list),
    long: () => ({ member: "items", items: documentsOf(list) }),
    stream: () => documentsOf(list),
    names: () => list.items.map(nameOf),
    forms: verdictForms(list),
  });
  await summarise(cli, flags, list);
  tellKept(cli, list);
  cli.exit(list.exit);
};

/** Each made in its turn: a sweep has thousands. */
function* documentsOf({ items }: VerdictList): Generator<JsonObject> {
  for (const item of items) yield verdictReport(item);
}

const nameOf = ({ target }: VerdictReport): string => `${target.kind.toLowerCase()}/${target.name}`;

/** The summary is an extra: where it cannot be written, that is said, and the verdict stands. */
const summarise = async (
  { terminal }: Cli,
  { stepSummary }: VerifyFlags,
  given: VerdictReport | VerdictList,
): Promise<void> => {
  const file = terminal.environment["GITHUB_STEP_SUMMARY"];
  if (!stepSummary || file === undefined) return;
  const { appendFile } = await import("node:fs/promises");
  await appendFile(file, await markdownOf(given)).catch((error: NodeJS.ErrnoException) => {
    terminal.err.write(`asfound: ${printable(VERDICT.summaryFailed(error.code ?? "unknown cause"))}\n`);
  });
};
