/** What the schema finds, as sentences for the person who wrote the file. */
import type * as z from "zod";
import {
  APPROVE_FIELDS,
  COMPENSATE_FIELDS,
  HEAD_FIELDS,
  RETAIN_FIELDS,
  STEP_FIELDS,
} from "../stack-schema.ts";
import type { FaultList, Path } from "./fault.ts";
import { shown } from "./fault.ts";
import { nearest } from "./nearest.ts";

type Issue = z.core.$ZodIssue;

/** Adds every issue of one object that stands at `base` in the file. */
export const addIssues = (faults: FaultList, base: Path, issues: readonly Issue[]): void => {
  const misspelt = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const path = [...base, ...(issue.path as Path)];
    for (const key of issue.keys)
      faults.add([...path, key], () => {
        const meant = meantField(key, path);
        if (meant !== undefined) misspelt.add([...path, meant].join("."));
        return unknownField(key, path, meant);
      });
  }
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") continue;
    const path = [...base, ...(issue.path as Path)];
    // What was misspelt is not missing as well.
    if (isMissing(issue) && misspelt.has(path.join("."))) continue;
    const how = HOW_TO[String(path.at(-1))];
    const whole = path.length === 0 ? "the file " : "";
    faults.add(path, () =>
      isMissing(issue) ? `${whole}is missing${how ?? ""}` : `${whole}${sentence(issue)}`,
    );
  }
};

const HOW_TO: Readonly<Record<string, string | undefined>> = {
  apiVersion: "; write apiVersion: asfound.dev/v1alpha1",
  kind: "; write kind: Stack",
  metadata: "; write metadata: { name: NAME }",
  steps: "; write the steps by name under it",
  uses: "; name the provider that carries this step out, such as exec",
};

/** `invalid_value` (a literal, an enum) of a missing field says so by its input. */
const isMissing = (issue: Issue): boolean =>
  issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value");

/** What is wrong with one value, as a clause that follows its field. */
export const sentence = (issue: Issue): string => {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kindName(issue.expected)}, not ${kindOf(issue.input)}${hint(issue)}`;
    case "invalid_value":
      return issue.values.length === 1
        ? issue.message
        : `must be ${oneOf(issue.values.map(String))}${meant(issue)}`;
    default:
      return issue.message;
  }
};

const KINDS: Readonly<Record<string, string | undefined>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const kindName = (expected: string): string => KINDS[expected] ?? expected;

const kindOf = (value: unknown): string => {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? `the number ${value}` : "an object";
};

const DURATIONS: ReadonlySet<string> = new Set(["keyLifetime", "settle", "deadline", "window"]);

const hint = (issue: Issue): string => {
  const field = String(issue.path.at(-1));
  if (DURATIONS.has(field) && typeof issue.input === "number")
    return `; write a unit, such as "${issue.input}s"`;
  if (field === "retain") return "; it has owner, reason and reviewBy";
  const scalar = typeof issue.input === "number" || typeof issue.input === "boolean";
  if (scalar && issue.code === "invalid_type" && issue.expected === "string") return "; put it in quotes";
  return "";
};

const oneOf = (values: readonly string[]): string => `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

const meant = (issue: Extract<Issue, { code: "invalid_value" }>): string => {
  const near = typeof issue.input === "string" ? nearest(issue.input, issue.values.map(String)) : undefined;
  return near === undefined ? "" : `; did you mean ${near}?`;
};

/** What other tools call our fields. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["dependson", "needs"],
  ["depends_on", "needs"],
  ["provider", "uses"],
  ["type", "uses"],
  ["inputs", "with"],
  ["args", "with"],
  ["timeout", "deadline"],
  ["parent", "partOf"],
  ["name", "metadata"],
]);

const meantField = (key: string, parent: Path): string | undefined => {
  const known = fieldsAt(parent);
  const other = ELSEWHERE.get(key.toLowerCase());
  return nearest(key, known) ?? (other !== undefined && known.includes(other) ? other : undefined);
};

const unknownField = (key: string, parent: Path, meant: string | undefined): string => {
  const what = `there is no field ${shown(key)} here`;
  return meant === undefined
    ? `${what}; fields are ${fieldsAt(parent).join(", ")}`
    : `${what}; did you mean ${meant}?`;
};

const INSIDE_STEP: Readonly<Record<string, readonly string[] | undefined>> = {
  retain: RETAIN_FIELDS,
  approve: APPROVE_FIELDS,
  compensate: COMPENSATE_FIELDS,
};

const fieldsAt = (parent: Path): readonly string[] => {
  if (parent.length === 0) return HEAD_FIELDS;
  if (parent[0] === "metadata") return ["name"];
  if (parent.length === 2) return STEP_FIELDS;
  return INSIDE_STEP[String(parent[2])] ?? [];
};
