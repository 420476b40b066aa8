import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planned, state } from "../../../test/contract/journal-samples.ts";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { notRunWithout } from "../../../test/support/not-run.ts";
import { stepName } from "../../domain/ids.ts";
import { StoreFault } from "../../ports/store.ts";
import { verifyChain } from "../../wire/chain.ts";

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

const CHILD = fileURLToPath(new URL("../../../test/contract/store-child.ts", import.meta.url));
const OPENER = new URL("../../../test/contract/store-sqlite-opener.ts", import.meta.url).href;
const childArguments = (count: number) => [CHILD, OPENER, at.path, "shop", "n", String(count)];

const attempts = async (): Promise<number | undefined> => {
  const store = await at.open("write");
  expect(await verifyChain(store.records({ stack: SHOP }))).toBeNull();
  const found = (await store.step(SHOP, stepName("n")))?.attempts;
  expect((await store.head(SHOP))?.seq).toBe(found);
  await store.close();
  return found;
};

const has = (program: string): boolean => spawnSync(program, ["-V"]).status === 0;

/** A small file system of its own, unmounted at the end; undefined where this user may not mount. */
const mounted = async (options: string, run: (folder: string) => Promise<void>): Promise<boolean> => {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "asfound-mount-"));
  try {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).status !== 0) return false;
    try {
      await run(folder);
    } finally {
      execFileSync("umount", ["-l", folder]);
    }
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe("what was acknowledged survives", () => {
  it("kill -9 of a writer in mid-work: every acknowledged row is there, and at most one more", async () => {
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, childArguments(0), { stdio: ["ignore", "pipe", "inherit"] });
      let heard = "";
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text: string) => {
        heard += text;
        if (heard.length > 150 + round * 97) child.kill("SIGKILL");
      });
      await once(child, "close");
      const acknowledged = Number(heard.trim().split("\n").at(-1));
      const found = await attempts();
      expect([acknowledged, acknowledged + 1]).toContain(found);
    }
  });

  it("the fsync returns before the commit does: it is in the syscalls, between the write and the answer", async (context) => {
    notRunWithout(context, has("strace") ? null : "strace is not installed");
    const trace = join(at.folder, "trace");
    spawnSync("strace", [
      "-f",
      "-o",
      trace,
      "-e",
      "trace=fsync,fdatasync,write",
      process.execPath,
      ...childArguments(5),
    ]);
    const calls = execFileSync("grep", ["-E", "sync\\(|write\\(1,"], {
      input: execFileSync("cat", [trace]),
      encoding: "utf8",
    });
    const order = calls
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (line.includes("sync(") ? "s" : "a"))
      .join("");
    // Each acknowledgement has a sync of its own right before it.
    expect(order).toMatch(/^s+a(s+a){4}s*$/);
  });

  it("N2: between what a decision reads and what it writes, nobody else can write", async () => {
    const store = await at.open();
    await store.commit(increment(SHOP, "n"));
    const other = new DatabaseSync(at.path, { timeout: 0 });
    const intrude = () => other.exec("CREATE TABLE intruder (a)");
    await store.commit({
      stack: SHOP,
      steps: "all",
      decide: (current) => {
        expect(intrude).toThrow(/locked/);
        return increment(SHOP, "n").decide(current);
      },
    });
    // Control: right after it, the same statement goes through.
    intrude();
    other.close();
    expect(await store.head(SHOP)).toMatchObject({ seq: 2 });
  });

  it("a group shares one transaction, and so one fsync", async () => {
    const store = await at.open();
    await store.commit(increment(SHOP, "n"));
    const before = store.transactions;
    await Promise.all(Array.from({ length: 16 }, () => store.commit(increment(SHOP, "n"))));
    expect(store.transactions - before).toBe(1);
    for (let done = 0; done < 4; done += 1) await store.commit(increment(SHOP, "n"));
    expect(store.transactions - before).toBe(5);
    await store.commit({ stack: SHOP, steps: "all", decide: () => ({ write: null, value: null }) });
    expect(store.transactions - before).toBe(5);
  });
});

