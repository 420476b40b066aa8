/**
 * One apply of N no-op steps in a fresh folder, as a process of its own: prints one JSON line of figures.
 *   node bench/apply.ts STEPS PARALLELISM flat|chain
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { apply } from "../src/runtime/apply.ts";
import { planApply } from "../src/runtime/plan.ts";
import { openBench } from "./project.ts";

const [steps = "200", parallelism = "1", shape = "flat"] = process.argv.slice(2);
const count = Number(steps);
const folder = mkdtempSync(join(process.env["BENCH_DIRECTORY"] ?? tmpdir(), "asfound-bench-"));
const lines = ["apiVersion: asfound.dev/v1alpha1", "kind: Stack", "metadata: { name: bench }", "steps:"];
for (let i = 0; i < count; i++) {
  const needs = shape === "chain" && i > 0 ? ` needs: [s${i - 1}],` : "";
  lines.push(`  s${i}: { uses: noop,${needs} with: { size: ${i} } }`);
}
writeFileSync(join(folder, "asfound.yaml"), `${lines.join("\n")}\n`);

/** The yardstick: one appended 8 KiB write and its fsync, in the same folder, milliseconds each. */
const yardstickMs = (times: number): number => {
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

const loadAt = performance.now();
const project = await openBench(folder);
const planAt = performance.now();
const common = { stack: project.stack, described: project.described, fileDigest: project.fileDigest };
const planned = await planApply(project.runtime, { ...common, allowDestroy: false });
const plannedAt = performance.now();
if (planned.changes !== count) throw new Error(`the plan shows ${planned.changes} changes`);
const cpuOf = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
let cpuMs = cpuOf();
const before = yardstickMs(500);
const cpuBefore = cpuOf();
const applyAt = performance.now();
const done = await apply(project.runtime, {
  ...common,
  stackId: project.stackId,
  options: { only: [], allowDestroy: false, failFast: false, parallelism: Number(parallelism) },
  reason: null,
  leaseWaitMs: 0,
  plan: null,
});
const endAt = performance.now();
if (done.kind !== "done" || done.exit !== 0) throw new Error(JSON.stringify(done));
cpuMs += cpuOf() - cpuBefore;
const after = yardstickMs(500);
const store = project.runtime.store as { readonly transactions?: number };
const figures = {
  steps: count,
  parallelism: Number(parallelism),
  shape,
  loadMs: Math.round(planAt - loadAt),
  planMs: Math.round(plannedAt - planAt),
  applyMs: Math.round(endAt - applyAt),
  transactions: store.transactions ?? null,
  yardstickMs: Number(((before + after) / 2).toFixed(3)),
  /** Against three commits a step, each by the yardstick. */
  ratio: Number(((endAt - applyAt) / (3 * count * ((before + after) / 2))).toFixed(2)),
  /** User and system time of the whole process, loading the file included, the yardstick not. */
  cpuMs: Math.round(cpuMs),
  peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
};
await project.close();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(figures));
