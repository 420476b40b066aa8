/**
 * The numbers, as ratios taken in one run, since machines are noisy: npm run bench.
 * Each figure is the median of several runs; what it is compared with runs in turn with it. Nothing here is a test.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { TOFU_PARALLELISM, tofuApplyMs } from "./opentofu.ts";
import { recorderRun } from "./recorder.ts";
import { type Pair, startCrowd, sweepPairs } from "./sweep.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const node = process.execPath;
const scratch = mkdtempSync(join(tmpdir(), "asfound-bench-run-"));

interface Figures {
  readonly applyMs: number;
  readonly startMs: number;
  readonly loadMs: number;
  readonly planMs: number;
  readonly cpuMs: number;
  readonly ratio: number;
  readonly yardstickMs: number;
  readonly peakMegabytes: number;
  readonly transactions: number;
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

const apply = (...args: (string | number)[]): Figures => {
  const run = spawnSync(node, [join(root, "bench", "apply.ts"), ...args.map(String)], {
    encoding: "utf8",
    env: { ...process.env, BENCH_DIRECTORY: scratch },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Figures;
};

const say = (line: string): void => console.log(line);

const ledger = (): void => {
  const rounds = [1, 2, 3, 4, 5];
  const serial = rounds.map(() => apply(1000, 1, "flat", "warm"));
  const parallel = rounds.map(() => apply(1000, 16, "flat", "warm"));
  const cold = {
    serial: rounds.map(() => apply(1000, 1, "flat")),
    parallel: rounds.map(() => apply(1000, 16, "flat")),
  };
  const range = (all: readonly Figures[]) => {
    const ratios = all.map((f) => f.ratio);
    return `median ${median(ratios).toFixed(2)} (${Math.min(...ratios)} to ${Math.max(...ratios)})`;
  };
  say(`1,000 no-op steps ÷ (3,000 × one appended 8 KiB write + fsync), serial: ${range(serial)}; goal ≤ 1.3`);
  say(`the same, 16 in parallel: ${range(parallel)}; goal < 0.3; ${parallel[0]?.transactions} transactions`);
  say(
    `in a process that has just started: serial ${range(cold.serial)}, 16 in parallel ${range(cold.parallel)}`,
  );
  const all = [...serial, ...parallel, ...cold.serial, ...cold.parallel];
  say(`one appended 8 KiB write + fsync: ${median(all.map((f) => f.yardstickMs)).toFixed(2)} ms`);
};

const scale = (): void => {
  for (const shape of ["flat", "chain"]) {
    const sizes = [500, 1000, 2000, 4000];
    const runs = sizes.map((size) => apply(size, 8, shape));
    const each = runs.map((run, i) => ((run.cpuMs / (sizes[i] ?? 1)) as number).toFixed(2));
    say(`${shape}: CPU ms a step for plan and apply at ${sizes.join(", ")} steps: ${each.join(", ")}`);
  }
  const large = apply(10_000, 8, "flat");
  say(`10,000 steps: ${large.peakMegabytes} MB at most for the whole process; goal < 600`);
};

const timed = (command: string, args: readonly string[], cwd: string): number => {
  const from = performance.now();
  const run = spawnSync(command, args, { cwd, stdio: "ignore" });
  if (run.error !== undefined) throw run.error;
  return performance.now() - from;
};

/** The package as it is published, beside this checkout's dependencies. Built once. */
const installed = (): string => {
  const program = join(scratch, "package", "bin", "asfound");
  if (existsSync(program)) return program;
  const built = spawnSync("sh", [join(root, "scripts", "build.sh")], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  const folder = join(scratch, "package");
  mkdirSync(folder);
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return program;
};

const PODS_EACH = 10;

interface SweepOf {
  readonly verb: string;
  readonly what: "config" | "";
  readonly sizes: readonly number[];
}

const VERIFY: SweepOf = { verb: "verify", what: "", sizes: [250, 500, 1000, 2000] };
const TRACE: SweepOf = { verb: "config trace", what: "config", sizes: [500, 1000, 2000] };

/** Of many Deployments, each of ten Pods, against the raw lists of the same. */
const sweep = async ({ verb, what, sizes }: SweepOf): Promise<void> => {
  const asfound = installed();
  const each: string[] = [];
  for (const deployments of sizes) {
    const isMain = deployments === 1000;
    const server = await startCrowd(scratch, deployments, PODS_EACH, what);
    try {
      const { pairs, requests, rawRequests, megabytes, statement } = await sweepPairs({
        folder: scratch,
        asfound,
        kubeconfig: server.kubeconfig,
        words: [...verb.split(" "), "deployments", "-A"],
        rounds: isMain ? 9 : 5,
        requests: server.requests,
      });
      const of = (pick: (pair: Pair) => number): number => median(pairs.map(pick));
      const ratio = (pick: (pair: Pair) => number): string => {
        const all = pairs.map(pick);
        return `${of(pick).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`;
      };
      each.push((of((pair) => pair.sweep.cpuMs) / deployments).toFixed(2));
      if (!isMain) continue;
      say(`${verb} of ${deployments} Deployments with ${PODS_EACH} Pods each: ${statement}`);
      say(`its requests, counted on the server: ${JSON.stringify(requests)}; the raw lists: ${rawRequests}`);
      say(
        `÷ raw lists of the same (${megabytes.toFixed(0)} MB), wall time: ${ratio((pair) => pair.sweep.wallMs / pair.raw.wallMs)}; goal ≤ 1.5`,
      );
      say(`the same, CPU time: ${ratio((pair) => pair.sweep.cpuMs / pair.raw.cpuMs)}`);
      say(
        `the sweep: ${of((pair) => pair.sweep.wallMs).toFixed(0)} ms, CPU ${of((pair) => pair.sweep.cpuMs).toFixed(0)} ms; raw: ${of((pair) => pair.raw.wallMs).toFixed(0)} ms, CPU ${of((pair) => pair.raw.cpuMs).toFixed(0)} ms`,
      );
      say(
        `peak memory: ${Math.max(...pairs.map((pair) => pair.sweep.peakMegabytes))} MB; goal ≤ 400; the raw client: ${of((pair) => pair.raw.peakMegabytes)} MB`,
      );
    } finally {
      await server.end();
    }
  }
  say(`CPU ms a Deployment at ${sizes.join(", ")} Deployments: ${each.join(", ")}`);
};

/** What a recorder of 1,000 ConfigMaps takes, by how often one of them is edited. */
const recorder = async (): Promise<void> => {
  const asfound = installed();
  for (const perSecond of [0, 10, 100]) {
    const run = await recorderRun(scratch, asfound, { count: 1_000, perSecond, seconds: 60 });
    const { edits, recorded, bytes, bytesAnEdit, peakMegabytes, cpuShare, asked } = run;
    say(
      `watch of 1,000 ConfigMaps, ${edits} edits in a minute: ${recorded} recorded, ${(bytes / 1e6).toFixed(2)} MB, ${bytesAnEdit.toFixed(0)} bytes a content with three keys, peak ${peakMegabytes} MB, CPU ${(100 * cpuShare).toFixed(1)} %; asked ${JSON.stringify(asked)}`,
    );
  }
};

/** By how many steps run at a time, on a warm process. */
const throughput = (): void => {
  const counts = [1, 2, 4, 8, 16, 32];
  const each = counts.map((parallelism) => {
    const runs = [1, 2, 3].map(() => apply(1000, parallelism, "flat", "warm").applyMs);
    return Math.round(1000 / (median(runs) / 1000));
  });
  say(`steps per second at a parallelism of ${counts.join(", ")}: ${each.join(", ")}`);
};

/** How a ledger grows, and what a compact copy of it takes (`ledger backup`, SQLite's VACUUM). */
const growth = (): void => {
  const size = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  const sizes = [200, 400].map((operations) => {
    const folder = join(scratch, `growth-${operations}`);
    mkdirSync(folder);
    const made = spawnSync(node, [join(root, "bench", "operations.ts"), String(operations), folder], {
      encoding: "utf8",
    });
    if (made.status !== 0) throw new Error(made.stderr);
    const backup = join(folder, "backup.db");
    const copied = spawnSync(join(root, "bin", "asfound"), ["ledger", "backup", backup], {
      cwd: folder,
      encoding: "utf8",
    });
    if (copied.status !== 0) throw new Error(copied.stderr);
    return { ledger: size(join(folder, ".asfound", "ledger.db")), backup: size(backup) };
  });
  const perOperation = (bytes: readonly number[]) => Math.round(((bytes[1] ?? 0) - (bytes[0] ?? 0)) / 200);
  const [ledger, copy] = [sizes.map((of) => of.ledger), sizes.map((of) => of.backup)].map(perOperation);
  say(
    `a ledger grows by ${ledger} bytes an operation over one step that is as declared; a copy made by ledger backup by ${copy}`,
  );
};

const openTofu = (): void => {
  const tofu = process.env["TOFU"] ?? "tofu";
  if (spawnSync(tofu, ["version"], { stdio: "ignore" }).status !== 0) {
    say("OpenTofu: not measured, there is none on the PATH (name one with TOFU)");
    return;
  }
  const count = 1000;
  for (const shape of ["flat", "chain"] as const) {
    const rows = [1, 2, 3].map(() => {
      const { startMs, loadMs, planMs, applyMs } = apply(count, TOFU_PARALLELISM, shape);
      return { ours: startMs + loadMs + planMs + applyMs, theirs: tofuApplyMs(tofu, scratch, count, shape) };
    });
    const [ours, theirs] = [median(rows.map((row) => row.ours)), median(rows.map((row) => row.theirs))];
    say(
      `${count} steps, ${shape}: ${(ours / count).toFixed(2)} ms a step, OpenTofu ${(theirs / count).toFixed(2)} ms a resource; ratio ${median(rows.map((row) => row.ours / row.theirs)).toFixed(2)}, goal ≤ 1`,
    );
  }
};

const startUp = (): void => {
  const asfound = installed();
  const folder = join(scratch, "operations");
  mkdirSync(folder);
  const made = spawnSync(node, [join(root, "bench", "operations.ts"), "1000", folder], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const kubectl = process.env["KUBECTL"] ?? "kubectl";
  const hasKubectl = spawnSync(kubectl, ["version", "--client"], { stdio: "ignore" }).status === 0;
  const rows: { help: number; status: number; bare: number; kubectl: number }[] = [];
  for (let i = 0; i < 22; i++) {
    const row = {
      bare: timed(node, ["-e", "0"], folder),
      help: timed(asfound, ["--help"], folder),
      status: timed(asfound, ["status"], folder),
      kubectl: hasKubectl ? timed(kubectl, ["version", "--client"], folder) : Number.NaN,
    };
    // The first ones fill the compile cache.
    if (i >= 2) rows.push(row);
  }
  const ratio = (pick: (row: (typeof rows)[number]) => number) =>
    median(rows.map((row) => pick(row) / row.bare)).toFixed(2);
  say(`--help of the built CLI ÷ bare node: ${ratio((row) => row.help)}; goal ≤ 1.5`);
  say(`status on 1,000 operations ÷ bare node: ${ratio((row) => row.status)}; goal ≤ 2.5`);
  if (hasKubectl)
    say(
      `--help ÷ kubectl version --client: ${median(rows.map((row) => row.help / row.kubectl)).toFixed(2)}; goal < 1`,
    );
  else say("kubectl: not measured, there is none on the PATH (name one with KUBECTL)");
  say(`bare node: ${median(rows.map((row) => row.bare)).toFixed(0)} ms`);
};

try {
  if (!existsSync(join(root, "node_modules"))) throw new Error("run npm ci first");
  say(`load ${loadavg()[0]?.toFixed(1)}; a busy machine moves these figures`);
  const only = process.argv[2];
  if (only === undefined || only === "ledger") ledger();
  if (only === undefined || only === "scale") scale();
  if (only === undefined || only === "start-up") startUp();
  if (only === undefined || only === "throughput") throughput();
  if (only === undefined || only === "growth") growth();
  if (only === undefined || only === "opentofu") openTofu();
  if (only === undefined || only === "sweep") await sweep(VERIFY);
  if (only === undefined || only === "trace") await sweep(TRACE);
  if (only === undefined || only === "recorder") await recorder();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
