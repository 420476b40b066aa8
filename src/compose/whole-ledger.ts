/** The ledger as a whole: exported, imported, backed up, checked. */
import { dirname, join, resolve } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { systemHost } from "../adapters/system/host.ts";
import { openSpool } from "../adapters/system/spool.ts";
import { advance } from "../domain/fold.ts";
import { type LedgerId, ledgerId } from "../domain/ids.ts";
import { StoreFault } from "../ports/store.ts";
import { type Check, checkHost, checkStates, isKeyUsed } from "../runtime/doctor.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { findPlace, ids, type Place, type StackFaults, type Where } from "./place.ts";

// ---- the ledger as a whole -------------------------------------------------------------------------------------

const wholeAt = (where: Where) => findPlace({ ...where, needsFile: false });

const openToRead = async (path: string) => {
  const { openSqliteStore } = await import("../adapters/store-sqlite/store.ts");
  return openSqliteStore({ path, mode: "read", newLedgerId: () => ledgerId(`lg_${ids.uuid()}`) });
};

/** The ledger as JSON lines; the last line proves that all of it came. */
export const exportLedger = async (
  where: Where,
): Promise<
  | { readonly kind: "export"; readonly lines: AsyncIterable<string>; close(): Promise<void> }
  | Refused
  | StackFaults
> => {
  const whole = await wholeAt(where);
  if (whole.kind !== "found") return whole;
  const { place } = whole;
  return faultsAsRefusals(async () => {
    const store = await openToRead(place.path);
    return { kind: "export", lines: store.exportJsonl(), close: () => store.close() };
  });
};

/** A new ledger out of an export; an existing one is never touched. */
export const importLedger = async (
  where: Where,
  lines: AsyncIterable<string>,
): Promise<
  | { readonly kind: "imported"; readonly path: string; readonly ledgerId: string; readonly records: number }
  | Refused
  | StackFaults
> => {
  const whole = await wholeAt(where);
  if (whole.kind !== "found") return whole;
  const { place } = whole;
  return faultsAsRefusals(async () => {
    const { importSqliteLedger } = await import("../adapters/store-sqlite/transfer.ts");
    const imported = await importSqliteLedger(lines, { path: place.path, fold: advance });
    if ("fault" in imported) return refused(23, imported.fault);
    return { kind: "imported", path: place.path, ledgerId: imported.ledgerId, records: imported.records };
  });
};

/** A sound copy while operations run. */
export const backupLedger = async (
  where: Where,
  toPath: string,
): Promise<{ readonly kind: "backed-up"; readonly path: string } | Refused | StackFaults> => {
  const whole = await wholeAt(where);
  if (whole.kind !== "found") return whole;
  const { place } = whole;
  return faultsAsRefusals(async () => {
    const store = await openToRead(place.path);
    try {
      const made = await store.backup(resolve(where.cwd, toPath));
      return "fault" in made ? refused(23, made.fault) : { kind: "backed-up", path: made.path };
    } finally {
      await store.close();
    }
  });
};

/** Everything that can be checked without changing anything. */
export const doctor = async (
  where: Where,
): Promise<{ readonly kind: "checked"; readonly checks: readonly Check[] } | Refused | StackFaults> => {
  const whole = await wholeAt(where);
  if (whole.kind !== "found") return whole;
  const { place, lock } = whole;
  /** The ledger that the lock ties the folder's stacks to; null where there is no lock. */
  const lockedTo = lock?.lock.ledger.id ?? null;
  const checks: Check[] = [{ name: "node", finding: "fine", sentence: `Node ${process.versions.node}` }];
  try {
    const store = await openToRead(place.path);
    try {
      const faults = await store.checkIntegrity();
      // What a damaged ledger was digested with cannot be told.
      const needsKey = async () => faults.length > 0 || (await isKeyUsed(store));
      checks.push(...tied(store.ledgerId, lockedTo), await keyOf(place, needsKey));
      checks.push(...faults.map((sentence): Check => ({ name: "ledger", finding: "wrong", sentence })));
      if (faults.length === 0)
        checks.push({
          name: "ledger",
          finding: "fine",
          sentence: `${place.path} is whole, and its chains hold`,
        });
      checks.push(...(await checkStates(store)));
      const host = systemHost({ clock: systemClock, environment: where.environment });
      const spool = openSpool({
        directory: join(dirname(place.path), "spool"),
        host,
        note: (sentence) => checks.push({ name: "spool", finding: "wrong", sentence }),
      });
      checks.push(...(await checkHost({ spool, store, host, clock: systemClock })));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    // Without a lock nothing was applied here yet; with one, what it speaks of is missing.
    const unused = error.code === "missing" && lockedTo === null;
    checks.push({ name: "ledger", finding: unused ? "not-checked" : "wrong", sentence: error.message });
    if (error.code === "missing") checks.push(...tied(null, lockedTo));
  }
  return { kind: "checked", checks };
};

const tied = (found: LedgerId | null, lockedTo: LedgerId | null): Check[] => {
  if (lockedTo === null || found === lockedTo) return [];
  const which = found === null ? "and it is not here" : `and the one here is ${found}`;
  return [
    {
      name: "lock",
      finding: "wrong",
      sentence: `asfound.lock ties the stacks of this folder to the ledger ${lockedTo}, ${which}; name it with --ledger`,
    },
  ];
};

const keyOf = async (place: Place, needsKey: () => Promise<boolean>): Promise<Check> => {
  const { openVault } = await import("../adapters/system/vault.ts");
  const opened = await openVault(`${place.path}.key`, { create: false });
  if (opened.kind === "vault")
    return { name: "key", finding: "fine", sentence: `the ledger's key is ${opened.vault.keyId}` };
  if (opened.kind === "absent" && !(await needsKey()))
    return {
      name: "key",
      finding: "fine",
      sentence: "there is no key file yet, and nothing was digested with one; the next apply makes it",
    };
  const sentence =
    opened.kind === "fault"
      ? opened.fault
      : "the ledger's key file is missing: secrets kept under it cannot be opened or compared; bring it back before the next apply makes another";
  return { name: "key", finding: "wrong", sentence };
};

const faultsAsRefusals = async <T>(work: () => Promise<T>): Promise<T | Refused> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFault) return refused(1, error.message);
    throw error;
  }
};
