/** Runs the command line with one of its threads under strace, so that chosen system calls fail or are held up. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HOUSE } from "../../canary/tree.ts";
import type { Place } from "../../scenarios/place.ts";
import { type Call, readTrace } from "./trace.ts";

const LAUNCHER = join(HOUSE, "bin/asfound");
const TRACED = fileURLToPath(new URL("traced.ts", import.meta.url));

export type Thread = "main" | "pool";

export interface Ran {
  readonly thread: Thread | "both";
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly Call[];
}

export interface Tracing {
  readonly thread: Thread | "both";
  /** In strace's words: `fsync:error=EIO:when=3`. Of both threads each counts for itself. */
  readonly inject?: readonly string[];
  /** Modules that are loaded before anything else: what a control breaks. */
  readonly broken?: readonly string[];
}

const TRACED_CALLS = "pwrite64,write,fsync,fdatasync,pread64,openat";

/** What a process of the project is started with here; `TMPDIR` keeps what it leaves for its own folder. */
const environmentFor = (place: Place): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: place.root,
  TMPDIR: place.root,
  UV_THREADPOOL_SIZE: "1",
  // To read and strip the source anew would be the longest part of a run.
  NODE_COMPILE_CACHE: join(tmpdir(), "compile-cache"),
});

/** What is missing for tracing here, as a clause; null when nothing is. */
export const straceLacking = (): string | null => {
  if (spawnSync("strace", ["-V"]).status !== 0) return "strace is not installed";
  const scope = "/proc/sys/kernel/yama/ptrace_scope";
  const isScoped = existsSync(scope) && readFileSync(scope, "utf8") !== "0\n";
  return isScoped && process.getuid?.() !== 0 ? "this user may not trace a process that runs" : null;
};

const text = (stream: NodeJS.ReadableStream): { read(): string; says(what: RegExp): Promise<string> } => {
  let all = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    all += chunk;
  });
  return {
    read: () => all,
    says: async (what) => {
      for (;;) {
        const found = what.exec(all);
        if (found !== null) return found[0];
        await Promise.race([once(stream, "data"), once(stream, "end")]);
        if (what.exec(all) === null && (stream as { readableEnded?: boolean }).readableEnded)
          throw new Error(`it ended without ${what}: ${all}`);
      }
    },
  };
};

export const traced = async (
  place: Place,
  words: readonly string[],
  { thread, inject = [], broken = [] }: Tracing,
): Promise<Ran> => {
  const trace = join(place.root, "trace");
  const imports = broken.flatMap((module) => ["--import", module]);
  const child = spawn(process.execPath, [...imports, TRACED, thread, ...words], {
    cwd: place.folder,
    env: environmentFor(place),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const out = text(child.stdout);
  const err = text(child.stderr);
  try {
    const ids = (await out.says(/^[\d ]+\n/)).trim().split(" ");
    const strace = spawn(
      "strace",
      [
        // Without -f: no other thread, and nothing of the provider's processes.
        ...ids.flatMap((id) => ["-p", id]),
        ...["-y", "-s", "120", "-o", trace, "-e", `trace=${TRACED_CALLS}`],
        ...inject.flatMap((one) => ["-e", `inject=${one}`]),
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const straceEnded = once(strace, "close");
    await text(strace.stderr).says(new RegExp(`(?:attached[^]*){${ids.length}}`));
    child.stdin.end("\n");
    const [exit] = (await ended) as [number | null];
    await straceEnded;
    return {
      thread,
      exit,
      out: out.read().replace(/^[\d ]+\n/, ""),
      err: err.read(),
      calls: readTrace(readFileSync(trace, "utf8")),
    };
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  }
};

const WHOLE_CALLS =
  "pwrite64,fsync,fdatasync,clone,clone3,fork,vfork,execve,connect,write,writev,sendto,sendmsg";

/** Runs the launcher with all of its threads and processes under strace, from its start to its end. */
export const tracedWhole = async (
  place: Place,
  words: readonly string[],
  broken: { readonly modules?: readonly string[]; readonly preload?: string },
): Promise<Omit<Ran, "thread">> => {
  const trace = join(place.root, "trace");
  const options = ["-f", "-v", "-y", "-s", "100000", "-ttt", "-o", trace, "-e", `trace=${WHOLE_CALLS}`];
  const modules = (broken.modules ?? []).map((module) => `--import ${module}`).join(" ");
  const child = spawn("strace", [...options, LAUNCHER, ...words], {
    cwd: place.folder,
    env: {
      ...environmentFor(place),
      ...(modules === "" ? {} : { NODE_OPTIONS: modules }),
      ...(broken.preload === undefined ? {} : { LD_PRELOAD: broken.preload }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = text(child.stdout);
  const err = text(child.stderr);
  const [exit] = (await once(child, "close")) as [number | null];
  return { exit, out: out.read(), err: err.read(), calls: readTrace(readFileSync(trace, "latin1")) };
};
