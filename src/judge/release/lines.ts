/** What differs between two texts, line by line: the fewest lines taken out and put in, with a few around them. Pure. */

export interface Line {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** Beyond this many pairs of lines no shortest difference is looked for. */
const MOST_PAIRS = 4_000_000;
const AROUND = 2;
const MOST_LINES = 60;
const MOST_TEXT = 300;

export interface LineDifference {
  /** Runs of lines; between two of them equal lines are left out. */
  readonly runs: readonly (readonly Line[])[];
  /** How many lines that differ are not in `runs`. */
  readonly left: number;
}

export const lineDifference = (was: string, is: string): LineDifference => {
  const all = aligned(linesIn(was), linesIn(is));
  const near = new Set<number>();
  let shown = 0;
  let left = 0;
  for (const [at, { sign }] of all.entries()) {
    if (sign === " ") continue;
    if (shown === MOST_LINES) left += 1;
    else {
      shown += 1;
      for (let by = -AROUND; by <= AROUND; by += 1)
        if (by === 0 || all[at + by]?.sign === " ") near.add(at + by);
    }
  }
  const runs: Line[][] = [];
  let last = -2;
  for (const [at, line] of all.entries()) {
    if (!near.has(at)) continue;
    if (at !== last + 1) runs.push([]);
    runs.at(-1)?.push({ ...line, text: cut(line.text) });
    last = at;
  }
  return { runs, left };
};

const cut = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}… (${text.length} characters)` : text;

/** A missing line break at the end is a difference of bytes, so it is one of lines. */
const linesIn = (text: string): readonly string[] => {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}${NO_BREAK}`];
};
const NO_BREAK = " (no line break at the end)";

const aligned = (was: readonly string[], is: readonly string[]): readonly Line[] => {
  let first = 0;
  while (first < was.length && first < is.length && was[first] === is[first]) first += 1;
  let end = 0;
  while (end < was.length - first && end < is.length - first && was.at(-1 - end) === is.at(-1 - end))
    end += 1;
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(was.slice(0, first)),
    ...between(was.slice(first, was.length - end), is.slice(first, is.length - end)),
    ...same(was.slice(was.length - end)),
  ];
};

const between = (was: readonly string[], is: readonly string[]): readonly Line[] => {
  if (was.length * is.length > MOST_PAIRS)
    return [
      ...was.map((text): Line => ({ sign: "-", text })),
      ...is.map((text): Line => ({ sign: "+", text })),
    ];
  const common = longestCommon(was, is);
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  while (a < was.length || b < is.length) {
    const [wasText, isText] = [was[a], is[b]];
    if (wasText !== undefined && wasText === isText) {
      lines.push({ sign: " ", text: wasText });
      a += 1;
      b += 1;
    } else if (wasText !== undefined && (isText === undefined || common(a + 1, b) >= common(a, b + 1))) {
      lines.push({ sign: "-", text: wasText });
      a += 1;
    } else {
      lines.push({ sign: "+", text: String(isText) });
      b += 1;
    }
  }
  return lines;
};

/** How long the longest common subsequence of the lines from here on is. */
const longestCommon = (was: readonly string[], is: readonly string[]): ((a: number, b: number) => number) => {
  const width = is.length + 1;
  const table = new Uint32Array((was.length + 1) * width);
  const at = (a: number, b: number): number => Number(table[a * width + b]);
  for (let a = was.length - 1; a >= 0; a -= 1)
    for (let b = is.length - 1; b >= 0; b -= 1)
      table[a * width + b] = was[a] === is[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  return at;
};
