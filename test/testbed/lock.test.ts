import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { withLock } from "../../testbed/lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const LOCK = fileURLToPath(new URL("../../testbed/lock.ts", import.meta.url));

/** A process that holds the lock until it is ended; resolves when it has it. */
const holder = async (path: string) => {
  const program = `
    const { withLock } = await import(${JSON.stringify(LOCK)});
    await withLock(${JSON.stringify(path)}, "up", () => new Promise((resolve) => {
      process.stdin.once("end", resolve).resume();
      console.log("held");
    }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return { child, ended };
};

describe("the lock of a testbed", () => {
  it("is held by one, and the other is told by whom", async () => {
    const path = join(tempFolder("lock"), "deeper", "one.lock");
    const { child, ended } = await holder(path);
    const refused = withLock(path, "down", async () => "done");
    await expect(refused).rejects.toThrow(`\`up\` (pid ${child.pid}) is at work on it`);
    child.stdin.end();
    await ended;
    expect(await withLock(path, "down", async () => "done")).toBe("done");
  });

  it("is free when its holder was killed, and after a fault", async () => {
    const path = join(tempFolder("lock"), "one.lock");
    const { child, ended } = await holder(path);
    child.kill("SIGKILL");
    await ended;
    const failed = withLock(path, "down", async () => {
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await withLock(path, "down", async () => "done")).toBe("done");
  });

  it("is waited for where that was asked", async () => {
    const path = join(tempFolder("lock"), "one.lock");
    const { child, ended } = await holder(path);
    const waited: string[] = [];
    const work = withLock(
      path,
      "setup",
      async () => "done",
      (by) => {
        waited.push(by);
        child.stdin.end();
      },
    );
    expect(await work).toBe("done");
    expect(waited).toEqual([`\`up\` (pid ${child.pid})`]);
    await ended;
  });
});
