/** N4: SIGINT and SIGTERM, sent to a real process. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";

const SCRIPT = new URL("../fixtures/exec/signals.ts", import.meta.url).pathname;
const NEVER_MS = 600_000;
const running: { end(): void }[] = [];
afterEach(() => {
  for (const each of running.splice(0)) each.end();
});

const arm = async (graceMs: number) => {
  const child = spawn(process.execPath, [SCRIPT, String(graceMs)], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (): Promise<string> => String((await lines.next()).value);
  const exit = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(String(signal ?? code))),
  );
  running.push({ end: () => child.kill("SIGKILL") });
  expect(await said()).toBe("armed");
  return {
    said,
    exit,
    /** What it said to the signal. */
    send: async (signal: NodeJS.Signals): Promise<string[]> => {
      child.kill(signal);
      const all: string[] = [];
      for (let line = await said(); line !== `got ${signal}`; line = await said()) all.push(line);
      return all;
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ask: (what: string) => {
      child.stdin.write(`${what}\n`);
      return said();
    },
    end: () => child.stdin.end(),
  };
};

describe("N4", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s drains, and nothing more", async (signal) => {
    const process = await arm(NEVER_MS);
    expect(await process.send(signal)).toEqual([`drain ${signal} ${signal}`]);
    expect(await process.ask("state")).toBe(`state true false ${signal}`);
    process.end();
    expect(await process.exit).toBe("0");
  });

  it.each(["SIGINT", "SIGTERM"] as const)("the same %s again ends the calls", async (signal) => {
    const process = await arm(NEVER_MS);
    await process.send(signal);
    await process.ask("later");
    expect(await process.send(signal)).toEqual([`kill ${signal}`]);
    expect(await process.ask("state")).toBe(`state true true ${signal}`);
  });

  it("another signal than the first does not escalate; itself again it does", async () => {
    const process = await arm(NEVER_MS);
    await process.send("SIGINT");
    await process.ask("later");
    expect(await process.send("SIGTERM")).toEqual([]);
    expect(await process.ask("state")).toBe("state true false SIGINT");
    await process.ask("later");
    expect(await process.send("SIGTERM")).toEqual(["kill SIGTERM"]);
  });

  it("one Ctrl-C that comes twice, as under npx, is one", async () => {
    const process = await arm(NEVER_MS);
    await process.send("SIGINT");
    expect(await process.send("SIGINT")).toEqual([]);
    expect(await process.ask("state")).toBe("state true false SIGINT");
  });

  it("the grace over ends the calls", async () => {
    const process = await arm(50);
    await process.send("SIGTERM");
    expect(await process.said()).toBe("kill grace over");
  });

  it("SIGHUP drains like SIGTERM and never escalates", async () => {
    const process = await arm(NEVER_MS);
    expect(await process.send("SIGHUP")).toEqual(["drain SIGHUP SIGTERM"]);
    await process.ask("later");
    expect(await process.send("SIGHUP")).toEqual([]);
  });

  it("disarmed, a signal does what it always does, and a grace that was running is off", async () => {
    const process = await arm(1000);
    await process.send("SIGINT");
    expect(await process.ask("disarm")).toBe("disarmed");
    await systemClock.sleep(1200);
    expect(await process.ask("state")).toBe("state true false SIGINT");
    process.kill("SIGTERM");
    expect(await process.exit).toBe("SIGTERM");
  });
});
