/** Temp folders named after the process that owns them, so that a later run can tell what a killed one left behind. */
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStat } from "../../src/adapters/system/proc.ts";

/** A pid alone may be another process's by now; with its start it names one process of this boot. */
const owner = (): string => `${process.pid}-${readStat("self")?.startTicks ?? 0}`;

/** The caller removes it. */
export const ownFolder = (name: string): string => mkdtempSync(join(tmpdir(), `asfound-${name}-${owner()}-`));

/** Folders of that name whose owner is dead. */
export const foldersOfTheDead = (name: string): readonly string[] =>
  readdirSync(tmpdir())
    .filter((found) => {
      const [, pid, ticks] = new RegExp(`^asfound-${name}-(\\d+)-(\\d+)-\\w+$`).exec(found) ?? [];
      return pid !== undefined && readStat(Number(pid))?.startTicks !== ticks;
    })
    .map((found) => join(tmpdir(), found));
