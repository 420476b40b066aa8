import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../domain/json.ts";
import { ManyWords } from "./many-words.ts";
import { Scrubber } from "./scrubber.ts";

const scrubber = (...secrets: JsonValue[]): Scrubber => {
  const made = new Scrubber();
  for (const secret of secrets) made.add(secret);
  return made;
};

const SECRET = `p@ss "w'ord&<1>\\ü/%`;

describe("E5: secrets are taken out of text", () => {
  it.each<[string, (secret: string) => string]>([
    ["plain", (s) => s],
    ["JSON", (s) => JSON.stringify(s)],
    ["JSON in JSON", (s) => JSON.stringify(JSON.stringify(s))],
    ["ASCII JSON", (s) => JSON.stringify(s).replace("ü", "\\u00fc")],
    ["a URL", encodeURIComponent],
    ["a URL, lower hex", (s) => encodeURIComponent(s).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())],
    ["a form", (s) => new URLSearchParams({ s }).toString()],
    ["base64", (s) => Buffer.from(s).toString("base64")],
    ["base64url", (s) => Buffer.from(s).toString("base64url")],
    ["a Basic header", (s) => Buffer.from(`me:${s}`).toString("base64")],
    ["base64 of a line", (s) => Buffer.from(`pw=${s}\nx`).toString("base64")],
    ["base64 one off", (s) => Buffer.from(`x${s}y`).toString("base64")],
    ["hex", (s) => Buffer.from(s).toString("hex")],
    [
      "HTML",
      (s) =>
        s
          .replaceAll("&", "&amp;")
          .replaceAll("<", "&lt;")
          .replaceAll(">", "&gt;")
          .replaceAll('"', "&quot;")
          .replaceAll("'", "&#39;"),
    ],
    ["a shell's quotes", (s) => `'${s.replaceAll("'", "'\\''")}'`],
    ["wrapped lines", (s) => `${s.slice(0, 5)}\n    ${s.slice(5, 9)}\r\n${s.slice(9)}`],
    ["wrapped base64", (s) => Buffer.from(s).toString("base64").replace(/.{8}/g, "$&\n")],
  ])("as %s", (_form, write) => {
    const leaked = `before ${write(SECRET)} after`;
    const clean = scrubber("other-secret", SECRET).text(leaked);
    expect(clean).toMatch(/^before .*\[secret\].* after$/);
    // What is left of the encoded form is at most the few characters that it shares with its neighbours.
    expect(clean.length).toBeLessThan("before [secret] after".length + 14);
    // Control: without the secret known, nothing changes.
    expect(scrubber("other-secret").text(leaked)).toBe(leaked);
  });

  it("a key file is found whole, and line by line", () => {
    const lines = [
      "-----BEGIN KEY-----",
      "MIIEvQIBADANBgkqhkiG",
      "9w0BAQEFAASCBKcwggSj",
      "-----END KEY-----",
    ];
    const pem = `${lines.join("\n")}\n`;
    const clean = scrubber(pem);
    expect(clean.text(`a ${pem} b`)).toBe("a [secret]\n b");
    expect(clean.text(JSON.stringify({ pem }))).toBe('{"pem":"[secret]"}');
    for (const line of lines) expect(clean.text(`| ${line}`)).toBe("| [secret]");
  });

  it("overlapping and touching secrets leave nothing between them", () => {
    expect(scrubber("abcdef", "defghi", "ghijkl").text("x abcdefghijkl y")).toBe("x [secret] y");
    expect(scrubber("abcd", "abcdefgh").text("abcdefgh abcdef")).toBe("[secret] [secret]ef");
  });

  it("a short secret goes where it is a whole JSON string, and text stays readable", () => {
    const clean = scrubber("abc", 7);
    expect(clean.json({ pin: "abc", note: "abcdef", n: 7 })).toEqual({
      pin: "[secret]",
      note: "abcdef",
      n: 7,
    });
    expect(clean.text("abc def")).toBe("abc def");
  });

  it("in JSON, keys and numbers are looked at too, and no key is lost", () => {
    const clean = scrubber("hunter22", 123_456);
    const seen = clean.json({ hunter22: 1, "[secret]": 2, deep: [{ x: "a hunter22 b" }, 123_456] });
    expect(seen).toEqual({ "[secret]": 1, "[secret]#2": 2, deep: [{ x: "a [secret] b" }, "[secret]"] });
  });

  it("takes the parts of an object given as a secret", () => {
    expect(scrubber({ user: "alice", list: ["s3cr3t"] }).text("alice s3cr3t")).toBe("[secret] [secret]");
  });

  it("no text keeps a secret, wherever it was put", () => {
    const secret = fc
      .string({ minLength: 4, maxLength: 12 })
      .filter((text) => text.trim().length >= 4 && text.trim() === text);
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 5 }),
        fc.array(fc.string(), { maxLength: 5 }),
        (secrets, between) => {
          const text = secrets.map((value, index) => `${between[index] ?? ""} ${value}`).join("");
          const clean = scrubber(...secrets).text(text);
          const rest = clean.replaceAll("[secret]", "\0");
          for (const value of secrets) expect(rest).not.toContain(value);
        },
      ),
    );
  });

  it("finds exactly the ranges that looking at every place finds", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c") }),
        (words, text) => {
          const covered = new Set<number>();
          for (const word of words)
            for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
              for (let i = at; i < at + word.length; i += 1) covered.add(i);
          const found = new Set<number>();
          for (const [from, to] of new ManyWords(words).find(text))
            for (let i = from; i < to; i += 1) found.add(i);
          expect(found).toEqual(covered);
        },
      ),
    );
  });

  it("thousands of secrets and megabytes of hostile text end", () => {
    const many = scrubber(
      ...Array.from({ length: 2000 }, (_, i) => `${"a".repeat(20)}${i}`),
      "a".repeat(100_000),
    );
    expect(many.text("a".repeat(2_000_000))).toBe("[secret]");
    expect(many.text("b".repeat(1_000_000))).toBe("b".repeat(1_000_000));
  });

  it("does not overflow on deep JSON", () => {
    let deep: JsonValue = "hunter22";
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    let at: JsonValue = scrubber("hunter22").json(deep);
    while (Array.isArray(at)) at = at[0] as JsonValue;
    expect(at).toBe("[secret]");
  });
});
