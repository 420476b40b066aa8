/** The same stories through `bin/asfound`, as a person and a pipeline run it: exit codes, signals, what is printed. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudStep, makePlace, type Place, stackText, until } from "./place.ts";

const ASFOUND = fileURLToPath(new URL("../../bin/asfound", import.meta.url));

let place: Place;
const children: ChildProcess[] = [];
beforeEach(async () => {
  place = await makePlace();
  await place.writeStack(stackText([cloudStep("machine", ["deadline: 20s"])]));
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await place.end();
});

const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const child = spawn(ASFOUND, args, {
    cwd: place.folder,
    env: { ...process.env, CI: "", NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<{ exit: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve) => child.once("close", (exit, signal) => resolve({ exit, signal, stdout, stderr })),
  );
  return { child, ended, stderr: () => stderr };
};
const asfound = (...args: string[]) => start(args).ended;
const json = (text: string): Record<string, never> => JSON.parse(text) as Record<string, never>;

describe("exit codes", () => {
  it("0, then status with all fields of DESIGN §7, then destroy 0", async () => {
    expect((await asfound("apply", "--yes")).exit).toBe(0);
    const status = await asfound("status", "-o", "json");
    expect(status.exit).toBe(0);
    const report = json(status.stdout) as unknown as {
      apiVersion: string;
      kind: string;
      stack: string;
      steps: Record<string, unknown>[];
      next: unknown[];
    };
    expect(report).toMatchObject({ apiVersion: "asfound.dev/v1alpha1", kind: "StackStatus", stack: "shop" });
    const fields =
      "step provider status reason confirmed identity surplus outputs outputsFrom previous waitingOn failedCommand lastError effect rerunInputsFile resolvedInputsFile runId intent retained evidence";
    expect(Object.keys(report.steps[0] ?? {})).toEqual(expect.arrayContaining(fields.split(" ")));
    expect((await asfound("destroy", "--yes")).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it("2 without a terminal and without --yes, and nothing is called", async () => {
    const done = await asfound("apply");
    expect(done.exit).toBe(2);
    expect(done.stderr).toMatch(/--yes/);
    expect(await place.log()).toEqual([]);
  });

  it.each([
    ["refuse", 10, 10],
    ["fail-after", 21, 21],
    ["lose", 21, 21],
  ])("create %s: apply exits %i, status %i", async (fault, apply, status) => {
    await place.fault("create", "machine", fault);
    expect((await asfound("apply", "--yes")).exit).toBe(apply);
    expect((await asfound("status")).exit).toBe(status);
  });

  it("1 for a ledger that is no ledger; 23 for one that is gone", async () => {
    await asfound("apply", "--yes");
    await writeFile(join(place.folder, ".asfound", "ledger.db"), "");
    const damaged = await asfound("apply", "--yes");
    expect(damaged.exit).toBe(1);
    expect(damaged.stderr).toMatch(/nothing was called/);
    expect((await asfound("status")).exit).toBe(1);
  });

  it("23 in CI without a lock, nothing called", async () => {
    const { ended } = start(["apply", "--yes"], { CI: "true" });
    expect((await ended).exit).toBe(23);
    expect(await place.log()).toEqual([]);
  });
});

describe("a story from end to end", () => {
  it("op-01, op-04: killed in create, shown, settled, resumed, destroyed", async () => {
    await place.fault("create", "machine", "crash-after");
    expect((await asfound("apply", "--yes")).signal).toBe("SIGKILL");
    const shown = await asfound("status");
    expect(shown.exit).toBe(21);
    expect(shown.stdout).toMatch(/machine +unresolved/);
    expect(shown.stdout).toContain("asfound reconcile");
    const settled = await asfound("reconcile");
    expect(settled.exit).toBe(0);
    expect((await asfound("resume", "--yes")).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect((await asfound("destroy", "--yes")).exit).toBe(0);
    expect(await place.objects()).toEqual([]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "N4: %s to the launcher's pid is ours: exit %i, the record in place, resume goes on",
    async (signal, exit) => {
      await place.writeStack(
        stackText([cloudStep("machine", ["deadline: 20s"]), cloudStep("app", ["needs: [machine]"])]),
      );
      await place.fault("create", "machine", "hold");
      const run = start(["apply", "--yes"]);
      await place.held("create", "machine");
      run.child.kill(signal);
      // Told on stderr once it drains; the call may then end.
      await until("it drains", () => run.stderr().includes(`${signal}: nothing more is started`));
      await place.release("create", "machine");
      expect((await run.ended).exit).toBe(exit);
      expect((await place.step("machine")).status).toBe("complete");
      expect(await place.calls("create", "app")).toEqual([]);
      expect((await asfound("resume", "--yes")).exit).toBe(0);
      expect(await place.objects()).toEqual(["app-1", "machine-1"]);
    },
  );

  it("op-25: no verb prints a secret, in any format", async () => {
    const secrets = ["hunter2-in-env", "hunter2-in-output", "hunter2-literal"];
    await place.cloudIs("secretive");
    await place.cloudIs("dump");
    await place.writeStack(
      stackText([
        cloudStep("machine", {
          with: [`inputs: { token: "\${secret.env.API_TOKEN}", password: hunter2-literal }`],
        }),
        cloudStep("app", { with: [`inputs: { pass: "\${steps.machine.outputs.password}" }`] }),
      ]),
    );
    await place.fault("create", "machine", "secret");
    await place.fault("create", "app", "leak");
    const printed: string[] = [];
    for (const args of [
      ["plan"],
      ["plan", "-o", "json"],
      ["apply", "--yes", "-o", "json"],
      ["status"],
      ["status", "-o", "json"],
      ["reconcile"],
      ["history"],
      ["ledger", "export"],
      ["doctor"],
    ]) {
      const { ended } = start(args, { API_TOKEN: "hunter2-in-env" });
      const done = await ended;
      printed.push(`${args.join(" ")}\n${done.stdout}${done.stderr}`);
    }
    for (const text of printed)
      for (const secret of secrets)
        expect(text.includes(secret), `${secret} in ${text.slice(0, 400)}`).toBe(false);
    // Control: the provider had them, and the verbs did say something.
    expect(printed.every((text) => text.length > 20)).toBe(true);
    expect(await place.struck("create app leak")).toBe(1);
  });
});
