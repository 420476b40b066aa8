/** release record: keeps what is proven to run. Changes nothing in the cluster. */
import type { StackFaults } from "../../../compose/place.ts";
import type { Kept, Wanted } from "../../../compose/release-record.ts";
import { EXIT } from "../../../domain/exit.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { releaseDocument } from "../../../wire/releases/document.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RecordFlags } from "../flags-release.ts";
import { adviceLines, quoted } from "../output/next.ts";
import { type PrintFlags, pageOn, print } from "../output/print.ts";
import { releasePage } from "../output/release-page.ts";
import { RELEASE } from "../texts/release.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag, targetIn } from "./cluster.ts";
import { placeIn, storeWords } from "./release.ts";
import { refuse } from "./where.ts";

type Flags = RecordFlags & PrintFlags & Everywhere;

export async function releaseRecord(this: Cli, flags: Flags, typed: string): Promise<void> {
  const wanted = wantedBy(flags, typed);
  const kept = await recorded(this, flags, wanted);
  if (kept.kind === "refused" || kept.kind === "faults") return void (await refuse(this, kept));
  if (kept.kind === "not-proven") return notProven(this, flags, typed, kept);
  const { release, already, place, notes } = kept;
  const said = already ? RELEASE.already : RELEASE.recorded;
  for (const note of [said(release.id, release.name, place), ...notes])
    this.terminal.err.write(`asfound: ${printable(note)}\n`);
  const where = storeWords(flags);
  const advice = {
    next: [
      RELEASE.show(`asfound release show ${release.id}${where}`),
      RELEASE.expect(`asfound release show ${release.id}${where} -o verification`),
    ],
    notOffered: [],
  };
  await print(this, flags, {
    page: (page) => releasePage(release, advice, page),
    json: () => releaseDocument(release),
    names: () => [release.id],
  });
  this.exit(EXIT.proven);
}

const wantedBy = (flags: Flags, typed: string): Wanted => {
  const { commit, tree, from } = flags;
  if (tree !== undefined && (commit === undefined || commit === "HEAD"))
    throw new Usage(RELEASE.treeNeedsCommit);
  if (from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  const asking = askingFlag(flags);
  if (from !== undefined && asking !== undefined) throw new Usage(VERDICT.asksNone(asking));
  if (from !== undefined && flags.window !== undefined) throw new Usage(RELEASE.windowIsLive);
  return {
    target: { ...targetIn(typed), namespace: flags.namespace ?? "default" },
    name: flags.name ?? null,
    source:
      commit === undefined
        ? null
        : commit === "HEAD"
          ? "head"
          : { commit, tree: tree === undefined ? null : tree },
    irreversible: flags.irreversible ?? [],
    secrets: flags.secrets,
  };
};

const recorded = async (cli: Cli, flags: Flags, wanted: Wanted): Promise<Kept | Refused | StackFaults> => {
  const { recordLive, recordSaved } = await import("../../../compose/release-record.ts");
  const place = placeIn(cli, flags);
  if (flags.from === undefined)
    return askingCluster(cli, flags, (live) => recordLive(live, place, wanted, flags.window ?? null));
  return recordSaved({ from: flags.from, at: flags.at ?? null, cwd: cli.terminal.cwd }, place, wanted);
};

const notProven = (
  cli: Cli,
  flags: Flags,
  typed: string,
  { report }: Extract<Kept, { kind: "not-proven" }>,
): void => {
  const { target, verdict, statement, exit } = report;
  const named = `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
  const words = [
    ...(flags.namespace === undefined ? [] : ["-n", flags.namespace]),
    ...(flags.from === undefined ? [] : ["--from", flags.from]),
  ];
  const command = ["asfound verify", typed, ...words].map((word, at) => (at === 0 ? word : quoted(word)));
  const advice = { next: [RELEASE.verify(command.join(" "))], notOffered: [] };
  const lines = [
    `asfound: ${printable(RELEASE.notProven(named, verdict, statement))}`,
    ...adviceLines(advice, pageOn(cli, flags, "err")),
  ];
  cli.terminal.err.write(lines.map((line) => `${line}\n`).join(""));
  cli.exit(exit);
};
