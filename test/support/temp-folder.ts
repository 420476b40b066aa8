import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when this process ends. */
export const tempFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `asfound-${name}-`));
  made.push(folder);
  return folder;
};
