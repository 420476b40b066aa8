/** A folder of the loop's own, named after its process, so that a later run can tell which are left over. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "asfound-kill-loop-";

export const makeRoot = (): string => mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));

/** What a test process that was killed itself left behind. */
export const sweepLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0;
    if (pid > 0 && !lives(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
