/** A command's process group: what of it lives, and signals to it. */
import { readdirSync, readFileSync } from "node:fs";

/** Sends `signal` to every process of the group; a group that is gone is no error. */
export const signalGroup = (leader: number, signal: "SIGTERM" | "SIGKILL"): void => {
  try {
    process.kill(-leader, signal);
  } catch {
    // Gone (ESRCH), or changed its user and is out of reach (EPERM): `groupLives` tells which.
  }
};

/** Whether a process of the group can still act. Zombies cannot; where /proc does not tell, they count as alive. */
export const groupLives = (leader: number): boolean => {
  try {
    process.kill(-leader, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const members = membersOf(leader);
  return members === null || members.some((state) => state !== "Z" && state !== "X");
};

/** The states of the group's processes, from /proc; null where there is none. */
const membersOf = (leader: number): readonly string[] | null => {
  let names: readonly string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return null;
  }
  const states: string[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      // The command's name may hold spaces and parentheses: fields begin after the last ")".
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (group === String(leader) && state !== undefined) states.push(state);
    } catch {
      // It ended while we looked.
    }
  }
  return states;
};
