import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];
// Of the test file that imports this. Not at the end of the process: vitest ends its workers without that.
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when the test file has ended. */
export const tempFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `asfound-${name}-`));
  made.push(folder);
  return folder;
};
