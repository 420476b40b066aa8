/** How many columns a text takes on a terminal (Unicode East Asian Width, UAX #11; emoji as most terminals draw them). */

/** Every character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f320}\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}\u{1f3f4}\u{1f3f8}-\u{1f43e}\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f54b}-\u{1f567}\u{1f57a}\u{1f595}\u{1f596}\u{1f5a4}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6cc}\u{1f6d0}-\u{1f6d2}\u{1f6d5}-\u{1f6df}\u{1f6eb}-\u{1f6fc}\u{1f7e0}-\u{1f7f0}\u{1f90c}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Asks for the picture form of the character before it. */
const PICTURE = "\ufe0f";
const JOINED = "\u200d";
/** Two letters that stand for a country. */
const FLAG = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]*$/u;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as single characters. */
const graphemes = function* (text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
};

/** A picture made of several is drawn as one; elsewhere each letter has its width, and marks have none. */
const graphemeWidth = (grapheme: string): number => {
  if (grapheme.includes(PICTURE) || (grapheme.includes(JOINED) && WIDE.test(grapheme))) return 2;
  let width = 0;
  for (const character of grapheme) width += NOTHING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return FLAG.test(grapheme) ? 2 : Math.min(width, WIDE.test(grapheme) ? 2 : width);
};

/** Columns of a text without control characters. */
export const displayWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
};

/** The text in lines of at most `columns`, broken at spaces where there are any; what is left after `most` lines is cut. */
export const wrapped = (text: string, columns: number, most: number): readonly string[] => {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < most) {
    const line = lines.length === most - 1 ? fitted(rest, columns) : headOf(rest, columns);
    if (line === "") break;
    lines.push(line);
    rest = lines.length === most ? "" : rest.slice(line.length).trimStart();
  }
  return lines;
};

/** As much as fits, up to a space; a word that is longer than a line is broken. */
const headOf = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    if (width > columns) break;
    kept += grapheme;
  }
  const space = text.startsWith(" ", kept.length) ? kept.length : kept.lastIndexOf(" ");
  return space > 0 ? kept.slice(0, space) : kept;
};

/** The text, or as much of it as fits with an ellipsis into `columns`. */
export const fitted = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
};
