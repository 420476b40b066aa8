/**
 * Cuts the power under writers, again and again: `node rig.ts PLAN`, one JSON line for each cut. It runs in a mount
 * namespace of its own and dies with its parent, its writers die with it, and the kernel then unmounts and detaches all
 * of it: nothing is left however it ends, but for its folder.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "../../../src/adapters/store-sqlite/store.ts";
import { canAct, parseStat } from "../../../src/adapters/system/proc.ts";
import { ledgerId, stackName, stepName } from "../../../src/domain/ids.ts";
import { StoreFault } from "../../../src/ports/store.ts";
import { verifyChain } from "../../../src/wire/chain.ts";
import { countOf } from "../../contract/store-increment.ts";
import { copyAsItIs, makeImage, mountImage, unmount } from "./disk.ts";

export interface Plan {
  readonly folder: string;
  readonly seed: string;
  /** Each begins with a new file system and a new ledger. */
  readonly runs: number;
  readonly cutsInRun: number;
  /** How many commits a lane makes, so that a disk that nobody waits for is not filled. */
  readonly mostInLane: number;
  /** When cuts begin: with the making of the ledger, or once every lane has committed. */
  readonly from: "creation" | "first-commits";
  /** Modules that break the writers, for a control. */
  readonly broken: readonly string[];
}

export interface Cut {
  readonly run: number;
  readonly cut: number;
  readonly acknowledged: number;
  /** Acknowledged commits that are not there. */
  readonly lost: number;
  /** One sentence for each thing that is wrong with the ledger. */
  readonly damage: readonly string[];
}

const WRITER = fileURLToPath(new URL("writer.ts", import.meta.url));
const WRITERS = ["w0", "w1"] as const;
const LANES = 4;
const LONGEST_WAIT_MS = { creation: 80, "first-commits": 120 };

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const image = join(plan.folder, "disk");
const copy = join(plan.folder, "copy");
const disk = join(plan.folder, "on-disk");
const after = join(plan.folder, "after");
const ledgerIn = (mount: string): string => join(mount, "project", "ledger.db");
/** Outside of the disk that loses its power. */
const linesOf = (stack: string): string => join(plan.folder, `${stack}.acknowledged`);

/** The same wait for the same seed, run and cut. */
const waitMs = (run: number, cut: number): number =>
  createHash("sha256").update(`${plan.seed}/${run}/${cut}`).digest().readUInt32LE() %
  LONGEST_WAIT_MS[plan.from];

const startWriter = (stack: string): ChildProcess => {
  const out = openSync(linesOf(stack), "w");
  const imports = plan.broken.flatMap((module) => ["--import", module]);
  const node = [
    process.execPath,
    ...imports,
    WRITER,
    ledgerIn(disk),
    stack,
    `${LANES}`,
    `${plan.mostInLane}`,
  ];
  const writer = spawn("setpriv", ["--pdeathsig", "KILL", ...node], { stdio: ["ignore", out, "inherit"] });
  closeSync(out);
  return writer;
};

/** The last number that was acknowledged, by `STACK STEP`. */
const acknowledged = (): ReadonlyMap<string, number> => {
  const last = new Map<string, number>();
  for (const stack of WRITERS)
    for (const line of readFileSync(linesOf(stack), "utf8").split("\n").slice(0, -1)) {
      const [step, number] = line.split(" ");
      last.set(`${stack} ${step}`, Number(number));
    }
  return last;
};

const total = (numbers: ReadonlyMap<string, number>): number =>
  [...numbers.values()].reduce((sum, number) => sum + number, 0);

const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = parseStat(readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1"));
    return stat === null || stat.state === "T" || !canAct(stat);
  });

const until = async (holds: () => boolean, writers: readonly ChildProcess[]): Promise<void> => {
  while (!holds()) {
    if (writers.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null))
      throw new Error("a writer ended by itself");
    await sleep(1);
  }
};

const hasBegun = (): boolean =>
  plan.from === "creation"
    ? existsSync(dirname(ledgerIn(disk)))
    : acknowledged().size === WRITERS.length * LANES;

/** Opens the ledger as any later run would: the file system's journal is replayed, then SQLite's log. */
const judge = async (due: ReadonlyMap<string, number>): Promise<Pick<Cut, "lost" | "damage">> => {
  mountImage(copy, after);
  try {
    const path = ledgerIn(after);
    const store = await openSqliteStore({ path, mode: "write", newLedgerId: () => ledgerId("lg_none") });
    try {
      const damage = [...(await store.checkIntegrity())];
      let lost = 0;
      for (const stack of WRITERS) {
        const chain = await verifyChain(store.records({ stack: stackName(stack) }));
        if (chain !== null) damage.push(JSON.stringify(chain));
        for (let nth = 0; nth < LANES; nth += 1) {
          const number = due.get(`${stack} lane-${nth}`) ?? 0;
          const found = countOf(await store.step(stackName(stack), stepName(`lane-${nth}`)));
          lost += Math.max(0, number - found);
          // What was under way may be there as well, and no more than that.
          if (found > number + 1) damage.push(`${stack} lane-${nth} is at ${found}, after ${number}`);
        }
      }
      return { lost, damage };
    } finally {
      await store.close();
    }
  } catch (error) {
    // That there is none yet is no damage; half of one would be.
    if (error instanceof StoreFault && error.code === "missing" && due.size === 0)
      return { lost: 0, damage: [] };
    return { lost: total(due), damage: [error instanceof Error ? error.message : String(error)] };
  } finally {
    unmount(after);
  }
};

const cutOnce = async (run: number, cut: number, writers: readonly ChildProcess[]): Promise<Cut> => {
  const pids = writers.map(({ pid }) => pid as number);
  await sleep(waitMs(run, cut));
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await until(() => pids.every(isStopped), writers);
  const due = acknowledged();
  copyAsItIs(image, copy);
  const judged = await judge(due);
  for (const pid of pids) process.kill(pid, "SIGCONT");
  return { run, cut, acknowledged: total(due), ...judged };
};

for (let run = 1; run <= plan.runs; run += 1) {
  makeImage(image);
  mountImage(image, disk);
  const writers = WRITERS.map(startWriter);
  try {
    await until(hasBegun, writers);
    for (let cut = 1; cut <= plan.cutsInRun; cut += 1)
      process.stdout.write(`${JSON.stringify(await cutOnce(run, cut, writers))}\n`);
  } finally {
    for (const writer of writers) {
      writer.kill("SIGKILL");
      if (writer.exitCode === null && writer.signalCode === null) await once(writer, "close");
    }
    unmount(disk);
    rmSync(image);
  }
}
