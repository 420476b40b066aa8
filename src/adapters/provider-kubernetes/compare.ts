/** Where two objects differ, at places as kubectl writes them. The values may be secrets. */
import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/** What changes with every write, whatever is written. */
const FLEETING = new Set(["managedFields", "resourceVersion", "generation"]);

export interface Difference {
  readonly at: string;
  /** undefined: nothing stands there. */
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
}

export const differences = (
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  at = "",
): readonly Difference[] => {
  if (isJsonObject(from) && isJsonObject(to))
    return [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .filter((name) => at !== ".metadata" || !FLEETING.has(name))
      .flatMap((name) => differences(from[name], to[name], `${at}.${name}`));
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.flatMap((one: JsonValue, index) =>
      differences(one, to[index] as JsonValue, `${at}[${index}]`),
    );
  return from === to ? [] : [{ at, from, to }];
};
