/**
 * The real command line (src/faces/cli/main.ts) in a process that waits to be traced: `node traced.ts THREAD WORD…`.
 * It loads what an apply needs, prints the ids of the wanted threads as its first line, and goes on at a byte on stdin.
 *
 * `main` is where SQLite and all synchronous file work run, `pool` the one thread (UV_THREADPOOL_SIZE=1) where all
 * promised file work runs. strace counts calls by thread, so one thread at a time makes "the n-th call" an exact word.
 */
import { readdirSync, readFileSync, readSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import "../../../src/compose.ts";
import "../../../src/faces/cli/dispatch.ts";
import "../../../src/faces/cli/commands/apply.ts";

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
await import("../../../src/faces/cli/main.ts");
