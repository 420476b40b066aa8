/**
 * Finds any of many words in a text in one pass (Aho and Corasick, "Efficient string matching", 1975): time is linear in
 * the text however many words there are. The trie is flat arrays, so that long words cost 18 bytes a character.
 *
 * Line breaks, with the indentation after them, count as nothing: a word that was wrapped is found too. Words must be
 * given without any (`unwrapped`).
 */

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A word without its line breaks and the indentation after them, as it is searched for. */
export const unwrapped = (word: string): string => word.trim().replace(/[\r\n]+[ \t]*/g, "");

export class ManyWords {
  readonly #label: Uint16Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fail: Int32Array;
  /** The length of the longest word that ends at a node; 0 for none. */
  readonly #ends: Int32Array;
  readonly #roots = new Int32Array(65_536);
  #size = 1;

  constructor(words: Iterable<string>) {
    const list = [...words];
    const room = list.reduce((sum, word) => sum + word.length, 1);
    this.#label = new Uint16Array(room);
    this.#child = new Int32Array(room);
    this.#sibling = new Int32Array(room);
    this.#fail = new Int32Array(room);
    this.#ends = new Int32Array(room);
    for (const word of list) this.#insert(word);
    this.#link();
  }

  #insert(word: string): void {
    let node = 0;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      const known = this.#step(node, unit);
      node = known === 0 ? this.#grow(node, unit) : known;
    }
    this.#ends[node] = word.length;
  }

  #grow(node: number, unit: number): number {
    const made = this.#size;
    this.#size += 1;
    this.#label[made] = unit;
    if (node === 0) this.#roots[unit] = made;
    this.#sibling[made] = this.#child[node] as number;
    this.#child[node] = made;
    return made;
  }

  /** The child of `node` by `unit`; 0 for none. */
  #step(node: number, unit: number): number {
    if (node === 0) return this.#roots[unit] as number;
    let at = this.#child[node] as number;
    while (at !== 0 && this.#label[at] !== unit) at = this.#sibling[at] as number;
    return at;
  }

  /** The node for the longest suffix that is the beginning of a word. */
  #advance(from: number, unit: number): number {
    let node = from;
    for (;;) {
      const next = this.#step(node, unit);
      if (next !== 0 || node === 0) return next;
      node = this.#fail[node] as number;
    }
  }

  #link(): void {
    const queue = new Int32Array(this.#size);
    let filled = 1;
    for (let at = 0; at < filled; at += 1) {
      const node = queue[at] as number;
      for (let child = this.#child[node] as number; child !== 0; child = this.#sibling[child] as number) {
        queue[filled] = child;
        filled += 1;
        const fail = node === 0 ? 0 : this.#advance(this.#fail[node] as number, this.#label[child] as number);
        this.#fail[child] = fail;
        if (this.#ends[child] === 0) this.#ends[child] = this.#ends[fail] as number;
      }
    }
  }

  /** Where words stand in `text`: ranges [from, to), in order, overlapping and touching ones joined. */
  find(text: string): readonly (readonly [number, number])[] {
    const ranges: [number, number][] = [];
    const origin = new Int32Array(text.length);
    let count = 0;
    let node = 0;
    let indenting = false;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const breaks = unit === LINE_FEED || unit === CARRIAGE_RETURN;
      indenting = breaks || (indenting && (unit === 32 || unit === 9));
      if (indenting) continue;
      origin[count] = at;
      count += 1;
      node = this.#advance(node, unit);
      const length = this.#ends[node] as number;
      if (length > 0) join(ranges, origin[count - length] as number, at + 1);
    }
    return ranges;
  }
}

const join = (ranges: [number, number][], from: number, to: number): void => {
  let start = from;
  for (let last = ranges.at(-1); last !== undefined && last[1] >= start; last = ranges.at(-1)) {
    start = Math.min(start, last[0]);
    ranges.pop();
  }
  ranges.push([start, to]);
};
