/** A record that an object was proven (`runtime/proven-record.ts`), as it is read back: whatever does not fit is a fault. */
import type { StateKey } from "../../domain/difference.ts";
import type { Instant } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { parseTime } from "../../domain/time.ts";
import { API_VERSION } from "../api/document.ts";

export type ReadState =
  | { readonly at: Instant; readonly uid: string | null; readonly object: JsonObject }
  /** A clause. */
  | { readonly fault: string };

/** `key`: what its place says that it is of. */
export const readProvenState = (value: JsonValue, key: StateKey): ReadState => {
  if (own(value, "kind") !== "ProvenState" || own(value, "apiVersion") !== API_VERSION)
    return { fault: "it is no record of asfound's" };
  const at = own(value, "at");
  const time = typeof at === "string" ? parseTime(at) : undefined;
  if (time === undefined) return { fault: "it does not say when it was made" };
  const report = own(value, "report");
  if (own(report, "verdict") !== "proven") return { fault: "the verdict in it is not proven" };
  const object = own(value, "object");
  if (!isJsonObject(object)) return { fault: "it holds no object" };
  const target = own(report, "target");
  const isOther =
    own(own(value, "cluster"), "server") !== key.server ||
    own(target, "kind") !== key.kind ||
    [target, own(object, "metadata")].some(
      (one) => own(one, "name") !== key.name || textIn(one, "namespace") !== key.namespace,
    );
  if (isOther) return { fault: "it is of another object or cluster" };
  return { at: time, uid: textIn(own(object, "metadata"), "uid"), object };
};

const own = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const textIn = (value: JsonValue | undefined, name: string): string | null => {
  const text = own(value, name);
  return typeof text === "string" && text !== "" ? text : null;
};
