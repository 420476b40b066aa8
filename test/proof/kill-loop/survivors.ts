/** Provider processes that outlived asfound: the loop lets them act, and leaves none behind. */
import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "../../../src/compose.ts";

/** Processes of log-cloud.sh over that folder, ours by the path that only this run knows. */
const providersOf = (folder: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder) && pid !== process.pid;
      } catch {
        return false;
      }
    });

/** They nap and act, and end by themselves. */
export const endOfProviders = async (folder: string): Promise<void> => {
  while (providersOf(folder).length > 0) await systemClock.sleep(50);
};

export const endProviders = async (folder: string): Promise<void> => {
  for (const pid of providersOf(folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
  await endOfProviders(folder);
};
