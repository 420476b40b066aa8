/** A step over cloud.sh, which keeps one class, with every switch that the kit knows. */

import { mkdtempSync } from "node:fs";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execProvider } from "../../../src/adapters/provider-exec/provider.ts";
import type { RetryClass } from "../../../src/provider.ts";
import type { Subject } from "../../../src/testing.ts";

const CLOUD_SH = fileURLToPath(new URL("../../fixtures/cloud/cloud.sh", import.meta.url));

export const execSubject = (keeps: RetryClass) => async (): Promise<Subject> => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-kit-"));
  const objects = join(folder, "objects");
  await mkdir(join(folder, "faults"));
  if (keeps !== "once") await writeFile(join(folder, keeps), "");
  const command = [CLOUD_SH, folder];
  const commands = { observe: command, create: command, update: command, destroy: command };
  const fault = (action: string, what: string): Promise<void> =>
    writeFile(join(folder, "faults", `${action}-thing`), what);
  const there = (): Promise<string[]> => readdir(objects).catch(() => []);
  return {
    provider: execProvider({ environment: process.env, waits: { termMs: 1_000, quietMs: 300 } }),
    with: { ...commands, inputs: { size: 1 } },
    changed: { ...commands, inputs: { size: 2 } },
    count: async () => (await there()).length,
    end: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
    switches: {
      loseReply: (action) => fault(action, "lose"),
      failAfter: (action) => fault(action, "fail-after"),
      refuse: (action) => fault(action, "refuse"),
      late: (action, ms) => fault(action, `late ${ms / 1_000}`),
      hang: (action) => fault(action, "hang"),
      reads: (how) =>
        how === null
          ? rm(join(folder, "faults", "observe-thing"), { force: true })
          : fault("observe", how === "denied" ? "always denied" : "always deny"),
      twin: async () => {
        const [first] = await there();
        if (first !== undefined) await cp(join(objects, first), join(objects, `${first}0`));
      },
    },
  };
};
