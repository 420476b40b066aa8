/** A Secret as it is judged live (C6): which keys it has and all that is told of it, and none of what the keys hold. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

/** In it kubectl keeps a copy of all that was applied. */
const COPY = "kubectl.kubernetes.io/last-applied-configuration";

const HOLDS: ReadonlySet<string> = new Set(["data", "stringData"]);

/** A member of another type than the API's stays unreadable, without what it holds. */
export const keysOnly = (secret: JsonObject): JsonObject =>
  // A member may be named __proto__, which only a definition makes an ordinary one.
  Object.fromEntries(
    Object.entries(secret).map(([name, value]): [string, JsonValue] => {
      if (HOLDS.has(name)) return [name, emptied(value)];
      return [name, name === "metadata" && isJsonObject(value) ? withoutCopy(value) : value];
    }),
  );

const emptied = (data: JsonValue): JsonValue => {
  if (data === null) return null;
  return isJsonObject(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, ""])) : "";
};

const withoutCopy = (metadata: JsonObject): JsonObject => {
  const { annotations } = metadata;
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, COPY)) return metadata;
  const { [COPY]: _, ...others } = annotations;
  return { ...metadata, annotations: others };
};
