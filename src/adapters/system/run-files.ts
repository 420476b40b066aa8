/** Files an operation leaves for people (ports/run-files.ts): one folder an operation, 0700, files 0600. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunFiles } from "../../ports/run-files.ts";

/** A step's name may hold any letters, but never a separator, so it is safe as a file's name. */
export const systemRunFiles = (directory: string): RunFiles => ({
  write: async (operation, name, text) => {
    const folder = join(directory, operation);
    const path = join(folder, name);
    try {
      const { replaceFile } = await import("./write-file.ts");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await replaceFile(path, text, 0o600);
      return path;
    } catch {
      // A full disk has its own message from the ledger; this file is a help that is then missing, and is shown so.
      return null;
    }
  },
  find: (operation, name) => {
    const path = join(directory, operation, name);
    return existsSync(path) ? path : null;
  },
});
