/** exec against processes that misbehave: junk without end, deaf to TERM, outliving us, ignoring stdin. */
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../src/adapters/provider-exec/environment.ts";
import { execProvider } from "../../src/adapters/provider-exec/provider.ts";
import { requestOfCall } from "../../src/adapters/provider-exec/request.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import { key } from "../../src/domain/ids.ts";
import { create, exec, observe, printing, recordingIo, sh } from "../support/exec.ts";
import { CALL_BY, testIntent } from "../support/intents.ts";
import { tempFolder } from "../support/temp-folder.ts";

const done = { outcome: "done", id: "vm-1" };
const folder = (): string => tempFolder("exec");
const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.startsWith("Z") === false;
  } catch {
    return false;
  }
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await systemClock.sleep(20);
};

describe("what the command gets", () => {
  const request = async (
    action: "create" | "owed",
    partial: Parameters<typeof testIntent>[1],
  ): Promise<Record<string, unknown>> => {
    const directory = folder();
    const io = recordingIo({ baseDirectory: directory });
    const inputs = { create: sh("cat > request"), owed: sh("cat > request"), ...partial?.inputs };
    await (action === "create"
      ? exec.create(testIntent("create", { ...partial, inputs }), io)
      : exec.owed(testIntent("owed", { ...partial, inputs }), io));
    return JSON.parse(readFileSync(join(directory, "request"), "utf8"));
  };

  it("one JSON object on stdin, exactly the protocol's, and then its end", async () => {
    const got = await request("create", {
      inputs: { inputs: { size: 2 } },
      outputs: { ip: "10.0.0.1" },
      previousInputs: { create: ["old"], inputs: { size: 1 } },
    });
    expect(got).toEqual({
      protocol: 1,
      action: "create",
      stack: "shop",
      step: "web",
      operation: "op_0197a000-0000-7000-8000-000000000002",
      attempt: 1,
      key: "asf-0197a000-0000-7000-8000-000000000003",
      keys: ["asf-0197a000-0000-7000-8000-000000000003"],
      epoch: 7,
      callBy: "2026-01-02T03:04:05.006Z",
      inputs: { size: 2 },
      identity: null,
      outputs: { ip: "10.0.0.1" },
      previousInputs: { size: 1 },
    });
  });

  it("P3: an owed call is told what is owed", async () => {
    const got = await request("owed", { identity: { id: "vm-1" }, owes: ["restart nginx"] });
    expect(got).toMatchObject({ action: "owed", identity: { id: "vm-1" }, owes: ["restart nginx"] });
  });

  it("the same scalars in its environment, what is null unset, and its own variables", async () => {
    const io = recordingIo();
    await create("env | grep -E '^(ASFOUND_|REGION)' | sort", io, { environment: { REGION: "eu" } });
    expect(io.lines).toEqual([
      "ASFOUND_ACTION=create",
      "ASFOUND_ATTEMPT=1",
      "ASFOUND_CALL_BY=2026-01-02T03:04:05.006Z",
      "ASFOUND_EPOCH=7",
      "ASFOUND_KEY=asf-0197a000-0000-7000-8000-000000000003",
      "ASFOUND_OPERATION=op_0197a000-0000-7000-8000-000000000002",
      "ASFOUND_STACK=shop",
      "ASFOUND_STEP=web",
      "REGION=eu",
    ]);
    expect(new Date(CALL_BY).toISOString()).toBe("2026-01-02T03:04:05.006Z");
  });

  it("E5: a secret of our environment does not reach it (canary)", async () => {
    const ours = {
      PATH: process.env["PATH"],
      LC_ALL: "C",
      CANARY_TOKEN: "canary-4711",
      SSH_AUTH_SOCK: "canary-sock",
      ASFOUND_ID: "canary-outer",
    };
    const io = recordingIo();
    await execProvider({ environment: ours }).create(
      testIntent("create", { inputs: { create: sh("cat /proc/$$/environ | tr '\\0' '\\n'") } }),
      io,
    );
    expect(io.lines.join("\n")).toContain("LC_ALL=C");
    expect(io.lines.join("\n")).not.toContain("canary");
    // Control: passed on by the step itself, it does arrive.
    const passed = recordingIo();
    await execProvider({ environment: ours }).create(
      testIntent("create", { inputs: { create: sh("env"), environment: { CANARY_TOKEN: "canary-4711" } } }),
      passed,
    );
    expect(passed.lines).toContain("CANARY_TOKEN=canary-4711");
  });

  it("N6: the key comes first in the environment", async () => {
    const call = await testIntent("create").open();
    const names = Object.keys(childEnvironment({ PATH: "/bin" }, { A: "1" }, requestOfCall(call)));
    expect(names[0]).toBe("ASFOUND_KEY");
  });

  it("runs in its directory, relative to the stack file's folder, without a shell", async () => {
    const io = recordingIo({ baseDirectory: "/" });
    await exec.create(
      testIntent("create", { inputs: { create: ["echo", "$HOME", ";", "*"], directory: "etc" } }),
      io,
    );
    expect(io.lines).toEqual(["$HOME ; *"]);
    const where = recordingIo({ baseDirectory: "/" });
    await create("pwd", where, { directory: "etc" });
    expect(where.lines).toEqual(["/etc"]);
  });

  it("a number that a reference became is its text, as argument and as variable", async () => {
    const io = recordingIo();
    await exec.create(
      testIntent("create", { inputs: { create: ["sh", "-c", 'echo "$0 $N"', 80], environment: { N: 3 } } }),
      io,
    );
    expect(io.lines).toEqual(["80 3"]);
  });

  it("a command that ignores a stdin of 20 MB, or closes it, is no fault", async () => {
    const inputs = { inputs: { blob: "x".repeat(20_000_000) } };
    expect((await create(printing(done), recordingIo(), inputs)).kind).toBe("done");
    expect((await create(`exec <&-; sleep 0.1; ${printing(done)}`, recordingIo(), inputs)).kind).toBe("done");
    expect((await create(`wc -c; ${printing(done)}`, recordingIo(), inputs)).kind).toBe("done");
  });
});

