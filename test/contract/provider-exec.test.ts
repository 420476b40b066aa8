/** The result table of DESIGN §6, row by row, against real processes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import { create, exec, observe, printing, question, recordingIo, sh } from "../support/exec.ts";
import { testIntent } from "../support/intents.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOT_EXECUTABLE = join(tempFolder("exec"), "plain.sh");
writeFileSync(NOT_EXECUTABLE, "#!/bin/sh\n", { mode: 0o600 });

const done = { outcome: "done", id: "vm-1", outputs: { ip: "10.0.0.1" }, owes: ["restart nginx"] };

describe("the result table", () => {
  it("done and exit 0: done, with id, outputs and what is owed (P3)", async () => {
    expect(await create(printing(done))).toEqual({
      kind: "done",
      id: "vm-1",
      outputs: { ip: "10.0.0.1" },
      owes: ["restart nginx"],
    });
  });

  it.each([0, 1, 75])("refused with exit %i: it did nothing, and knows", async (exit) => {
    const outcome = await create(`${printing({ outcome: "refused", reason: "quota" })}\nexit ${exit}`);
    expect(outcome).toEqual({ kind: "refused", reason: "it refused: quota" });
  });

  it.each([0, 1])("W4: failed with exit %i keeps id and outputs", async (exit) => {
    const failed = { outcome: "failed", reason: "disk", id: "vm-1", outputs: { ip: "10.0.0.1" } };
    expect(await create(`${printing(failed)}\nexit ${exit}`)).toEqual({
      kind: "failed",
      reason: "it failed: disk",
      id: "vm-1",
      outputs: { ip: "10.0.0.1" },
      owes: [],
    });
  });

  const unknowns: readonly (readonly [string, string, RegExp])[] = [
    ["unknown", printing({ ...done, outcome: "unknown", reason: "lost the reply" }), /lost the reply/],
    ["done with a bad exit", `${printing(done)}\nexit 3`, /says done, but it exited with 3/],
    ["done and killed", `${printing(done)}\nkill -9 $$`, /says done, but it was killed by SIGKILL/],
    ["two results", printing(done, done), /2 results/],
    ["done and then failed", printing(done, { outcome: "failed" }), /2 results \(done, failed\)/],
    ["broken JSON beside a result", printing(done, '{"outcome":"fail'), /not valid JSON/],
    ["an outcome nobody knows", printing({ ...done, outcome: "success" }), /"success"/],
    ["owes that is no list", printing({ ...done, owes: "restart" }), /owes/],
    [
      "a result nested too deep",
      printing(`${JSON.stringify(done).slice(0, -1)},"x":${"[".repeat(99)}${"]".repeat(99)}}`),
      /deeper/,
    ],
    [
      "killed after an id",
      `${printing({ id: "vm-1", outputs: { ip: "10.0.0.1" } })}\nkill -9 $$`,
      /killed by SIGKILL without a result/,
    ],
    [
      "no result after an id",
      `${printing({ id: "vm-1", outputs: { ip: "10.0.0.1" } })}`,
      /exited with 0 without a result/,
    ],
    [
      "a refusal that gives an id",
      printing({ ...done, outcome: "refused" }),
      /did nothing, and yet it gave the id vm-1/,
    ],
  ];
  it.each(unknowns)("%s: unknown", async (_name, program, reason) => {
    const outcome = await create(program);
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toMatch(reason);
  });
  it.each(unknowns.filter(([name]) => !/deep/.test(name)))(
    "W4: %s keeps the id and the outputs",
    async (_name, program) => {
      expect(await create(program)).toMatchObject({ id: "vm-1", outputs: { ip: "10.0.0.1" } });
    },
  );

  it("none at all: unknown, with its last word on stderr", async () => {
    const outcome = await create("echo trying; echo 'no route to host' >&2; echo >&2; exit 4");
    expect(outcome).toMatchObject({ kind: "unknown", id: null });
    expect(reasonOf(outcome)).toBe(
      "it exited with 4 without a result; its last line on stderr: no route to host",
    );
  });

  it("a deadline: unknown, the id kept", async () => {
    const io = recordingIo({ deadlineMs: 300 });
    const outcome = await create(`${printing({ id: "vm-1" })}\nexec sleep 60`, io);
    expect(outcome).toMatchObject({ kind: "unknown", id: "vm-1" });
    expect(reasonOf(outcome)).toMatch(/deadline/);
  });

  it("an answered failure stays one at the deadline; a refusal from a command still at work does not", async () => {
    const late = (outcome: string) =>
      create(`${printing({ outcome, reason: "r" })}\nexec sleep 60`, recordingIo({ deadlineMs: 300 }));
    expect((await late("failed")).kind).toBe("failed");
    expect((await late("refused")).kind).toBe("unknown");
  });

  it("W4: an id in a result that was cut off is kept", async () => {
    const outcome = await create(printing('{"outcome":"done","id":"vm-1","outputs":{"ip":"10.0'));
    expect(outcome).toMatchObject({ kind: "unknown", id: "vm-1" });
  });
});

describe("ids and outputs as they come", () => {
  it("W7: an id line is handed over before the command goes on", async () => {
    // The command waits for a file that only the handed-over id makes: a late hand-over would never end.
    const directory = tempFolder("exec");
    const io = recordingIo({
      baseDirectory: directory,
      identity: async (id) => writeFileSync(`${directory}/seen`, id),
      deadlineMs: 20_000,
    });
    const outcome = await create(
      `${printing({ id: "vm-1" })}\nwhile [ ! -e seen ]; do sleep 0.02; done\n${printing({ outcome: "done", outputs: { saw: "it" } })}`,
      io,
    );
    expect(outcome).toEqual({ kind: "done", id: "vm-1", outputs: { saw: "it" }, owes: [] });
  });

  it("W7: an id in the result does not wait for a command that lingers", async () => {
    const io = recordingIo({ deadlineMs: 300 });
    await create(`${printing(done)}\nexec sleep 60`, io);
    expect(io.identities).toEqual([{ id: "vm-1", outputs: { ip: "10.0.0.1" } }]);
  });

  it("W4: outputs of every line are merged, the later value wins", async () => {
    const io = recordingIo();
    const outcome = await create(
      printing(
        { id: "vm-1", outputs: { a: 1, b: 1 } },
        { outputs: { b: 2 } },
        { outcome: "failed", reason: "late", outputs: { c: 3 } },
      ),
      io,
    );
    expect(outcome).toMatchObject({ kind: "failed", id: "vm-1", outputs: { a: 1, b: 2, c: 3 } });
    expect(io.identities.map(({ id }) => id)).toEqual(["vm-1", "vm-1"]);
  });

  it("N3: two different ids in one call are both handed over, and nobody knows which is it", async () => {
    const io = recordingIo();
    const outcome = await create(printing({ id: "vm-1" }, { outcome: "done", id: "vm-2" }), io);
    expect(outcome).toMatchObject({ kind: "unknown", id: "vm-2" });
    expect(reasonOf(outcome)).toMatch(/vm-1, vm-2/);
    expect(io.identities.map(({ id }) => id)).toEqual(["vm-1", "vm-2"]);
  });

  it("an integer id is its decimal text; one whose digits JSON loses is none", async () => {
    expect(await create(printing('{"outcome":"done","id":4711}'))).toMatchObject({
      kind: "done",
      id: "4711",
    });
    const lost = await create(printing('{"outcome":"done","id":12345678901234567890}'));
    expect(lost).toMatchObject({ kind: "unknown", id: null });
  });

  it("an id beyond all numbers is none, and a long one among the outputs keeps its digits", async () => {
    expect(await create(printing('{"outcome":"done","id":1e999}'))).toMatchObject({
      kind: "unknown",
      id: null,
    });
    expect(await create(printing('{"outcome":"done","outputs":{"id":9007199254740993}}'))).toMatchObject({
      kind: "done",
      outputs: { id: "9007199254740993" },
    });
  });
  it("a long integer among the outputs keeps its digits", async () => {
    const outcome = await create(
      printing('{"outcome":"done","outputs":{"account":12345678901234567890,"n":7}}'),
    );
    expect(outcome).toMatchObject({ outputs: { account: "12345678901234567890", n: 7 } });
  });

  it.each([
    ["empty", '""'],
    ["too long", JSON.stringify("x".repeat(1025))],
    ["with a NUL, which no environment can hold", '"a\\u0000b"'],
    ["half a surrogate pair", '"\\ud800"'],
    ["an object", "{}"],
  ])("an id that is %s is no id", async (_name, id) => {
    const io = recordingIo();
    expect(await create(printing(`{"outcome":"done","id":${id}}`), io)).toMatchObject({
      kind: "unknown",
      id: null,
    });
    expect(io.identities).toEqual([]);
  });
});

describe("progress", () => {
  it("is any other line: text, a progress object, other JSON, stderr, invalid UTF-8", async () => {
    const io = recordingIo();
    await create(
      `echo hello; ${printing({ progress: "half" }, { level: "info" }, "42", "[1]", '{"not json')}; printf 'caf\\351\\n'; printf 'crlf\\r\\n'; ${printing(done)}; printf 'after the result, unended'`,
      io,
    );
    expect(io.lines).toEqual([
      "hello",
      "half",
      '{"level":"info"}',
      "42",
      "[1]",
      '{"not json',
      "caf\uFFFD",
      "crlf",
      "after the result, unended",
    ]);
    const error = recordingIo();
    await create("echo oops >&2", error);
    expect(error.lines).toEqual(["oops"]);
  });

  it("a callback that throws does not leave the command blocked", async () => {
    const io = recordingIo({
      progress: () => {
        throw new Error("terminal gone");
      },
      identity: async () => {
        throw new Error("broken promise");
      },
    });
    const outcome = await create(`echo hi; echo ho >&2; ${printing({ id: "vm-1" }, done)}`, io);
    expect(outcome).toMatchObject({ kind: "unknown", id: "vm-1" });
  });
});

describe("protocol: exit-code", () => {
  const plain = (program: string, io = recordingIo()) => create(program, io, { protocol: "exit-code" });
  it("exit 0 is done, whatever it prints", async () => {
    const io = recordingIo();
    expect(await plain(printing({ outcome: "failed", id: "x" }), io)).toEqual({
      kind: "done",
      id: null,
      outputs: {},
      owes: [],
    });
    expect(io.lines).toEqual(['{"outcome":"failed","id":"x"}']);
  });
  it("another exit is failed, with the last line on stderr", async () => {
    expect(await plain("echo 'disk full' >&2; exit 9")).toMatchObject({
      kind: "failed",
      reason: "it exited with 9; its last line on stderr: disk full",
    });
  });
  it("killed, or at its deadline: unknown", async () => {
    expect((await plain("kill -9 $$")).kind).toBe("unknown");
    expect((await plain("exec sleep 60", recordingIo({ deadlineMs: 200 }))).kind).toBe("unknown");
  });
  it("observe: exit 0 says present, another exit never says absent", async () => {
    expect(await observe("exit 0", recordingIo(), { protocol: "exit-code" })).toMatchObject({
      kind: "observed",
      id: null,
    });
    const other = await observe("exit 1", recordingIo(), { protocol: "exit-code" });
    expect(other).toMatchObject({ kind: "failed" });
  });
});

describe("what never ran is refused, and known to have done nothing", () => {
  const spawnOf = (argv: string[], more = {}) =>
    exec.create(testIntent("create", { inputs: { create: argv, ...more } }), recordingIo());
  it.each([
    ["a program that is not there", ["./no-such-program"], {}, /no such program/],
    ["a file that is not executable", [NOT_EXECUTABLE], {}, /not executable/],
    ["arguments that are too large", ["true", "x".repeat(3_000_000)], {}, /too large/],
    [
      "a directory that is not there",
      ["true"],
      { directory: "no/such/folder" },
      /directory .* does not exist/,
    ],
    ["an argument that resolved to a list", ["true", ["a"]] as unknown as string[], {}, /with\.create\.1/],
  ])("%s", async (_name, argv, more, reason) => {
    const outcome = await spawnOf(argv, more);
    expect(outcome.kind).toBe("refused");
    expect(reasonOf(outcome)).toMatch(reason);
  });

  it("N5: an intent whose fence is closed is never sent", async () => {
    const notSent = Object.assign(new Error("the call-by has passed"), { code: "ASFOUND_NOT_SENT" });
    const io = recordingIo();
    const intent = testIntent("create", { inputs: { create: sh("echo ran") } }, async () => {
      throw notSent;
    });
    expect(await exec.create(intent, io)).toEqual({ kind: "refused", reason: "the call-by has passed" });
    expect(io.lines).toEqual([]);
  });

  it("an intent that was used before throws: that is a bug, not an answer", async () => {
    const intent = testIntent("create", { inputs: { create: ["true"] } });
    await exec.create(intent, recordingIo());
    await expect(exec.create(intent, recordingIo())).rejects.toThrow(/already used/);
  });

  it("N4: told to stop before it was sent, the intent is not even opened", async () => {
    const intent = testIntent("create", { inputs: { create: ["true"] } });
    const outcome = await exec.create(intent, recordingIo({ stop: AbortSignal.abort() }));
    expect([outcome.kind, intent.opened]).toEqual(["refused", false]);
  });
});

describe("observe", () => {
  it("present, with everything it says", async () => {
    const present = { present: true, id: "vm-1", outputs: { a: 1 }, asDeclared: false, reason: "smaller" };
    expect(await observe(printing(present))).toEqual({
      kind: "observed",
      id: "vm-1",
      outputs: { a: 1 },
      asDeclared: { kind: "known", value: false },
      reason: "smaller",
    });
  });
  it("present, without a word about the declaration: not known, not true", async () => {
    expect(await observe(printing({ present: true }))).toMatchObject({ asDeclared: { kind: "absent" } });
    expect(await observe(printing({ present: true, asDeclared: "yes" }))).toMatchObject({
      asDeclared: { kind: "unreadable" },
    });
  });
  it("absent, ambiguous, denied", async () => {
    expect(await observe(printing({ present: false }))).toEqual({ kind: "absent" });
    expect(await observe(printing({ ambiguous: ["a", 2, "a"] }))).toEqual({
      kind: "ambiguous",
      ids: ["a", "2"],
    });
    expect(await observe(`${printing({ denied: true, reason: "403" })}\nexit 1`)).toEqual({
      kind: "denied",
      reason: "403",
    });
  });
  it.each([
    ["absent with a bad exit", `${printing({ present: false })}\nexit 1`, /exited with 1/],
    ["no answer", "echo looking", /without an answer/],
    ["two answers", printing({ present: false }, { present: false }), /2 answers/],
    ["present that is no boolean", printing({ present: "no" }), /neither true nor false/],
    ["both kinds of answer", printing({ present: true, ambiguous: ["a"] }), /present and ambiguous/],
    ["no candidates", printing({ ambiguous: [] }), /ambiguous/],
    ["broken JSON", printing('{"present":fal'), /not valid JSON/],
    ["an outcome instead", printing({ outcome: "refused" }), /must print/],
    ["an id that is none", printing({ present: true, id: "" }), /empty string/],
    ["killed", `${printing({ present: false })}\nkill -9 $$`, /killed/],
  ])("R2: %s is a failed reading, and says why", async (_name, program, reason) => {
    const reading = await observe(program);
    expect(reading.kind).toBe("failed");
    expect(reading.kind === "failed" && reading.reason).toMatch(reason);
  });
  it("at its deadline it timed out; a program that is not there failed; without a command it was not asked", async () => {
    expect((await observe("exec sleep 60", recordingIo({ deadlineMs: 200 }))).kind).toBe("timed-out");
    expect((await observe("true", recordingIo(), { observe: ["./nope"] })).kind).toBe("failed");
    expect((await observe("true", recordingIo({ stop: AbortSignal.abort() }))).kind).toBe("failed");
    expect((await exec.observe(question({ inputs: { create: ["true"] } }), recordingIo())).kind).toBe(
      "not-asked",
    );
  });
});

const reasonOf = (outcome: Outcome): string => (outcome.kind === "done" ? "" : outcome.reason);
