/**
 * Whatever happens to a ledger's files: what can be read from them is what they held, or the ledger is refused with a
 * way out (op-06, op-16, op-22); never an empty one, never a status that was not.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/adapters/store-sqlite/store.ts";
import { ledgerId } from "../../../src/domain/ids.ts";
import { type Store, StoreFault } from "../../../src/ports/store.ts";
import { checkStates } from "../../../src/runtime/doctor.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { tamper } from "../../support/tamper.ts";
import { type Campaign, caught, holds, isReplay, runs, type Verdict } from "./campaign.ts";
import { folderFor } from "./folder.ts";
import { type DamagedLedger, damagedLedger } from "./ledger-damage.ts";
import { ledgerFault, type ReadStack } from "./ledger-truth.ts";
import {
  type Files,
  folded,
  heldBy,
  makeTrueLedger,
  place,
  type Snapshot,
  type TrueLedger,
} from "./true-ledger.ts";

ownTempFolder("fuzz-ledger");

interface Found {
  readonly stacks: readonly ReadStack[];
  /** Asks doctor what is wrong. */
  doctor(): Promise<readonly string[]>;
}
type Read = (path: string) => Promise<Found>;

const allOf = async (store: Store): Promise<readonly ReadStack[]> => {
  const found: ReadStack[] = [];
  for (const head of await store.stacks()) {
    const { name } = head;
    const records: unknown[] = [];
    for await (const { record } of store.records({ stack: name })) records.push(record);
    const operations = await store.operations(name, 1_000);
    found.push({ ...head, records, operations, steps: await store.steps(name) });
  }
  return found;
};

