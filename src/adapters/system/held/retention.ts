/** Which of the recorder's files are to be removed: the oldest first, by age and by size. The current one never is. */
import { stat } from "node:fs/promises";
import type { Instant } from "../../../domain/ids.ts";
import { filePath, numbersIn } from "./files.ts";
import { readHeldFile } from "./read-file.ts";

export interface Overdue {
  readonly numbers: readonly number[];
  /** The highest of them. */
  readonly through: number;
  readonly bytes: number;
  /** When the first of them began, and the first that is left. */
  readonly from: Instant;
  readonly to: Instant;
  readonly why: string;
}

interface Old {
  readonly number: number;
  readonly bytes: number;
  /** null: it does not say. */
  readonly began: Instant | null;
}

/** `maxBytes`: of all files but the current one. null: nothing is. */
export const overdue = async (
  folder: string,
  {
    current,
    at,
    keepMs,
    maxBytes,
  }: {
    readonly current: number;
    readonly at: Instant;
    readonly keepMs: number;
    readonly maxBytes: number;
  },
): Promise<Overdue | null> => {
  const { numbers } = await numbersIn(folder);
  const old: Old[] = [];
  for (const number of numbers)
    if (number < current) {
      const path = filePath(folder, number);
      old.push({ number, bytes: (await stat(path)).size, began: await beganAt(path) });
    }
  const tooOld = countBefore(old, at, keepMs);
  const tooMuch = countOver(old, maxBytes);
  const count = Math.max(tooOld, tooMuch);
  const due = old.slice(0, count);
  const last = due.at(-1);
  if (last === undefined) return null;
  const starts = (some: readonly Old[]): readonly Instant[] =>
    some.flatMap(({ began }) => (began === null ? [] : [began]));
  return {
    numbers: due.map(({ number }) => number),
    through: last.number,
    bytes: due.reduce((sum, { bytes }) => sum + bytes, 0),
    from: starts(old)[0] ?? at,
    to: starts(old.slice(count))[0] ?? at,
    why: tooMuch > tooOld ? "--max-size" : "--keep",
  };
};

/** A file ends where the next one begins. */
const countBefore = (old: readonly Old[], at: Instant, keepMs: number): number => {
  const kept = old.findIndex((_, index) => {
    const ends = old.slice(index + 1).find(({ began }) => began !== null)?.began ?? at;
    return at - ends <= keepMs;
  });
  return kept < 0 ? old.length : kept;
};

const countOver = (old: readonly Old[], maxBytes: number): number => {
  let total = old.reduce((sum, { bytes }) => sum + bytes, 0);
  let count = 0;
  for (const { bytes } of old) {
    if (total <= maxBytes) return count;
    total -= bytes;
    count += 1;
  }
  return count;
};

class Enough extends Error {
  readonly code = "ASFOUND_HELD_ENOUGH";
}

/** Its first record says it. */
const beganAt = async (path: string): Promise<Instant | null> => {
  let began: Instant | null = null;
  try {
    await readHeldFile(path, (record) => {
      if (record.kind === "began") began = record.at;
      throw new Enough();
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return began;
};
