/**
 * Whatever an export's lines hold: they are the very lines that were exported, or nothing is imported. The digest over
 * all of it and the chains of hashes leave no change that could be believed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/adapters/store-sqlite/store.ts";
import { ledgerId } from "../../../src/domain/ids.ts";
import { ExportRefused, readExport } from "../../../src/wire/ledger-export.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { type Campaign, caught, holds, isReplay, runs, type Verdict } from "./campaign.ts";
import { damaged, shownBytes } from "./damage.ts";
import type { Dice } from "./dice.ts";
import { makeTrueLedger, place, type Snapshot } from "./true-ledger.ts";

ownTempFolder("fuzz-export");

const exportOf = async (snapshot: Snapshot, folder: string): Promise<string> => {
  const path = join(folder, "exported.db");
  place(snapshot, path);
  const store = await openSqliteStore({ path, mode: "read", newLedgerId: () => ledgerId("lg_another") });
  try {
    const lines: string[] = [];
    for await (const line of store.exportJsonl()) lines.push(line);
    return `${lines.join("\n")}\n`;
  } finally {
    await store.close();
  }
};

let ours: string;
let foreign: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-fuzz-export-"));
  try {
    const { moments, foreign: other } = await makeTrueLedger(folder);
    [ours, foreign] = [await exportOf(moments[13] as Snapshot, folder), await exportOf(other, folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Lines moved, doubled, dropped or taken from another export, and bytes damaged. */
const changedExport = (dice: Dice): string => {
  if (dice.once(20)) return ours;
  const lines = ours.split("\n");
  const at = dice.below(lines.length);
  const others = foreign.split("\n");
  switch (dice.below(7)) {
    case 0:
      return lines.toSpliced(at, 1).join("\n");
    case 1:
      return lines.toSpliced(at, 0, lines[dice.below(lines.length)] as string).join("\n");
    case 2:
      return lines.toSpliced(at, 1, dice.pick(others)).join("\n");
    case 3:
      return lines.slice(0, at).join("\n");
    case 4:
      return [...lines.slice(0, at), ...others.slice(at)].join("\n");
    default: {
      const words = [
        '"complete"',
        '"unresolved"',
        '"seq":1',
        '"kind":"trailer"',
        "\\u0041",
        " ",
        "\n",
        "{}",
        "null",
      ];
      return damaged(
        dice,
        Buffer.from(ours),
        words.map((word) => Buffer.from(word)),
      ).toString("utf8");
    }
  }
};

type Check = (lines: readonly string[]) => Promise<void>;

const checked: Check = async (lines) => {
  for await (const _ of readExport(lines));
};

const exports = (check: Check): Campaign<string> => ({
  name: "ledger exports",
  make: changedExport,
  judge: async (text): Promise<Verdict> => {
    // Line breaks at the very end say nothing.
    const isWhole = [ours, foreign].some((whole) => text.replace(/\n*$/, "") === whole.replace(/\n*$/, ""));
    try {
      await check(text.split("\n"));
    } catch (error) {
      if (!(error instanceof ExportRefused)) throw error;
      return { as: "refused", fault: isWhole ? `the export itself is refused: ${error.message}` : undefined };
    }
    return { as: "accepted", fault: isWhole ? undefined : "it was changed, and is accepted" };
  },
  show: (text) => shownBytes(Buffer.from(text)),
});

describe("fuzz: a ledger's export", () => {
  it("is the one that was written, or refused", async () => {
    const told = await holds(exports(checked), runs({ ci: 4_000, soak: 100_000 }));
    if (!isReplay) for (const kind of ["accepted", "refused"]) expect(told.as[kind]).toBeGreaterThan(100);
  });
});

describe.skipIf(isReplay)("control: a careless reader is caught", () => {
  const MUTANTS: Readonly<Record<string, readonly [check: Check, says: RegExp]>> = {
    "the last line is not waited for": [
      (lines) =>
        checked(lines).catch((error: Error) => {
          if (!error.message.includes("cut off")) throw error;
        }),
      /it was changed, and is accepted/,
    ],
    "JSON is all that is asked for": [
      async (lines) => {
        for (const line of lines)
          try {
            if (line !== "") JSON.parse(line);
          } catch {
            throw new ExportRefused("it is not JSON");
          }
      },
      /it was changed, and is accepted/,
    ],
    "every export is refused": [
      () => Promise.reject(new ExportRefused("no")),
      /the export itself is refused/,
    ],
  };
  for (const [what, [check, says]] of Object.entries(MUTANTS))
    it(what, async () => expect(await caught(exports(check), 1_000, says)).toMatch(says));
});