describe("W2: what cannot be made durable is said to be so", () => {
  it("an I/O error at the n-th fsync, for every n: acknowledged rows are there, and nothing is acknowledged after it", async (context) => {
    notRunWithout(context, has("strace") ? null : "strace is not installed");
    const met: string[] = [];
    for (let n = 1; n <= 8; n += 1) {
      await at.fill(1);
      const inject = `inject=fsync,fdatasync:error=EIO:when=${n}`;
      const strace = ["-f", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", inject];
      const run = spawnSync("strace", [...strace, process.execPath, ...childArguments(6)], {
        encoding: "utf8",
      });
      const lines = run.stdout.split("\n").filter((line) => line !== "");
      const first = lines.findIndex((line) => line.startsWith("fault"));
      met.push(lines.length === 0 ? "not opened" : first === -1 ? "unseen" : lines[first]!);
      // After the one that met the error, it is known of all that they are not there.
      if (first !== -1)
        for (const line of lines.slice(first + 1)) expect(line).toBe("fault not-durable false");

      const acknowledged = lines.filter((line) => !line.startsWith("fault"));
      const last = Number(acknowledged.at(-1) ?? 1);
      expect([last, last + 1], `fsync ${n}: ${lines.join(" ")}`).toContain(await attempts());
      rmSync(dirname(at.path), { recursive: true });
    }
    // The first is ours, of the folder. The third is SQLite's own of the folder, whose answer it does not look at:
    // which is why there is the first.
    const fault = "fault not-durable true";
    expect(met).toEqual(["not opened", fault, "unseen", fault, fault, fault, fault, fault]);
  });

  it("an I/O error at the n-th fsync of making a ledger, for every n: there is a whole one afterwards", async (context) => {
    notRunWithout(context, has("strace") ? null : "strace is not installed");
    const trace = join(at.folder, "trace");
    const strace = ["-o", trace, "-e", "trace=fsync,fdatasync"];
    for (let n = 1; ; n += 1) {
      const inject = ["-e", `inject=fsync,fdatasync:error=EIO:when=${n}`];
      spawnSync("strace", [...strace, ...inject, process.execPath, ...childArguments(1)]);
      if (!readFileSync(trace, "utf8").includes("(INJECTED)")) {
        // Control: it came past the last of them.
        expect(n).toBeGreaterThan(10);
        break;
      }
      const store = await at.open();
      expect(await store.checkIntegrity(), `fsync ${n}`).toEqual([]);
      await store.close();
      expect(readdirSync(dirname(at.path)).sort(), `fsync ${n}`).toEqual([".gitignore", "ledger.db"]);
      rmSync(dirname(at.path), { recursive: true });
    }
  });

  it("a full disk: said as such, nothing half there, and taken again when there is room", async (context) => {
    const ran = await mounted("size=1m", async (folder) => {
      const small = ledgerFolder(folder);
      const store = await small.open();
      await store.commit(increment(SHOP, "n"));
      const filler = join(folder, "filler");
      try {
        writeFileSync(filler, Buffer.alloc(2 << 20));
      } catch {
        // It is full now.
      }
      const big = store.commit({
        stack: SHOP,
        steps: [],
        decide: () => ({
          value: null,
          write: {
            records: [planned("big")],
            steps: [state("big", { outputs: { text: "x".repeat(100_000) } })],
          },
        }),
      });
      const fault: unknown = await big.catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(StoreFault);
      expect(fault).toMatchObject({ code: "not-durable", maybe: false });
      expect((fault as StoreFault).message).toMatch(/disk under the ledger .* is full; free some space/);
      expect((await store.steps(SHOP)).size).toBe(1);
      rmSync(filler);
      expect(await store.commit(increment(SHOP, "n"))).toBe(2);
      expect(await store.checkIntegrity()).toEqual([]);
      await small.dispose();
    });
    notRunWithout(context, ran ? null : "it needs root to mount a small file system");
  });

  it("a full disk before there is a ledger: none is made, not even a part", async (context) => {
    const ran = await mounted("size=64k", async (folder) => {
      const small = ledgerFolder(folder);
      try {
        writeFileSync(join(folder, "filler"), Buffer.alloc(1 << 20));
      } catch {
        // It is full now.
      }
      const fault = await small.fault("create");
      expect(fault).toMatchObject({ code: "not-durable", maybe: false });
      expect(fault.message).toMatch(/free some space/);
      rmSync(join(folder, "filler"));
      expect(
        readdirSync(small.folder)
          .flatMap((name) => readdirSync(join(small.folder, name)))
          .filter((name) => name.includes("db")),
      ).toEqual([]);
      await small.dispose();
    });
    notRunWithout(context, ran ? null : "it needs root to mount a small file system");
  });

  it("a read-only mount: read from it (a dead writer's log too), say read-only to who would write", async (context) => {
    const source = await at.open();
    for (let done = 0; done < 3; done += 1) await source.commit(increment(SHOP, "n"));
    const ran = await mounted("size=4m", async (folder) => {
      const frozen = ledgerFolder(folder);
      mkdirSync(dirname(frozen.path));
      for (const end of ["", "-wal", "-shm"]) copyFileSync(`${at.path}${end}`, `${frozen.path}${end}`);
      execFileSync("mount", ["-o", "remount,ro", folder]);
      const reader = await frozen.open("read");
      expect((await reader.step(SHOP, stepName("n")))?.attempts).toBe(3);
      await reader.close();
      for (const mode of ["write", "create"] as const) {
        const fault = await frozen.fault(mode);
        expect(fault).toMatchObject({ code: "read-only", maybe: false });
        expect(fault.message).toMatch(/read-only file system.*--ledger/);
      }
      const none = await frozen.fault("create", { path: join(folder, "other", "ledger.db") });
      expect(none.code).toBe("read-only");
      execFileSync("mount", ["-o", "remount,rw", folder]);
      await frozen.dispose();
    });
    notRunWithout(context, ran ? null : "it needs root to mount a small file system");
  });

  describe("no file descriptor left", () => {
    const STORE = new URL("./store.ts", import.meta.url).href;
    const INCREMENT = new URL("../../../test/contract/store-increment.ts", import.meta.url).href;
    /** Writes twice: first so that all is loaded. */
    const opening = (meanwhile: string): string => `
      const { openSqliteStore } = await import(${JSON.stringify(STORE)});
      const path = ${JSON.stringify(at.path)};
      const { increment } = await import(${JSON.stringify(INCREMENT)});
      const write = async () => {
        const store = await openSqliteStore({ path, mode: "write", newLedgerId: () => "none" });
        const written = await store.commit(increment("shop", "n")).finally(() => store.close());
        return "written " + written;
      };
      const { openSync } = await import("node:fs");
      await write();
      ${meanwhile}
      console.log(await write().catch(({ code, message }) => code + ": " + message));`;
    const script = (meanwhile: string) => ["--input-type=module", "--eval", opening(meanwhile)];

    it("says so, and not that the disk is read-only or the file damaged", async () => {
      await at.fill(1);
      const fillUp = "for (;;) try { openSync('/dev/null', 'r'); } catch { break; }";
      const limited = ["-c", 'ulimit -n 100 && exec "$0" "$@"', process.execPath, ...script(fillUp)];
      const run = spawnSync("sh", limited, { encoding: "utf8" });
      expect(run.stdout, run.stderr).toBe(
        `not-durable: the ledger ${at.path} cannot be opened: too many files are open; raise the limit (ulimit -n), then run again\n`,
      );
      // Control: without it, the same is written.
      const free = spawnSync("sh", ["-c", 'exec "$0" "$@"', process.execPath, ...script("")], {
        encoding: "utf8",
      });
      expect(free.stdout, free.stderr).toBe("written 4\n");
    });

    it("for a moment, so that SQLite opens it for reading only: says that this is not known", async (context) => {
      notRunWithout(context, has("strace") ? null : "strace is not installed");
      await at.fill(1);
      // The second opening to write: the first is the one that loads everything.
      const inject = ["-P", at.path, "-e", "trace=openat", "-e", "inject=openat:error=EMFILE:when=2"];
      const quiet = ["-f", "-qq", "-o", join(at.folder, "trace")];
      const run = spawnSync("strace", [...quiet, ...inject, process.execPath, ...script("")], {
        encoding: "utf8",
      });
      expect(readFileSync(join(at.folder, "trace"), "utf8")).toMatch(/O_RDWR.*EMFILE.*INJECTED/);
      expect(run.stdout, run.stderr).toMatch(
        /^not-durable: nothing was recorded: .* for reading only, although this user may write it; .*ulimit -n\); run again\n$/,
      );
    });
  });

  it("a lock that another process keeps: busy, nothing recorded, and the event loop lives meanwhile", async () => {
    await at.fill(1);
    const holder = spawn(
      process.execPath,
      [
        "-e",
        `
      const { DatabaseSync } = require("node:sqlite");
      const db = new DatabaseSync(process.argv[1]);
      db.exec("BEGIN IMMEDIATE");
      process.stdout.write("held");
      process.stdin.once("data", () => { db.exec("COMMIT"); db.close(); process.exit(); });`,
        at.path,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    await once(holder.stdout, "data");
    const store = await at.open("write", { lockWaitMs: 2000 });
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 1);
    await expect(store.commit(increment(SHOP, "n"))).rejects.toMatchObject({ code: "busy", maybe: false });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(3);
    const waiting = store.commit(increment(SHOP, "n"));
    holder.stdin.write("go");
    expect(await waiting).toBe(2);
    await once(holder, "exit");
  });
});
