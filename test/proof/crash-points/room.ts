/** Where these tests make their folders: one for each process, named by its pid, so that the next run removes what a killed one left. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const NAME = /^asfound-proof-crash-points-(\d+)$/;
let made = false;

export const roomOfItsOwn = (): void => {
  if (made) return;
  made = true;
  const under = tmpdir();
  for (const name of readdirSync(under)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !lives(Number(pid))) remove(join(under, name));
  }
  const own = join(under, `asfound-proof-crash-points-${process.pid}`);
  mkdirSync(own, { recursive: true });
  process.env["TMPDIR"] = own;
  // Not at the exit of the process, which a test runner may end with a signal.
  afterAll(() => remove(own));
};

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};
