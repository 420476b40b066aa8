/** evidence verify: whether what was recorded is as it was. Writes nothing. */
import type { EvidencePlace } from "../../../compose/evidence.ts";
import type { RunCheck } from "../../../domain/evidence-run.ts";
import { EXIT } from "../../../domain/exit.ts";
import { evidenceCheck, runCheck } from "../../../wire/api/evidence-check.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { EvidenceFlags, EvidenceVerifyFlags } from "../flags-evidence.ts";
import { evidenceCheckPage } from "../output/evidence-check-page.ts";
import { quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { EVIDENCE } from "../texts/evidence.ts";
import { Usage } from "../usage.ts";
import { refuse } from "./where.ts";

type Flags = EvidenceVerifyFlags & PrintFlags & Everywhere;

export const evidencePlace = (cli: Cli, flags: EvidenceFlags): EvidencePlace => ({
  evidence: flags.evidence ?? null,
  cwd: cli.terminal.cwd,
  environment: cli.terminal.environment,
});

/** The folder as it has to be typed again. */
export const evidenceWords = ({ evidence }: EvidenceFlags): string =>
  evidence === undefined ? "" : ` --evidence ${quoted(evidence)}`;

export async function evidenceVerify(this: Cli, flags: Flags, run?: string): Promise<void> {
  if (flags.all && run !== undefined) throw new Usage(EVIDENCE.runOrAll);
  if (flags.recipe) return recipe(this, flags, run);
  const { checkEvidence } = await import("../../../compose/evidence-check.ts");
  const keepsAll = flags.output !== "table" && flags.output !== "name";
  const items: RunCheck[] = [];
  const checked = await checkEvidence(
    {
      ...evidencePlace(this, flags),
      run: run ?? null,
      keys: flags.key ?? [],
      checkpoint: flags.checkpoint ?? null,
      depth: flags.chainOnly ? "chain" : "files",
    },
    // Of a hundred thousand, a page shows what is to be known.
    (check) => {
      if (keepsAll || check.finding !== "proven" || check.notes.length > 0) items.push(check);
    },
  );
  if ("kind" in checked) return void (await refuse(this, checked));
  const problems = items.flatMap((item) => item.problems);
  const count =
    checked.finding === "refuted" ? problems.filter((one) => one.finding === "refuted").length : checked.runs;
  const report = {
    ...checked,
    items,
    statement: EVIDENCE.statement[checked.finding](count, checked.place),
    exit: EXIT[checked.finding],
  };
  const where = evidenceWords(flags);
  const next = [
    ...(run === undefined ? [] : [EVIDENCE.look(`asfound evidence verify${where}`)]),
    ...(checked.newest !== null && flags.key === undefined
      ? [EVIDENCE.withKey(`asfound evidence verify${where} --key PUBLIC.pem`)]
      : []),
    ...(checked.newest !== null && flags.checkpoint === undefined
      ? [EVIDENCE.keep(`asfound evidence verify${where} --checkpoint FILE`)]
      : []),
  ];
  await print(this, flags, {
    page: (page) => evidenceCheckPage(report, { next, notOffered: [] }, page),
    json: () => evidenceCheck(report),
    stream: () => items.map(runCheck),
    names: () => problems.map(({ file }) => file),
  });
  this.exit(report.exit);
}

const recipe = async (cli: Cli, flags: Flags, run: string | undefined): Promise<void> => {
  if (run === undefined) throw new Usage(EVIDENCE.recipeNeedsRun);
  const { recipeFor } = await import("../../../compose/evidence-recipe.ts");
  const text = await recipeFor(evidencePlace(cli, flags), { run, key: flags.key?.[0] ?? null });
  if (typeof text !== "string") return void (await refuse(cli, text));
  cli.terminal.out.write(text);
  cli.exit(EXIT.proven);
};
