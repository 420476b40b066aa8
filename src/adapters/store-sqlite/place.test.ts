import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import type { LedgerFolder } from "../../../test/support/ledger-folder.ts";
import { ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { notRunWithout } from "../../../test/support/not-run.ts";
import { networkFileSystem, networkUnder, typeInTable } from "./file-system.ts";

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

let at: LedgerFolder;
beforeEach(() => {
  at = ledgerFolder();
});
afterEach(() => at.dispose());

describe("where a ledger comes into being", () => {
  it("the folder is 0700 and keeps itself out of Git, all files are 0600, the log's too", async () => {
    const before = process.umask(0);
    try {
      const store = await at.open();
      await store.commit(increment(SHOP, "n"));
    } finally {
      process.umask(before);
    }
    expect(mode(dirname(at.path))).toBe("700");
    expect(readFileSync(join(dirname(at.path), ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(dirname(at.path)).sort()).toEqual([
      ".gitignore",
      "ledger.db",
      "ledger.db-shm",
      "ledger.db-wal",
    ]);
    for (const end of ["", "-wal", "-shm"]) expect(mode(`${at.path}${end}`), end).toBe("600");
  });

  it("a folder that people made keeps its mode, and gets no .gitignore", async () => {
    const store = await at.open("create", { path: join(at.folder, "mine.db") });
    await store.close();
    chmodSync(at.folder, 0o755);
    await (await at.open("write", { path: join(at.folder, "mine.db") })).close();
    expect(readdirSync(at.folder)).toEqual(["mine.db"]);
    expect(mode(at.folder)).toBe("755");
  });

  it("only `create` makes one; the others say it is missing, and leave nothing behind", async () => {
    for (const how of ["read", "write"] as const) {
      const fault = await at.fault(how);
      expect(fault.code).toBe("missing");
      expect(fault.message).toMatch(/there is no ledger at .*--ledger/);
    }
    expect(readdirSync(at.folder)).toEqual([]);
  });

  it("processes that create it at the same time get one and the same ledger", async () => {
    const stores = await Promise.all([at.open(), at.open(), at.open()]);
    expect(new Set(stores.map((store) => store.ledgerId)).size).toBe(1);
    expect(readdirSync(dirname(at.path)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it("an existing ledger keeps its id, whatever id was offered", async () => {
    await at.fill(1);
    expect((await at.open()).ledgerId).toBe("lg_test-1");
  });
});

describe("symbolic links are refused, since the ledger would be elsewhere than it says", () => {
  it("as the state folder", async () => {
    await at.fill(1);
    renameSync(dirname(at.path), join(at.folder, "real"));
    symlinkSync("real", dirname(at.path));
    for (const how of ["read", "write", "create"] as const)
      expect((await at.fault(how)).message).toMatch(/\.asfound is a symbolic link.*remove the link/);
    rmSync(dirname(at.path));
    symlinkSync("nowhere", dirname(at.path));
    expect((await at.fault("create")).code).toBe("unreadable");
    expect(existsSync(join(at.folder, "nowhere"))).toBe(false);
  });

  it("as the file, or as its log", async () => {
    await at.fill(1);
    renameSync(at.path, join(at.folder, "real.db"));
    symlinkSync(join(at.folder, "real.db"), at.path);
    expect((await at.fault("write")).message).toMatch(/ledger\.db is a symbolic link/);
    rmSync(at.path);
    symlinkSync(join(at.folder, "nowhere.db"), at.path);
    expect((await at.fault("create")).message).toMatch(/symbolic link/);
    rmSync(at.path);
    renameSync(join(at.folder, "real.db"), at.path);
    symlinkSync("/dev/null", `${at.path}-wal`);
    expect((await at.fault("write")).message).toMatch(/ledger\.db-wal is a symbolic link/);
    rmSync(`${at.path}-wal`);
    expect((await (await at.open("write")).head(SHOP))?.seq).toBe(1);
  });
});

describe("network file systems", () => {
  it("are refused by their number; FUSE by its kind, and when the kind is not known", () => {
    const none = () => undefined;
    for (const magic of [0x6969, 0xff534d42, 0xff534d42 | 0, 0xfe534d42, 0x01021997, 0x00c36400])
      expect(networkFileSystem(magic, none), magic.toString(16)).toBeDefined();
    // ext4, xfs, btrfs, zfs, tmpfs, overlayfs, f2fs, bcachefs, apfs, ramfs, exfat, ntfs3
    for (const magic of [
      0xef53,
      0x58465342,
      0x9123683e,
      0x9123683e | 0,
      0x2fc12fc1,
      0x01021994,
      0x794c7630,
      0xf2f52010,
      0xca451a4e,
      0x1a,
      0x858458f6,
      0x2011bab0,
      0x5346544e,
    ])
      expect(networkFileSystem(magic, none), magic.toString(16)).toBeUndefined();
    const fuse = (kind: string | undefined) => networkFileSystem(0x65735546, () => kind);
    expect(fuse("fuse.sshfs")).toBe("fuse.sshfs");
    expect(fuse("fuse.unheard-of")).toBe("fuse.unheard-of");
    expect(fuse(undefined)).toMatch(/unknown/);
    expect(fuse("fuseblk")).toBeUndefined();
    expect(fuse("fuse.fuse-overlayfs")).toBeUndefined();
  });

  it("this machine's own disk is none", () => {
    expect(networkUnder(at.folder)).toBeUndefined();
  });

  it("the mount that counts is the deepest one, the last one there, with its escapes read", () => {
    const table = [
      "22 1 0:21 / / rw - ext4 /dev/vda rw",
      "30 22 0:40 / /mnt/a\\040b rw shared:1 - fuse.sshfs host:/ rw",
      "31 22 0:41 / /mnt/a rw - xfs /dev/vdb rw",
      "32 22 0:42 / /mnt/a rw - fuse.s3fs s3fs rw",
      "",
    ].join("\n");
    expect(typeInTable(table, "/mnt/a b/c")).toBe("fuse.sshfs");
    expect(typeInTable(table, "/mnt/a/x")).toBe("fuse.s3fs");
    expect(typeInTable(table, "/mnt/ab")).toBe("ext4");
    expect(typeInTable("", "/mnt")).toBeUndefined();
  });
});

describe("a ledger that this user may not touch", () => {
  const asNobody = (how: string) => {
    const probe = `
      const { openSqliteStore } = await import(process.argv[1]);
      const opened = openSqliteStore({ path: process.argv[2], mode: process.argv[3], newLedgerId: () => "lg_nobody" });
      await opened.then(() => console.log("opened"), (error) => console.log(error.code, error.message));`;
    const store = fileURLToPath(new URL("store.ts", import.meta.url));
    return spawnSync(process.execPath, ["--input-type=module", "-e", probe, store, at.path, how], {
      uid: 65534,
      gid: 65534,
      encoding: "utf8",
      cwd: "/",
    });
  };

  it("is unreadable or read-only, and never absent", async (context) => {
    notRunWithout(context, process.getuid?.() === 0 ? null : "it needs root to become another user");
    await at.fill(1);
    chmodSync(at.folder, 0o755);
    const hidden = asNobody("create");
    const cannot = hidden.stdout === "" ? hidden.stderr.split("\n")[0] : null;
    notRunWithout(context, cannot === null ? null : `another user cannot run the source here (${cannot})`);
    expect(hidden.stdout).toMatch(/^unreadable .*no permission/);
    chmodSync(dirname(at.path), 0o755);
    expect(asNobody("read").stdout).toMatch(/^unreadable /);
    chmodSync(at.path, 0o644);
    expect(asNobody("read").stdout).toBe("opened\n");
    expect(asNobody("create").stdout).toMatch(/^read-only .*make it writable/);
    expect(readdirSync(dirname(at.path)).sort()).toEqual([".gitignore", "ledger.db"]);
  });

  it("a folder or a pipe in its place is said so", async () => {
    mkdirSync(at.path, { recursive: true });
    expect((await at.fault("create")).message).toMatch(/not a regular file/);
    rmSync(at.path, { recursive: true });
    writeFileSync(join(at.folder, "file"), "");
    expect((await at.fault("create", { path: join(at.folder, "file", "ledger.db") })).code).toBe(
      "unreadable",
    );
  });
});
