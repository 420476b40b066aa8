import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson } from "./printable.ts";

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

describe("JSON from outside is safe to print", () => {
  it.each([
    ["a\u202egpj", '"a\\u202egpj"'],
    ["\u009b31m\u007f", '"\\u009b31m\\u007f"'],
    ["tag\u{e0041}", '"tag\\udb40\\udc41"'],
    ["größe 日本語 👩‍👩‍👧", '"größe 日本語 👩‍👩‍👧"'],
  ])("%j", (raw, shown) => expect(printableJson(JSON.stringify(raw))).toBe(shown));

  it("reads back as the same value, with no control character but the line breaks between fields", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value, null, 2);
        const shown = printableJson(text);
        expect(JSON.parse(shown)).toEqual(JSON.parse(text));
        expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
      }),
    );
  });
});
