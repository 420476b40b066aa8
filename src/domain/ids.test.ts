import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant, iso, nameFault } from "./ids.ts";

describe("a name", () => {
  it("has letters, marks and digits of any script, '-' and '_', and begins with a letter or digit", () => {
    for (const name of ["web", "9lives", "café", "базa_1", "नमस्ते", "数据库-2", "x".repeat(100)])
      expect(nameFault(name)).toBeUndefined();
    for (const name of [
      "",
      "-web",
      "_web",
      "we b",
      "web~compensate",
      "a/b",
      "a.b",
      "\u0301a",
      "x".repeat(101),
    ])
      expect(nameFault(name)).toMatch(/name/);
  });

  it("counts characters, not code units", () => {
    expect(nameFault("𝒳".repeat(100))).toBeUndefined();
    expect(nameFault("𝒳".repeat(101))).toMatch(/101 characters/);
  });

  it("is NFC, so that two names that look the same are the same", () => {
    expect(nameFault("cafe\u0301")).toMatch(/NFC/);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (text) => {
        if (nameFault(text) === undefined) expect(text.normalize("NFC")).toBe(text);
      }),
    );
  });

  it("never holds what a path, a shell or a terminal could take for something else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), (text) => {
        if (nameFault(text) === undefined) expect(text).not.toMatch(/[\s/\\.:;$`'"<>|&*?~\p{C}]/u);
      }),
    );
  });
});

it("a time is written in one way: ISO 8601, UTC, milliseconds", () =>
  expect(iso(instant(Date.UTC(2026, 0, 2, 3, 4, 5, 6)))).toBe("2026-01-02T03:04:05.006Z"));
