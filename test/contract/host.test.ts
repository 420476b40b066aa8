/** N1 and N6: what this machine can tell of processes, on real ones. */
import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ciRunOf } from "../../src/adapters/system/ci-run.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import { parseStat, readStat } from "../../src/adapters/system/proc.ts";
import { key } from "../../src/domain/ids.ts";
import type { Holder } from "../../src/domain/lease.ts";
import { tempFolder } from "../support/temp-folder.ts";

const host = systemHost({ clock: systemClock, environment: { GITHUB_RUN_ID: "77" } });
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
});

const start = (
  argv: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess & { pid: number } => {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, {
    detached: true,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  return child as ChildProcess & { pid: number };
};
const line = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())));
const exit = (child: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
const holderOf = (pid: number): Holder => ({
  ...host.self("x"),
  pid,
  startTicks: readStat(pid)?.startTicks ?? "",
});

describe("N1: whether a holder lives", () => {
  it("we live, with actor, CI run and everything that names this process", () => {
    const self = host.self("alice");
    expect(self).toMatchObject({ actor: "alice", pid: process.pid, ciRun: "GitHub Actions 77" });
    expect(self.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(self.pidNamespace).toMatch(/^pid:\[\d+\]$/);
    expect(host.isAlive(self)).toEqual({ kind: "known", value: true });
  });

  it("a process that ended is dead; before, it lived", async () => {
    const child = start(["sleep", "60"]);
    const holder = holderOf(child.pid);
    expect(host.isAlive(holder)).toEqual({ kind: "known", value: true });
    const ended = exit(child);
    child.kill("SIGKILL");
    await ended;
    expect(host.isAlive(holder)).toEqual({ kind: "known", value: false });
  });

  it("a pid that another process has by now is a dead holder", () => {
    expect(host.isAlive({ ...host.self("x"), startTicks: "1" })).toEqual({ kind: "known", value: false });
  });

  it("a zombie cannot act: it is dead, though its pid is taken", async () => {
    // The shell becomes a program that never reaps its child.
    const child = start(["sh", "-c", "sh -c 'echo $$; read x < /dev/null; exit' & exec sleep 60"]);
    const pid = Number(await line(child));
    while (readStat(pid)?.state !== "Z") await systemClock.sleep(10);
    expect(host.isAlive(holderOf(pid))).toEqual({ kind: "known", value: false });
  });

  it.each([
    ["another host", { host: "elsewhere" }],
    ["another boot", { bootId: "00000000-0000-0000-0000-000000000000" }],
    ["another PID namespace", { pidNamespace: "pid:[1]" }],
    ["a system without boot ids", { bootId: "" }],
  ])("of %s nothing is claimed", (_name, other) => {
    expect(host.isAlive({ ...host.self("x"), ...other, pid: 999_999_999 }).kind).toBe("unreadable");
  });

  it("a command's name may hold spaces and parentheses", () => {
    const folder = tempFolder("host");
    const named = join(folder, "a) R 1 (b");
    copyFileSync("/bin/sleep", named);
    chmodSync(named, 0o755);
    const child = start([named, "60"]);
    const stat = readStat(child.pid);
    expect(stat).toMatchObject({ pid: child.pid, group: child.pid });
    const ps = execFileSync("cat", [`/proc/${child.pid}/stat`], { encoding: "latin1" });
    expect(ps).toContain("(a) R 1 (b)");
    expect(stat?.startTicks).toBe(ps.slice(ps.lastIndexOf(")")).split(" ")[20]);
  });

  it("a stat that is cut short is no stat", () => {
    expect(parseStat("12 (x) S 1 2")).toBeNull();
    expect(parseStat("")).toBeNull();
  });
});

describe("N6: survivors", () => {
  const itsKey = key(`asf-host-test-${process.pid}`);

  it("are found by their key, with an escaped and bounded command line", async () => {
    const child = start(["sh", "-c", "echo up; sleep 60", "\u001b[31m", "x".repeat(300)], {
      ASFOUND_KEY: itsKey,
    });
    await line(child);
    const found = await host.survivors(new Set([itsKey]));
    const shell = found.find(({ pid }) => pid === child.pid);
    expect(shell).toMatchObject({ key: itsKey, startTicks: readStat(child.pid)?.startTicks });
    expect(shell?.command).toContain("\\u{1b}[31m");
    expect(shell?.command.length).toBeLessThanOrEqual(200);
    await host.end(shell ?? found[0]!);
  });

  it("an observe is none: a reading changes nothing (control: another action is one)", async () => {
    const reads = start(["sleep", "60"], { ASFOUND_KEY: itsKey, ASFOUND_ACTION: "observe" });
    const acts = start(["sleep", "60"], { ASFOUND_KEY: itsKey, ASFOUND_ACTION: "create" });
    const pids = (await host.survivors(new Set([itsKey]))).map(({ pid }) => pid);
    expect(pids).toContain(acts.pid);
    expect(pids).not.toContain(reads.pid);
  });

  it("a key behind 100 KB of environment is found", async () => {
    const child = start(["sleep", "60"], { BIG: "x".repeat(100_000), ASFOUND_KEY: itsKey });
    expect((await host.survivors(new Set([itsKey]))).map(({ pid }) => pid)).toContain(child.pid);
  });

  it("no key asked, none found; a key that only begins alike is another", async () => {
    // A key of its own: what the tests before ended may not have gone yet.
    const own = key(`${itsKey}-own`);
    start(["sleep", "60"], { ASFOUND_KEY: `${own}-longer` });
    expect(await host.survivors(new Set())).toEqual([]);
    expect(await host.survivors(new Set([own]))).toEqual([]);
  });

  it("ending one sends TERM to its group, and KILL to those that are deaf", async () => {
    const quick = systemHost({ clock: quickClock() });
    const child = start(
      [
        "sh",
        "-c",
        `trap 'exit 0' TERM; sh -c 'trap "" TERM; for i in $(seq 1500); do sleep 0.02; done' & echo $!; wait`,
      ],
      { ASFOUND_KEY: itsKey },
    );
    const deaf = Number(await line(child));
    const ended = exit(child);
    const [survivor] = (await quick.survivors(new Set([itsKey]))).filter(({ pid }) => pid === child.pid);
    await quick.end(survivor!);
    expect(await ended).toBeNull();
    expect(readStat(deaf)?.state ?? "gone").toMatch(/gone|Z/);
  });

  it("a survivor whose pid is another process's by now is left alone", async () => {
    const child = start(["sleep", "60"]);
    await host.end({ pid: child.pid, startTicks: "1", key: itsKey, command: "sleep 60" });
    expect(readStat(child.pid)?.state).toMatch(/[SR]/);
  });

  it("a survivor in our own group is ended alone, not with us", async () => {
    const child = spawn("sleep", ["60"], {
      env: { PATH: process.env["PATH"], ASFOUND_KEY: itsKey },
      stdio: "ignore",
    });
    started.push(child);
    const ended = exit(child);
    const [survivor] = await host.survivors(new Set([itsKey]));
    expect(survivor?.pid).toBe(child.pid);
    await host.end(survivor!);
    expect(await ended).toBe("SIGTERM");
  });
});

/** Real waits, a tenth as long: monotonic time runs ten times as fast. */
const quickClock = () => ({
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() * 10,
});

describe("the CI run", () => {
  it.each([
    [{}, null],
    [{ CI: "true" }, null],
    [{ GITHUB_RUN_ID: "1", GITHUB_RUN_ATTEMPT: "2" }, "GitHub Actions 1 attempt 2"],
    [{ CI_PIPELINE_ID: "9" }, "GitLab pipeline 9"],
    [{ BUILD_URL: "https://bob:secret@ci/job/3" }, "Jenkins https://ci/job/3"],
    [{ BUILD_URL: "" }, null],
    [{ BUILD_URL: "a\u001bb" }, "Jenkins a b"],
  ])("%j is %s", (environment, expected) => {
    expect(ciRunOf(environment)).toBe(expected);
  });
});
