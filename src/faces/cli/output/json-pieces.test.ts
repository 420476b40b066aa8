import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../domain/json.ts";
import { jsonPieces } from "./json-pieces.ts";

const value = fc.jsonValue({ maxDepth: 3 });
const item = fc.dictionary(fc.string(), value) as fc.Arbitrary<JsonObject>;
/** What could be taken for the member: strings that look like it, and the same name further in. */
const around = fc.dictionary(
  fc.constantFrom("a", "b", "statement", "\n", '"items": []'),
  fc.oneof(value, fc.constantFrom('\n  "items": []', { items: [] }, [{ items: [] }], '  "items": [],\n')),
) as fc.Arbitrary<JsonObject>;

describe("a document that is written item by item", () => {
  it("is the text that it has as a whole", () => {
    fc.assert(
      fc.property(around, fc.array(item, { maxLength: 4 }), around, (before, items, after) => {
        const whole = { ...before, items, ...after };
        const empty = { ...before, items: [], ...after };
        expect([...jsonPieces(empty, { member: "items", items })].join("")).toBe(
          JSON.stringify(whole, null, 2),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("makes an item when it is its turn, and not before", () => {
    let made = 0;
    const items = (function* () {
      for (const name of ["a", "b"]) {
        made += 1;
        yield { name };
      }
    })();
    const seen: number[] = [];
    for (const _ of jsonPieces({ items: [] }, { member: "items", items })) seen.push(made);
    expect(seen).toEqual([0, 1, 2, 2]);
  });

  it("without such a member there is nothing to write into", () => {
    expect(() => [...jsonPieces({ other: [] }, { member: "items", items: [] })]).toThrow(
      "no empty list items",
    );
  });
});
