import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable } from "./printable.ts";

describe("text from outside is safe to print", () => {
  it.each([
    ["\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
    ["\x1b]8;;http://x\x07y", "\\x1b]8;;http://x\\x07y"],
    ["a\u202egpj.exe", "a\\u202egpj.exe"],
    ["\u2066x\u2069", "\\u2066x\\u2069"],
    ["a\u0085b\u009bc\u007f", "a\\x85b\\x9bc\\x7f"],
    ["a\u2028b\u200bc\ufeff", "a\\u2028b\\u200bc\\ufeff"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["a\ud800b", "a\\ud800b"],
    ["one\ntwo\r\nthree\rfour", "one\\ntwo\\r\\nthree\\rfour"],
    ["tab\tstays", "tab\tstays"],
    ["größe 日本語 עברית 👩‍👩‍👧 नमस्ते", "größe 日本語 עברית 👩‍👩‍👧 नमस्ते"],
  ])("%j", (raw, shown) => expect(printable(raw)).toBe(shown));

  it("keeps line breaks where a block is printed, but never a bare carriage return", () => {
    expect(printable("a\r\nb\nc\rd\x1b", { lines: "keep" })).toBe("a\nb\nc\\rd\\x1b");
  });

  it("leaves no control character, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = printable(text);
        expect(shown.replaceAll("\t", "")).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});