describe("bounds", () => {
  it.each(["lines", "one line"])(
    "200 MB of junk (%s) do not grow memory, and the result is seen",
    async (shape) => {
      const script = new URL("../fixtures/exec/memory.ts", import.meta.url).pathname;
      const { stdout } = await promisify(execFile)(process.execPath, [script, shape]);
      const told = JSON.parse(stdout);
      expect(told.outcome).toMatchObject({ kind: "done", id: "vm-1" });
      expect(told.longest).toBeLessThan(4200);
      // Held whole, either shape grows it by several hundred.
      expect(told.grownMb).toBeLessThan(120);
    },
  );

  it("a result longer than 1 MiB is cut, and so nobody knows; its id is kept", async () => {
    const program = `printf '{"outcome":"done","id":"vm-1","outputs":{"x":"'; head -c 1100000 /dev/zero | tr '\\0' x; echo '"}}'`;
    const outcome = await create(program);
    expect(outcome).toMatchObject({ kind: "unknown", id: "vm-1" });
    expect(outcome.kind === "unknown" && outcome.reason).toMatch(/1 MiB/);
  });

  it("a result just below 1 MiB is whole", async () => {
    const program = `printf '{"outcome":"done","id":"vm-1","outputs":{"x":"'; head -c 1000000 /dev/zero | tr '\\0' x; echo '"}}'`;
    expect((await create(program)).kind).toBe("done");
  });
});

