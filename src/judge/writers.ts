/**
 * Who owns a field now, by `metadata.managedFields` (Server-Side Apply's field management; structured-merge-diff, `fieldsV1`).
 * An entry's time is that of its manager's last write of anything that it owns: the field was written then, or before.
 * What is not there any more has no owner: who took it away is not told.
 */
import type { Writer } from "../domain/difference.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { sameJson } from "../domain/same-json.ts";
import type { Step } from "./differences.ts";
import { hint, LIST, OBJECT, TEXT, TIME } from "./read.ts";
import { quoted } from "./words.ts";

const MOST_WRITERS = 5;

/** undefined: the object was read without its managedFields. */
export const writersOf = (object: JsonObject, steps: readonly Step[]): readonly Writer[] | undefined => {
  const entries = hint(object, ["metadata", "managedFields"], LIST);
  return entries
    ?.filter((entry) => {
      const fields = hint(entry, ["fieldsV1"], OBJECT);
      return fields !== undefined && owns(fields, steps);
    })
    .slice(0, MOST_WRITERS)
    .map(writerOf);
};

const writerOf = (entry: JsonValue): Writer => {
  const [manager, operation, subresource] = ["manager", "operation", "subresource"].map((field) =>
    hint(entry, [field], TEXT),
  );
  const at = hint(entry, ["time"], TIME);
  return {
    manager: manager === undefined ? "" : quoted(manager),
    operation: operation === undefined ? "" : quoted(operation),
    subresource: subresource === undefined || subresource === "" ? null : quoted(subresource),
    at: at === undefined ? null : at,
  };
};

/** A set without members below a path owns all that is there (an atomic list or map). */
const owns = (fields: JsonObject, steps: readonly Step[]): boolean => {
  let node = fields;
  for (const [at, step] of steps.entries()) {
    if (at > 0 && Object.keys(node).length === 0) return true;
    const child = childOf(node, step);
    if (!isJsonObject(child)) return false;
    node = child;
  }
  return steps.length > 0;
};

const childOf = (node: JsonObject, step: Step): JsonValue | undefined => {
  if (step.kind === "member") return own(node, `f:${step.name}`);
  if (step.kind === "item") return own(node, `i:${step.at}`);
  const name = Object.keys(node).find(
    (one) => one.startsWith("k:") && sameJson(parsed(one.slice(2)), step.key),
  );
  return name === undefined ? undefined : own(node, name);
};

const own = (node: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(node, name) ? node[name] : undefined;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // No key of any item: whoever wrote it, it owns nothing that could be told.
    return undefined;
  }
};
