/** What disks, copies and people do to a ledger's files. */
import type { Dice } from "./dice.ts";
import type { Files, Snapshot, TrueLedger } from "./true-ledger.ts";

export interface DamagedLedger {
  /** What it was before. */
  readonly truth: Snapshot;
  readonly files: Files;
  /** What was done to it, in order. */
  readonly done: readonly string[];
  /**
   * The write-ahead log was touched, or belongs to another moment: then the ledger may truly have been at an earlier
   * commit, which nobody can tell from the files alone.
   */
  readonly mayBeEarlier: boolean;
}

const PAGE = 4096;
/** The log's own header, and the header before each of its pages (https://www.sqlite.org/walformat.html). */
const LOG_HEADER = 32;
const FRAME = 24 + PAGE;

const pagesOf = (bytes: Buffer): number => Math.floor(bytes.length / PAGE);
const pageAt = (bytes: Buffer, page: number): Buffer => bytes.subarray(page * PAGE, (page + 1) * PAGE);
const withPage = (bytes: Buffer, page: number, content: Buffer): Buffer => {
  const changed = Buffer.from(bytes);
  content.copy(changed, page * PAGE);
  return changed;
};

type Change = (dice: Dice, bytes: Buffer, all: TrueLedger, truth: Snapshot) => Buffer | null;

const flip: Change = (dice, bytes) => {
  if (bytes.length === 0) return bytes;
  const changed = Buffer.from(bytes);
  for (let left = dice.pick([1, 1, 1, 2, 8]); left > 0; left -= 1) {
    // Half of them where a page's own directory stands: a bit among the cells' text is a rarer kind of harm.
    const page = dice.below(Math.max(1, pagesOf(bytes))) * PAGE;
    const at = Math.min(bytes.length - 1, dice.once(2) ? page + dice.below(120) : dice.below(bytes.length));
    changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8));
  }
  return changed;
};
const truncate: Change = (dice, bytes) =>
  dice.once(2)
    ? bytes.subarray(0, dice.below(pagesOf(bytes) + 1) * PAGE)
    : bytes.subarray(0, dice.below(bytes.length));
const fill: Change = (dice, bytes) =>
  withPage(bytes, dice.below(pagesOf(bytes)), Buffer.alloc(PAGE, dice.pick([0, 0xff])));
const swap: Change = (dice, bytes) => {
  const [a, b] = [dice.below(pagesOf(bytes)), dice.below(pagesOf(bytes))];
  return withPage(withPage(bytes, a, pageAt(bytes, b)), b, Buffer.from(pageAt(bytes, a)));
};
const double: Change = (dice, bytes) => {
  const at = dice.below(pagesOf(bytes)) * PAGE;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + PAGE), bytes.subarray(at)]);
};
const remove: Change = (dice, bytes) => {
  const at = dice.below(pagesOf(bytes)) * PAGE;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + PAGE)]);
};
const spliceFrom =
  (pick: (dice: Dice, all: TrueLedger, truth: Snapshot) => Buffer): Change =>
  (dice, bytes, all, truth) => {
    const other = pick(dice, all, truth);
    const page = dice.below(Math.min(pagesOf(bytes), pagesOf(other)));
    return withPage(bytes, page, pageAt(other, dice.once(4) ? dice.below(pagesOf(other)) : page));
  };
const foreignPage = spliceFrom((_, all) => all.foreign.main);
/** A page as it once was in this very ledger: a write that the disk lost. */
const earlierPage = spliceFrom((dice, all) => dice.pick(all.moments).main);
const append: Change = (dice, bytes) =>
  Buffer.concat([bytes, Buffer.alloc(dice.pick([1, PAGE, 3 * PAGE]), dice.below(256))]);

const MAIN: Readonly<Record<string, Change>> = {
  "bits flipped": flip,
  "cut off": truncate,
  "a page overwritten": fill,
  "two pages swapped": swap,
  "a page doubled": double,
  "a page removed": remove,
  "a foreign page": foreignPage,
  "an earlier page": earlierPage,
  "something appended": append,
};

const flipLog: Change = (dice, bytes) => {
  const changed = Buffer.from(bytes);
  const frame = LOG_HEADER + dice.below(Math.max(1, Math.floor((bytes.length - LOG_HEADER) / FRAME))) * FRAME;
  const at = Math.min(
    bytes.length - 1,
    dice.pick([dice.below(LOG_HEADER), frame + dice.below(24), frame + dice.below(FRAME)]),
  );
  changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8));
  return changed;
};
const truncateLog: Change = (dice, bytes) =>
  bytes.subarray(0, dice.once(2) ? LOG_HEADER + dice.below(40) * FRAME : dice.below(bytes.length));
const swapFrames: Change = (dice, bytes) => {
  const frames = Math.floor((bytes.length - LOG_HEADER) / FRAME);
  if (frames < 2) return bytes;
  const changed = Buffer.from(bytes);
  const [a, b] = [dice.below(frames), dice.below(frames)].map((frame) => LOG_HEADER + frame * FRAME) as [
    number,
    number,
  ];
  bytes.copy(changed, a, b, b + FRAME);
  bytes.copy(changed, b, a, a + FRAME);
  return changed;
};

const LOG: Readonly<Record<string, Change>> = {
  "bits of the log flipped": flipLog,
  "the log cut off": truncateLog,
  "frames of the log swapped": swapFrames,
  "the log gone": () => null,
  "the log of another moment": (dice, bytes, all) => dice.pick(all.moments).log ?? bytes,
};

/** One or two changes to the files of one moment. */
export const damagedLedger =
  (all: TrueLedger) =>
  (dice: Dice): DamagedLedger => {
    const truth = dice.once(2) ? (all.moments.at(-1) as Snapshot) : dice.pick(all.moments);
    let { main, log } = truth as Files;
    const done: string[] = [];
    let mayBeEarlier = false;
    for (let left = dice.once(4) ? 2 : 1; left > 0; left -= 1) {
      if (log !== null && dice.once(2)) {
        const what = dice.pick(Object.keys(LOG));
        log = LOG[what]?.(dice, log, all, truth) ?? null;
        mayBeEarlier = true;
        done.push(what);
      } else if (main.length > PAGE) {
        const what = dice.pick(Object.keys(MAIN));
        main = MAIN[what]?.(dice, main, all, truth) ?? main;
        done.push(what);
      }
    }
    return { truth, files: { main, log }, done, mayBeEarlier };
  };
