/** `npm run demo` shows what it promises, on real processes; and it can fail. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const RUN = fileURLToPath(new URL("../../demo/run.ts", import.meta.url));

const demo = async (environment: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [RUN], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const folder = /The stack is (\/\S+)\/asfound\.yaml/.exec(text)?.[1] ?? "";
  onTestFinished(async () => {
    if (basename(folder).startsWith("asfound-demo-")) await rm(folder, { recursive: true, force: true });
  });
  return { exit, text };
};

describe("npm run demo", () => {
  it("sees all of seed 000's story, also in CI, and ends with exit 0", { timeout: 180_000 }, async () => {
    const { exit, text } = await demo({ CI: "true", ASFOUND_LEDGER: "/nowhere/ledger.db" });
    expect(text).not.toContain("NOT SEEN");
    expect(exit).toBe(0);
    for (const seen of [
      "network complete, machine unresolved, config and health pending",
      "the lagging list showed nothing, and no second create was sent",
      "only then the config closes",
      "machines: 1 create call",
    ])
      expect(text).toContain(seen);
    const ledger = /The ledger is (\/\S+)/.exec(text)?.[1] ?? "";
    expect([existsSync(ledger), basename(dirname(ledger))]).toEqual([true, ".asfound"]);
    expect(text).not.toContain("\u001b[");
  });

  it("control: without the cloud's fault it fails, and names what it did not see", {
    timeout: 180_000,
  }, async () => {
    const { exit, text } = await demo({ DEMO_FAULT: "off" });
    expect(exit).toBe(1);
    expect(text).toContain("this was not seen: apply is red: exit 21");
  });
});
