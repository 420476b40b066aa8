/** Ways to damage bytes that were right: what disks, pipes, editors and proxies do, and what they would never do. */
import type { Dice } from "./dice.ts";

/** One change to the bytes; `words` are pieces that mean something to whoever reads them. */
const damagedOnce = (dice: Dice, bytes: Buffer, words: readonly Buffer[]): Buffer => {
  const at = dice.below(bytes.length + 1);
  const length = 1 + dice.below(dice.pick([1, 4, 64, Math.max(1, bytes.length)]));
  const cut = bytes.subarray(at, at + length);
  const spliced = (...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
  switch (dice.below(9)) {
    case 0:
    case 1: {
      const flipped = Buffer.from(bytes);
      if (at < bytes.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << dice.below(8));
      return flipped;
    }
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 4:
      return spliced(cut);
    case 5:
    case 6:
      return spliced(dice.pick(words));
    case 7: {
      const word = dice.pick(words);
      const found = bytes.indexOf(word);
      if (found < 0) return spliced(word);
      return Buffer.concat([bytes.subarray(0, found), dice.pick(words), bytes.subarray(found + word.length)]);
    }
    default:
      return spliced(Buffer.from(Array.from({ length: Math.min(length, 8) }, () => dice.below(256))));
  }
};

/** Up to three changes, most often one. */
export const damaged = (dice: Dice, bytes: Buffer, words: readonly Buffer[]): Buffer => {
  let result = bytes;
  for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) result = damagedOnce(dice, result, words);
  return result;
};

/** The bytes in pieces, as a pipe or a socket may hand them over. */
export const pieces = (dice: Dice, bytes: Buffer): Buffer[] => {
  const made: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const size = dice.pick([1, 7, 100, bytes.length]);
    made.push(bytes.subarray(from, from + size));
    from += size;
  }
  return made;
};

/** Bytes as a person can read and copy them: one character a byte, what is not plain ASCII escaped. */
export const shownBytes = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString("latin1", 0, 2_000)).replace(
    /[^ -~]/g,
    (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
  );
  return bytes.length > 2_000 ? `${text}… (${bytes.length} bytes)` : text;
};
