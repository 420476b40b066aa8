/**
 * The real command line (src/faces/cli/main.ts) in a process that waits to be traced: `node traced.ts THREAD WORD…`.
 * It loads all that may be needed, prints the ids of the wanted threads as its first line, and goes on at a byte on stdin.
 *
 * `main` is where SQLite and all synchronous file work run, `pool` the one thread (UV_THREADPOOL_SIZE=1) where all
 * promised file work runs. strace counts calls by thread, so one thread at a time makes "the n-th call" an exact word.
 */
import { globSync, readdirSync, readFileSync, readSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import "yaml";

const SOURCE = new URL("../../../src/", import.meta.url);
const ENTRY = "faces/cli/main.ts";
/** The prompt's library opens stdin, which is what this process waits on. */
const LEFT: ReadonlySet<string> = new Set([ENTRY, "faces/cli/prompt.ts"]);

// Modules that load in the middle of a run are found and read in no fixed order, and each of them is an `openat`.
for (const module of globSync("{adapters,compose,domain,faces,ports,runtime,wire}/**/*.ts", { cwd: SOURCE }))
  if (!module.endsWith(".test.ts") && !LEFT.has(module)) await import(new URL(module, SOURCE).href);
await import(new URL("compose.ts", SOURCE).href);

// The pool's thread is there from its first work on.
await stat(".");
const pool = readdirSync("/proc/self/task").find(
  (thread) => readFileSync(`/proc/self/task/${thread}/comm`, "utf8") === "libuv-worker\n",
);
const [node, , thread = "", ...words] = process.argv as [string, ...string[]];
const ids = { main: `${process.pid}`, pool: `${pool}`, both: `${process.pid} ${pool}` }[thread];
writeSync(1, `${ids}\n`);
readSync(0, Buffer.alloc(1));
process.argv = [node, "asfound", ...words];
await import(new URL(ENTRY, SOURCE).href);
