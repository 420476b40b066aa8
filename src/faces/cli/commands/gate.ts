/** gate check and gate test: whether a release may go on, and whether the gate can say no. Write nothing that stays. */
import { EXIT } from "../../../domain/exit.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { GateReport } from "../../../runtime/gate/check.ts";
import { gateRefusal, gateReport, gateTestReport } from "../../../wire/api/gate-report.ts";
import { printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { GateCheckFlags, GateTestFlags } from "../flags-gate.ts";
import type { GateLines } from "../output/ci/gate.ts";
import { gatePage, gateTestPage } from "../output/gate-page.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type Printable, type PrintFlags, print } from "../output/print.ts";
import { GATE } from "../texts/gate.ts";
import { Usage } from "../usage.ts";
import { askingCluster } from "./cluster.ts";
import { evidencePlace } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

export async function gateCheck(this: Cli, flags: GateCheckFlags & PrintFlags & Everywhere): Promise<void> {
  const { file } = flags;
  if (file === undefined) throw new Usage(GATE.needsFile);
  const { openGate, recordsFor } = await import("../../../compose/gate.ts");
  const opened = await openGate(file, this.terminal.cwd);
  if (opened.kind === "faults") return void (await refuse(this, opened));
  const records = recordsFor(opened, evidencePlace(this, flags), flags.checkpoint ?? null);
  if ("kind" in records) return void (await refuse(this, records));
  const { checkGate } = await import("../../../compose/gate-check.ts");
  const report = await askingCluster(this, flags, (live) =>
    checkGate(live, opened, records, flags.run ?? null),
  );
  if (report.kind === "refused") return void (await refuse(this, report));
  await print(this, flags, {
    page: (page) => gatePage(report, adviceOn(report, file), page),
    json: () => gateReport(report),
    stream: () => report.refusals.map(gateRefusal),
    names: () => report.refusals.map(({ claim, reason }) => (claim === null ? reason : claim)),
    forms: formsOf(async () => (await import("../output/ci/gate.ts")).linesOfGate(report)),
  });
  this.exit(report.exit);
}

const adviceOn = ({ decision, refusals, items }: GateReport, file: string): Advice => {
  const named = quoted(file);
  const again = GATE.again(`asfound gate check -f ${named}`);
  if (decision === "promote") return { next: [GATE.test(`asfound gate test -f ${named}`)], notOffered: [] };
  const isRecord = refusals.some(({ reason }) => reason === "no-evidence" || reason === "too-old");
  const onlyApprovals = refusals.every(({ side }) => side === "approval");
  const [first] = items;
  const target = first === undefined ? "" : `${first.target.kind.toLowerCase()}/${first.target.name}`;
  return {
    next: [
      ...(isRecord ? [GATE.record(`asfound verify ${quoted(target)} --record`)] : []),
      ...(onlyApprovals ? [GATE.approve(`asfound approve --gate ${named} --reason TEXT`)] : []),
      again,
    ],
    notOffered: [GATE.unsafe],
  };
};

export async function gateTest(this: Cli, flags: GateTestFlags & PrintFlags & Everywhere): Promise<void> {
  const { testGate } = await import("../../../compose/gate.ts");
  const report = await testGate({ file: flags.file ?? null, cwd: this.terminal.cwd }, () => undefined);
  if (report.kind === "faults") return void (await refuse(this, report));
  const next =
    flags.file === undefined || report.exit !== EXIT.proven
      ? []
      : [GATE.again(`asfound gate check -f ${quoted(flags.file)}`)];
  await print(this, flags, {
    page: (page) => gateTestPage(report, { next, notOffered: [] }, page),
    json: () => gateTestReport(report),
    stream: () => report.refusals.map((one) => ({ ...one, details: [...one.details] })),
    names: () => report.refusals.filter(({ outcome }) => outcome === "slips-through").map(({ name }) => name),
    forms: formsOf(async () => (await import("../output/ci/gate.ts")).linesOfTest(report)),
  });
  this.exit(report.exit);
}

const formsOf = (linesOf: () => Promise<GateLines>): NonNullable<Printable["forms"]> => ({
  junit: async () => (await import("../output/ci/gate.ts")).gateJunit(await linesOf()),
  github: async () => (await import("../output/ci/gate.ts")).gateCommands(await linesOf()),
  markdown: async () => (await import("../output/ci/gate.ts")).gateMarkdown(await linesOf()),
  sarif: async () => {
    const { gateSarif } = await import("../output/ci/gate.ts");
    const { version } = await import("../version.ts");
    const document: JsonObject = gateSarif(await linesOf(), await version());
    return `${printableJson(JSON.stringify(document, null, 2))}\n`;
  },
});
