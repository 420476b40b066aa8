/**
 * Stack files: a model, written as YAML or JSON in one of many ways; and texts that were damaged, or changed on purpose
 * into what must be refused.
 */
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { damaged } from "./damage.ts";
import type { Dice } from "./dice.ts";

export interface ManifestText {
  readonly text: string;
  /** What it says, where that is known. */
  readonly model: JsonObject | null;
  /** `accept`: as written. `refuse`: it was made wrong on purpose, `why` says how. `any`: it was damaged. */
  readonly wanted: "accept" | "refuse" | "any";
  readonly why: string;
}

const ref = (inside: string): string => `$${`{${inside}}`}`;
const NAMES = ["web", "db", "network", "ü-1", "10", "9a", "null", "true", "no", "x_y"];
const DURATIONS = ["500ms", "30s", "1h30m", "1.5s"];
const TEXTS = [
  "plain",
  "",
  "with: colon",
  "# no comment",
  "- no list",
  "'quoted'",
  '"both"',
  "two\nlines",
  " lead",
  "trail ",
  "null",
  "true",
  "1e3",
  "0x1f",
  "~",
  "é",
  "😀",
  "a\\b",
  "\t",
  "{",
  "[",
  "*a",
  "&a",
  "!t",
  "|",
  ">",
  "%",
  "@",
  "`",
  "---",
  "...",
];

const step = (dice: Dice, before: readonly string[]): JsonObject => {
  const inputs: Record<string, JsonValue> = { create: ["./make.sh", dice.pick(TEXTS)] };
  if (dice.once(2))
    inputs["inputs"] = {
      size: dice.below(100),
      on: dice.once(2),
      text: dice.pick(TEXTS),
      none: null,
      list: [1, [2, {}]],
    };
  const [other] = before;
  if (other !== undefined && dice.once(3))
    inputs["environment"] = { FROM: `a ${ref(`steps.${other}.outputs.id`)} z` };
  const fields: Record<string, JsonValue> = { uses: dice.pick(["exec", "http"]), with: inputs };
  if (other !== undefined && dice.once(3)) fields["needs"] = [dice.pick(before)];
  if (other !== undefined && dice.once(5)) fields["partOf"] = dice.pick(before);
  if (dice.once(3)) fields["retry"] = dice.pick(["once", "named", "keyed", "idempotent"]);
  for (const field of ["settle", "deadline", "keyLifetime", "window"])
    if (dice.once(6)) fields[field] = dice.pick(DURATIONS);
  if (dice.once(5))
    fields["retain"] = {
      owner: "platform",
      reason: dice.pick(["legal hold", "asked: for"]),
      reviewBy: "2027-06-30",
    };
  if (dice.once(5))
    fields["approve"] = { before: dice.pick(["create", "update", "destroy", "any"]), by: ["alice"] };
  if (dice.once(6)) fields["keepSecrets"] = dice.once(2);
  if (dice.once(6)) fields["public"] = ["token"];
  if (dice.once(6)) fields["onChange"] = dice.pick(["update", "replace"]);
  return fields;
};

const modelOf = (dice: Dice): JsonObject => {
  const names: string[] = [];
  const steps: Record<string, JsonValue> = {};
  for (let left = dice.below(4); left > 0; left -= 1) {
    const name = dice.pick(NAMES.filter((one) => !names.includes(one)));
    steps[name] = step(dice, names);
    names.push(name);
  }
  return {
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Stack",
    metadata: { name: dice.pick(["shop", "ü"]) },
    steps,
  };
};

/** A text that needs no quotes in YAML 1.2: nothing that its syntax or core schema gives another meaning. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z./][A-Za-z0-9_./ -]*$/.test(text) &&
  !/ $/.test(text) &&
  !/^(null|true|false|yes|no|on|off|\.nan|\.inf|\.+)$/i.test(text);

const scalar = (dice: Dice, value: JsonValue): string => {
  if (typeof value !== "string") return JSON.stringify(value);
  if (isPlain(value) && dice.once(2)) return value;
  if (dice.once(2) && !/[\n\t\\]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value);
};

/** The value as YAML: block or flow, quoted or not, with comments. A writer of this test's own. */
const yamlOf = (dice: Dice, value: JsonValue, indent: string): string => {
  if (typeof value !== "object" || value === null) return ` ${scalar(dice, value)}\n`;
  const entries = Array.isArray(value)
    ? value.map((item: JsonValue) => ["-", item] as const)
    : Object.entries(value).map(([key, item]) => [`${scalar(dice, key)}:`, item] as const);
  if (entries.length === 0 || dice.once(4)) return ` ${JSON.stringify(value)}\n`;
  const note = dice.once(12) ? ` # ${"note: ".repeat(2)}\n` : "\n";
  return (
    note + entries.map(([head, item]) => `${indent}${head}${yamlOf(dice, item, `${indent}  `)}`).join("")
  );
};

const written = (dice: Dice, model: JsonObject): string => {
  if (dice.once(3)) return JSON.stringify(model, null, dice.pick([0, 2]));
  return `${dice.once(6) ? "# a stack\n---\n" : ""}${yamlOf(dice, model, "").replace(/^( #[^\n]*)?\n/, "")}`;
};

