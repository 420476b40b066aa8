import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../domain/json.ts";
import { canonicalJson, MAX_DEPTH, NotCanonical, plainJson } from "./canonical.ts";
import { digestOf, sha256Hex } from "./digest.ts";

const refusal = (write: (value: JsonValue) => string, value: unknown): string => {
  try {
    write(value as JsonValue);
  } catch (error) {
    if (error instanceof NotCanonical) return error.message;
    throw error;
  }
  return "";
};

/** Both ways of writing refuse the same, with the same sentence. */
const refused = (value: unknown): string => {
  const message = refusal(canonicalJson, value);
  expect(refusal(plainJson, value)).toBe(message);
  return message;
};

describe("canonicalJson (RFC 8785)", () => {
  it("writes the RFC's own example, §3.2.3, byte for byte", () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as JsonValue;
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("orders keys by UTF-16 code units, as the RFC's example, not by code points", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const object = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(object)) as object).filter((key) => key !== "1")).toEqual([
      "\r",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\u{1f600}",
      "\ufb33",
    ]);
  });

  it("writes -0 as 0, and a number as ECMAScript does", () => {
    expect(canonicalJson([-0, 1e21, 1e-7, 5e-324, 9007199254740992])).toBe(
      "[0,1e+21,1e-7,5e-324,9007199254740992]",
    );
  });

  it("property: reading it back gives the value, whatever order the keys came in", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = canonicalJson(value as JsonValue);
        const back = JSON.parse(once) as JsonValue;
        expect(canonicalJson(reversed(back))).toBe(once);
        expect(back).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("property: without an order of keys it is the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(JSON.parse(plainJson(value as JsonValue)) as JsonValue)).toBe(
          canonicalJson(value as JsonValue),
        );
      }),
    );
  });

  it("refuses what JSON cannot say, naming the place and not the value", () => {
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      1n,
      Symbol("s"),
      () => 0,
      "\ud800",
      new Date(0),
    ])
      expect(refused({ a: [0, { b: value }] }), String(value)).toMatch(
        / at \$\.a\[1\]\.b cannot be written as JSON/,
      );
    expect(refused({ "\udc00": 1 })).toMatch(/a lone surrogate/);
    expect(refused(new Array(2))).toMatch(/undefined at \$\[0\]/);
    expect(refused({ password: "hunter2\ud800" })).not.toContain("hunter2");
  });

  it("takes 1000 levels, and refuses more with a sentence instead of a stack overflow", () => {
    const nested = (levels: number): JsonValue => {
      let value: JsonValue = 0;
      for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { k: value };
      return value;
    };
    expect(canonicalJson(nested(MAX_DEPTH))).toContain("0");
    expect(refused(nested(MAX_DEPTH + 1))).toMatch(/more than 1000 levels/);
    expect(refused(nested(1_000_000))).toMatch(/more than 1000 levels/);
  });

  it("a key named __proto__ is a key like any other", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"b":2}') as JsonValue)).toBe(
      '{"__proto__":{"a":1},"b":2}',
    );
  });
});

describe("digests", () => {
  it("agree with sha256sum over the same bytes", () => {
    // printf 'grün' | sha256sum · printf '{"a":1,"b":2}' | sha256sum
    expect(sha256Hex("grün")).toBe("fe263064ba02eaeac482aaf1309553779bdb78e385cb1374654de293e191d785");
    expect(sha256Hex(new TextEncoder().encode("grün"))).toBe(sha256Hex("grün"));
    expect(digestOf({ b: 2, a: 1 })).toBe(
      "sha256:43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777",
    );
  });
});

const reversed = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member as JsonValue)]),
  );
};
