/**
 * Text from outside, made safe to print: nothing in it can move the cursor, colour, hide or reorder what is read.
 *
 * Made visible: C0 and C1 controls with DEL and ESC (`\x1b`), marks that reorder text (Unicode bidi), invisible spaces,
 * line and paragraph separators, tag characters, lone surrogates (`\u202e`). Left alone: every letter of every script,
 * and the joiners that scripts and emoji need. So are marks that CI systems obey wherever they stand in a line (`##[` and
 * `##vso[`, of Azure Pipelines and older GitHub runners).
 *
 * Lines: by default a line break is shown as `\n`, since a forged line is the cheapest lie; with `lines: "keep"` (for
 * multi-line output that is printed as a block) `\n` stays, and `\r\n` becomes `\n`. A tab stays a tab.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e0fff}]|#(?=#\w{0,40}\[)/gu;

const visible = (character: string): string => {
  const code = character.codePointAt(0) as number;
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return `\\u${code.toString(16).padStart(4, "0")}`;
};

/** `text` with everything unsafe written out. Printing the result again changes nothing. */
export const printable = (text: string, options: { readonly lines?: "show" | "keep" } = {}): string => {
  if (options.lines !== "keep") return text.replace(UNSAFE, visible);
  return text
    .replaceAll("\r\n", "\n")
    .replace(UNSAFE, (character) => (character === "\n" ? "\n" : visible(character)));
};

/**
 * JSON text with everything unsafe in its strings written as `\u` escapes: a parser reads the same values, and a terminal
 * that shows the text obeys none of them. For YAML the same holds within double quotes.
 */
export const printableJson = (json: string): string =>
  json.replace(UNSAFE, (character) => (character === "\n" ? "\n" : escaped(character)));

/** Whether `text` holds what must not be printed as it is; line breaks do not count. */
export const isUnsafe = (text: string): boolean => text.replaceAll("\n", "").search(UNSAFE) !== -1;

const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
