import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

const parsed = (text: string): unknown => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "not JSON";
  }
};

it("reads what JSON.parse reads, however it is written", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseStrictJson(text)).toEqual(parsed(text));
    }),
    { numRuns: 2_000 },
  );
});

it("refuses whatever JSON.parse refuses, with one sentence, and reads nothing else differently", () => {
  const edit = fc.record({
    at: fc.nat(),
    put: fc.constantFrom("", '"', "\\", "{", "]", ",", ":", "0", "-", "x", "\u0000", " "),
  });
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(edit, { minLength: 1, maxLength: 3 }), (value, edits) => {
      let text = JSON.stringify(value);
      for (const { at, put } of edits) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + put + text.slice(place + (put === "" ? 1 : 0));
      }
      const read = parseStrictJson(text);
      if ("value" in read) expect(read).toEqual(parsed(text));
      else {
        expect(read.fault).not.toContain("\n");
        if (!read.fault.includes("second time")) expect(parsed(text)).toBe("not JSON");
      }
    }),
    { numRuns: 5_000 },
  );
});

it("keys twice are found at any depth, and the same key in two objects is none", () => {
  expect(parseStrictJson('{"a":{"b":1,"c":[{"b":1,"b":2}]}}')).toEqual({
    fault: "the key b stands here a second time",
    at: { line: 1, column: 25 },
  });
  expect(parseStrictJson('[{"a":{"a":["a","a"]}},{"a":"a"}]')).toHaveProperty("value");
});
