import fc from "fast-check";
import { expect, it } from "vitest";
import { displayWidth, fitted, wrapped } from "./width.ts";

it.each([
  ["web", 3],
  ["機械", 4],
  ["ｱｲ", 2],
  ["한글", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["नमस्ते", 4],
  ["👍", 2],
  ["👩‍💻", 2],
  ["❤️", 2],
  ["👍🏽", 2],
  ["🇯🇵", 2],
  ["→", 1],
])("%s takes %i columns", (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

it("property: a fitted text is no wider than its room, and one that fits is left alone", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      const cut = fitted(text, columns);
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
      if (displayWidth(text) <= columns) expect(cut).toBe(text);
    }),
  );
});

it("property: wrapped lines fit, and say all of it unless they are cut, which shows", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc
          .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
          .map((word) => word.replaceAll(/\s/gu, "x")),
      ),
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (words, columns, most) => {
        const text = words.join(" ");
        const lines = wrapped(text, columns, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        const letters = (of: string) => of.replaceAll(" ", "");
        if (lines.at(-1)?.endsWith("…") !== true) expect(letters(lines.join(""))).toBe(letters(text));
      },
    ),
  );
});

it("a line is broken at a space, and a word only where it is longer than a line", () => {
  expect(wrapped("two replicas of v1 serve", 12, 3)).toEqual(["two replicas", "of v1 serve"]);
  expect(wrapped("a-word-that-is-long", 8, 3)).toEqual(["a-word-t", "hat-is-l", "ong"]);
  expect(wrapped("two replicas of v1 serve", 12, 1)).toEqual(["two replica…"]);
  expect(wrapped("", 12, 3)).toEqual([]);
});
