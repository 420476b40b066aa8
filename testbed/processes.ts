/**
 * Who lives in a testbed, read from /proc each time: no pid is ever written down, so none can be stale, and what a
 * start that was killed left behind is found like everything else.
 *
 * A process is of a testbed if its environment says so (all that is started here carries `MARK`), if it is in a
 * namespace of the testbed's first process, or if it is in the testbed's cgroup (the Pods).
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { type ComponentName, programOf } from "./component-name.ts";
import type { Place } from "./place.ts";

/** In the environment: the testbed's name. */
export const MARK = "ASFOUND_TESTBED";
/** In the environment: what the process is there for, a `Role`. */
export const MARK_ROLE = "ASFOUND_TESTBED_ROLE";

/** `init` holds the namespaces, `start` starts the parts, `exec` is somebody's command, `build` compiles. */
export type Role = "init" | "start" | "exec" | "build" | ComponentName;

export interface Process {
  readonly pid: number;
  /** Its pid in its own PID namespace, and how deep that one lies below ours: 1 is ours. */
  readonly innerPid: number;
  readonly depth: number;
  /** File name of the program. */
  readonly program: string;
  readonly mark: string | null;
  readonly role: string | null;
  readonly pidNamespace: string;
  readonly netNamespace: string;
  readonly cgroups: string;
  readonly residentBytes: number;
  readonly startedAt: Date;
}

/** Every process that can be read. One that ends meanwhile is left out; kernel threads have no program and are too. */
export const allProcesses = (proc = "/proc"): readonly Process[] => {
  const bootedAtMs = Number(/^btime (\d+)$/m.exec(readFileSync(`${proc}/stat`, "utf8"))?.[1]) * 1000;
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [readProcess(`${proc}/${name}`, Number(name), bootedAtMs)];
      } catch (error) {
        if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
        throw error;
      }
    });
};

export const processesOf = (
  { name, cgroup }: Place,
  processes: readonly Process[] = allProcesses(),
): readonly Process[] => {
  const init = initOf(name, processes);
  return processes.filter(
    (process) =>
      process.mark === name ||
      process.cgroups.includes(`/${cgroup}/`) ||
      (init !== undefined &&
        (process.pidNamespace === init.pidNamespace || process.netNamespace === init.netNamespace)),
  );
};

/** The process that holds the testbed's namespaces: the first of its PID namespace. */
export const initOf = (name: string, processes: readonly Process[] = allProcesses()): Process | undefined =>
  processes.find(
    (process) =>
      process.mark === name && process.role === "init" && process.innerPid === 1 && process.depth > 1,
  );

/** A component's own process: not the `nsenter` that waits for it, nor a helper that it started. */
export const componentOf = (processes: readonly Process[], component: string): Process | undefined =>
  processes.find(
    (process) => process.role === component && process.program === programOf(component) && process.depth > 1,
  );

/** Clock ticks a second, in which Linux tells start times on every architecture that Node runs on. */
const TICKS = 100;

const readProcess = (folder: string, pid: number, bootedAtMs: number): Process => {
  const status = readFileSync(`${folder}/status`, "utf8");
  const field = (name: string): string =>
    new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1]?.trim() ?? "";
  const pids = field("NSpid").split(/\s+/);
  // The name in parentheses may hold anything; the numbers begin after the last one.
  const stat = readFileSync(`${folder}/stat`, "utf8");
  const startTicks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  const environment = readFileSync(`${folder}/environ`, "latin1").split("\0");
  const variable = (name: string): string | null =>
    environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  return {
    pid,
    innerPid: Number(pids.at(-1)),
    depth: pids.length,
    program: basename(readlinkSync(`${folder}/exe`)).replace(/ \(deleted\)$/, ""),
    mark: variable(MARK),
    role: variable(MARK_ROLE),
    pidNamespace: readlinkSync(`${folder}/ns/pid`),
    netNamespace: readlinkSync(`${folder}/ns/net`),
    cgroups: readFileSync(`${folder}/cgroup`, "utf8"),
    residentBytes: Number(field("VmRSS").split(" ")[0] || 0) * 1024,
    startedAt: new Date(bootedAtMs + startTicks * (1000 / TICKS)),
  };
};
