/**
 * Evidence: node bench/evidence.ts [RUNS]. Bytes and time to record one verdict; the check of a chain of RUNS (100,000) against
 * the tenth of it, with the peak memory of both; one run's check ÷ what openssl and sha256sum take over the same bytes.
 * Figures are ratios within one run of this; recording is timed against the same number of appended writes with fsync.
 */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { openEvidence } from "../src/adapters/system/evidence/evidence-folder.ts";
import { type EvidenceRun, type RunLink, trustOf } from "../src/domain/evidence-run.ts";
import { instant } from "../src/domain/ids.ts";
import type { NewRun } from "../src/ports/evidence-runs.ts";
import type { Signer } from "../src/ports/signer.ts";
import { sha256Hex } from "../src/wire/digest.ts";
import { publicKeyOf } from "../src/wire/evidence/public-key.ts";
import { recipeText } from "../src/wire/evidence/recipe.ts";
import { SUMS, statementText } from "../src/wire/evidence/statement.ts";
import { digestOfHex, hexOf } from "../src/wire/evidence/sums.ts";

const say = (line: string): void => console.log(line);
const scratch = mkdtempSync(join(tmpdir(), "asfound-bench-evidence-"));
const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

const runId = (nth: number): EvidenceRun["run"] =>
  `run_01930000-0000-7000-8000-${nth.toString(16).padStart(12, "0")}`;

const facts = (nth: number): NewRun["facts"] => ({
  run: runId(nth),
  kind: "verdict",
  verb: "verify",
  actor: "bench",
  recordedAt: instant(1_760_000_000_000 + nth * 1000),
  target: { kind: "Deployment", namespace: "shop", name: "web", uid: "0b1c" },
  verdict: "proven",
  findings: ["spec-observed", "rollout-complete", "old-gone", "capacity", "endpoints-ready"].map((claim) => ({
    claim,
    finding: "proven",
    reason: "complete",
    required: true,
  })),
  replays: null,
  tool: "asfound",
  rules: "1",
  details: null,
});

