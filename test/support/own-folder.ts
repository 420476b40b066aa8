/**
 * One folder for all temp files of a test file, named after the process that owns it: vitest may end a worker without
 * telling it, and a killed one cleans up nothing, so the next run removes what the dead left behind.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { readStat } from "../../src/adapters/system/proc.ts";

/** For the top of a test file. Until its tests have ended `tmpdir()` is that folder, here and in child processes. */
export const ownTempFolder = (name: string): void => {
  const before = process.env["TMPDIR"];
  let folder: string | null = null;
  beforeAll(() => {
    for (const left of foldersOfTheDead(name)) rmSync(left, { recursive: true, force: true });
    // A pid alone may be another process's by now; with its start it names one process of this boot.
    const owner = `${process.pid}-${readStat("self")?.startTicks ?? 0}`;
    folder = mkdtempSync(join(tmpdir(), `asfound-${name}-${owner}-`));
    process.env["TMPDIR"] = folder;
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
};

const foldersOfTheDead = (name: string): readonly string[] =>
  readdirSync(tmpdir())
    .filter((found) => {
      const [, pid, ticks] = new RegExp(`^asfound-${name}-(\\d+)-(\\d+)-\\w+$`).exec(found) ?? [];
      return pid !== undefined && readStat(Number(pid))?.startTicks !== ticks;
    })
    .map((found) => join(tmpdir(), found));
