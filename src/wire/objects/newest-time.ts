/**
 * The newest time inside objects: when they were read, at the earliest. A status only of kinds that are known, since that
 * of others may speak of the future (a certificate's end); a Pod's deletionTimestamp does, and is left out.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { resourceOf } from "../../domain/resource.ts";
import { parseTime } from "../../domain/time.ts";

/** undefined: there is none. */
export const newestTime = (objects: readonly Seen[]): Instant | undefined => {
  let newest: Instant | undefined;
  const look = (value: JsonValue | undefined): void => {
    if (typeof value === "string") {
      const at = value.length <= 40 ? parseTime(value) : undefined;
      if (at !== undefined && (newest === undefined || at > newest)) newest = at;
    } else if (Array.isArray(value)) for (const one of value) look(one);
    else if (isJsonObject(value)) for (const one of Object.values(value)) look(one);
  };
  for (const { group, kind, raw } of objects) {
    const isKnown = resourceOf(group, kind) !== undefined;
    if (isKnown) look(member(raw, "status"));
    look(member(member(raw, "metadata"), "creationTimestamp"));
    const fields = member(member(raw, "metadata"), "managedFields");
    if (Array.isArray(fields)) for (const one of fields) look(member(one, "time"));
    if (isKnown && kind === "Event") for (const field of EVENT_TIMES) look(member(raw, field));
  }
  return newest;
};

const EVENT_TIMES = ["firstTimestamp", "lastTimestamp", "eventTime", "series"];

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
