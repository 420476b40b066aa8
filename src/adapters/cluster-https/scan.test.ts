/** One pass over a body's bytes: what it sees is what the JSON is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Exchange } from "../../ports/cluster.ts";
import { objectOf } from "./body.ts";
import { scan } from "./scan.ts";

const exchange = (body: string): Exchange => ({
  request: "GET /x",
  askedAt: 0 as Exchange["askedAt"],
  answeredAt: 0 as Exchange["answeredAt"],
  durationMs: 0,
  status: 200,
  serverDate: null,
  contentType: "application/json",
  body: Buffer.from(body),
  whole: true,
});
const inexact = (text: string): boolean => scan(Buffer.from(text)).maybeInexact;

describe("numbers", () => {
  it("what cannot be inexact is read the quick way: identities, times, digests", () => {
    const usual = JSON.stringify({
      uid: "9299fc40-32d2-4e21-a02f-5e123c42132f",
      resourceVersion: "12345678901234567890",
      creationTimestamp: "2026-11-30T02:42:23Z",
      imageID: "registry.example/web@sha256:1e100f5e3999f0a4b7e0a1f2e3d4c5b6a7988776655443322110099887766554",
      quoted: '": 9007199254740993',
      replicas: 3,
      largest: 999_999_999_999_999,
      weight: 0.5,
      flags: [true, false, null],
    });
    expect(inexact(usual)).toBe(false);
  });

  it.each([
    '{"a":9007199254740993}',
    '{"a": -9007199254740993}',
    "[1,1e999]",
    "[ 1.5E+400]",
    "[100000000000000000000]",
    "[1e20]",
  ])("%s may be inexact", (text) => {
    expect(inexact(text)).toBe(true);
  });

  it("no number that a double rounds or cannot hold is missed, whatever stands around it", () => {
    const blank = fc.constantFrom("", " ", "\n\t");
    fc.assert(
      fc.property(fc.bigInt(), fc.string(), blank, (number, text, space) => {
        const isExact =
          number >= BigInt(Number.MIN_SAFE_INTEGER) && number <= BigInt(Number.MAX_SAFE_INTEGER);
        fc.pre(!isExact);
        expect(inexact(`{${JSON.stringify(text)}:${space}${number}${space}}`)).toBe(true);
        expect(inexact(`[${JSON.stringify(text)},${space}${number}]`)).toBe(true);
      }),
    );
  });
});

/** What leaving out the writers has to come to, by the parsed object. */
const withoutWriters = (list: JsonObject): JsonObject => {
  const { items } = list;
  if (!Array.isArray(items)) return list;
  return {
    ...list,
    items: items.map((item) => {
      if (!isJsonObject(item) || !isJsonObject(item["metadata"])) return item;
      if (!Array.isArray(item["metadata"]["managedFields"])) return item;
      const { managedFields: _, ...metadata } = item["metadata"];
      return { ...item, metadata };
    }),
  };
};

/**
 * Names that a careless scan would take for the one that is meant, wherever they stand. None has a backslash: V8 (Node 24.21)
 * may read `"\\""` as the name `\` once it has seen that name in an object of the same shape.
 */
const name = fc.constantFrom("metadata", "managedFields", "items", "name", 'x":"managedFields', '"', "{[");
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(name, fc.constantFrom("\\", '\\"', "]}"), fc.nat(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
})).value;
const item = fc.oneof(
  value,
  fc.record({ metadata: fc.dictionary(name, value), spec: value }, { requiredKeys: [] }),
);
const list = fc.record(
  { kind: name, metadata: fc.dictionary(name, value), items: fc.array(item, { maxLength: 4 }), more: value },
  { requiredKeys: ["items"] },
);

describe("who wrote which field", () => {
  it("is left out of the metadata of a list's items, and of nothing else", () => {
    fc.assert(
      fc.property(list, fc.constantFrom(undefined, 1, "\t"), (object, space) => {
        const text = JSON.stringify(object, null, space);
        const whole = JSON.parse(text) as JsonObject;
        expect(objectOf(exchange(text), false)).toEqual({ object: withoutWriters(whole) });
        expect(objectOf(exchange(text))).toEqual({ object: whole });
      }),
    );
  });

  it.each([
    '{"items":[[["metadata"],{"managedFields":[]}]]}',
    '{"items":[["metadata",{"managedFields":[]}]]}',
    '["items",[{"metadata":{"managedFields":[]}}]]',
    '[["items"],[{"metadata":{"managedFields":[]}}]]',
    '{"items":[{"metadata":["managedFields",[]]}]}',
  ])("%s has the names as strings of a list, which name nothing", (text) => {
    expect(objectOf(exchange(text), false)).toEqual(objectOf(exchange(text)));
  });

  it("control: the drawn lists have it, first, in the middle, last and alone", () => {
    const places = new Set<string>();
    for (const object of fc.sample(list, { numRuns: 2_000, seed: 1 }))
      for (const one of object.items as readonly JsonObject[]) {
        if (!isJsonObject(one) || !isJsonObject(one["metadata"])) continue;
        const names = Object.keys(one["metadata"]);
        const at = names.indexOf("managedFields");
        if (at < 0 || !Array.isArray(one["metadata"]["managedFields"])) continue;
        const where = at === 0 ? "first" : at === names.length - 1 ? "last" : "in the middle";
        places.add(names.length === 1 ? "alone" : where);
      }
    expect([...places].sort()).toEqual(["alone", "first", "in the middle", "last"]);
  });

  it.each([
    '{"items":[{"metadata":{"managedFields":[{"a":"b"}',
    '{"items":[{"metadata":{"managedFields":[',
    '{"items":[{"metadata":{"managedFields":["',
  ])("%s breaks off, and is no shorter list", (text) => {
    expect(objectOf(exchange(text), false)).toMatchObject({ why: expect.stringMatching(/JSON/) });
  });
});
