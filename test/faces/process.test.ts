/** bin/asfound as a process: who it shares a stack with, what signals do, and readers that go away. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HOUSE } from "../canary/tree.ts";
import { asfound, fileStep, folder, launched, stackOf } from "./terminal.ts";

/** A step whose create says that it began, then waits until somebody writes into its gate. */
const gated = (file: string, more = ""): string =>
  fileStep(
    file,
    {
      create: `echo at-the-gate; cat ${file}.gate >/dev/null; echo hello >${file}; printf '{"outcome":"done","id":"%s"}\\n' ${file}`,
    },
    more,
  );

const withGate = (steps: Readonly<Record<string, string>>, ...files: readonly string[]): string => {
  const cwd = folder({ "asfound.yaml": stackOf(steps) });
  for (const file of files) expect(spawnSync("mkfifo", [join(cwd, `${file}.gate`)]).status).toBe(0);
  return cwd;
};

const start = (cwd: string, ...words: readonly string[]) => {
  const child = spawn(join(HOUSE, "bin/asfound"), words, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  let out = "";
  const waiting = new Set<() => void>();
  child.stdout.on("data", (bytes) => {
    out += bytes;
  });
  child.stderr.on("data", (bytes) => {
    err += bytes;
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!err.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((code) => reject(new Error(`ended with ${code} before it said ${text}: ${err}`)));
      }),
  };
};

describe("N1: one live operation per stack", () => {
  it("the second of two applies exits 23, says who holds the stack, and calls nothing", async () => {
    const cwd = withGate({ web: gated("web.txt") }, "web.txt");
    const first = start(cwd, "apply", "--yes");
    await first.says("at-the-gate");
    const second = await launched(cwd, ["apply", "--yes", "--progress", "quiet", "--actor", "bob"]);
    expect({ code: second.code, out: second.out }).toEqual({ code: 23, out: "" });
    expect(second.err).toMatch(
      /^asfound: another operation holds the stack shop: .* \(pid \d+\), operation op_/,
    );
    const status = await asfound({ cwd }, "status");
    expect(status.out).toMatch(/^shop: 1 running\nat work now: /);
    writeFileSync(join(cwd, "web.txt.gate"), "go");
    expect(await first.ended).toBe(0);
    expect((await asfound({ cwd }, "history", "-o", "name")).out.trimEnd().split("\n")).toHaveLength(1);
  });

  it("with --lease-wait it waits for the first to end, and then finds everything done", async () => {
    const cwd = withGate({ web: gated("web.txt") }, "web.txt");
    const first = start(cwd, "apply", "--yes");
    await first.says("at-the-gate");
    const second = start(cwd, "apply", "--yes", "--lease-wait", "1m");
    await second.says("waits for ");
    writeFileSync(join(cwd, "web.txt.gate"), "go");
    expect(await first.ended).toBe(0);
    expect(await second.ended).toBe(0);
    expect(second.err()).not.toContain("at-the-gate");
  });
});

describe("N4: signals", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s: the call in flight ends, nothing more is started, exit %i, the record in place",
    async (signal, code) => {
      const cwd = withGate(
        { web: gated("web.txt"), after: fileStep("after.txt", {}, "    needs: [web]") },
        "web.txt",
      );
      const run = start(cwd, "apply", "--yes");
      await run.says("at-the-gate");
      run.child.kill(signal);
      await run.says(`${signal}: nothing more is started; calls in flight have 30s to end.`);
      writeFileSync(join(cwd, "web.txt.gate"), "go");
      expect(await run.ended).toBe(code);
      expect(run.out()).toContain("shop: 1 complete, 1 pending");
      expect(existsSync(join(cwd, "after.txt"))).toBe(false);
    },
  );

  it("--grace says how long calls in flight have, and a signal when all is done changes nothing", async () => {
    const cwd = withGate({ web: gated("web.txt") }, "web.txt");
    const run = start(cwd, "apply", "--yes", "--ledger", "ledger.db", "--grace", "7s");
    await run.says("at-the-gate");
    run.child.kill("SIGTERM");
    await run.says("calls in flight have 7s to end");
    writeFileSync(join(cwd, "web.txt.gate"), "go");
    // All was already done when it ended: that is a success.
    expect(await run.ended).toBe(0);
  });
});

