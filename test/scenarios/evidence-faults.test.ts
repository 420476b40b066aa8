/**
 * E1: a run is whole or it is incomplete. Real processes that die after each write or write at the same time, real disks that are
 * full or read-only; each with the control that it is the fault that makes it so.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import { writeRun } from "../../src/adapters/system/evidence/record.ts";
import type { RunCheck } from "../../src/domain/evidence-run.ts";
import type { EvidenceCheck } from "../../src/ports/evidence-runs.ts";
import { newRun, runId } from "../support/made-run.ts";
import { canMount, smallDisk } from "../support/small-disk.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHILD = fileURLToPath(new URL("evidence-record-child.ts", import.meta.url));

const check = async (folder: string): Promise<EvidenceCheck & { readonly told: readonly RunCheck[] }> => {
  const told: RunCheck[] = [];
  const all = await openEvidence(folder, "evidence").check(
    { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth: "files" },
    (one) => told.push(one),
  );
  if ("fault" in all) throw new Error(all.fault);
  return { ...all, told };
};

describe("kill -9", () => {
  const unsigned = [
    "key",
    "slot",
    "folder",
    "file",
    "file",
    "file",
    "file",
    "sums",
    "synced",
    "statement",
    "whole",
  ];
  const signed = [...unsigned.slice(0, -1), "seal", "whole"];

  it.each([
    ["nobody signs", "", unsigned],
    ["somebody signs", "signed", signed],
  ])(
    "after each write, where %s: incomplete before the last file, whole with it, and the next one tells",
    async (_, word, steps) => {
      for (const [at, step] of steps.entries()) {
        const folder = tempFolder("killed");
        const child = spawnSync(process.execPath, [CHILD, folder, String(at + 1), word]);
        expect(child.signal, step).toBe("SIGKILL");
        const isWhole = step === "whole";
        const isClaimed = step !== "key";
        const alone = await check(folder);
        expect([alone.finding, alone.runs, alone.incomplete], step).toEqual([
          isWhole ? "proven" : "undetermined",
          isWhole ? 1 : 0,
          isWhole || !isClaimed ? 0 : 1,
        ]);
        expect(String(spawnSync(process.execPath, [CHILD, folder, "0", word]).stdout)).toBe("recorded\n");
        const after = await check(folder);
        expect([after.finding, after.runs], step).toEqual(["proven", isWhole ? 2 : 1]);
      }
      // Control: one more step than there are kills nobody, so none was left out.
      const child = spawnSync(process.execPath, [CHILD, tempFolder("lived"), String(steps.length + 1), word]);
      expect([child.signal, String(child.stdout)]).toEqual([null, "recorded\n"]);
    },
    120_000,
  );
});

describe("two at once", () => {
  it("two processes: every run is whole, each has its own number, and they are one chain", async () => {
    const folder = tempFolder("together");
    const children = [0, 1].map(() => spawn(process.execPath, [CHILD, folder, "0", "", "6"]));
    await Promise.all(children.map((child) => once(child, "exit")));
    const all = await check(folder);
    expect([all.finding, all.runs, all.incomplete]).toEqual(["proven", 12, 0]);
    expect(all.told.map(({ sequence }) => sequence)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  }, 60_000);

  it("control: where no lock holds, a number is still claimed by one alone, and the others are refused", async () => {
    const folder = tempFolder("unlocked");
    await openEvidence(folder, "evidence").key({ create: true });
    const done = await Promise.allSettled(
      Array.from({ length: 4 }, () => writeRun(folder, newRun(), () => undefined)),
    );
    const recorded = done.filter(({ status }) => status === "fulfilled").length;
    expect(recorded).toBeGreaterThan(0);
    expect(done.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual(
      Array.from({ length: 4 - recorded }, () =>
        expect.stringMatching(/another recording took number|not as it was/),
      ),
    );
    expect((await check(folder)).runs).toBe(recorded);
  });
});

describe.skipIf(!canMount)("a disk that takes no more", () => {
  const large = (bytes: number) =>
    newRun(
      {},
      {
        files: [
          { path: "report.json", bytes: Buffer.from("{}") },
          { path: "snapshot/pods.json", bytes: Buffer.alloc(bytes, 120) },
        ],
      },
    );

  it("full at whatever page: the run is incomplete, never a shorter one that verifies", async () => {
    const seen = new Set<string>();
    // A page is what tmpfs gives out: each size more is one write further.
    for (let sizeKiB = 8; sizeKiB <= 96; sizeKiB += 4) {
      const folder = smallDisk(sizeKiB);
      const evidence = openEvidence(folder, "evidence");
      const done = await evidence.record(large(30_000));
      if (done.kind === "recorded") {
        seen.add("recorded");
        expect((await check(folder)).finding).toBe("proven");
        continue;
      }
      expect(done).toEqual({ kind: "fault", fault: expect.stringContaining("the disk is full") });
      const { finding, runs, incomplete } = await check(folder);
      expect([finding, runs], String(sizeKiB)).toEqual(["undetermined", 0]);
      seen.add(incomplete === 0 ? "nothing" : "incomplete");
    }
    expect([...seen].sort()).toEqual(["incomplete", "nothing", "recorded"]);
  }, 60_000);

  it("full, then with room again: the next run says that the one before was never finished", async () => {
    const folder = smallDisk(256);
    const evidence = openEvidence(folder, "evidence");
    expect(await evidence.record(large(400_000))).toMatchObject({ kind: "fault" });
    execFileSync("mount", ["-o", "remount,size=4096k", folder]);
    const done = await evidence.record(large(400_000));
    expect(done).toMatchObject({ kind: "recorded", notes: [expect.stringContaining("never finished")] });
    expect(await check(folder)).toMatchObject({ finding: "proven", runs: 1, incomplete: 1 });
  });

  it("read-only: said, and what is there can still be checked", async () => {
    const folder = smallDisk(1_024);
    await openEvidence(folder, "evidence").record(newRun());
    execFileSync("mount", ["-o", "remount,ro", folder]);
    const evidence = openEvidence(folder, "evidence");
    expect(await evidence.record(newRun())).toMatchObject({
      kind: "fault",
      fault: expect.stringContaining("read-only"),
    });
    expect(await check(folder)).toMatchObject({ finding: "proven", runs: 1 });
  });
});

describe("somebody else's folders and links", () => {
  const victim = (): string => {
    const folder = tempFolder("victim");
    writeFileSync(join(folder, "kept"), "mine");
    return folder;
  };

  it.each(["chain", "runs", "keys", ".drafts"])(
    "%s that is a link: nothing is written through it",
    async (name) => {
      const [folder, elsewhere] = [tempFolder("linked"), victim()];
      symlinkSync(elsewhere, join(folder, name));
      expect(await openEvidence(folder, "evidence").record(newRun())).toMatchObject({
        kind: "fault",
        fault: expect.stringContaining("nothing is written through a link"),
      });
      expect(readdirSync(elsewhere)).toEqual(["kept"]);
    },
  );

  it("a run's folder that is there before the run: nothing is written into it", async () => {
    const [folder, elsewhere, run] = [tempFolder("squatted"), victim(), runId()];
    const evidence = openEvidence(folder, "evidence");
    await evidence.key({ create: true });
    symlinkSync(elsewhere, join(folder, "runs", run));
    expect(await evidence.record(newRun({ run }))).toEqual({ kind: "exists" });
    expect(readdirSync(elsewhere)).toEqual(["kept"]);
    expect((await check(folder)).finding).toBe("refuted");
  });

  it("E1: no file of a run can be opened to be written over, by asfound's own way of writing", async () => {
    const folder = tempFolder("over");
    const evidence = openEvidence(folder, "evidence");
    const { writeNew } = await import("../../src/adapters/system/evidence/files.ts");
    const done = await evidence.record(newRun());
    if (done.kind !== "recorded") throw new Error(done.kind);
    const root = join(folder, "runs", done.link.run);
    const files = readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name) => join(root, name))
      .concat(join(folder, "chain", "0000000001"));
    for (const file of files) {
      const before = existsSync(file) && !readdirIs(file) ? readFileSync(file) : null;
      await expect(writeNew(file, Buffer.from("x")), file).rejects.toThrow(/EEXIST/);
      if (before !== null) expect(readFileSync(file)).toEqual(before);
    }
    expect((await check(folder)).finding).toBe("proven");
  });

  it("a pipe or a folder in the place of a file: named, and nothing waits for it", async () => {
    for (const spoil of [
      (path: string) => execFileSync("mkfifo", [path]),
      (path: string) => void mkdirSync(path),
      (path: string) => symlinkSync("/dev/zero", path),
    ])
      for (const name of ["report.json", "statement.json", "statement.sha256", "SHA256SUMS"]) {
        const folder = tempFolder("spoiled");
        const done = await openEvidence(folder, "evidence").record(newRun());
        if (done.kind !== "recorded") throw new Error(done.kind);
        const path = join(folder, "runs", done.link.run, name);
        execFileSync("rm", ["-f", path]);
        spoil(path);
        const { finding, told } = await check(folder);
        expect(finding, name).toBe("refuted");
        expect(told.flatMap(({ problems }) => problems).some(({ file }) => file.endsWith(name))).toBe(true);
      }
  }, 60_000);
});

const readdirIs = (path: string): boolean => {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
};
