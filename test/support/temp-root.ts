/** vitest's global set-up: everything that a run puts into the temp folder goes with the run, whatever a test leaves. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-tests-"));
  // Some tests become another user in it.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
};
