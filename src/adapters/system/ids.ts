/**
 * UUIDv7 (RFC 9562 §5.7): 48 bits of wall-clock milliseconds, a 12-bit counter, 62 random bits. Ids of one process
 * never go backwards, whatever the clock does (§6.2 method 1): a clock that was set back is waited out by counting on.
 */
import { randomFillSync } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";

const COUNTER_MAX = 0xfff;

/** Asking for randomness costs the same for 16 bytes as for 4,096: each id takes the next piece of one large answer. */
const POOL_BYTES = 4096;

const pooled = (): ((bytes: number) => Buffer) => {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
};

/** `random` gives bytes that are written over. */
export const systemIds = (clock: Clock, random: (bytes: number) => Buffer = pooled()): Ids => {
  let lastMs = -1;
  let counter = 0;
  return {
    uuid: () => {
      const bytes = random(16);
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        // Starts in the lower half, so that a busy millisecond has at least 2048 ids before it borrows from the next.
        counter = bytes.readUInt16BE(6) & (COUNTER_MAX >> 1);
      } else if (counter < COUNTER_MAX) counter++;
      else {
        lastMs++;
        counter = 0;
      }
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
};
