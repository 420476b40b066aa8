/** Texts that mean harm, and good texts with harm done to them. */
import fc from "fast-check";

/** What no page and no message may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
export const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/;

const ref = (inside: string): string => `$${`{${inside}}`}`;

const PIECES = [
  "\0",
  "\x1b[2J\x1b]0;owned\x07",
  "\u202egnp.exe",
  "\u200b",
  "\ufeff",
  "\u009b31m",
  "e\u0301",
  "\ud800",
  "😀",
  "\n",
  "\r",
  "\t",
  "---\n",
  "...\n",
  "%YAML 1.1\n",
  "&a ",
  "*a",
  "*n",
  "<<: *n",
  "!!js/function x",
  "? ",
  ": ",
  "- ",
  "|\n",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  ref("").slice(0, 2),
  ref("steps.a.outputs.b"),
  ref("var.size"),
  `$${ref("x")}`,
  "1e999",
  ".nan",
  "-0",
  "9".repeat(40),
  "[".repeat(300),
  "{a: ".repeat(200),
  "a".repeat(2_000),
  "null",
  "~",
  '"',
  "'",
  "\\",
  "#",
] as const;

export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.json(),
);

/** `good` with up to four places cut, doubled, overwritten or added to. */
export const damaged = (good: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        from: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        length: fc.nat({ max: 40 }),
        put: fc.oneof(
          fc.constant("again" as const),
          fc.constant(""),
          fc.constantFrom(...PIECES),
          fc.string({ unit: "binary", maxLength: 3 }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((wounds) =>
      wounds.reduce((text, { from, length, put }) => {
        const start = Math.floor(from * text.length);
        const gone = text.slice(start, start + length);
        return text.slice(0, start) + (put === "again" ? gone + gone : put) + text.slice(start + length);
      }, good),
    );
