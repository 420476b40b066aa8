/** What a recorded reply says, as values. */
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { JsonPath, ReplyTeller } from "../domain/response.ts";
import { hint, TEXT } from "./read.ts";

/** undefined: it is none. */
export const parsed = (body: string): JsonValue | undefined => {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
};

export const jsonAt = (value: JsonValue, path: JsonPath): JsonValue | undefined => {
  let at: JsonValue | undefined = value;
  for (const step of path) {
    if (typeof step === "number") at = Array.isArray(at) ? at[step] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (at === undefined) return undefined;
  }
  return at;
};

/** Which Pod sent it, by the app's own word. */
export const wordIn = (raw: JsonObject, teller: ReplyTeller): JsonValue | undefined => {
  if (teller.kind === "header") return hint(raw, ["headers", teller.name], TEXT);
  const body = hint(raw, ["body"], TEXT);
  const value = body === undefined ? undefined : parsed(body);
  return value === undefined ? undefined : jsonAt(value, teller.path);
};
