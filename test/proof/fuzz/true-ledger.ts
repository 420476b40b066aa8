/**
 * Real ledgers with a known history, and what each holds, read by SQL and folded: two stacks, steps of every kind of status,
 * destroyed ones included. Copies are taken while the writer has them open, so some still have their write-ahead log.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { advance } from "../../../src/domain/fold.ts";
import type { JournalRecord } from "../../../src/domain/journal.ts";
import type { StepState } from "../../../src/domain/state.ts";
import { defineStack, openStack } from "../../../src/index.ts";
import {
  absent,
  defineProvider,
  done,
  failed,
  notRead,
  type Provider,
  present,
  refused,
  unknown,
} from "../../../src/provider.ts";

/** The bytes of a ledger; `log`: its write-ahead log, where there was one. */
export interface Files {
  readonly main: Buffer;
  readonly log: Buffer | null;
}

/** What one stack truly holds. */
export interface TrueStack {
  readonly seq: number;
  readonly hash: string;
  readonly id: string;
  readonly epoch: number;
  readonly lease: unknown;
  /** Newest first. */
  readonly operations: readonly unknown[];
  /** In order; the text that was hashed. */
  readonly bodies: readonly string[];
  /** Step → its state, a plain value. */
  readonly steps: ReadonlyMap<string, unknown>;
}

export interface Snapshot extends Files {
  readonly stacks: ReadonlyMap<string, TrueStack>;
}

export interface TrueLedger {
  /** Moments of one ledger, in order; the last is its end. */
  readonly moments: readonly Snapshot[];
  /** Another ledger of the same schema: its pages fit and are wrong. */
  readonly foreign: Snapshot;
}

/** A tool whose answers the inputs choose. `moment` is called in the middle of each call. */
const toolOf = (moment: () => void): Provider => {
  const things = new Map<string, string>();
  return defineProvider({
    name: "tool",
    observe: async ({ identity, inputs }) => {
      if (inputs["answers"] === "blind") return notRead("the tool does not answer");
      const id = identity?.id;
      const size = id === undefined ? undefined : things.get(id);
      if (id === undefined || size === undefined) return absent;
      return present({ id, outputs: { size }, asDeclared: size === inputs["size"] });
    },
    create: async (intent, io) => {
      const { inputs, step } = await intent.open();
      moment();
      if (inputs["answers"] === "refuse") return refused("the quota is used up");
      const id = `${step}-1`;
      things.set(id, String(inputs["size"]));
      await io.identity(id, { ip: "10.0.0.1" });
      moment();
      if (inputs["answers"] === "fail") return failed("it broke half-way", { id });
      if (inputs["answers"] === "lose" || inputs["answers"] === "blind")
        return unknown("the reply was lost", { id });
      return done({ id, outputs: { size: String(inputs["size"]) } });
    },
    update: async (intent) => {
      const { identity, inputs } = await intent.open();
      moment();
      if (identity !== null) things.set(identity.id, String(inputs["size"]));
      return done();
    },
    destroy: async (intent) => {
      const { identity } = await intent.open();
      if (identity !== null) things.delete(identity.id);
      moment();
      return done();
    },
  });
};

const stackOf = (name: string, size: string, count: number) =>
  defineStack({
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Stack",
    metadata: { name },
    steps: Object.fromEntries([
      ...Array.from({ length: count }, (_, at) => [
        `step-${at}`,
        { uses: "tool", settle: "10ms", with: { size: `${size}${at}`, note: "x".repeat(200) } },
      ]),
      ["refused", { uses: "tool", settle: "10ms", with: { size, answers: "refuse" } }],
      ["failed", { uses: "tool", settle: "10ms", with: { size, answers: "fail" } }],
      ["blind", { uses: "tool", settle: "10ms", with: { size, answers: "blind" } }],
      ["waits", { uses: "tool", needs: ["refused"], with: { size } }],
    ]),
  });

