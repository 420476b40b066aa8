/** Bytes to JSON: exactly, within limits, and whatever stands in strings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "../../ports/cluster.ts";
import { objectOf } from "./body.ts";

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
