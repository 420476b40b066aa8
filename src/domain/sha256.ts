/**
 * SHA-256 (FIPS 180-4), for what is judged by digests: a judge asks nothing outside for them, and the domain imports nothing.
 * Whatever is not judged takes `node:crypto` (`wire/digest.ts`); a test holds the two to each other.
 */

/** 64 lower-case hex digits. A text is digested as its UTF-8 bytes. */
export const sha256 = (data: string | Uint8Array): string => {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const padded = new DataView(paddedOf(bytes).buffer);
  const state = words(ROOTS.slice(0, 8), 2);
  const schedule = new DataView(new ArrayBuffer(64 * 4));
  for (let at = 0; at < padded.byteLength; at += BLOCK) compress(state, schedule, padded, at);
  const hex = [];
  for (let at = 0; at < 8; at += 1) hex.push(word(state, at).toString(16).padStart(8, "0"));
  return hex.join("");
};

const BLOCK = 64;

/** A one bit, zeros, and the length in bits as 64 bits, to whole blocks (§5.1.1). */
const paddedOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
};

/** The first 64 primes, of whose square and cube roots the constants are made (§4.2.2, §5.3.3). */
const ROOTS: readonly number[] = (() => {
  const primes: number[] = [];
  for (let next = 2; primes.length < 64; next += 1)
    if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  return primes;
})();

/** The first 32 bits of the fractional parts of their roots, found in whole numbers. */
const words = (primes: readonly number[], root: 2 | 3): DataView => {
  const view = new DataView(new ArrayBuffer(primes.length * 4));
  for (const [at, prime] of primes.entries()) {
    const power = BigInt(root);
    const wanted = BigInt(prime) << (32n * power);
    let low = 0n;
    let high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** power <= wanted) low = middle;
      else high = middle;
    }
    view.setUint32(at * 4, Number(low & 0xffffffffn));
  }
  return view;
};

const CONSTANTS = words(ROOTS, 3);

const word = (view: DataView, at: number): number => view.getUint32(at * 4);
const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

const compress = (state: DataView, schedule: DataView, message: DataView, from: number): void => {
  for (let at = 0; at < 64; at += 1) schedule.setUint32(at * 4, scheduled(schedule, message, from, at));
  let [a, b, c, d] = [word(state, 0), word(state, 1), word(state, 2), word(state, 3)];
  let [e, f, g, h] = [word(state, 4), word(state, 5), word(state, 6), word(state, 7)];
  for (let at = 0; at < 64; at += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + word(CONSTANTS, at) + word(schedule, at);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries())
    state.setUint32(at * 4, word(state, at) + value);
};

const scheduled = (schedule: DataView, message: DataView, from: number, at: number): number => {
  if (at < 16) return message.getUint32(from + at * 4);
  const [far, near] = [word(schedule, at - 15), word(schedule, at - 2)];
  const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  return word(schedule, at - 16) + small + word(schedule, at - 7) + large;
};
