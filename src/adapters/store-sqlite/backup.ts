/** A copy of the whole ledger while writers go on: one state, proven readable before it gets its name. */
import { existsSync } from "node:fs";
import { backup } from "node:sqlite";
import { openDatabase } from "./connection.ts";
import { fileFault, readFault, sqliteCode } from "./faults.ts";
import { integrityFaults } from "./integrity.ts";
import { discard, makeEmpty, putInPlace } from "./place.ts";
import type { Reader } from "./reader.ts";
import { prepare } from "./statements.ts";

/** More pages than a ledger has: all are copied in one step, so no writer can make it begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/** `fault`: one sentence, and nothing was written. Throws `StoreFault`. */
export const backupTo = async (
  reader: Reader,
  toPath: string,
): Promise<{ readonly path: string } | { readonly fault: string }> => {
  const taken = { fault: `${toPath} exists, and a backup overwrites nothing; name another file` };
  if (existsSync(toPath)) return taken;
  const unfinished = `${toPath}.new`;
  makeEmpty(unfinished);
  try {
    const source = reader.snapshot();
    try {
      await backup(source.db, unfinished, { rate: ALL_PAGES });
      if (!source.unchanged())
        return { fault: "the ledger changed while it was copied; run the backup again" };
    } finally {
      source.close();
    }
    const wrong = faultsIn(unfinished);
    if (wrong !== undefined) return { fault: `the ledger was copied, but the copy is not sound: ${wrong}` };
    return putInPlace(unfinished, toPath) === "taken" ? taken : { path: toPath };
  } catch (error) {
    throw sqliteCode(error) === undefined ? fileFault(error, toPath, "writing") : readFault(error, toPath);
  } finally {
    discard(unfinished);
  }
};

const faultsIn = (path: string): string | undefined => {
  const db = openDatabase(path, { mode: "ro", immutable: "1" }, true);
  try {
    return integrityFaults(prepare(db), db)[0];
  } finally {
    db.close();
  }
};
