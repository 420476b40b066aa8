/**
 * One apply of N no-op steps in a fresh folder, as a process of its own: prints one JSON line of figures.
 *   node bench/apply.ts STEPS PARALLELISM flat|chain [warm]
 *
 * `warm`: 500 steps of another stack are applied first, so that what is measured is not V8 compiling asfound.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { apply } from "../src/runtime/apply.ts";
import { planApply } from "../src/runtime/plan.ts";
import { openBench } from "./project.ts";

/** What Node and the loading of the modules took. */
const startMs = Math.round(performance.now());

type Shape = "flat" | "chain";

const cpuMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;

/** The yardstick: one appended 8 KiB write and its fsync, in that folder, milliseconds each. */
const yardstickMs = (folder: string, times: number): number => {
  const file = openSync(join(folder, "yardstick"), "a");
  const bytes = Buffer.alloc(8192, 120);
  const from = performance.now();
  for (let i = 0; i < times; i++) {
    writeSync(file, bytes);
    fsyncSync(file);
  }
  const each = (performance.now() - from) / times;
  closeSync(file);
  return each;
};

const applied = async (count: number, parallelism: number, shape: Shape) => {
  const folder = mkdtempSync(join(process.env["BENCH_DIRECTORY"] ?? tmpdir(), "asfound-bench-"));
  const lines = ["apiVersion: asfound.dev/v1alpha1", "kind: Stack", "metadata: { name: bench }", "steps:"];
  for (let i = 0; i < count; i++) {
    const needs = shape === "chain" && i > 0 ? ` needs: [s${i - 1}],` : "";
    lines.push(`  s${i}: { uses: noop,${needs} with: { size: ${i} } }`);
  }
  writeFileSync(join(folder, "asfound.yaml"), `${lines.join("\n")}\n`);
  const loadAt = performance.now();
  const cpuAtLoad = cpuMs();
  const project = await openBench(folder);
  const planAt = performance.now();
  const common = { stack: project.stack, described: project.described, fileDigest: project.fileDigest };
  const planned = await planApply(project.runtime, { ...common, allowDestroy: false });
  const plannedAt = performance.now();
  if (planned.changes !== count) throw new Error(`the plan shows ${planned.changes} changes`);
  const cpuToPlan = cpuMs() - cpuAtLoad;
  const before = yardstickMs(folder, 500);
  const cpuAtApply = cpuMs();
  const applyAt = performance.now();
  const done = await apply(project.runtime, {
    ...common,
    stackId: project.stackId,
    options: { only: [], allowDestroy: false, failFast: false, parallelism },
    reason: null,
    leaseWaitMs: 0,
    plan: null,
  });
  const applyMs = performance.now() - applyAt;
  const cpuToApply = cpuMs() - cpuAtApply;
  if (done.kind !== "done" || done.exit !== 0) throw new Error(JSON.stringify(done));
  const yardstick = (before + yardstickMs(folder, 500)) / 2;
  const { transactions } = project.runtime.store as { readonly transactions?: number };
  await project.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    steps: count,
    parallelism,
    shape,
    startMs,
    loadMs: Math.round(planAt - loadAt),
    planMs: Math.round(plannedAt - planAt),
    applyMs: Math.round(applyMs),
    transactions: transactions ?? null,
    yardstickMs: Number(yardstick.toFixed(3)),
    /** Against three commits a step, each by the yardstick. */
    ratio: Number((applyMs / (3 * count * yardstick)).toFixed(2)),
    /** User and system time, loading the file included, the yardstick not. */
    cpuMs: Math.round(cpuToPlan + cpuToApply),
    applyCpuMs: Math.round(cpuToApply),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
};

const [steps = "200", parallelism = "1", shape = "flat", warm] = process.argv.slice(2);
if (warm !== undefined) await applied(500, 8, "flat");
console.log(JSON.stringify(await applied(Number(steps), Number(parallelism), shape as Shape)));