const doctorOf = async (path: string): Promise<readonly string[]> => {
  try {
    const store = await openSqliteStore({ path, mode: "read", newLedgerId: () => ledgerId("lg_another") });
    try {
      const states = (await checkStates(store)).filter(({ finding }) => finding !== "fine");
      return [...(await store.checkIntegrity()), ...states.map(({ sentence }) => sentence)];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    return [error.message];
  }
};

const opened =
  (mode: "read" | "write" | "create"): Read =>
  async (path) => {
    const store = await openSqliteStore({ path, mode, newLedgerId: () => ledgerId("lg_another") });
    try {
      return { stacks: await allOf(store), doctor: () => doctorOf(path) };
    } finally {
      await store.close();
    }
  };

let all: TrueLedger;
beforeAll(async () => {
  const scratch = mkdtempSync(join(tmpdir(), "asfound-fuzz-ledger-"));
  try {
    all = await makeTrueLedger(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

const WAY_OUT = /ledger import|ledger backup|newer asfound|run .* again|--ledger/;

/** `path` is where each damaged ledger is put before it is read. */
const ledgers = (read: Read, path: string): Campaign<DamagedLedger> => ({
  name: "ledger files",
  make: damagedLedger(all),
  judge: async (input): Promise<Verdict> => {
    place(input.files, path);
    let found: Found;
    try {
      found = await read(path);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      return WAY_OUT.test(error.message)
        ? { as: error.code }
        : { as: error.code, fault: `it is refused without a way out: ${error.message}` };
    }
    const differs = ledgerFault(input, found.stacks, all.moments.at(-1) as Snapshot);
    if (differs === undefined) return { as: "read" };
    const seen = (await found.doctor()).length > 0;
    return seen && differs.readable
      ? { as: "read, and doctor says that it is wrong" }
      : { as: "read", fault: `${differs.why}${seen ? "" : "; and doctor finds nothing"}` };
  },
  show: ({ truth, done, files }) =>
    `moment ${all.moments.indexOf(truth)}: ${done.join(", then ")}; ${files.main.length} bytes and ${files.log?.length ?? 0} of log`,
});

describe("fuzz: a ledger's files", () => {
  it("control: undamaged, every moment is read as it was, and its steps are the fold of its records", async () => {
    const path = join(folderFor("ledger"), "ledger.db");
    for (const truth of [...all.moments, all.foreign]) {
      place(truth, path);
      const { stacks, doctor } = await opened("read")(path);
      expect(await doctor()).toEqual([]);
      expect(ledgerFault({ truth, mayBeEarlier: false }, stacks, truth)).toBeUndefined();
      for (const [name, stack] of truth.stacks)
        expect(
          Object.fromEntries(folded(stack.bodies.slice(0, stack.seq))),
          `the rows of ${name} at record ${stack.seq}`,
        ).toEqual(Object.fromEntries(stack.steps));
    }
  });

  it("one bit of a log's first page, after a first apply that was killed: refused, and not read as an empty one", async () => {
    const path = join(folderFor("ledger"), "ledger.db");
    const [first] = all.moments as [Snapshot];
    place(first, path);
    expect((await opened("read")(path)).stacks.map(({ name }) => name)).toEqual(["shop"]);
    const log = Buffer.from(first.log ?? Buffer.alloc(0));
    log[100] = (log[100] ?? 0) ^ 1;
    place({ main: first.main, log }, path);
    for (const mode of ["read", "write", "create"] as const)
      await expect(opened(mode)(path)).rejects.toThrow(/write-ahead log is broken/);
  });

  it("opened to read: what it held, or refused with a way out", async () => {
    const path = join(folderFor("ledger"), "ledger.db");
    const told = await holds(ledgers(opened("read"), path), runs({ ci: 2_000, soak: 40_000 }));
    if (!isReplay) for (const kind of ["read", "corrupt"]) expect(told.as[kind]).toBeGreaterThan(50);
  });

  it("opened to write, or to begin one: the same, and a ledger that exists is never begun anew", async () => {
    const path = join(folderFor("ledger"), "ledger.db");
    for (const mode of ["write", "create"] as const)
      await holds(ledgers(opened(mode), path), runs({ ci: 200, soak: 4_000 }));
  });
});

/** What SQL alone reads; what it cannot read is refused. */
const believed = (files: Files): readonly ReadStack[] => {
  try {
    return [...heldBy(files, folderFor("believed"))].map(([name, { bodies, ...stack }]) => ({
      name,
      ...stack,
      records: bodies.map((body) => JSON.parse(body)),
    }));
  } catch (cause) {
    throw new StoreFault("corrupt", "restore a backup with `asfound ledger import FILE`", { cause });
  }
};

describe.skipIf(isReplay)("control: a careless reader is caught", () => {
  const MUTANTS: Readonly<Record<string, readonly [change: (read: Read) => Read, says: RegExp]>> = {
    "a ledger that cannot be read is an empty one": [
      (read) => (path) => read(path).catch(() => ({ stacks: [], doctor: async () => [] })),
      /read without the stack/,
    ],
    "one that cannot be read is begun anew": [
      (read) => async (path) => {
        try {
          return await read(path);
        } catch {
          for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
          return opened("create")(path);
        }
      },
      /read without the stack/,
    ],
    "rows are believed, without their sums and without the chain": [
      () => async (path) => {
        const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : null;
        return { stacks: believed({ main: readFileSync(path), log }), doctor: async () => [] };
      },
      /and doctor finds nothing/,
    ],
    "a stack's records are read as far as they go": [
      (read) => async (path) => {
        const { stacks, doctor } = await read(path);
        return { doctor, stacks: stacks.map((stack) => ({ ...stack, seq: stack.seq - 1 })) };
      },
      /its row is another/,
    ],
    "the refusal does not say what to do": [
      (read) => (path) =>
        read(path).catch(() => {
          throw new StoreFault("corrupt", "the ledger is damaged");
        }),
      /without a way out/,
    ],
  };
  for (const [what, [change, says]] of Object.entries(MUTANTS))
    it(what, async () => {
      const path = join(folderFor("ledger"), "ledger.db");
      expect(await caught(ledgers(change(opened("read")), path), 400, says)).toMatch(says);
    });
});

/** Each the smallest change that only the sums of the rows can tell. */
describe.skipIf(isReplay)("damage outside of the chain is not read as a state which was not", () => {
  const last = (): Snapshot => all.moments.at(-1) as Snapshot;
  const refused = async (sql: string): Promise<void> => {
    const path = join(folderFor("ledger"), "ledger.db");
    place(last(), path);
    tamper(path, sql);
    const reading = opened("read")(path);
    await expect(reading).rejects.toBeInstanceOf(StoreFault);
    await expect(reading).rejects.toThrow(WAY_OUT);
    expect(await doctorOf(path)).not.toEqual([]);
  };
  const CHANGES = {
    "another id in a step's row: a destroy would go to that id": `UPDATE step SET state = replace(state, '"id":"step-2-1"', '"id":"step-2-3"')`,
    "the rows of all steps lost: an apply would create everything again": "DELETE FROM step",
    "a lower epoch: a writer that was fenced off might write again": "UPDATE stack SET epoch = epoch - 1",
    "other words in an operation's row: history would tell them": `UPDATE operation SET body = replace(body, '"exit":0', '"exit":1')`,
  };
  for (const [what, sql] of Object.entries(CHANGES)) it(what, () => refused(sql));

  it("control: where the sums are made to agree again, only the fold of the records tells, and nothing tells the last two", async () => {
    const [id, lost, epoch, words] = Object.values(CHANGES) as [string, string, string, string];
    const path = join(folderFor("ledger"), "ledger.db");
    const found = async (sql: string): Promise<string> => {
      place(last(), path);
      tamper(path, sql, "resealed");
      await opened("read")(path);
      return (await doctorOf(path)).join();
    };
    expect(await found(id)).toMatch(/step-2: what is stored does not follow/);
    expect(await found(lost)).toMatch(/does not follow from the records/);
    expect(await found(epoch)).toBe("");
    expect(await found(words)).toBe("");
  });

  it("control: the undamaged ledger is refused by nobody", async () => {
    const path = join(folderFor("ledger"), "ledger.db");
    place(last(), path);
    expect((await opened("read")(path)).stacks.map(({ name }) => name)).toEqual(["shop", "office"]);
    expect(readFileSync(path).equals(last().main)).toBe(true);
  });
});
