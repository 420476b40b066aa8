/** One process, timed from outside, with what it says at its end that it used (`figures-at-exit.cjs`). */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const PRELOADED = fileURLToPath(new URL("figures-at-exit.cjs", import.meta.url));

export interface Measured {
  /** From its start to its end. */
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const measured = async (
  [program = "", ...args]: readonly string[],
  { folder, environment = {} }: { readonly folder: string; readonly environment?: NodeJS.ProcessEnv },
): Promise<Measured> => {
  const figures = join(folder, "figures.json");
  const from = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment, BENCH_FIGURES: figures, NODE_OPTIONS: `--require=${PRELOADED}` },
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const wallMs = performance.now() - from;
  const used = JSON.parse(readFileSync(figures, "utf8")) as Pick<Measured, "cpuMs" | "peakMegabytes">;
  return { wallMs, ...used, exit, ...said };
};