/** A row's text as a state: `applied` may stand as a word for what is declared. */
const stateIn = (text: string): unknown => {
  const row = JSON.parse(text);
  return row.applied === "as declared" ? { ...row, applied: row.declared } : row;
};

/** The states that the records make of the rows, which hold those up to `from`. */
export const folded = (
  bodies: readonly string[],
  rows: ReadonlyMap<string, StepState> = new Map(),
  from = 0,
): Map<string, StepState> => {
  const states = new Map(rows);
  for (const body of bodies.slice(from)) {
    const record = JSON.parse(body) as JournalRecord;
    // A plan names many steps: each has its part in a record of its own.
    states.set(record.step, advance(states.get(record.step), record));
  }
  return states;
};

/** What the files hold, by SQL and the fold; `scratch` is a folder for the copy that is read. */
export const heldBy = (files: Files, scratch: string): Snapshot["stacks"] => {
  const path = join(scratch, "truth.db");
  place(files, path);
  const db = new DatabaseSync(path);
  try {
    const stacks = new Map<string, TrueStack>();
    for (const row of db.prepare("SELECT * FROM stack").all()) {
      const number = Number(row["number"]);
      const records = db
        .prepare("SELECT body FROM record WHERE place > ? AND place < ? ORDER BY place")
        .all(number * 2 ** 32, (number + 1) * 2 ** 32);
      const bodies = records.map((record) => String(record["body"]));
      const steps = db.prepare("SELECT name, state FROM step WHERE stack = ?").all(number);
      const operations = db
        .prepare("SELECT body FROM operation WHERE stack = ? ORDER BY number DESC")
        .all(number);
      stacks.set(String(row["name"]), {
        seq: Number(row["seq"]),
        hash: String(row["hash"]),
        id: String(row["id"]),
        epoch: Number(row["epoch"]),
        lease: JSON.parse(String(row["lease"])),
        operations: operations.map((operation) => JSON.parse(String(operation["body"]))),
        bodies,
        steps: folded(
          bodies,
          new Map(steps.map((step) => [String(step["name"]), stateIn(String(step["state"])) as StepState])),
          Number(row["folded"]),
        ),
      });
    }
    return stacks;
  } finally {
    db.close();
  }
};

/** Writes the files of a ledger to `path`; what lay beside it is gone. */
export const place = ({ main, log }: Files, path: string): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  writeFileSync(path, main);
  if (log !== null) writeFileSync(`${path}-wal`, log);
};

/** Every status and two stacks, through the library as people use it. Takes a few seconds. */
export const makeTrueLedger = async (folder: string): Promise<TrueLedger> => {
  const scratch = join(folder, "scratch");
  mkdirSync(scratch);
  const made = async (name: string, sizes: readonly string[]): Promise<Snapshot[]> => {
    const directory = join(folder, name);
    mkdirSync(directory);
    const ledger = join(directory, "ledger.db");
    const taken: Files[] = [];
    const take = (): void => {
      if (!existsSync(ledger)) return;
      const log = existsSync(`${ledger}-wal`) ? readFileSync(`${ledger}-wal`) : null;
      taken.push({ main: readFileSync(ledger), log: log === null || log.length === 0 ? null : log });
    };
    const provider = toolOf(take);
    const open = (stack: string, size: string, count: number) =>
      openStack({
        stack: stackOf(stack, size, count),
        directory,
        ledger,
        providers: [provider],
        environment: {},
      });
    for (const size of sizes) {
      await open("shop", size, 4).apply();
      take();
    }
    await open("office", "tiny", 2).apply();
    await open("office", "tiny", 2).destroy({ only: ["step-0"] });
    await open("shop", "last", 4).destroy({ only: ["step-1", "failed"] });
    take();
    return taken.map((files) => ({ ...files, stacks: heldBy(files, scratch) }));
  };
  const moments = await made("ours", ["small", "large"]);
  const others = await made("other", ["wide"]);
  return { moments, foreign: others.at(-1) as Snapshot };
};
