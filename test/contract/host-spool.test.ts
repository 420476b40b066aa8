/** W6: results that the ledger could not take, with real files and real processes. */
import { execFile, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import { openSpool } from "../../src/adapters/system/spool.ts";
import type { Spool } from "../../src/ports/spool.ts";
import { spooledIdentity, spooledOutcome } from "../support/spooled.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Tools of the machine, not of a package; without them their tests are skipped. */
const [STRACE, UNSHARE] = ["strace", "unshare"] as const;
const SCRIPT = new URL("../fixtures/exec/spool.ts", import.meta.url).pathname;
const host = systemHost({ clock: systemClock });
const folder = (): string => join(tempFolder("spool"), "spool");
const opened: Spool[] = [];
afterEach(async () => {
  for (const spool of opened.splice(0)) await spool.close();
});
const open = (directory: string) => {
  const notes: string[] = [];
  const spool = openSpool({ directory, host, note: (text) => void notes.push(text) });
  opened.push(spool);
  return { spool, notes };
};
const slots = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith(".slot"));
/** Runs a process of its own over the spool, to its end. */
const other = async (directory: string, ...commands: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [SCRIPT, directory, ...commands])).stdout;

describe("taking a slot", () => {
  it("writes real blocks into a private file in a private folder", async () => {
    const directory = folder();
    await open(directory).spool.take();
    const [name = ""] = slots(directory);
    const { size, blocks, mode } = statSync(join(directory, name));
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    expect(size).toBeGreaterThanOrEqual(64 * 1024);
    expect([(mode & 0o777).toString(8), (statSync(directory).mode & 0o777).toString(8)]).toEqual([
      "600",
      "700",
    ]);
  });

  it("uses a released one again", async () => {
    const directory = folder();
    const { spool } = open(directory);
    (await spool.take()).release();
    (await spool.take()).release();
    expect(slots(directory)).toHaveLength(1);
    await Promise.all([spool.take(), spool.take()]);
    expect(slots(directory)).toHaveLength(2);
  });

  it("before anything is taken there is no folder, and nothing pending", async () => {
    const directory = folder();
    expect(await open(directory).spool.pending()).toEqual([]);
    expect(existsSync(directory)).toBe(false);
  });

  it("W2: where no folder can be made it throws, in one sentence", async () => {
    const file = join(tempFolder("spool"), "file");
    writeFileSync(file, "");
    await expect(open(join(file, "spool")).spool.take()).rejects.toMatchObject({
      code: "spool-unavailable",
      message: expect.stringMatching(/no room could be made in .* \(ENOTDIR\); free space there/),
    });
  });

  it("an unreadable spool is an error, not an empty one", async () => {
    const file = join(tempFolder("spool"), "file");
    writeFileSync(file, "");
    await expect(open(file).spool.pending()).rejects.toMatchObject({ code: "spool-unreadable" });
  });

  const strace = spawnSync(STRACE, ["-e", "trace=none", "true"]).status === 0;
  it.skipIf(!strace)(
    "syncs the file and the folders that lead to it, and a second use syncs nothing",
    async () => {
      const directory = folder();
      const traced = async (...commands: string[]): Promise<number> => {
        const run = await promisify(execFile)(STRACE, [
          "-f",
          "-qq",
          "-e",
          "trace=fsync",
          process.execPath,
          SCRIPT,
          directory,
          ...commands,
        ]);
        return run.stderr.match(/fsync\(\d+/g)?.length ?? 0;
      };
      // The file, the new folder, and the folder that this one was made in.
      expect(await traced("take")).toBe(3);
      expect(await traced("take")).toBe(2);
      expect(await traced("take", "release", "take", "release", "take")).toBe(2);
    },
  );
});

describe("a full disk", () => {
  /** A file system of its own of 256 KiB: room for one slot, not for two. */
  const onTinyDisk = (...commands: string[]): string => {
    const directory = tempFolder("spool");
    const run = spawnSync(
      UNSHARE,
      [
        "-rm",
        "sh",
        "-c",
        'mount -t tmpfs -o size=256k none "$0" && exec "$@"',
        directory,
        process.execPath,
        SCRIPT,
        directory,
        ...commands,
      ],
      { encoding: "utf8" },
    );
    return run.stdout;
  };
  const possible = onTinyDisk().includes("ended");

  it.skipIf(!possible)("W2: no room for a slot throws before any call", () => {
    expect(onTinyDisk("fill", "take")).toMatch(
      /full ENOSPC\nspool-unavailable: no room could be made .*ENOSPC/,
    );
  });
  it.skipIf(!possible)("W6: a slot taken before the disk filled up keeps the result", () => {
    expect(onTinyDisk("take", "fill", "keep", "close")).toBe("full ENOSPC\nended\n");
  });
});

describe("what was kept", () => {
  it("by a process that was killed is pending at the next start, and gone once cleared", async () => {
    const directory = folder();
    const child = spawn(process.execPath, [SCRIPT, directory, "take", "keep", "hold"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const { spool } = open(directory);
    // While its process lives, the slot is in use.
    expect(await spool.pending()).toEqual([]);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;

    const pending = await spool.pending();
    expect(pending.map(({ spooled }) => spooled)).toEqual([spooledOutcome("vm-1")]);
    // Not cleared, it stays.
    expect(await spool.pending()).toHaveLength(1);
    await pending[0]?.clear();
    expect(await spool.pending()).toEqual([]);
    expect(slots(directory)).toEqual([]);
  });

  it("an id and then the outcome both come back, in this order, and go only when both are cleared", async () => {
    const directory = folder();
    const { spool } = open(directory);
    const slot = await spool.take();
    await slot.keep(spooledIdentity("vm-1"));
    await slot.keep(spooledOutcome("vm-2"));
    await spool.close();
    renameToTheDead(directory);
    const pending = await open(directory).spool.pending();
    expect(pending.map(({ spooled }) => spooled.record.kind)).toEqual(["identity", "outcome"]);
    await pending[0]?.clear();
    expect(slots(directory)).toHaveLength(1);
    await pending[1]?.clear();
    expect(slots(directory)).toEqual([]);
  });

  it("and released is no longer pending; kept and not released stays when the spool is closed", async () => {
    const directory = folder();
    await other(directory, "take", "keep", "release", "close");
    expect(slots(directory)).toEqual([]);
    await other(directory, "take", "keep", "close");
    expect(slots(directory)).toHaveLength(1);
    expect(await open(directory).spool.pending()).toHaveLength(1);
  });

  it("W4 W6: a slot that is lent keeps a result after the spool was closed, and is removed when it is given back", async () => {
    const directory = folder();
    const { spool } = open(directory);
    const [waiting, answered] = [await spool.take(), await spool.take()];
    await spool.close();
    answered.release();
    expect(slots(directory)).toHaveLength(1);
    await waiting.keep(spooledIdentity("vm-1"));
    await waiting.keep(spooledOutcome("vm-1"));
    renameToTheDead(directory);
    const pending = await open(directory).spool.pending();
    expect(pending.map(({ spooled }) => spooled.record.kind)).toEqual(["identity", "outcome"]);
  });

  it("of an earlier boot is pending", async () => {
    const directory = folder();
    const { spool } = open(directory);
    await (await spool.take()).keep(spooledOutcome("vm-1"));
    const [name = ""] = slots(directory);
    renameSync(join(directory, name), join(directory, name.replace(host.self("x").bootId, "0".repeat(36))));
    expect(await open(directory).spool.pending()).toHaveLength(1);
  });

  it("comes oldest first", async () => {
    const directory = folder();
    const { spool } = open(directory);
    for (const endedAt of [3000, 1000, 2000])
      await (await spool.take()).keep(spooledOutcome(`vm-${endedAt}`, {}, endedAt));
    renameToTheDead(directory);
    const pending = await open(directory).spool.pending();
    expect(pending.map(({ spooled }) => spooled.record.kind === "outcome" && spooled.record.endedAt)).toEqual(
      [1000, 2000, 3000],
    );
  });

  it("with outputs that do not fit loses those, said, and keeps id and outcome", async () => {
    const directory = folder();
    const { spool, notes } = open(directory);
    const outputs = { small: 1, large: "x".repeat(200_000), late: 2 };
    await (await spool.take()).keep(spooledOutcome("vm-1", outputs));
    expect(notes).toEqual([expect.stringMatching(/2 outputs of step web did not fit/)]);
    renameToTheDead(directory);
    const [left] = await open(directory).spool.pending();
    expect(left?.spooled).toEqual(spooledOutcome("vm-1", { small: 1 }));
  });

  it("and not written whole is named, not replayed, not removed", async () => {
    const directory = folder();
    const { spool } = open(directory);
    await (await spool.take()).keep(spooledOutcome("vm-1"));
    renameToTheDead(directory);
    const [name = ""] = slots(directory);
    const path = join(directory, name);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(80) ^ 1, 80);
    writeFileSync(path, bytes);
    const again = open(directory);
    expect(await again.spool.pending()).toEqual([]);
    expect(again.notes).toEqual([expect.stringMatching(/not written whole/)]);
    await again.spool.close();
    expect(slots(directory)).toHaveLength(1);
  });

  it("a slot whose file was deleted throws, it does not keep into nowhere", async () => {
    const directory = folder();
    const { spool } = open(directory);
    const slot = await spool.take();
    const [name = ""] = slots(directory);
    unlinkSync(join(directory, name));
    await expect(slot.keep(spooledOutcome("vm-1"))).rejects.toMatchObject({ code: "spool-not-kept" });
  });

  it("empty slots of dead processes are removed at close, those of live ones are not", async () => {
    const directory = folder();
    await other(directory, "take");
    const live = open(directory);
    (await live.spool.take()).release();
    expect(slots(directory)).toHaveLength(2);
    await open(directory).spool.close();
    expect(slots(directory)).toHaveLength(1);
    await live.spool.close();
    expect(slots(directory)).toEqual([]);
  });
});

/** Gives our slots to a process that no longer is: ours with another start time. */
const renameToTheDead = (directory: string): void => {
  const { startTicks } = host.self("x");
  for (const name of slots(directory))
    renameSync(join(directory, name), join(directory, name.replace(`_${startTicks}_`, "_1_")));
};
