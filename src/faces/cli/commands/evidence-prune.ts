/** evidence prune: deletes observations by age, and asks before. */
import type { PruneReport } from "../../../compose/evidence-prune.ts";
import { EXIT } from "../../../domain/exit.ts";
import { deletedRun, evidencePrune as document } from "../../../wire/api/evidence-prune.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { mayGoOn, reasonFor, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { PruneFlags } from "../flags-evidence.ts";
import { block } from "../output/block.ts";
import { adviceLines } from "../output/next.ts";
import { type Page, type PrintFlags, print } from "../output/print.ts";
import { EVIDENCE } from "../texts/evidence.ts";
import { version } from "../version.ts";
import { evidencePlace, evidenceWords } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

type Flags = PruneFlags & PrintFlags & Everywhere;

export async function evidencePrune(this: Cli, flags: Flags): Promise<void> {
  if (!flags.dryRun) requireConsent(this, flags, "evidence prune");
  const reason = flags.dryRun ? "" : await reasonFor(this, flags, "evidence prune");
  if (reason === null) return this.exit(EXIT.interrupted);
  const { pruneEvidence } = await import("../../../compose/evidence-prune.ts");
  const prune = async (dryRun: boolean) =>
    pruneEvidence(evidencePlace(this, flags), {
      olderThanMs: flags.olderThan,
      dryRun,
      signingKey: flags.signingKey ?? null,
      actor: flags.actor ?? null,
      reason,
      tool: `asfound ${await version()}`,
    });
  if (!flags.dryRun && !flags.yes) {
    const plan = await prune(true);
    if (plan.kind === "refused") return void (await refuse(this, plan));
    this.terminal.err.write(`${printable(sentenceOf(plan))}\n`);
    const stopped = await mayGoOn(this, EVIDENCE.mayPrune);
    if (stopped !== null) return this.exit(stopped);
  }
  const done = await prune(flags.dryRun);
  if (done.kind === "refused") return void (await refuse(this, done));
  const next = [EVIDENCE.look(`asfound evidence verify${evidenceWords(flags)}`)];
  await print(this, flags, {
    page: (page) => [...pageOf(done, page), ...adviceLines({ next, notOffered: [] }, page)],
    json: () => document(done),
    stream: () => [...done.begun, ...done.due].map(deletedRun),
    names: () => [...done.begun, ...done.due].map(({ run }) => run),
  });
  this.exit(done.left.length === 0 ? EXIT.proven : EXIT.undetermined);
}

const sentenceOf = ({ due, begun, before, dryRun, link }: PruneReport): string => {
  const files = [...begun, ...due].flatMap((one) => one.files);
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const counts = { runs: due.length + begun.length, files: files.length, bytes, before };
  return dryRun || (link === null && begun.length === 0)
    ? EVIDENCE.wouldPrune(counts)
    : EVIDENCE.pruned(counts);
};

const pageOf = (done: PruneReport, page: Page): readonly string[] => [
  page.style("bold", printable(sentenceOf(done))),
  ...(done.link === null ? [] : [EVIDENCE.newest(done.link.run, done.link.sha256)]),
  ...block(EVIDENCE.left, done.left, page),
  ...block(EVIDENCE.notes, done.notes, page),
];
