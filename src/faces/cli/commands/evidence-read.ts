/** evidence ls, evidence show: what was recorded. No cluster is asked, and nothing is written. */
import { EXIT } from "../../../domain/exit.ts";
import { evidenceList, listItem } from "../../../wire/api/evidence-list.ts";
import { shownRun } from "../../../wire/api/evidence-run.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { EvidenceFlags, EvidenceListFlags } from "../flags-evidence.ts";
import { evidenceListPage, shownRunPage } from "../output/evidence-page.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { EVIDENCE_READ } from "../texts/evidence-read.ts";
import { targetIn } from "./cluster.ts";
import { evidencePlace, evidenceWords } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

type ListFlags = EvidenceListFlags & PrintFlags & Everywhere;

export async function evidenceLs(this: Cli, flags: ListFlags, typed?: string): Promise<void> {
  const { listEvidence } = await import("../../../compose/evidence-read.ts");
  const target = typed === undefined ? null : targetIn(typed);
  const listed = await listEvidence(evidencePlace(this, flags), {
    limit: flags.limit,
    target,
    namespace: flags.namespace ?? null,
    verdict: flags.verdict ?? null,
  });
  if (listed.kind === "refused") return void (await refuse(this, listed));
  const where = evidenceWords(flags);
  const last = listed.items.findLast((one) => one.kind === "run");
  const next =
    last?.kind === "run"
      ? [
          EVIDENCE_READ.show(`asfound evidence show ${last.run.run}${where}`),
          EVIDENCE_READ.verify(`asfound evidence verify${where}`),
        ]
      : [EVIDENCE_READ.record("asfound verify KIND/NAME -n NAMESPACE --record")];
  await print(this, flags, {
    page: (page) => evidenceListPage(listed, { next, notOffered: [] }, page),
    json: () => evidenceList(listed),
    stream: () => listed.items.map((one) => listItem(one, listed.deleted)),
    names: () => listed.items.flatMap((one) => (one.kind === "run" ? [one.run.run] : [])),
  });
  this.exit(listed.items.some(({ kind }) => kind === "altered") ? EXIT.undetermined : EXIT.proven);
}

type Flags = EvidenceFlags & PrintFlags & Everywhere;

export async function evidenceShow(this: Cli, flags: Flags, run: string): Promise<void> {
  const { showEvidence } = await import("../../../compose/evidence-read.ts");
  const shown = await showEvidence(evidencePlace(this, flags), run);
  if (shown.kind === "refused") return void (await refuse(this, shown));
  const where = evidenceWords(flags);
  const { run: id } = shown.run;
  const next = [
    EVIDENCE_READ.replay(`asfound evidence replay ${id}${where}`),
    EVIDENCE_READ.hand(`asfound evidence export ${id} DIR${where}`),
  ];
  await print(this, flags, {
    page: (page) => shownRunPage(shown, { next, notOffered: [] }, page),
    json: () => shownRun(shown),
    names: () => [id],
  });
  this.exit(EXIT.proven);
}
