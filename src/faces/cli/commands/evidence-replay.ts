/** evidence replay, evidence export: a run judged again, and a run for somebody else. No cluster is asked. */
import type { EvidenceRun, RunLink } from "../../../domain/evidence-run.ts";
import { EXIT } from "../../../domain/exit.ts";
import { evidenceReplay as replayDocument } from "../../../wire/api/evidence-replay.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { EvidenceFlags, SigningFlags } from "../flags-evidence.ts";
import { replayPage } from "../output/evidence-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { EVIDENCE_READ } from "../texts/evidence-read.ts";
import { VERDICT } from "../texts/verdict.ts";
import { evidencePlace, evidenceWords } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

type Flags = EvidenceFlags & SigningFlags & PrintFlags & Everywhere;

export async function evidenceReplay(this: Cli, flags: Flags, run: string): Promise<void> {
  const { replayEvidence } = await import("../../../compose/evidence-replay.ts");
  const { version } = await import("../version.ts");
  const place = evidencePlace(this, flags);
  const asked = {
    ...place,
    key: flags.signingKey ?? null,
    verb: "evidence replay",
    version: await version(),
  };
  const replayed = await replayEvidence(asked, run);
  if (replayed.kind === "refused") return void (await refuse(this, replayed));
  const next = [EVIDENCE_READ.show(`asfound evidence show ${replayed.of.run}${evidenceWords(flags)}`)];
  await print(this, flags, {
    page: (page) => replayPage(replayed, { next, notOffered: [] }, page),
    json: () => replayDocument(replayed),
    stream: () => replayed.differs.map((one) => ({ ...one })),
    names: () => replayed.differs.map(({ target, claim }) => `${target} ${claim}`),
  });
  const { verdict } = replayed;
  const { kept } = verdict.kind === "one" ? verdict.report : verdict.list;
  if (kept?.kind === "fault") this.terminal.err.write(`asfound: ${printable(VERDICT.notKept(kept.fault))}\n`);
  this.exit(replayed.exit);
}

export async function evidenceExport(
  this: Cli,
  flags: EvidenceFlags & Everywhere,
  run: string,
  to: string,
): Promise<void> {
  const { exportEvidence } = await import("../../../compose/evidence-export.ts");
  const readme = (its: EvidenceRun, link: RunLink, hasKey: boolean): string =>
    EVIDENCE_READ.readme({ run: its, link, hasKey });
  const done = await exportEvidence(evidencePlace(this, flags), run, to, readme);
  if (done.kind === "refused") return void (await refuse(this, done));
  this.terminal.out.write(`${printable(EVIDENCE_READ.exported(done.files, done.run.run, to))}\n`);
  this.exit(EXIT.proven);
}