describe("N4: ending a call", () => {
  it("TERM first: a command that tidies up may say so, and is unknown all the same", async () => {
    const stop = new AbortController();
    const io = recordingIo({ stop: stop.signal, progress: (text) => text === "up" && stop.abort() });
    const outcome = await create(
      `trap 'echo tidying >&2; ${printing({ outcome: "done", id: "vm-1" }).replaceAll("'", '"').replaceAll('"{', '\\"{')}; exit 0' TERM; echo up; for i in $(seq 1500); do sleep 0.02; done`,
      io,
    );
    expect(outcome.kind).toBe("unknown");
    expect(outcome.kind === "unknown" && outcome.reason).toMatch(/told to stop/);
  });

  it("KILL to the whole group of a command that is deaf to TERM", async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const io = recordingIo({
      stop: stop.signal,
      progress: (text) => {
        pids.push(...text.split(" ").map(Number));
        stop.abort();
      },
    });
    const deaf = `trap '' TERM; sh -c 'trap "" TERM; for i in $(seq 1500); do sleep 0.02; done' & echo $$ $!; for i in $(seq 1500); do sleep 0.02; done`;
    const outcome = await create(deaf, io);
    expect(outcome.kind).toBe("unknown");
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isAlive));
  });

  it("a child that is deaf to TERM is killed, though its parent obeyed", async () => {
    const pids: number[] = [];
    const io = recordingIo({ deadlineMs: 400, progress: (text) => pids.push(Number(text)) });
    await create(`sh -c 'trap "" TERM; for i in $(seq 1500); do sleep 0.02; done' & echo $!; wait`, io);
    expect(pids).toHaveLength(1);
    await until(() => !pids.some(isAlive));
  });

  it("an observe is ended at its deadline with all that it started", async () => {
    const pids: number[] = [];
    const io = recordingIo({ deadlineMs: 400, progress: (text) => pids.push(Number(text)) });
    const reading = await observe("sleep 60 & echo $!; sleep 60", io);
    expect(reading.kind).toBe("timed-out");
    await until(() => !pids.some(isAlive));
  });
});

describe("N6: processes that outlive the command", () => {
  it("a child that holds the output open does not hang us, and is said", async () => {
    const io = recordingIo();
    const outcome = await create(`sleep 60 & echo $!; ${printing(done)}`, io);
    const pid = Number(io.lines[0]);
    expect(outcome.kind).toBe("done");
    expect(io.lines.at(-1)).toMatch(/still running/);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("in an error, the reason says it", async () => {
    const io = recordingIo();
    const outcome = await create("sleep 60 >&- 2>&- & echo $!; exit 3", io);
    process.kill(Number(io.lines[0]), "SIGKILL");
    expect(outcome.kind === "unknown" && outcome.reason).toMatch(/still running/);
  });

  it("a child that prints for ever does not keep us for ever", async () => {
    const io = recordingIo();
    const outcome = await create(`yes noise & echo $!; ${printing(done)}`, io);
    process.kill(Number(io.lines.find((line) => /^\d+$/.test(line))), "SIGKILL");
    expect(outcome.kind).toBe("done");
  });

  it("one that left the group with a session of its own is found by its key", async () => {
    const itsKey = key("asf-double-fork");
    const io = recordingIo();
    await exec.create(
      testIntent("create", {
        key: itsKey,
        inputs: {
          create: sh(
            `setsid sh -c 'echo $$; exec sleep 60' < /dev/null 2>&- & wait_for() { sleep 0.2; }; wait_for; ${printing(done)}`,
          ),
        },
      }),
      io,
    );
    const pid = Number(io.lines[0]);
    const host = systemHost({ clock: systemClock });
    const found = await host.survivors(new Set([itsKey]));
    expect(found.map((survivor) => survivor.pid)).toEqual([pid]);
    expect(found[0]?.command).toBe("sleep 60");
    for (const survivor of found) await host.end(survivor);
    expect(await host.survivors(new Set([itsKey]))).toEqual([]);
  });

  it("kill -9 of its asfound leaves the command running and recognisable; a clean end leaves none", async () => {
    const directory = folder();
    const itsKey = key(`asf-orphan-${process.pid}`);
    const script = new URL("../fixtures/exec/parent.ts", import.meta.url).pathname;
    const parent = spawn(process.execPath, [script, directory, itsKey], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    const host = systemHost({ clock: systemClock });
    const gone = new Promise((resolve) => parent.once("exit", resolve));
    parent.kill("SIGKILL");
    await gone;

    const found = await host.survivors(new Set([itsKey]));
    expect(found.map((survivor) => survivor.pid)).toContain(pid);
    expect(await host.survivors(new Set([key("asf-another")]))).toEqual([]);
    // And it still acts: that is why absence is not believed while it lives.
    expect(existsSync(join(directory, "effects"))).toBe(false);
    writeFileSync(join(directory, "stop"), "");
    await until(() => existsSync(join(directory, "effects")));
    await until(() => !isAlive(pid));
    expect(await host.survivors(new Set([itsKey]))).toEqual([]);
  });
});
