/** A tree of files in a folder of its own, for a tool to find fault with. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const HOUSE = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Writes the files, beside copies of the house's own `configs`, and removes everything after the test. */
export function plant(files: Readonly<Record<string, string>>, configs: readonly string[] = []): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "asfound-canary-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const config of configs) cpSync(`${HOUSE}/${config}`, `${root}/${config}`, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(`${root}/${name}`), { recursive: true });
    writeFileSync(`${root}/${name}`, text);
  }
  return root;
}
