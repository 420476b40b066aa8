import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PrintedLine } from "./lines.ts";
import { lineSplitter } from "./lines.ts";

const split = (chunks: readonly Buffer[], limitBytes: number): PrintedLine[] => {
  const lines = lineSplitter(limitBytes);
  return [...chunks.flatMap((chunk) => [...lines.push(chunk)]), ...lines.end()];
};

describe("lineSplitter", () => {
  it("gives the same lines however the bytes are cut into chunks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r", "{", "😀"), maxLength: 12 })),
        fc.integer({ min: 1, max: 7 }),
        (texts, step) => {
          const whole = Buffer.from(texts.join("\n"));
          const chunks: Buffer[] = [];
          for (let at = 0; at < whole.length; at += step) chunks.push(whole.subarray(at, at + step));
          expect(split(chunks, 1000)).toEqual(split([whole], 1000));
          const lines = whole.toString().split("\n");
          if (lines.at(-1) === "") lines.pop();
          expect(split(chunks, 1000).map(({ text }) => text)).toEqual(
            lines.map((line) => line.replace(/\r$/, "")),
          );
        },
      ),
    );
  });

  it("cuts a line at the limit, says so, and is whole again with the next", () => {
    const expected = [
      { text: "abcd", cut: true, lossy: false },
      { text: "ok", cut: false, lossy: false },
    ];
    expect(split([Buffer.from("abcdefgh\nok\n")], 4)).toEqual(expected);
    expect(
      split(
        [..."abcdefgh\nok"].map((character) => Buffer.from(character)),
        4,
      ),
    ).toEqual(expected);
  });

  it("a line of exactly the limit is not cut", () => {
    expect(split([Buffer.from("abcd\n")], 4)).toEqual([{ text: "abcd", cut: false, lossy: false }]);
  });

  it("tells invalid UTF-8 from a U+FFFD that was printed", () => {
    expect(split([Buffer.from([0xe9, 0x0a])], 9)[0]?.lossy).toBe(true);
    expect(split([Buffer.from("\uFFFD\n")], 9)[0]?.lossy).toBe(false);
  });
});
