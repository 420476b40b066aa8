/** E5, op-25: what is recorded holds no secret, and what was recognised as one is scrubbed from everything after it. */

import { type Reference, referencesIn } from "../domain/expression.ts";
import type { Policy } from "../domain/journal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { isKeptSecret, keepInputs, keepOutputs } from "../wire/redact.ts";
import type { Runtime } from "./runtime.ts";

interface How {
  readonly public: Policy["public"];
  readonly keepSecrets: boolean;
  readonly secretPaths?: readonly string[];
}

/** Secrets, known by their key or by where they came from, as digests. Depends on nothing else, so that digests of it compare. */
export const masked = (runtime: Runtime, values: JsonObject, how: How): JsonObject => {
  if (Object.keys(values).length === 0) return values;
  const kept = keepOutputs(values, { ...how, vault: runtime.vault });
  learn(runtime, values, kept);
  return kept;
};

/** Values as they may be stored: masked, known secrets scrubbed from the rest, and of a shape that every store takes. */
export const storable = (runtime: Runtime, values: JsonObject, how: How): JsonObject =>
  runtime.scrubber.json(masked(runtime, plain(values, 0) as JsonObject, how)) as JsonObject;

const DEEPEST = 100;

/** What a provider may answer and canonical JSON cannot hold: half a surrogate pair, nesting without end. */
const plain = (value: JsonValue, depth: number): JsonValue => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "[nested deeper than asfound keeps]";
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), plain(item, depth + 1)]),
  );
};

/** Inputs in their written form, as they may be stored: literals under a secret key as digests. */
export const storableWritten = (
  runtime: Runtime,
  written: JsonObject,
  policy: Pick<Policy, "public" | "keepSecrets">,
): JsonObject =>
  keepInputs(written, { public: policy.public, keepSecrets: policy.keepSecrets, vault: runtime.vault });

/** The secrets that a step's `with` holds or names are known from now on, though it was not resolved yet. */
export const learnWritten = async (
  runtime: Runtime,
  written: JsonObject,
  policy: Pick<Policy, "public" | "keepSecrets">,
): Promise<void> => {
  learn(runtime, written, storableWritten(runtime, written, { ...policy, keepSecrets: false }));
  for (const { reference } of referencesIn(written).references) {
    if (reference.kind !== "env" && reference.kind !== "file") continue;
    const read = await secretAt(runtime, reference);
    if ("value" in read) runtime.scrubber.add(read.value);
  }
};

/** The secret that a reference names. */
export const secretAt = async (
  { secrets }: Runtime,
  reference: Extract<Reference, { kind: "env" | "file" }>,
): Promise<{ readonly value: string } | { readonly fault: string }> =>
  reference.kind === "env" ? secrets.env(reference.name) : secrets.file(reference.path);

/** What was replaced in `kept` is a secret from now on. */
const learn = (runtime: Runtime, values: JsonObject, kept: JsonObject): void => {
  const todo: [JsonValue, JsonValue][] = [[values, kept]];
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [value, other] = pair;
    if (value === other) continue;
    if (isKeptSecret(other) && !isKeptSecret(value)) runtime.scrubber.add(value);
    else if (Array.isArray(value) && Array.isArray(other))
      for (const [index, child] of value.entries()) todo.push([child, other[index] as JsonValue]);
    else if (isJsonObject(value) && isJsonObject(other))
      for (const [key, child] of Object.entries(value)) todo.push([child, other[key] as JsonValue]);
  }
};
