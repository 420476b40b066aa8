/**
 * One pass over the bytes of JSON before they are parsed: how deep they are nested, whether a number may not fit, and where
 * in a list's items it stands who wrote which field (metadata.managedFields), which is half of a Pod and which no judge reads.
 *
 * It takes the bytes for JSON; what is none is left to the parser. Of what is left out only the brackets are looked at.
 */

/** A CustomResourceDefinition describes its fields in the same nesting twice over, so this is far more than a stack file may have. */
export const MAX_DEPTH = 256;

export interface Scanned {
  readonly isTooDeep: boolean;
  /** Some number has 16 digits or more, or an exponent: a superset of those that a double rounds or cannot hold. */
  readonly maybeInexact: boolean;
  /** Where the members to be left out begin and end, each with one comma: `[from, to, from, to, …]`, in order. */
  readonly writers: readonly number[];
}

const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [ZERO, NINE, LOWER_E, UPPER_E] = [0x30, 0x39, 0x65, 0x45];
/** As many digits never reach 2^53. */
const EXACT_DIGITS = 15;

const [ITEMS, METADATA, WRITERS] = ["items", "metadata", "managedFields"].map((name) =>
  Buffer.from(name),
) as [Buffer, Buffer, Buffer];
/** `{"items":[{"metadata":{` */
const [IN_LIST, IN_METADATA] = [2, 4];

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Past the blanks from `at` on. */
const pastBlanks = (bytes: Buffer, from: number): number => {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
};

/** The member whose name begins at `from` and whose value ends before `to`, with the comma before it, else the one behind. */
const withComma = (bytes: Buffer, from: number, to: number): readonly [number, number] => {
  let before = from - 1;
  while (isBlank(bytes[before])) before -= 1;
  if (bytes[before] === COMMA) return [before, to];
  const after = pastBlanks(bytes, to);
  return bytes[after] === COMMA ? [from, after + 1] : [from, to];
};

export const scan = (bytes: Buffer): Scanned => {
  const { length } = bytes;
  const writers: number[] = [];
  let maybeInexact = false;
  let depth = 0;
  /** The string that was read last: behind its quote, and at the other one. */
  let [stringFrom, stringTo] = [0, 0];
  let [isInItems, isInMetadata] = [false, false];
  /** Where the member that is being passed over began; -1: none is. */
  let writersFrom = -1;
  const isString = (name: Buffer): boolean =>
    stringTo - stringFrom === name.length && name.compare(bytes, stringFrom, stringTo) === 0;
  /** Whether what opens at `opens` is the value of the member with this name: a string in a list before it is no name. */
  const isValueOf = (name: Buffer, opens: number): boolean => {
    if (!isString(name)) return false;
    const colon = pastBlanks(bytes, stringTo + 1);
    return bytes[colon] === COLON && pastBlanks(bytes, colon + 1) === opens;
  };
  let at = 0;
  while (at < length) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte === QUOTE) {
      stringFrom = at;
      let inside = bytes[at];
      while (inside !== QUOTE && at < length) {
        at += inside === ESCAPE ? 2 : 1;
        inside = bytes[at];
      }
      stringTo = at;
      at += 1;
      if (depth !== IN_METADATA || !isInMetadata || writersFrom >= 0 || !isString(WRITERS)) continue;
      const colon = pastBlanks(bytes, at);
      const value = pastBlanks(bytes, colon + 1);
      if (bytes[colon] === COLON && bytes[value] === OPEN_LIST) writersFrom = stringFrom - 1;
    } else if (byte === OPEN_MAP || byte === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_DEPTH) return { isTooDeep: true, maybeInexact, writers };
      if (depth === IN_LIST) isInItems = byte === OPEN_LIST && isValueOf(ITEMS, at - 1);
      else if (depth === IN_METADATA)
        isInMetadata = isInItems && byte === OPEN_MAP && isValueOf(METADATA, at - 1);
    } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth !== IN_METADATA || writersFrom < 0) continue;
      writers.push(...withComma(bytes, writersFrom, at));
      writersFrom = -1;
    } else if (byte >= ZERO && byte <= NINE) {
      const from = at - 1;
      let next = bytes[at] as number;
      while (next >= ZERO && next <= NINE) {
        at += 1;
        next = bytes[at] as number;
      }
      if (at - from > EXACT_DIGITS) maybeInexact = true;
    } else if (byte === LOWER_E || byte === UPPER_E) {
      // Outside of strings it stands in a number, or in true and false.
      const before = bytes[at - 2] as number;
      if (before >= ZERO && before <= NINE) maybeInexact = true;
    }
  }
  return { isTooDeep: false, maybeInexact, writers };
};