/** As much as one Deployment with ten Pods was observed to be: 160 KiB in six files, a report of 8 KiB. */
const files: NewRun["files"] = [
  ...Array.from({ length: 6 }, (_, nth) => ({
    path: `snapshot/kind-${nth}.json`,
    bytes: Buffer.from(randomBytes(20_480).toString("hex").slice(0, 27_307)),
  })),
  { path: "question.json", bytes: Buffer.from("{}\n") },
  { path: "report.json", bytes: Buffer.from(randomBytes(4096).toString("hex")) },
];

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signer: Signer = {
  key: publicKeyOf(publicKey),
  custody: "this-host",
  sign: async (bytes) => sign(null, bytes, privateKey),
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

const fsyncMs = (): number => {
  const file = openSync(join(scratch, "yardstick"), "a");
  const began = performance.now();
  for (let nth = 0; nth < 20; nth += 1) {
    writeSync(file, randomBytes(8192));
    fsyncSync(file);
  }
  closeSync(file);
  return (performance.now() - began) / 20;
};

const recording = async (): Promise<void> => {
  const folder = join(scratch, "recorded");
  const evidence = openEvidence(folder, folder);
  const ratios: number[] = [];
  const took: number[] = [];
  for (let nth = 1; nth <= 21; nth += 1) {
    const one = fsyncMs();
    const began = performance.now();
    const done = await evidence.record({ facts: facts(nth), files, signer });
    if (done.kind !== "recorded") throw new Error(done.kind);
    took.push(performance.now() - began);
    ratios.push((took.at(-1) ?? 0) / one);
  }
  const run = join(folder, "runs", runId(1));
  const observed = bytesIn(join(run, "snapshot"));
  const all = bytesIn(run);
  say(
    `one verdict: ${all} bytes, of which ${observed} observed; ${all - observed - 8192 - 3} are sums, statement, seal and bundle`,
  );
  say(
    `recording it, signed: ${median(took).toFixed(1)} ms, ${median(ratios).toFixed(1)} × one appended 8 KiB write + fsync`,
  );
};

// ---- the check of one run ------------------------------------------------------------------------------------------

const checking = async (): Promise<void> => {
  const folder = join(scratch, "recorded");
  const pem = join(scratch, "key.pub");
  writeFileSync(pem, signer.key.pem);
  const recipe = recipeText({ folder: join(folder, "runs", runId(20)), key: pem });
  const asfound = fileURLToPath(new URL("../bin/asfound", import.meta.url));
  const ours: number[] = [];
  const within: number[] = [];
  const theirs: number[] = [];
  const options = {
    run: "20",
    keys: [signer.key],
    heldHere: new Set<never>(),
    checkpoint: null,
    depth: "files",
  } as const;
  for (let nth = 0; nth < 9; nth += 1) {
    let began = performance.now();
    const by = spawnSync("sh", ["-s"], { input: recipe });
    theirs.push(performance.now() - began);
    if (by.status !== 0) throw new Error(String(by.stdout));
    began = performance.now();
    const own = spawnSync(asfound, [
      "evidence",
      "verify",
      "20",
      "--evidence",
      folder,
      "--key",
      pem,
      "-o",
      "name",
    ]);
    ours.push(performance.now() - began);
    if (own.status !== 0) throw new Error(String(own.stderr));
    began = performance.now();
    await openEvidence(folder, folder).check(options, () => undefined);
    within.push(performance.now() - began);
  }
  const [own, inside, stock] = [median(ours), median(within), median(theirs)];
  say(
    `evidence verify of one run ÷ the printed recipe (openssl, sha256sum), whole processes: ${(own / stock).toFixed(2)} (${own.toFixed(0)} ms ÷ ${stock.toFixed(0)} ms)`,
  );
  say(
    `the same check within a process ÷ the recipe: ${(inside / stock).toFixed(3)} (${inside.toFixed(1)} ms)`,
  );
};

// ---- the chain -----------------------------------------------------------------------------------------------------

/** Written without fsync: what is measured is the check. The files are those that asfound writes. */
const chainOf = (folder: string, length: number): void => {
  for (const name of ["chain", "runs", "keys"]) mkdirSync(join(folder, name), { recursive: true });
  const report = Buffer.from('{"kind":"VerdictReport"}\n');
  const digest = digestOfHex(sha256Hex(report));
  const sums = `${hexOf(digest)}  report.json\n`;
  const subjects = new Map([
    [SUMS, digestOfHex(sha256Hex(sums))],
    ["report.json", digest],
  ]);
  let previous: RunLink | null = null;
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const its = facts(sequence);
    const run: EvidenceRun = {
      ...its,
      sequence,
      previous,
      incomplete: [],
      signer: null,
      trust: trustOf("T0"),
      subjects,
    };
    const at = join(folder, "runs", its.run);
    const text = statementText(run);
    const hex = sha256Hex(text);
    mkdirSync(at);
    writeFileSync(join(at, "report.json"), report);
    writeFileSync(join(at, SUMS), sums);
    writeFileSync(join(at, "statement.json"), text);
    writeFileSync(join(at, "statement.sha256"), `${hex}  statement.json\n`);
    writeFileSync(join(folder, "chain", String(sequence).padStart(10, "0")), `${its.run}\n`);
    previous = { run: its.run, sha256: digestOfHex(hex) };
  }
};

interface ChainFigures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

/** In a process of its own, so that the peak is of this alone. */
const checked = (folder: string, depth: "files" | "chain"): ChainFigures => {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--check", folder, depth], {
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as ChainFigures;
};

const check = async (folder: string, depth: "files" | "chain"): Promise<void> => {
  const began = performance.now();
  const done = await openEvidence(folder, folder).check(
    { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth },
    () => undefined,
  );
  if ("fault" in done || done.finding !== "proven") throw new Error(JSON.stringify(done));
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const figures: ChainFigures = {
    ms: performance.now() - began,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakMegabytes: maxRSS / 1024,
  };
  console.log(JSON.stringify(figures));
};

const chains = (length: number): void => {
  const tenth = Math.floor(length / 10);
  for (const count of [tenth, length]) chainOf(join(scratch, `chain-${count}`), count);
  for (const depth of ["chain", "files"] as const) {
    const [small, large] = [tenth, length].map((count) => checked(join(scratch, `chain-${count}`), depth));
    if (small === undefined || large === undefined) continue;
    const each = (one: ChainFigures, count: number): string =>
      `${((one.cpuMs * 1000) / count).toFixed(0)} µs`;
    say(
      `${depth === "chain" ? "--chain-only" : "every file"}, ${length} runs: ${(large.ms / 1000).toFixed(1)} s, CPU a run ${each(large, length)} (${each(small, tenth)} of ${tenth}), peak ${large.peakMegabytes.toFixed(0)} MB (${small.peakMegabytes.toFixed(0)} MB)`,
    );
  }
};

const [first = "100000", folder = "", depth = ""] = process.argv.slice(2);
try {
  if (first === "--check") await check(folder, depth === "chain" ? "chain" : "files");
  else {
    say(`load ${loadavg()[0]?.toFixed(1)}`);
    await recording();
    await checking();
    chains(Number(first));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