it("a reader that goes away (| head) ends nothing and is not complained of", async () => {
  // More than a pipe holds, so that the writer surely meets the closed end.
  const observe = `if [ -e web.txt ]; then printf '{"present":true,"asDeclared":true,"outputs":{"text":"%s"}}\\n' "$(head -c 300000 /dev/zero | tr '\\0' x)"; else echo '{"present":false}'; fi`;
  const cwd = folder({ "asfound.yaml": stackOf({ web: fileStep("web.txt", { observe }) }) });
  expect(await launched(cwd, ["apply", "--yes", "--progress", "quiet"])).toMatchObject({ code: 0 });
  const whole = await launched(cwd, ["status", "-o", "json"]);
  expect(whole.out.length).toBeGreaterThan(300_000);
  const pipe = spawnSync(
    "sh",
    ["-c", '{ "$0" status -o json; echo "exit $?" >&2; } | head -c 10', join(HOUSE, "bin/asfound")],
    { cwd, encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", HOME: cwd } },
  );
  expect(pipe).toMatchObject({ stdout: whole.out.slice(0, 10), stderr: "exit 0\n" });
});

it("apply goes on when the reader of its progress has gone away", async () => {
  const cwd = withGate(
    { web: gated("web.txt"), after: fileStep("after.txt", {}, "    needs: [web]") },
    "web.txt",
  );
  const run = start(cwd, "apply", "--yes");
  await run.says("at-the-gate");
  run.child.stderr.destroy();
  run.child.stdout.destroy();
  writeFileSync(join(cwd, "web.txt.gate"), "go");
  expect(await run.ended).toBe(0);
  expect(existsSync(join(cwd, "after.txt"))).toBe(true);
});

it("what a stack file logs goes to stderr: stdout holds the result alone", async () => {
  const stack = {
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Stack",
    metadata: { name: "loud" },
    steps: { one: { uses: "exec", with: { create: ["true"], protocol: "exit-code" } } },
  };
  const logs = 'console.log("said by log"); console.table([1]); console.dir("said by dir");';
  const cwd = folder({ "asfound.ts": `${logs}\nexport const stack = ${JSON.stringify(stack)};\n` });
  const { out, err } = await launched(cwd, ["plan", "-f", "asfound.ts", "-o", "json"]);
  expect(JSON.parse(out)).toMatchObject({ kind: "Plan", stack: "loud" });
  expect(err).toContain("said by log");
  expect(err).toContain("said by dir");
});

it("--version is that of the package", async () => {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  expect(await launched(folder(), ["--version"])).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
});

const SCRIPT = "/usr/bin/script";

/** Runs a command line on a terminal of its own, and types `keys` once it has asked. */
const onTerminal = (
  cwd: string,
  words: string,
  keys: string,
): Promise<{ code: number | null; shown: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      SCRIPT,
      ["-qec", `stty cols 100 rows 30; "${join(HOUSE, "bin/asfound")}" ${words}`, "/dev/null"],
      {
        cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TERM: "xterm-256color" },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    let shown = "";
    let typed = false;
    child.stdout.on("data", (bytes) => {
      shown += bytes;
      if (typed || !shown.includes("No")) return;
      typed = true;
      child.stdin.write(keys);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, shown }));
  });

describe.skipIf(!existsSync(SCRIPT))("on a terminal", () => {
  it("shows the plan, asks, draws a live tree, and gives the cursor back", async () => {
    const cwd = folder({ "asfound.yaml": stackOf({ web: fileStep("web.txt") }) });
    const { code, shown } = await onTerminal(cwd, "apply", "y");
    expect(code).toBe(0);
    expect(shown.indexOf("1 to create")).toBeLessThan(shown.indexOf("Apply this to shop?"));
    expect(shown).toMatch(/1 complete/);
    expect(shown.lastIndexOf("\x1b[?25h")).toBeGreaterThan(shown.lastIndexOf("\x1b[?25l"));
    expect(existsSync(join(cwd, "web.txt"))).toBe(true);
  });

  it("no means 23, Ctrl-C 130, and neither leaves anything", async () => {
    for (const [keys, code] of [
      ["n", 23],
      ["\x03", 130],
    ] as const) {
      const cwd = folder({ "asfound.yaml": stackOf({ web: fileStep("web.txt") }) });
      const ran = await onTerminal(cwd, "apply", keys);
      expect(ran.code).toBe(code);
      expect(ran.shown.lastIndexOf("\x1b[?25h")).toBeGreaterThan(ran.shown.lastIndexOf("\x1b[?25l"));
      expect(existsSync(join(cwd, ".asfound"))).toBe(false);
    }
  });
});
