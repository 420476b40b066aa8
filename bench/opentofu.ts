/**
 * The same number of resources with OpenTofu: `terraform_data`, which does nothing, flat and as a chain. OpenTofu syncs
 * its state once a run; asfound makes each step durable three times.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

/** OpenTofu's own default. */
export const TOFU_PARALLELISM = 10;

const resources = (count: number, shape: "flat" | "chain"): string =>
  Array.from({ length: count }, (_, i) => {
    const input = shape === "chain" && i > 0 ? `terraform_data.s${i - 1}.output` : `"${i}"`;
    return `resource "terraform_data" "s${i}" {\n  input = ${input}\n}\n`;
  }).join("");

/** Runs OpenTofu without its settings files: one that is missing makes it print a warning in place of its answer. */
const run = (tofu: string, folder: string, ...args: string[]): void => {
  const { TF_CLI_CONFIG_FILE: _, ...environment } = process.env;
  const ran = spawnSync(tofu, [...args, "-no-color"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...environment, CHECKPOINT_DISABLE: "1" },
  });
  if (ran.status !== 0) throw new Error(`${tofu} ${args.join(" ")}: ${ran.error?.message ?? ran.stderr}`);
};

/** Milliseconds of one `tofu apply` that creates `count` resources; its plan is part of it. */
export const tofuApplyMs = (
  tofu: string,
  scratch: string,
  count: number,
  shape: "flat" | "chain",
): number => {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "tofu-"));
  try {
    writeFileSync(join(folder, "main.tf"), resources(count, shape));
    run(tofu, folder, "init", "-input=false");
    const from = performance.now();
    run(tofu, folder, "apply", "-auto-approve", "-input=false", `-parallelism=${TOFU_PARALLELISM}`);
    return performance.now() - from;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
