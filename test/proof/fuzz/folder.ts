import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes when the test that asked for it ends, however it ends. */
export const folderFor = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `asfound-proof-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
