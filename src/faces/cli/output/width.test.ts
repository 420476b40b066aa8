import fc from "fast-check";
import { expect, it } from "vitest";
import { displayWidth, fitted } from "./width.ts";

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
