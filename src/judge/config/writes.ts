/**
 * When the content of a ConfigMap or Secret was written last, as its managedFields tell.
 *
 * Rules: an entry has the time at which its manager last added, changed or removed a field of its own
 * (metav1.ManagedFieldsEntry); a write that changes nothing moves none. So the content was not written after the latest of
 * the entries that hold it, by the API server's clock in whole seconds. It may have been written long before: the entry had
 * other fields, which others have taken over or removed since without a trace. So that a write was later than something is
 * never shown by it. A key that somebody else removed leaves no trace either.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { type Known, known, unreadable } from "../../domain/known.ts";
import { dotted, fieldAt, hint, LIST, OBJECT, type Path, TEXT, TIME, valueAt } from "../read.ts";
import { quoted } from "../words.ts";

export interface Write {
  /** Not after this was any of it written. */
  readonly at: Instant;
  readonly manager: string;
  /** What says so. */
  readonly cites: readonly Path[];
}

const FIELDS = ["data", "binaryData"] as const;

/** The keys that the object holds. */
export const keysIn = ({ raw }: Seen): Known<ReadonlySet<string>> => {
  const keys = new Set<string>();
  for (const field of FIELDS) {
    const content = fieldAt(raw, [field], OBJECT);
    if (content.kind === "unreadable") return content;
    if (content.kind === "known") for (const key of Object.keys(content.value)) keys.add(key);
  }
  return known(keys);
};

/** The last write of these keys; null: of all content. Unreadable where managedFields do not name every one of them. */
export const lastWrite = (object: Seen, keys: readonly string[] | null): Known<Write> => {
  const path = ["metadata", "managedFields"];
  const entries = fieldAt(object.raw, path, LIST);
  if (entries.kind === "unreadable") return entries;
  if (entries.kind !== "known") return unreadable(`${dotted(path)} is not there`);
  const there = keysIn(object);
  if (there.kind !== "known") return there;
  const wanted = keys === null ? [...there.value] : keys;
  const owned = new Set<string>();
  const cites: Path[] = [];
  let last: Write | undefined;
  for (const [at, entry] of entries.value.entries()) {
    const fields = hint(entry, ["fieldsV1"], OBJECT);
    if (fields === undefined) return unreadable(`${dotted([...path, at, "fieldsV1"])} cannot be read`);
    // Each entry bears on which one is the last: also one that does not name the content.
    cites.push([...path, at, "fieldsV1"]);
    const its = keysOwned(fields);
    const touches = keys === null ? ownsContent(fields) : keys.some((key) => its.has(key));
    if (!touches) continue;
    for (const key of its) owned.add(key);
    const time = fieldAt(entry, ["time"], TIME);
    if (time.kind !== "known") return unreadable(`${dotted([...path, at, "time"])} cannot be read`);
    cites.push([...path, at, "time"]);
    if (last !== undefined && last.at >= time.value) continue;
    const named = hint(entry, ["manager"], TEXT);
    const manager = named === undefined ? "somebody who gave no name" : quoted(named);
    last = { at: time.value, manager, cites };
  }
  const unnamed = wanted.filter((key) => !owned.has(key));
  if (unnamed.length > 0)
    return unreadable(`managedFields do not say who wrote ${quoted(unnamed.slice(0, 3).join(", "))}`);
  if (last === undefined) return unreadable("managedFields do not say when its content was written");
  return known(last);
};

const ownsContent = (fields: JsonObject): boolean =>
  FIELDS.some((field) => valueAt(fields, [`f:${field}`]) !== undefined);

const keysOwned = (fields: JsonObject): ReadonlySet<string> =>
  new Set(
    FIELDS.flatMap((field) => {
      const its = hint(fields, [`f:${field}`], OBJECT);
      return its === undefined
        ? []
        : Object.keys(its).flatMap((name) => (name.startsWith("f:") ? [name.slice(2)] : []));
    }),
  );
