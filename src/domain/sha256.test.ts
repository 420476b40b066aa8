import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "./sha256.ts";

it("is what node:crypto comes to, of bytes and of text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(sha256(bytes)).toBe(hash("sha256", bytes, "hex"));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(sha256(text)).toBe(hash("sha256", text, "hex"));
    }),
  );
});

it.each([0, 55, 56, 63, 64, 65, 119, 120, 1_048_576])("at %i bytes, about a block's end", (length) => {
  const bytes = new Uint8Array(length).fill(0x61);
  expect(sha256(bytes)).toBe(hash("sha256", bytes, "hex"));
});
