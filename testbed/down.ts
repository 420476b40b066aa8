/** Ends a testbed and removes all that is left of it, in whatever state it was; asks the kernel whether it is gone. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { cgroupFolders, removeCgroups } from "./cgroups.ts";
import { TestbedFault } from "./fault.ts";
import type { Place } from "./place.ts";
import { allProcesses, initOf, type Process, processesOf } from "./processes.ts";

/** What is left of a testbed on this machine. Namespaces live in their processes, interfaces and rules in those. */
export interface Remains {
  readonly processes: readonly Process[];
  readonly cgroups: readonly string[];
  /** Mounts that this machine sees. */
  readonly mounts: readonly string[];
  readonly state: boolean;
}

export const remainsOf = (place: Place): Remains => ({
  processes: processesOf(place),
  cgroups: cgroupFolders(place),
  mounts: readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => line.includes(place.state) || line.includes("/run/testbed")),
  state: existsSync(place.state),
});

export const isNothing = ({ processes, cgroups, mounts, state }: Remains): boolean =>
  processes.length === 0 && cgroups.length === 0 && mounts.length === 0 && !state;

/** Ends everything but the logs: `takeDown` without the last step, for a start that failed. */
export const endAll = async (place: Place): Promise<void> => {
  await endProcesses(place, () => true);
  await removeCgroups(place);
};

export const takeDown = async (place: Place): Promise<void> => {
  demandOutside(place);
  await endAll(place);
  rmSync(place.state, { recursive: true, force: true });
  const left = remainsOf(place);
  if (!isNothing(left)) throw new TestbedFault("failed", `something is left of it: ${JSON.stringify(left)}`);
};

const ENDED_WITHIN_MS = 20_000;

/** Kills the chosen ones until there are none; the first process goes first, and takes most with it. */
export const endProcesses = async (place: Place, isChosen: (process: Process) => boolean): Promise<void> => {
  const deadline = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const processes = allProcesses();
    const init = initOf(place.name, processes);
    const chosen = processesOf(place, processes)
      .filter(({ pid }) => pid !== process.pid)
      .filter(isChosen);
    if (chosen.length === 0) return;
    if (performance.now() > deadline)
      throw new TestbedFault(
        "failed",
        `these processes do not end, even killed: ${chosen.map(({ pid, program }) => `${program} (${pid})`).join(", ")}`,
      );
    for (const { pid } of [...chosen].sort((a) => (a.pid === init?.pid ? -1 : 0))) kill(pid);
    await sleep(20);
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

/** A command cannot take away the ground that it stands on. */
const demandOutside = (place: Place): void => {
  if (processesOf(place).some(({ pid }) => pid === process.pid))
    throw new TestbedFault(
      "usage",
      "this command runs inside the testbed that it shall end: give it from outside",
    );
};
