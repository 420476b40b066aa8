/** snapshot: keeps what verdicts about one object or many rest on, as files for verify --from. Reads only. */

import type { StackFaults } from "../../../compose/place.ts";
import type { Saved } from "../../../compose/verify-cluster.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Answering, Asking, Everywhere, Ruled, Selecting } from "../flags.ts";
import { quoted } from "../output/next.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { unfitAnswering } from "./answering.ts";
import { askingCluster } from "./cluster.ts";
import { declaredRules, ruledBy } from "./declared-rules.ts";
import { selected, type Wanted } from "./verify-flags.ts";
import { refuse } from "./where.ts";

type SnapshotFlags = Asking &
  Answering &
  Ruled &
  Selecting &
  Everywhere & { readonly held?: string; readonly git?: string };

export async function snapshot(
  this: Cli,
  flags: SnapshotFlags,
  folder: string,
  typed?: string,
): Promise<void> {
  const pathless = unfitAnswering(flags);
  if (pathless !== undefined) throw new Usage(pathless);
  const asked = await askedBy(this, flags, typed);
  if ("faults" in asked) return void (await refuse(this, asked));
  const saved = await save(this, asked, folder);
  if (saved.kind !== "saved") return void (await refuse(this, saved));
  const { out, err } = this.terminal;
  out.write(`${printable(VERDICT.saved(saved.files, folder))}\n`);
  for (const why of saved.unanswered) err.write(`asfound: ${printable(why)}\n`);
  err.write(`${printable(VERDICT.judge(judging(asked.flags, folder, typed, saved)))}\n`);
  this.exit(saved.exit);
}

interface Asked {
  readonly wanted: Wanted;
  readonly flags: SnapshotFlags;
  /** Rule files that a Verification file names. */
  readonly rules: readonly string[];
}

const askedBy = async (
  cli: Cli,
  flags: SnapshotFlags,
  typed: string | undefined,
): Promise<Asked | StackFaults> => {
  if (flags.file === undefined) return { wanted: selected(flags, typed), flags, rules: [] };
  const { askedInFile } = await import("./verify-file.ts");
  return askedInFile(cli, flags, flags.file, typed);
};

const save = async (
  cli: Cli,
  { wanted, flags, rules: named }: Asked,
  folder: string,
): Promise<Saved | Refused | StackFaults> => {
  const rules = await declaredRules(cli, flags, named);
  if ("kind" in rules) return rules;
  if (wanted.kind === "one") {
    const { saveSnapshot } = await import("../../../compose/verify-cluster.ts");
    return askingCluster(cli, flags, (live) => saveSnapshot(live, ruledBy(wanted.question, rules), folder));
  }
  const { saveSweep } = await import("../../../compose/save-sweep.ts");
  return askingCluster(cli, flags, (live) =>
    saveSweep(live, ruledBy(wanted.question, rules), flags.allNamespaces, folder),
  );
};

/** The same words, for the files. */
const judging = (
  flags: SnapshotFlags,
  folder: string,
  typed: string | undefined,
  { namespace }: Saved,
): string => {
  const said = [
    ...(flags.file === undefined ? [] : ["-f", flags.file]),
    ...(typed === undefined ? [] : [typed]),
    ...(flags.selector === undefined ? [] : ["-l", flags.selector.text]),
    ...(flags.all ? ["--all"] : []),
    ...(flags.allNamespaces ? ["-A"] : []),
    ...(namespace === null || flags.file !== undefined ? [] : ["-n", namespace]),
    ...(flags.rules ?? []).flatMap((file) => ["--rules", file]),
    "--from",
    folder,
  ];
  return `asfound verify ${said.map(quoted).join(" ")}`;
};
