// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a reference as people write it.
/** The small pure parts: pointers, placeholders, bodies, waits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../domain/json.ts";
import { waitMs } from "../../wire/retry-after.ts";
import { covers } from "./as-declared.ts";
import { idText, jsonOf, quote } from "./body.ts";
import { expandPath, placeholders } from "./placeholder.ts";
import { at, pointerFault, withAt } from "./pointer.ts";

describe("pointers (RFC 6901)", () => {
  const document: JsonValue = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, null: null };

  it.each<[string, JsonValue | undefined]>([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/foo/-", undefined],
    ["/foo/00", undefined],
    ["/", 0],
    ["/a~1b", 1],
    ["/m~0n", 8],
    ["/null", null],
    ["/null/x", undefined],
    ["/constructor", undefined],
    ["/foo/length", undefined],
  ])("%s", (pointer, value) => {
    expect(pointerFault(pointer)).toBeUndefined();
    expect(at(document, pointer)).toEqual(value);
  });

  it("what is put there is found there, and nothing else changes", () => {
    const name = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.string(), (names, text) => {
        const pointer = names.map((one) => `/${one.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
        const before = { "kept beside": 1 };
        const made = withAt(before, pointer, text);
        expect(made === undefined ? undefined : at(made, pointer)).toBe(text);
        expect(before).toEqual({ "kept beside": 1 });
      }),
    );
  });

  it("nothing is put into a text or a list", () => {
    expect(withAt({ labels: ["a"] }, "/labels/key", "k")).toBeUndefined();
    expect(withAt({ labels: "a" }, "/labels/key", "k")).toBeUndefined();
  });
});

describe("placeholders", () => {
  it("references are none", () => {
    expect(placeholders("/a/{id}/${steps.a.outputs.id}?k={key}")).toEqual(["id", "key"]);
  });

  it("D4: whatever the id is, the URL stays one level below the collection, or there is none", () => {
    const odd = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("..", ".", "a/../b", "%2e%2e", "?x", "#x", "\\..\\", ""),
    );
    fc.assert(
      fc.property(odd, (id) => {
        const expanded = expandPath("/v1/machines/{id}", { id });
        if ("fault" in expanded) return;
        const url = new URL(`http://host${expanded.path}`);
        const [, version, kind, last, ...more] = url.pathname.split("/");
        expect([version, kind, more, url.search, url.hash]).toEqual(["v1", "machines", [], "", ""]);
        expect(decodeURIComponent(last ?? "")).toBe(id);
      }),
    );
  });

  it("the control: without encoding, an id does move the path", () => {
    expect(new URL("http://host/v1/machines/..").pathname).toBe("/v1/");
    expect(new URL("http://host/v1/machines/%2e%2e").pathname).toBe("/v1/");
  });
});

describe("bodies", () => {
  const reply = (body: string | Buffer, headers = {}) => ({ status: 200, headers, body: Buffer.from(body) });

  it("reads JSON, and keeps an id too large for a number exactly", () => {
    expect(jsonOf(reply('{"id": 9007199254740993, "small": 7}'))).toEqual({
      value: { id: "9007199254740993", small: 7 },
    });
    expect(JSON.parse("9007199254740993")).toBe(9007199254740992);
  });

  it.each<[string, string | Buffer]>([
    ["empty", ""],
    ["not JSON", "<html>"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["too deep", "[".repeat(65) + "]".repeat(65)],
  ])("%s is a fault", (_name, body) => {
    expect(jsonOf(reply(body))).toHaveProperty("fault");
  });

  it("64 levels, and brackets inside a text, are no fault", () => {
    expect(jsonOf(reply("[".repeat(64) + "]".repeat(64)))).toHaveProperty("value");
    expect(jsonOf(reply(JSON.stringify(`"${"[".repeat(100)}\\`)))).toHaveProperty("value");
  });

  it("ids are texts and whole numbers", () => {
    expect([
      idText("a"),
      idText(7),
      idText(""),
      idText(1.5),
      idText(true),
      idText(null),
      idText(undefined),
    ]).toEqual(["a", "7", null, null, null, null, null]);
  });

  it("a quote is short, plain, and holds none of our headers' values", () => {
    const said = quote(Buffer.from(`a\u001b[31m\n\u202eb Bearer hush-hush ${"x".repeat(999)}`), {
      authorization: "Bearer hush-hush",
    });
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]|hush/u);
    expect([...said].length).toBeLessThan(220);
    expect(quote(Buffer.from(" \n"), {})).toBe("");
  });
});

describe("Retry-After (RFC 9110 §10.2.3)", () => {
  const now = Date.UTC(2026, 0, 1);

  it.each<[string | undefined, number, number]>([
    ["7", 1, 7_000],
    ["0", 1, 0],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 1, 5_000],
    ["Wed, 31 Dec 2025 00:00:05 GMT", 1, 0],
    ["0", 2, 200],
    ["Wed, 31 Dec 2025 00:00:05 GMT", 4, 800],
    ["7", 4, 7_000],
    ["soon", 1, 1_000],
    ["-5", 1, 1_000],
    ["1.5", 2, 2_000],
    [undefined, 3, 4_000],
    [undefined, 40, 30_000],
  ])("%s at turn %i: %i ms", (header, turn, ms) => {
    expect(waitMs(header, now, turn)).toBe(ms);
  });
});

describe("covers", () => {
  it("everything covers itself, and itself with more fields", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const there = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(covers(there, there)).toBe(true);
        expect(covers({ a: there, more: 1 }, { a: there })).toBe(true);
        expect(covers({ more: 1 }, { a: there })).toBe(false);
      }),
    );
  });

  it("lists are compared whole, and types are not mixed", () => {
    expect([covers([1, 2], [1]), covers([1], [1]), covers("1", 1), covers(null, {}), covers([], {})]).toEqual(
      [false, true, false, false, false],
    );
  });
});
