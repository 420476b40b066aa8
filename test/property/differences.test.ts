/** The laws of `judge/differences.ts` as properties, each with a broken one that it catches. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import { type Difference, differencesOf, pathText, type Step } from "../../src/judge/differences.ts";
import { templateOf } from "../support/kubernetes/deployment.ts";

type Differ = (was: JsonValue | undefined, is: JsonValue | undefined) => readonly Difference[];

/** Without what counts as nothing, of which the examples below speak; names that could be taken for something else. */
const names = fc.constantFrom("a", "b", "a.b", "0", "[0]", "a[0]", "__proto__", "constructor", 'x"]', "");
const values = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("v1", "v2", "", "0"), fc.boolean()),
    fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(names, tie("value")), { minLength: 1, maxLength: 4 })
    .map((members) => Object.fromEntries(members) as JsonObject),
})).object;

const shuffled = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member)]),
  );
};

/** Each leaf by the way to it, told by nothing of what is tested. */
type Way = readonly (string | number)[];
const leavesOf = (value: JsonValue, way: Way = []): Map<string, JsonValue> => {
  if (isJsonObject(value))
    return new Map(Object.entries(value).flatMap(([name, one]) => [...leavesOf(one, [...way, name])]));
  if (value === null || typeof value !== "object") return new Map([[JSON.stringify(way), value]]);
  const items = value as readonly JsonValue[];
  return new Map(items.flatMap((one, at) => [...leavesOf(one, [...way, at])]));
};
const wayOf = (steps: readonly Step[]): Way =>
  steps.flatMap(
    (step): Way => (step.kind === "member" ? [step.name] : step.kind === "item" ? [step.at] : []),
  );

const applied = (leaves: Map<string, JsonValue>, { steps, was, is }: Difference): void => {
  const way = wayOf(steps);
  if (was !== undefined) for (const leaf of leavesOf(was, way).keys()) leaves.delete(leaf);
  if (is !== undefined) for (const [leaf, value] of leavesOf(is, way)) leaves.set(leaf, value);
};

/** By its number: what is broken in two values, as sentences. */
const LAWS: Readonly<Record<string, (differ: Differ) => void>> = {
  "equal values differ in nothing, whatever the order of their keys": (differ) =>
    fc.assert(
      fc.property(values, (value) => {
        expect(differ(value, shuffled(value))).toEqual([]);
      }),
    ),
  "what differs, applied in any order, makes the one of the other: no leaf is left out, none is told that is equal":
    (differ) =>
      fc.assert(
        fc.property(values, values, fc.infiniteStream(fc.nat()), (was, is, order) => {
          const all = differ(was, is).map((one) => [order.next().value as number, one] as const);
          const leaves = leavesOf(was);
          for (const [, one] of all.toSorted(([a], [b]) => a - b)) applied(leaves, one);
          expect(new Map([...leaves].sort())).toEqual(new Map([...leavesOf(is)].sort()));
          for (const [, { was: old, is: now }] of all) expect(old).not.toEqual(now);
        }),
        { numRuns: 500 },
      ),
  "one path has one text": (differ) =>
    fc.assert(
      fc.property(values, values, (was, is) => {
        const texts = differ(was, is).map(({ steps }) => pathText(steps));
        expect(new Set(texts).size).toBe(texts.length);
      }),
      { numRuns: 500 },
    ),
  "an item that has a key is the same wherever it stands": (differ) =>
    fc.assert(
      fc.property(fc.shuffledSubarray(["a", "b", "c", "d"], { minLength: 2 }), fc.nat(3), (order, at) => {
        const list = (wanted: readonly string[]): JsonObject => ({
          containers: wanted.map((name) => ({ name, image: `${name}:v1` })),
        });
        const one = order[at % order.length] as string;
        const is = list(order) as { containers: { name: string; image: string }[] };
        for (const container of is.containers) if (container.name === one) container.image = "new";
        const found = differ(list(order.toSorted()), is as unknown as JsonValue);
        const isMoved = order.join() !== order.toSorted().join();
        expect(found.map(({ steps }) => pathText(steps)).sort()).toEqual([
          ...(isMoved ? ["containers"] : []),
          `containers[name=${one}].image`,
        ]);
      }),
    ),
};

const byPlace = (value: JsonValue | undefined): JsonValue | undefined =>
  JSON.parse(JSON.stringify(value).replaceAll('"containers"', '"others"'));

/** By what is broken: the law that has to catch it. */
const MUTANTS: Readonly<Record<string, readonly [law: number, differ: Differ]>> = {
  "texts of JSON are compared": [
    0,
    (was, is) => (JSON.stringify(was) === JSON.stringify(is) ? [] : [{ steps: [], was, is }]),
  ],
  "the last difference is left out": [1, (was, is) => differencesOf(was, is).slice(0, -1)],
  "what came is not told": [1, (was, is) => differencesOf(was, is).filter((one) => one.was !== undefined)],
  "an old value stands for a new one": [
    1,
    (was, is) => differencesOf(was, is).map((one) => ({ ...one, is: one.was })),
  ],
  "a name loses what makes it odd": [
    2,
    (was, is) =>
      differencesOf(was, is).map((one) => ({
        ...one,
        steps: one.steps.map((step) =>
          step.kind === "member" ? { ...step, name: step.name.replaceAll(/\W/g, "") } : step,
        ),
      })),
  ],
  "items are compared by their place": [3, (was, is) => differencesOf(byPlace(was), byPlace(is))],
};

describe("laws", () => {
  it.each(Object.entries(LAWS))("%s", (_, law) => law(differencesOf));
});

describe("mutants", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, [law, differ]) => {
    expect(() => Object.values(LAWS)[law]?.(differ)).toThrow();
  });
});

const told = (was: JsonValue, is: JsonValue): readonly unknown[] =>
  differencesOf(was, is).map((one) => [pathText(one.steps), one.was, one.is]);

it("absent, null and an empty list are one; an empty object is a thing of its own (Go's omitempty)", () => {
  expect(told({ a: null, b: [] }, {})).toEqual([]);
  expect(told({}, { a: {} })).toEqual([["a", undefined, {}]]);
  expect(told({ a: {} }, { a: { b: null } })).toEqual([]);
  expect(told({ a: { b: 1 } }, { a: [] })).toEqual([["a.b", 1, undefined]]);
});

it("a template: an image, a container that came, a variable", () => {
  const template = templateOf("v1") as { spec: { containers: readonly JsonObject[] } };
  const [web] = template.spec.containers as [JsonObject];
  const is = {
    ...template,
    spec: {
      ...template.spec,
      containers: [
        { name: "side", image: "side:v1" },
        { ...web, image: "web:v2", env: [{ name: "A", value: "1" }] },
      ],
    },
  };
  expect(told(template, is)).toEqual([
    ["spec.containers[name=side].image", undefined, "side:v1"],
    ["spec.containers[name=side].name", undefined, "side"],
    ["spec.containers[name=web].env[name=A].name", undefined, "A"],
    ["spec.containers[name=web].env[name=A].value", undefined, "1"],
    ["spec.containers[name=web].image", "web:v1", "web:v2"],
  ]);
});

it("two items with one key are told apart by their places alone", () => {
  const ports = (port: number) => ({ ports: [{ containerPort: 1 }, { containerPort: port }] });
  expect(told(ports(1), ports(2))).toEqual([["ports[1].containerPort", 1, 2]]);
});
