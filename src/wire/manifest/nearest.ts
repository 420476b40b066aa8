/** "Did you mean …?" */

/** Optimal string alignment distance: changes, swaps of neighbours included; gives up above `most`. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    before = above;
    above = row;
  }
  return above[b.length] as number;
};

const LONGEST = 100;

/** Up to three known names that `text` may stand for, the likeliest first: one is near, or a word of it is. */
export const nearby = (text: string, known: readonly string[]): readonly string[] => {
  const best = nearest(text, known);
  const words = text.toLowerCase().split("-");
  const alike = known.filter((name) =>
    name
      .split("-")
      .some((word) => words.some((typed) => typed !== "" && nearest(typed, [word]) !== undefined)),
  );
  return [...new Set([...(best === undefined ? [] : [best]), ...alike])].slice(0, 3);
};

/** The known name that `text` most likely stands for; undefined when none is near. */
export const nearest = (text: string, known: Iterable<string>): string | undefined => {
  if (text.length > LONGEST) return undefined;
  const lower = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(text.length / 3)) + 1;
  for (const candidate of known) {
    const far = distance(lower, candidate.toLowerCase(), bestDistance - 1);
    if (far >= bestDistance) continue;
    best = candidate;
    bestDistance = far;
  }
  return best;
};
