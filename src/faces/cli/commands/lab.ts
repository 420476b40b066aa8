/** lab: runs a story in a namespace that it makes, and tells it in a report. */
import { EXIT } from "../../../domain/exit.ts";
import type { LabName, LabReport } from "../../../domain/lab.ts";
import { refused } from "../../../runtime/runtime.ts";
import { labReport, labStep } from "../../../wire/api/lab-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { DeliveryFlags, LabFlags } from "../flags-lab.ts";
import { labMarkdown, labPage } from "../output/lab-page.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { LAB } from "../texts/lab.ts";
import { Usage } from "../usage.ts";
import { signalling } from "./open.ts";
import { refuse, whereOf } from "./where.ts";

/** Images are pulled, Pods start, probes have to pass. */
const WITHIN_MS = 90_000;

const ARGOCD_NAMESPACE = "argocd";

type Flags = LabFlags & PrintFlags;

export const deliveryLab = (name: LabName) =>
  async function (this: Cli, flags: Flags & DeliveryFlags): Promise<void> {
    const { repository, argocdNamespace = ARGOCD_NAMESPACE } = flags;
    if (repository === undefined) throw new Usage(LAB.noRepository);
    const { repositoryFault } = await import("../../../compose/lab/commits.ts");
    const fault = repositoryFault(repository);
    if (fault !== undefined) throw new Usage(LAB.repository(fault));
    await run(this, name, flags, { repository, argocdNamespace });
  };

export const lab = (name: LabName) =>
  async function (this: Cli, flags: Flags): Promise<void> {
    await run(this, name, flags, null);
  };

const run = async (
  cli: Cli,
  name: LabName,
  flags: Flags,
  delivery: { readonly repository: string; readonly argocdNamespace: string } | null,
): Promise<void> => {
  const image = flags.image ?? cli.terminal.environment["ASFOUND_LAB_IMAGE"] ?? "";
  if (image === "") throw new Usage(LAB.noImage);
  requireConsent(cli, flags, `lab ${name}`);
  if (flags.yes && flags.context === undefined) throw new Usage(LAB.noContext);
  if (flags.report !== undefined) {
    const { reportFault } = await import("../../../compose/write-report.ts");
    const fault = reportFault(cli.terminal.cwd, flags.report);
    if (fault !== undefined) throw new Usage(`${flags.report}: ${fault}`);
  }
  const { openLab } = await import("../../../compose/lab/run.ts");
  const { file: _, stack: __, needsFile: ___, ...where } = whereOf(cli, flags, false);
  const opened = await openLab({
    lab: name,
    image,
    withinMs: flags.within ?? WITHIN_MS,
    keep: flags.keep,
    where,
    kubeconfig: flags.kubeconfig ?? null,
    context: flags.context ?? null,
    allowExec: flags.allowExec ?? [],
    delivery,
  });
  if (opened.kind === "refused") return void (await refuse(cli, opened));
  try {
    if (!flags.yes) {
      const stopped = await mayGoOn(
        cli,
        LAB.question(opened.namespace, opened.server, opened.context, opened.delivery),
      );
      if (stopped !== null) return void cli.exit(stopped);
    }
    const report = await signalling(cli, flags, (io) => opened.run(io));
    await told(cli, flags, report);
  } finally {
    opened.close();
  }
};

const told = async (cli: Cli, flags: Flags, report: LabReport): Promise<void> => {
  if (flags.report !== undefined) {
    const { writeReport } = await import("../../../compose/write-report.ts");
    const fault = await writeReport(cli.terminal.cwd, flags.report, labMarkdown(report));
    if (fault !== undefined) await refuse(cli, refused(EXIT.broken, `${flags.report}: ${fault}`));
    else cli.terminal.err.write(`asfound: ${printable(LAB.wrote(flags.report))}\n`);
  }
  await print(cli, flags, {
    page: (page) => labPage(report, adviceOn(report, flags), page),
    json: () => labReport(report),
    stream: () => report.steps.map(labStep),
    forms: { markdown: () => labMarkdown(report) },
  });
  cli.exit(report.exit);
};

const adviceOn = ({ stack, removal }: LabReport, flags: Flags): Advice => {
  const at = ["--stack", stack, ...(flags.ledger === undefined ? [] : ["--ledger", flags.ledger])]
    .map(quoted)
    .join(" ");
  return {
    next: [
      ...(removal.removed ? [] : [LAB.again(`asfound destroy ${at}`)]),
      LAB.look(`asfound history ${at}`),
    ],
    notOffered: [],
  };
};
