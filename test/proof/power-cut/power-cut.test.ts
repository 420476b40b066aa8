/**
 * W2 and op-06, as the disk sees it: the power goes while processes commit, and every commit that was acknowledged is
 * there afterwards, in a ledger that is whole.
 *
 * Limit: a cut falls between two requests to the disk, not inside one, and the disk keeps what it was given. A disk that
 * lies about its own cache is beyond what any ledger can prove.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { pids, readCommand } from "../../../src/adapters/system/proc.ts";
import { until } from "../../scenarios/place.ts";
import { notRunWithout } from "../../support/not-run.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import type { Cut, Plan } from "./rig.ts";

const RIG = fileURLToPath(new URL("rig.ts", import.meta.url));
const LYING = new URL("../system-calls/lying-store.ts", import.meta.url).href;
const WRITING = { cutsInRun: 8, from: "first-commits", mostInLane: 100_000, broken: [] } as const;
const QUICK = { runs: 2, cutsInRun: 4, from: "first-commits", mostInLane: 1000 } as const;
const isSoak = process.env["ASFOUND_SOAK"] === "1";

ownTempFolder("power-cut");

/** What is missing for this here, as a clause; null when nothing is. */
const lacking = (): string | null => {
  if (process.getuid?.() !== 0) return "it needs root, to mount a file system";
  for (const program of ["mkfs.ext4", "mount", "umount", "unshare", "setpriv"])
    if (spawnSync(program, ["--version"]).error !== undefined) return `${program} is not installed`;
  if (spawnSync("losetup", ["--find"]).status !== 0) return "there is no loop device to be had";
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return "there are no mount namespaces here";
  return null;
};

interface Rig {
  readonly folder: string;
  readonly process: ChildProcess;
  readonly cuts: readonly Cut[];
  /** All cuts, once it has ended well. */
  readonly ended: Promise<readonly Cut[]>;
}

const rigs: Rig[] = [];

const start = (plan: Omit<Plan, "folder">): Rig => {
  const folder = mkdtempSync(join(tmpdir(), "rig-"));
  const words = ["--mount", "--propagation", "private", "setpriv", "--pdeathsig", "KILL"];
  const rig = spawn("unshare", [...words, process.execPath, RIG, JSON.stringify({ ...plan, folder })], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const cuts: Cut[] = [];
  let rest = "";
  let err = "";
  rig.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    cuts.push(...lines.map((line) => JSON.parse(line) as Cut));
  });
  rig.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = once(rig, "close").then(([exit]) => {
    if (exit !== 0) throw new Error(`the rig ended with ${exit}: ${err}`);
    return cuts;
  });
  // Who kills it does not wait for it to end well.
  ended.catch(() => undefined);
  const made = { folder, process: rig, cuts, ended };
  rigs.push(made);
  return made;
};

/** What is left of it, as words; empty once nothing is. */
const left = (folder: string): string => {
  const loops = spawnSync("losetup", ["--list", "--noheadings", "--output", "BACK-FILE"], {
    encoding: "utf8",
  });
  const processes = pids().map(readCommand);
  return [...loops.stdout.split("\n"), ...processes].filter((text) => text.includes(folder)).join("\n");
};

afterEach(async () => {
  for (const { process: rig, folder } of rigs.splice(0)) {
    if (rig.exitCode === null && rig.signalCode === null) rig.kill("SIGKILL");
    await until("nothing is left of the rig", () => left(folder) === "");
    rmSync(folder, { recursive: true, force: true });
  }
});

const cutsOf = async (plan: Omit<Plan, "folder" | "seed">): Promise<readonly Cut[]> => {
  const seed = process.env["ASFOUND_SEED"] ?? randomUUID();
  const cuts = await start({ ...plan, seed }).ended;
  const most = Math.max(...cuts.map(({ acknowledged }) => acknowledged));
  const losing = cuts.filter(({ lost }) => lost > 0).length;
  console.log(
    `power cuts: seed ${seed}, ${cuts.length} cuts, up to ${most} acknowledged; ${losing} lost something`,
  );
  expect(cuts).toHaveLength(plan.runs * plan.cutsInRun);
  return cuts;
};

describe("the power goes", () => {
  it("W2: every acknowledged commit is there, and the ledger is whole", async (ctx) => {
    notRunWithout(ctx, lacking());
    const cuts = await cutsOf({ ...WRITING, runs: isSoak ? 128 : 8 });
    expect(cuts.filter(({ lost, damage }) => lost > 0 || damage.length > 0)).toEqual([]);
    // It was under load: from the first cut of each run to its last they wrote on.
    for (const first of cuts.filter(({ cut }) => cut === 1)) {
      const last = cuts.findLast(({ run }) => run === first.run);
      expect(last?.acknowledged).toBeGreaterThan(first.acknowledged);
    }
  });

  it("op-06: while a ledger is made there is none afterwards, or a whole one", async (ctx) => {
    notRunWithout(ctx, lacking());
    const cuts = await cutsOf({ ...WRITING, runs: isSoak ? 256 : 12, cutsInRun: 2, from: "creation" });
    expect(cuts.filter(({ lost, damage }) => lost > 0 || damage.length > 0)).toEqual([]);
  });

  it("control: with synchronous=OFF acknowledged commits are lost", async (ctx) => {
    notRunWithout(ctx, lacking());
    const cuts = await cutsOf({ ...QUICK, broken: [LYING] });
    expect(cuts.some(({ lost }) => lost > 0)).toBe(true);
  });

  it("with synchronous=NORMAL what is left is whole, however much was lost", async (ctx) => {
    notRunWithout(ctx, lacking());
    const cuts = await cutsOf({ ...QUICK, broken: [`${LYING}?NORMAL`] });
    expect(cuts.flatMap(({ damage }) => damage)).toEqual([]);
  });

  it("a rig that is killed in the middle of it leaves no process, no mount and no loop device", async (ctx) => {
    notRunWithout(ctx, lacking());
    const rig = start({ ...WRITING, seed: "killed", runs: 1, cutsInRun: 1000 });
    await until("the first cuts", () => rig.cuts.length >= 2);
    // Control: there is something to be left.
    expect(left(rig.folder)).toContain("writer.ts");
    expect(left(rig.folder)).toContain("/disk");
    rig.process.kill("SIGKILL");
    await until("nothing is left of the rig", () => left(rig.folder) === "");
  });
});
