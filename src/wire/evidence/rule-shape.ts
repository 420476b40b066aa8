/** A rule for a kind (`domain/custom-rule.ts`) as it stands in a question: exactly what `wire/rules/` made of a person's file. */
import type { Test } from "../../domain/custom-rule.ts";
import { anyList, flag, is, listOf, name, oneOf, orNull, type Shape, text } from "../shape.ts";
import { byKind, exactly } from "./exact.ts";

const step = is(
  "a key or an index",
  (value) => typeof value === "string" || (Number.isSafeInteger(value) && (value as number) >= 0),
);
const path = listOf(step);
const scalar = is("a text, a number, true or false", (value) =>
  ["string", "number", "boolean"].includes(typeof value),
);
const scalars = listOf(scalar);
const condition = {
  type: name,
  is: listOf(oneOf("True", "False", "Unknown")),
  reasons: orNull(listOf(text)),
};

const need = {
  condition,
  is: { path, values: scalars },
  same: { path, as: path },
};

const TESTS = {
  ...need,
  "is-not": { path, values: scalars },
  there: { path, there: flag },
  other: { path, as: path },
} satisfies Readonly<Record<Test["kind"], Readonly<Record<string, Shape>>>>;
const test = byKind(TESTS);

const some =
  (shape: Shape): Shape =>
  (value, at) =>
    anyList(value, at) ??
    ((value as readonly unknown[]).length === 0 ? `${at} is empty` : listOf(shape)(value, at));

const signs = listOf(exactly({ tests: some(test), says: orNull(text) }));

const version = exactly({ path, label: name });

const pods = exactly({
  owners: listOf(name),
  selector: path,
  template: path,
  version: orNull(version),
  wanted: path,
  total: orNull(name),
  updated: name,
  available: name,
});

const child = exactly({
  group: text,
  kind: name,
  plural: name,
  version: orNull(version),
  path,
  done: scalars,
  progressing: scalars,
});

export const customRule: Shape = exactly({
  group: text,
  kind: name,
  plural: name,
  short: listOf(text),
  source: orNull(text),
  generation: byKind({
    field: { path, as: oneOf("number", "text", "either") },
    conditions: {},
    none: {},
  }),
  ready: some(byKind(need)),
  failed: signs,
  undetermined: signs,
  progressing: signs,
  message: orNull(path),
  pods: orNull(pods),
  children: listOf(child),
});

/** Keys or indexes, as a rule and a reply's JSON path have them. */
export const keysInto = path;
