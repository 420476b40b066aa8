/**
 * The recorder's folder keeps the contract, and tells the truth after a crash, a full disk, and every change of a byte: what is
 * read is always a beginning of what was written.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { openHeldReader } from "../../src/adapters/system/held/reader.ts";
import { openHeldWriter, type WriterOptions } from "../../src/adapters/system/held/writer.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import type { HeldRecord } from "../../src/domain/held-record.ts";
import { known, unreadable } from "../../src/domain/known.ts";
import type { Holder } from "../../src/domain/lease.ts";
import { began, read, second, version } from "../support/held.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { filesOf, heldRecordsContract } from "./held-records.ts";

const CHILD = fileURLToPath(new URL("held-child.ts", import.meta.url));
const host = systemHost({ clock: systemClock });
const DAY_MS = 24 * 3_600_000;

const optionsFor = (folder: string, more: Partial<WriterOptions> = {}): WriterOptions => ({
  folder,
  host,
  clock: systemClock,
  actor: "test",
  keepMs: 30 * DAY_MS,
  maxBytes: 1024 * 1024,
  stop: new AbortController().signal,
  note: () => undefined,
  ...more,
});

const opened = async (folder: string, more: Partial<WriterOptions> = {}) => {
  const made = await openHeldWriter(optionsFor(folder, more));
  if (made.kind !== "opened") throw new Error(made.why);
  return made.writer;
};

const readerOf = async (folder: string) => {
  const reader = await openHeldReader(folder, "records");
  if ("fault" in reader) throw new Error(reader.fault);
  return reader;
};

heldRecordsContract("a folder", () => {
  const folder = join(tempFolder("held"), "made", "at", "need");
  return { writer: (limits = {}) => opened(folder, limits), reader: () => readerOf(folder) };
});

/** Runs the child until it says so many numbers, then kills it; or until it ends by itself. */
const child = (
  words: readonly string[],
  until: number,
  through: readonly string[] = [],
): Promise<{ readonly kept: number; readonly said: string; readonly code: number | null }> =>
  new Promise((resolve) => {
    const [program = process.execPath, ...rest] = [...through, process.execPath, CHILD, ...words];
    const process_ = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    const kept = (): number => Number([...said.matchAll(/^kept (\d+)$/gm)].at(-1)?.[1] ?? 0);
    process_.stdout.on("data", (bytes) => {
      said += bytes;
      if (kept() >= until) process_.kill("SIGKILL");
    });
    process_.on("close", (code) => resolve({ kept: kept(), said, code }));
  });

/** What is read is a beginning of what the child wrote, and has all that it was told is kept. */
const expectBeginning = async (folder: string, kept: number): Promise<readonly string[]> => {
  const { files, limits } = await filesOf(await readerOf(folder));
  const told = files.flat().filter(({ kind }) => kind === "read");
  expect(told).toEqual(told.map((_, at) => read(at + 2)));
  expect(told.length).toBeGreaterThanOrEqual(kept - 1);
  return limits;
};

describe("after a crash", () => {
  it.each([3, 20, 57])(
    "kill -9 after %i records: what is read is a beginning, with all that was kept",
    async (until) => {
      const folder = tempFolder("held");
      const { kept } = await child([folder], until);
      expect(kept).toBeGreaterThanOrEqual(until);
      await expectBeginning(folder, kept);
      // Its process is gone: another one goes on at once, in a file of its own.
      const writer = await opened(folder);
      expect(await writer.left(() => undefined)).toBe(true);
      await writer.end("told to stop");
    },
  );

  it.each([1, 25])(
    "a disk that is full (a limit of file size) with %i records at a time: said, and what was kept is read",
    async (batch) => {
      const folder = tempFolder("held");
      const ran = await child([folder, "1048576", String(batch)], 1_000_000, [
        "bash",
        "-c",
        'ulimit -f 8; exec "$@"',
        "-",
      ]);
      expect(ran.said).toMatch(/^fault the system answered EFBIG$/m);
      expect(ran.code).toBe(22);
      expect(ran.kept).toBeGreaterThan(30);
      await expectBeginning(folder, ran.kept);
    },
  );

  it("a file system that is full: the same", async (context) => {
    const folder = tempFolder("held-full");
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    } catch {
      return context.skip("no file system may be mounted here");
    }
    try {
      const ran = await child([join(folder, "r")], 1_000_000);
      expect(ran.said).toMatch(/^fault the disk is full/m);
      await expectBeginning(join(folder, "r"), ran.kept);
    } finally {
      execFileSync("umount", [folder]);
    }
  });
});

/** A folder with two files, the first of which is whole. */
const written = async (): Promise<{
  readonly folder: string;
  readonly records: readonly HeldRecord[];
  readonly file: string;
}> => {
  const folder = tempFolder("held");
  const writer = await opened(folder);
  const records = [
    version(7, 1),
    read(3),
    { kind: "gone", of: "ConfigMap", namespace: "shop", name: "settings" } as const,
    read(9),
  ];
  for (const record of records) await writer.append([record], second(1), () => [began(0)]);
  await writer.end("told to stop");
  return {
    folder,
    records: [began(0), ...records, { kind: "ended", why: "told to stop" }],
    file: join(folder, "held-00000001.jsonl"),
  };
};