const WORDS = [
  "steps:",
  "  web:\n",
  "uses: exec\n",
  "needs: [web]",
  "retain:",
  "<<: *a\n",
  "&a ",
  "*a",
  "!!binary ",
  "? ",
  ": ",
  "- ",
  "---\n",
  "...\n",
  "%YAML 1.1\n",
  "|\n",
  ">-\n",
  "\t",
  "\n",
  "\r\n",
  "#",
  "'",
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  "null",
  "1e999",
  "9007199254740993",
  "\u0000",
  "\ufeff",
  "\u2028",
  "${",
  "\\u0000",
  "__proto__: 1\n",
  "[".repeat(120),
].map((word) => Buffer.from(word));

type Wrong = (
  dice: Dice,
  model: JsonObject,
  names: readonly string[],
) => { readonly text: string } | { readonly model: JsonValue };
const withStep = (model: JsonObject, name: string, change: JsonObject): JsonObject => {
  const steps = model["steps"] as JsonObject;
  return { ...model, steps: { ...steps, [name]: { ...(steps[name] as JsonObject), ...change } } };
};

/** Each makes a stack with at least one step wrong in one way that has to be seen. */
const WRONG: Readonly<Record<string, Wrong>> = {
  "an unknown field of a step": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { retries: 3 }),
  }),
  "an unknown field at the top": (_, model) => ({ model: { ...model, step: {} } }),
  "a step that is needed and is not there": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { needs: ["nowhere"] }),
  }),
  "a step that needs itself": (_, model, names) => ({
    model: withStep(model, names[0] as string, { needs: [names[0] as string] }),
  }),
  "a class that there is none of": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { retry: "always" }),
  }),
  "a duration without a unit": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { settle: "30" }),
  }),
  "a duration below zero": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { deadline: "-1s" }),
  }),
  "a retain without an owner": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { retain: { reason: "x", reviewBy: "2027-06-30" } }),
  }),
  "a retain that is only true": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { retain: true }),
  }),
  "a keepSecrets that is a text": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { keepSecrets: "false" }),
  }),
  "a reference to an unknown step": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { with: { create: [ref("steps.nowhere.outputs.id")] } }),
  }),
  "half a reference": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { with: { create: [ref("steps.web")] } }),
  }),
  "a variable that nobody gave": (dice, model, names) => ({
    model: withStep(model, dice.pick(names), { with: { create: [ref("var.size")] } }),
  }),
  "no name": (_, model) => ({ model: { ...model, metadata: {} } }),
  "another kind": (_, model) => ({ model: { ...model, kind: "Stacks" } }),
  "another version": (_, model) => ({ model: { ...model, apiVersion: "asfound.dev/v2" } }),
  "steps that are a list": (_, model) => ({ model: { ...model, steps: [] } }),
  "a step's name with a slash": (_, model) => ({
    model: { ...model, steps: { "a/b": { uses: "exec", with: { create: ["true"] } } } },
  }),
  "a list for a stack": (_, model) => ({ model: [model] }),
  "two documents": (_, model) => ({ text: `${JSON.stringify(model)}\n---\n${JSON.stringify(model)}\n` }),
  "a key twice": (_, model) => ({
    text: JSON.stringify(model).replace('"kind":"Stack"', '"kind":"Stack","kind":"Stack"'),
  }),
  "a step twice": (dice, model, names) => {
    const name = JSON.stringify(dice.pick(names));
    return {
      text: JSON.stringify(model).replace(
        '"steps":{',
        `"steps":{${name}:{"uses":"exec","with":{"create":["true"]}},`,
      ),
    };
  },
  "a number that JSON loses": (_, model, names) => ({
    text: JSON.stringify(
      withStep(model, names[0] as string, { with: { create: ["true"], inputs: { n: "NUMBER" } } }),
    ).replace('"NUMBER"', "9007199254740993"),
  }),
  "a tag": (_, model) => ({ text: JSON.stringify(model).replace('"Stack"', '!!js/function "Stack"') }),
  nothing: () => ({ text: "" }),
};

export const manifestText = (dice: Dice): ManifestText => {
  const model = modelOf(dice);
  const names = Object.keys(model["steps"] as JsonObject);
  if (dice.once(4) && names.length > 0) {
    const why = dice.pick(Object.keys(WRONG));
    const wrong = (WRONG[why] as Wrong)(dice, model, names);
    const text =
      "text" in wrong
        ? wrong.text
        : dice.once(2)
          ? JSON.stringify(wrong.model)
          : `${yamlOf(dice, wrong.model, "").trimStart()}`;
    return { text, model: null, wanted: "refuse", why };
  }
  const text = written(dice, model);
  if (dice.once(4)) return { text, model, wanted: "accept", why: "as it was written" };
  const bytes = damaged(dice, Buffer.from(text), WORDS);
  return { text: bytes.toString("utf8"), model: null, wanted: "any", why: "damaged" };
};
