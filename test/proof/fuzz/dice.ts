/**
 * Chance that can be repeated: every input of a campaign comes from its own dice, made of the run's seed and the
 * input's number, so that one input is made again without those before it.
 */
export interface Dice {
  /** A whole number from 0 to `below - 1`. */
  below(count: number): number;
  /** True once in `times` throws on average. */
  once(times: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32 (public domain): 32 bits of state, good enough to wander, and the same on every machine. */
export const diceOf = (seed: number, input: number): Dice => {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(input + 1, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
};
