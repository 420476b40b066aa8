/** Bytes to JSON: exactly, within limits, and whatever stands in strings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "../../ports/cluster.ts";
import { MAYBE_INEXACT, objectOf } from "./body.ts";

const reply = (body: string | Buffer, contentType: string | null = "application/json"): Exchange => ({
  request: "GET /x",
  askedAt: 0 as Exchange["askedAt"],
  answeredAt: 0 as Exchange["answeredAt"],
  durationMs: 0,
  status: 200,
  serverDate: null,
  contentType,
  body: typeof body === "string" ? Buffer.from(body) : body,
  whole: true,
});
const nested = (levels: number): string => `{"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

describe("a body", () => {
  it("is what JSON.parse makes of it, for every object whose numbers are exact", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const text = JSON.stringify(object, (_key, value) =>
          Number.isInteger(value) && !Number.isSafeInteger(value) ? "too large" : value,
        );
        expect(objectOf(reply(text))).toEqual({ object: JSON.parse(text) });
      }),
    );
  });

  it("whole numbers keep every digit, as a text from 2^53 on", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.constantFrom("", " ", "\n  "), (number, blank) => {
        const parsed = objectOf(reply(`{"a":${blank}${number},"b":[1,${blank}${number}]}`));
        const isExact =
          number >= BigInt(Number.MIN_SAFE_INTEGER) && number <= BigInt(Number.MAX_SAFE_INTEGER);
        const kept = isExact ? Number(number) : String(number);
        expect(parsed).toEqual({ object: { a: kept, b: [1, kept] } });
      }),
    );
  });

  it("what cannot be inexact is read the quick way: identities, times, digests", () => {
    const usual = JSON.stringify({
      uid: "9299fc40-32d2-4e21-a02f-5e123c42132f",
      resourceVersion: "12345678901234567890",
      creationTimestamp: "2026-11-30T02:42:23Z",
      imageID: "registry.example/web@sha256:1e100f5e3999f0a4b7e0a1f2e3d4c5b6a7988776655443322110099887766554",
      replicas: 3,
      weight: 0.5,
    });
    expect(MAYBE_INEXACT.test(usual)).toBe(false);
    for (const inexact of ['{"a":9007199254740993}', '{"a": -9007199254740993}', "[1,1e999]", "[ 1.5E+400]"])
      expect(MAYBE_INEXACT.test(inexact), inexact).toBe(true);
  });

  it("may be nested 256 levels deep, and no deeper; brackets in strings are none", () => {
    expect(objectOf(reply(nested(256)))).toHaveProperty("object");
    expect(objectOf(reply(nested(257)))).toMatchObject({
      reason: "not-json",
      why: expect.stringContaining("256 levels"),
    });
    const text = JSON.stringify({ text: `\\"${"[{".repeat(500)}\\`, other: '"' });
    expect(objectOf(reply(text))).toEqual({ object: JSON.parse(text) });
  });

  it.each<[string, Exchange, string]>([
    ["bytes that are no UTF-8", reply(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), "its body is not UTF-8"],
    ["a string without an end", reply('{"a":"'), "breaks off"],
    ["nothing but brackets", reply("[".repeat(1_000_000)), "levels deep"],
    ["text", reply("{}", "text/plain"), "its body is text/plain, and not JSON"],
    ["JSON of another sort", reply("{}", "application/json-patch+json"), "and not JSON"],
    ["no type", reply("{}", null), "does not say of which type"],
    ["a type with escapes", reply("{}", "text/\u001b[2J"), "text/\\x1b[2J"],
  ])("%s is said to be that", (_name, exchange, why) => {
    expect(objectOf(exchange)).toMatchObject({ why: expect.stringContaining(why) });
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON;g=x;v=y"])(
    "%s is JSON",
    (type) => {
      expect(objectOf(reply("{}", type))).toEqual({ object: {} });
    },
  );
});
