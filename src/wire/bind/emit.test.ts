/** What is written into manifests is read alike by YAML 1.1 (kubectl's reader) and 1.2 (ours), whatever it is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../domain/json.ts";
import { blockOf } from "./emit.ts";

const ODD = [
  "yes",
  "on",
  "n",
  "~",
  "null",
  "1_000",
  "0x1f",
  "0o7",
  "1e3",
  "e-0",
  "E5",
  "12:30:45",
  "2001-12-14",
  ".inf",
  "=",
  "<<",
  "a: b",
  "a #b",
  "- a",
  "",
  " a",
  "a\r\nb\n",
  "a\nb",
  "a\n\n",
  "\n",
  "\ta\nb",
  "a\u2028b\nc",
  "a\u0085b\n",
  "\ufeffa\nb",
  "a\u0000b\nc",
  "---\na\n",
  "#a\nb\n",
  "a\t\nb \n",
];

const text = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ maxLength: 8 }).map((one) => one.toWellFormed()),
);
const key = fc.oneof(
  fc.constantFrom("yes", "on", "12", "1_0", "a.b", "x-y", "e3", "E5", "e-0", "E-1_0", "null"),
  fc.stringMatching(/^[a-z0-9._-]{1,6}$/),
);
const data = fc.dictionary(key, text, { maxKeys: 4 });

const bothRead = (value: JsonObject): readonly unknown[] => {
  const written = blockOf(value, "");
  return (["1.1", "1.2"] as const).map((version) =>
    parse(`${written}\n`, { version, merge: false, strict: false }),
  );
};

it("both read what was meant", () => {
  fc.assert(
    fc.property(data, (values) => {
      const value = { kind: "ConfigMap", metadata: { name: "a" }, immutable: true, data: values };
      expect(bothRead(value)).toEqual([value, value]);
    }),
    { numRuns: 500 },
  );
});

it("characters that end a line for some readers are written out", () => {
  const written = blockOf({ a: "a\u2028b\u0085c\ufeffd\u007f\n" }, "");
  expect(written).toBe('a: "a\\u2028b\\u0085c\\ufeffd\\u007f\\n"');
});

it("ordinary lines stay lines", () => {
  expect(blockOf({ a: "one\n  two\n", b: "one\ntwo", c: "one\n\n" }, "")).toBe(
    "a: |\n  one\n    two\nb: |-\n  one\n  two\nc: |+\n  one\n",
  );
});
