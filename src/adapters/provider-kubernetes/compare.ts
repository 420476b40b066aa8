/** Where two objects differ: pointers as kubectl writes them, never the values, which may be secrets. */
import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/** What changes with every write, whatever is written. */
const FLEETING = new Set(["managedFields", "resourceVersion", "generation"]);

export const differences = (
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  at = "",
): readonly string[] => {
  if (isJsonObject(a) && isJsonObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter((name) => at !== ".metadata" || !FLEETING.has(name))
      .flatMap((name) => differences(a[name], b[name], `${at}.${name}`));
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((one: JsonValue, index) => differences(one, b[index] as JsonValue, `${at}[${index}]`));
  return a === b ? [] : [at];
};
