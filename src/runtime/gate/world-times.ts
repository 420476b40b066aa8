/** Times and UIDs of the built-in worlds: fixed, so that they are judged the same on any day. */
import { type Instant, instant, iso } from "../../domain/ids.ts";
import { sha256 } from "../../domain/sha256.ts";

const ZERO_MS = Date.UTC(2026, 5, 1, 8, 0, 0);

/** Seconds after the worlds' zero. */
export const second = (count: number): Instant => instant(ZERO_MS + count * 1000);

/** As Kubernetes writes times. */
export const at = (count: number): string => iso(second(count)).replace(".000", "");

/** All of a world is read in this second. */
export const READ = 700;

/** One UID for each thing in each of its lives. */
export const uidOf = (kind: string, name: string, life = 1): string => {
  const hex = sha256(`${kind}/${name}#${life}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
