/** A log that was torn by a power cut is read up to there; one that was whole once is refused (op-22). */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { increment } from "../../../test/contract/store-increment.ts";
import { type LedgerFolder, ledgerFolder, SHOP } from "../../../test/support/ledger-folder.ts";
import { ledgerId } from "../../domain/ids.ts";
import { logFault } from "./log-damage.ts";
import { openSqliteStore } from "./store.ts";

const FRAME = 24 + 4096;
const COMMITS = 6;

let at: LedgerFolder;
let copy: string;
let log: Buffer;
beforeEach(async () => {
  at = ledgerFolder();
  const store = await at.open();
  for (let done = 0; done < COMMITS; done += 1) await store.commit(increment(SHOP, "n"));
  // As a process leaves it that was killed: nothing was brought over from the log.
  mkdirSync(join(at.folder, "killed"));
  copy = join(at.folder, "killed", "ledger.db");
  copyFileSync(at.path, copy);
  log = readFileSync(`${at.path}-wal`);
});
afterEach(() => at.dispose());

const open = async (mode: "read" | "write") => {
  const store = await openSqliteStore({ path: copy, mode, newLedgerId: () => ledgerId("lg_another") });
  try {
    return (await store.head(SHOP))?.seq ?? 0;
  } finally {
    await store.close();
  }
};
const withLog = (changed: Buffer): void => writeFileSync(`${copy}-wal`, changed);
const flipped = (place: number): Buffer => {
  const changed = Buffer.from(log);
  changed[place] = (changed[place] ?? 0) ^ 1;
  return changed;
};
/** The frames that end a commit. */
const commitFrames = (): number[] =>
  Array.from({ length: Math.floor((log.length - 32) / FRAME) }, (_, frame) => frame).filter(
    (frame) => log.readUInt32BE(32 + frame * FRAME + 4) !== 0,
  );

describe("a log with damage before its last commit", () => {
  it.for([
    ["in its header", 3],
    ["in its header's salt", 17],
    ["in its first page", 32 + 24 + 100],
    ["in a frame's own checksum", 32 + 17],
  ] as const)("%s: refused in every mode, with the way out", async ([, place]) => {
    withLog(flipped(place));
    for (const mode of ["read", "write"] as const)
      await expect(open(mode)).rejects.toThrow(/write-ahead log is broken at page .*ledger import/s);
  });

  it("control: whole, it is read to its end", async () => {
    withLog(log);
    expect(commitFrames()).toHaveLength(COMMITS);
    expect(logFault(copy)).toBeNull();
    expect(await open("read")).toBe(COMMITS);
    expect(await open("write")).toBe(COMMITS);
  });
});

describe("a log that a power cut tore", () => {
  it("is read up to there, wherever it was cut off", async () => {
    for (let length = 0; length < log.length; length += 1_000) {
      withLog(log.subarray(0, length));
      expect(logFault(copy), `cut off at ${length}`).toBeNull();
    }
    withLog(log.subarray(0, 32 + ((commitFrames()[2] ?? 0) + 1) * FRAME + 10));
    expect(await open("read")).toBe(3);
  });

  it("is read without its last commit where only that is torn", async () => {
    const frames = commitFrames();
    const first = (frames.at(-2) ?? 0) + 1;
    for (let frame = first; frame <= (frames.at(-1) ?? 0); frame += 1) {
      withLog(flipped(32 + frame * FRAME + 24 + 50));
      expect(logFault(copy)).toBeNull();
      expect(await open("read")).toBe(COMMITS - 1);
    }
  });

  it("may have an earlier log's frames behind its end", async () => {
    const older = Buffer.from(log);
    for (let frame = 3; frame < Math.floor((log.length - 32) / FRAME); frame += 1)
      older.writeUInt32BE(7, 32 + frame * FRAME + 8);
    withLog(older);
    expect(logFault(copy)).toBeNull();
  });

  it("no log at all is none that is damaged", () => {
    expect(logFault(join(at.folder, "nowhere"))).toBeNull();
  });
});
