/**
 * Whether the write-ahead log is damaged. SQLite takes the first frame whose checksum does not hold for the end of the
 * log, as after a power cut, and then reads the ledger as it was before: after a first apply that was killed, as an empty
 * one. But every commit is synced before the next one is written (`synchronous=FULL`), so a power cut tears one commit at
 * most. Where two or more stand behind the tear, the log was whole once: that is damage (op-22).
 *
 * Format: https://www.sqlite.org/walformat.html
 */
import { readFileSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
/** A writer may be at work while the log is read: what is damage stays as it is. */
const LOOKS = 3;

/** One clause, or null. Reads only. */
export const logFault = (path: string): string | null => {
  let tear: number | null = null;
  for (let look = 1; look <= LOOKS; look += 1) {
    const found = tearIn(path);
    if (found === null || (tear !== null && found !== tear)) return null;
    tear = found;
  }
  return `its write-ahead log is broken at page ${tear}, and more than one commit follows there`;
};

/** The number of the first frame that does not hold, where more than one commit follows; null when all is well. */
const tearIn = (path: string): number | null => {
  const log = read(`${path}-wal`);
  if (log === null || log.length < HEADER + FRAME_HEADER) return null;
  const magic = log.readUInt32BE(0);
  const pageSize = log.readUInt32BE(8);
  const isLog = (magic === MAGIC || magic === MAGIC + 1) && pageSize >= 512 && pageSize <= 65_536;
  // Without a header nothing tells where frames begin but the page size that every ledger of ours has.
  const frameSize = FRAME_HEADER + (isLog ? pageSize : 4_096);
  const count = Math.floor((log.length - HEADER) / frameSize);
  const whole = isLog ? wholeFrames(log, magic === MAGIC + 1, frameSize, count) : 0;
  const salt = saltAt(log, isLog && whole >= 0 ? 16 : HEADER + 8);
  let commits = 0;
  for (let frame = Math.max(0, whole); frame < count; frame += 1) {
    const at = HEADER + frame * frameSize;
    if (salt !== 0n && saltAt(log, at + 8) === salt && log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits > 1 ? Math.max(0, whole) + 1 : null;
};

const saltAt = (log: Buffer, at: number): bigint => log.readBigUInt64BE(at);

/** How many frames hold from the beginning; -1: not even the header does. */
const wholeFrames = (log: Buffer, isBigEndian: boolean, frameSize: number, count: number): number => {
  // Every opening beside a log comes by here: a view reads words several times faster than a Buffer's own methods.
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const words = (from: number, to: number, sum: readonly [number, number]): readonly [number, number] => {
    let [first, second] = sum;
    for (let at = from; at < to; at += 8) {
      first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
      second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
    }
    return [first, second];
  };
  const stands = ([first, second]: readonly [number, number], at: number): boolean =>
    log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
  let sum = words(0, 24, [0, 0]);
  if (!stands(sum, 24)) return -1;
  const salt = saltAt(log, 16);
  for (let frame = 0; frame < count; frame += 1) {
    const at = HEADER + frame * frameSize;
    sum = words(at + FRAME_HEADER, at + frameSize, words(at, at + 8, sum));
    if (saltAt(log, at + 8) !== salt || !stands(sum, at + 16)) return frame;
  }
  return count;
};

const read = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch {
    // Gone, or not to be read: SQLite, which needs it too, says so.
    return null;
  }
};
