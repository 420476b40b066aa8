/** A condition counts for the generation that it names, and for no other. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Seen } from "../domain/evidence.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { observedCondition } from "./observed-condition.ts";

const seen = (generation: JsonValue, conditions: JsonValue): Seen => ({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  namespace: "shop",
  name: "one",
  uid: "u",
  raw: { metadata: { generation }, status: { conditions } } as JsonObject,
  source: { evidence: "test", pointer: "" },
});
const ready = (observedGeneration?: JsonValue): JsonObject => ({
  type: "Ready",
  status: "True",
  ...(observedGeneration === undefined ? {} : { observedGeneration }),
});

it("O1: of this generation it is current, of an earlier one stale, of a later one unreadable", () =>
  fc.assert(
    fc.property(fc.nat(9), fc.nat(9), (generation, observed) => {
      const { kind } = observedCondition(seen(generation, [ready(observed)]), "Ready");
      expect(kind).toBe(observed === generation ? "current" : observed < generation ? "stale" : "unreadable");
    }),
  ));

it.each<[string, Seen, RegExp | null]>([
  ["no such condition", seen(2, []), null],
  ["no status", { ...seen(2, []), raw: { metadata: { generation: 2 } } }, null],
  [
    "V7: it does not say of which generation",
    seen(2, [ready()]),
    /^observedGeneration of the condition Ready is not there/,
  ],
  ["V7: the generation is a text", seen(2, [ready("2")]), /Ready is not a whole number/],
  ["V7: the object's own is one", seen("2", [ready(2)]), /metadata\.generation is the text/],
  ["the type is there twice", seen(2, [ready(2), ready(2)]), /Ready twice/],
  [
    "its status is no word of the API's",
    seen(2, [{ ...ready(2), status: "Yes" }]),
    /not True, False or Unknown/,
  ],
])("%s", (_, object, why) => {
  const found = observedCondition(object, "Ready");
  expect(found.kind).toBe(why === null ? "absent" : "unreadable");
  if (why !== null) expect(found).toMatchObject({ why: expect.stringMatching(why) });
});