describe("a file that is not as it was written", () => {
  it("cut at any byte: a beginning of its records, and never a record more or another", async () => {
    const { folder, file, records } = await written();
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length));
      const { files } = await filesOf(await readerOf(folder));
      expect(files.flat()).toEqual(records.slice(0, files.flat().length));
      expect(files.flat().length).toBeLessThan(records.length);
    }
  });

  it("any byte changed, and any line left out, twice or elsewhere: what is behind it does not count, and the line is named", async () => {
    const { folder, file, records } = await written();
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n").slice(0, -1);
    const spoilt: (readonly [string, number])[] = [];
    for (let at = 0; at < text.length; at += 7) {
      if (text[at] === "\n") continue;
      spoilt.push([`${text.slice(0, at)}#${text.slice(at + 1)}`, text.slice(0, at).split("\n").length]);
    }
    for (let at = 0; at < lines.length - 1; at += 1) {
      spoilt.push([`${lines.toSpliced(at, 1).join("\n")}\n`, at + 1]);
      spoilt.push([`${lines.toSpliced(at, 0, lines[at] as string).join("\n")}\n`, at + 2]);
    }
    for (const [bad, line] of spoilt) {
      writeFileSync(file, bad);
      const { files, limits } = await filesOf(await readerOf(folder));
      expect(files.flat()).toEqual(records.slice(0, Math.max(0, line - 2)));
      expect(limits.join("\n")).toContain(`records/held-00000001.jsonl: line ${line}: `);
    }
  });

  it("one bad file leaves the others as they are; the next recorder is told that it cannot be gone on from", async () => {
    const { folder, file } = await written();
    copyFileSync(file, join(folder, "held-00000002.jsonl"));
    const text = readFileSync(file, "utf8");
    writeFileSync(join(folder, "held-00000002.jsonl"), text.replace('"gone"', '"gonE"'));
    const { files, limits } = await filesOf(await readerOf(folder));
    expect(files.map((records) => records.length)).toEqual([6, 3]);
    expect(limits).toHaveLength(1);
    const gone = { ...host, isAlive: (_: Holder) => known(false) };
    const writer = await opened(folder, { host: gone });
    expect(await writer.left(() => undefined)).toBe(false);
    await writer.end("told to stop");
  });

  it("a later version's record, and a line of any length, end it with a sentence", async () => {
    const { folder, file } = await written();
    appendFileSync(file, "x".repeat(17 * 1024 * 1024));
    expect((await filesOf(await readerOf(folder))).limits.join("\n")).toMatch(
      /line 8: it has more than \d+ bytes/,
    );
  });
});

describe("whose a folder is", () => {
  it("a folder with other files is nobody's, and a file is none", async () => {
    const folder = tempFolder("held");
    writeFileSync(join(folder, "notes.txt"), "");
    expect(await openHeldWriter(optionsFor(folder))).toMatchObject({
      kind: "fault",
      why: expect.stringContaining("notes.txt"),
    });
    expect(await openHeldWriter(optionsFor(join(folder, "notes.txt")))).toMatchObject({ kind: "fault" });
    expect(await openHeldReader(folder, "records")).toEqual({
      fault: expect.stringContaining("no records of asfound watch"),
    });
    expect(await openHeldReader(join(folder, "none"), "records")).toEqual({
      fault: expect.stringContaining("cannot be read"),
    });
  });

  it("files are for their owner alone", async () => {
    const folder = join(tempFolder("held"), "new");
    await (await opened(folder)).end("told to stop");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  /** A clock that does not wait. */
  const quick = () => {
    let ms = 0;
    return {
      ...systemClock,
      monotonicMs: () => ms,
      sleep: async (sleepMs: number) => {
        ms += sleepMs;
      },
    };
  };
  const elsewhere = { ...host, isAlive: (_: Holder) => unreadable("it runs elsewhere") };

  it("a writer elsewhere that touches its file has it; one that is silent has lost it, and is told when it wakes", async () => {
    const folder = tempFolder("held");
    const first = await opened(folder);
    await first.append([read(2)], second(2), () => [began(0), version(7, 1)]);
    const clock = quick();
    const alive = {
      ...clock,
      sleep: async (ms: number) => {
        await clock.sleep(ms);
        await first.alive();
      },
    };
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    expect(await openHeldWriter(optionsFor(folder, { host: elsewhere, clock: alive, note }))).toMatchObject({
      kind: "held",
      why: expect.stringContaining("test on "),
    });
    expect(notes.join()).toContain("watched for 90 s");
    const next = await opened(folder, { host: elsewhere, clock: quick() });
    await expect(first.append([read(3)], second(3), () => [])).rejects.toThrow(
      "another recorder has taken the folder over",
    );
    await next.append([read(4)], second(4), () => [began(4)]);
    await next.end("told to stop");
    await first.end("told to stop");
    expect(
      (await filesOf(await readerOf(folder))).files.map((records) => records.map(({ kind }) => kind)),
    ).toEqual([
      ["began", "version", "read"],
      ["began", "read", "ended"],
    ]);
  });

  it("of two that begin at the same moment one has it", async () => {
    const folder = tempFolder("held");
    mkdirSync(folder, { recursive: true });
    const both = await Promise.all([openHeldWriter(optionsFor(folder)), openHeldWriter(optionsFor(folder))]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(["held", "opened"]);
    for (const one of both) if (one.kind === "opened") await one.writer.end("told to stop");
  });
});
