import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ledgerId, stackId, stackName } from "../../domain/ids.ts";
import type { Lock } from "../../wire/lock.ts";
import { locationForLock, locationFromLock, lockPath, readLock, writeLock } from "./lock-file.ts";

const lock = (location: string): Lock => ({
  stack: {
    name: stackName("s"),
    id: stackId("st_01890a5d-ac96-774b-bcce-b302099a8057"),
    file: "asfound.yaml",
  },
  ledger: { id: ledgerId("lg_01890a5d-ac96-774b-bcce-b302099a8058"), location },
  others: [],
});
const folder = (): string => mkdtempSync(join(tmpdir(), "asfound-lock-"));

describe("the lock on disk", () => {
  it("is written whole, read back, replaced, and leaves nothing beside it", async () => {
    const dir = folder();
    const path = lockPath(dir);
    expect(await readLock(path)).toEqual({ kind: "absent" });
    expect(await writeLock(path, lock("a.db"))).toBeUndefined();
    expect(await writeLock(path, lock("b.db"))).toBeUndefined();
    expect(await readLock(path)).toEqual({ kind: "lock", lock: lock("b.db") });
    expect(readdirSync(dir)).toEqual(["asfound.lock"]);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it("that cannot be read is never taken for an absent one", async () => {
    const dir = folder();
    for (const [name, make] of Object.entries({
      dir: (path: string) => mkdirSync(path),
      empty: (path: string) => writeFileSync(path, ""),
      binary: (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe])),
      large: (path: string) => writeFileSync(path, "x".repeat(70_000)),
    })) {
      make(join(dir, name));
      const read = await readLock(join(dir, name));
      expect(read.kind === "faults" && read.faults.length).toBe(1);
    }
  });

  it("a write that fails is one sentence, and the old lock stands", async () => {
    const dir = folder();
    expect(await writeLock(join(dir, "none", "asfound.lock"), lock("a"))).toMatch(
      /cannot be written: there is no such file or folder$/,
    );
    const path = lockPath(dir);
    mkdirSync(path);
    writeFileSync(join(path, "keep"), "x");
    expect(await writeLock(path, lock("a"))).toMatch(/cannot be written/);
    expect(readFileSync(join(path, "keep"), "utf8")).toBe("x");
    expect(readdirSync(dir)).toEqual(["asfound.lock"]);
    chmodSync(dir, 0o700);
  });

  it("says a ledger's place relative to the folder where it is inside, and finds it again", () => {
    const there = (location: string): string => locationForLock(location, "/srv/shop");
    expect(there("/srv/shop/.asfound/ledger.db")).toBe(".asfound/ledger.db");
    expect(there(".asfound/ledger.db")).toBe(".asfound/ledger.db");
    expect(there("../ledger.db")).toBe("/srv/ledger.db");
    expect(there("/srv/shop2/l.db")).toBe("/srv/shop2/l.db");
    expect(there("..data/l.db")).toBe("..data/l.db");
    expect(there("postgres://u:hunter22@h/db")).toBe("postgres://u@h/db");
    expect(locationFromLock(".asfound/ledger.db", "/elsewhere")).toBe("/elsewhere/.asfound/ledger.db");
    expect(locationFromLock("postgres://u@h/db", "/elsewhere")).toBe("postgres://u@h/db");
  });
});
