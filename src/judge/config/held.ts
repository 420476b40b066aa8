/**
 * What a recorder held of one object (L2), as spans of time with one content each.
 *
 * A span is known from end to end: between two records of one UID and one resourceVersion nothing was written, also while
 * the recorder was blind, since every write makes another resourceVersion; and what the object is now, it has been since a
 * record of its very resourceVersion. Nothing else bridges a gap: an equal digest on both sides may have been another between.
 */
import type { ConfigKind } from "../../domain/config.ts";
import { objectDigest } from "../../domain/config-digest.ts";
import type { Seen } from "../../domain/evidence.ts";
import { HELD } from "../../domain/held.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { type Known, known, notAsked, unreadable } from "../../domain/known.ts";
import type { Collection } from "../collection.ts";
import { oncePerNamespace } from "../once-per-namespace.ts";
import { FLAG, fieldAt, hint, type Path, TEXT, TIME, valueAt } from "../read.ts";
import { nameOf, quoted } from "../words.ts";
import { type Content, contentOf } from "./content.ts";

export interface Span {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly immutable: boolean;
  /** null: a Secret, of which only the resourceVersion tells a change (C6). */
  readonly content: Content | null;
  readonly from: Instant;
  readonly to: Instant;
  readonly records: readonly Seen[];
}

interface Held extends Omit<Span, "records"> {
  readonly record: Seen;
}

const VERSION: Path = ["metadata", "resourceVersion"];

const placeOf = (kind: string, namespace: string | null, name: string): string =>
  JSON.stringify([kind, namespace, name]);

/** Every record by its object, found once: those of all namespaces. */
const recordsIn = oncePerNamespace((collection: Collection) => {
  const places = new Map<string, Seen[]>();
  for (const record of collection.ofKind(HELD.group, HELD.kind)) {
    const { raw } = record;
    const [kind, namespace, name] = ["kind", "namespace", "name"].map((field) => hint(raw, [field], TEXT));
    if (kind === undefined || namespace === undefined || name === undefined) continue;
    const place = placeOf(kind, namespace, name);
    const there = places.get(place);
    if (there === undefined) places.set(place, [record]);
    else there.push(record);
  }
  return places;
});

/**
 * Spans in order of time. Not asked: no recorder held this object. Unreadable: a record of it lacks a field, so that what it
 * would have said is not known (V7).
 */
export const spansOf = (
  collection: Collection,
  kind: ConfigKind,
  object: Seen,
  at: Instant,
): Known<readonly Span[]> => {
  const records = recordsIn(collection, null).get(placeOf(kind, object.namespace, object.name));
  if (records === undefined) return notAsked;
  const spans = new Map<string, Span>();
  for (const record of records) {
    const read = heldIn(record);
    if (typeof read === "string")
      return unreadable(
        `the record ${quoted(record.source.evidence)}${record.source.pointer} has no ${read} that can be read`,
      );
    const key = JSON.stringify([read.uid, read.resourceVersion]);
    const there = spans.get(key);
    if (there !== undefined && there.content?.sha256 !== read.content?.sha256)
      return unreadable(
        `two records of resourceVersion ${quoted(read.resourceVersion)} have different digests`,
      );
    spans.set(key, there === undefined ? { ...read, records: [record] } : joined(there, read));
  }
  const now = hint(object.raw, VERSION, TEXT);
  if (now === undefined) return unreadable(`${nameOf(object)} does not say its resourceVersion`);
  const all = [...spans.values()].map((span) =>
    span.uid === object.uid && span.resourceVersion === now ? { ...span, to: laterOf(span.to, at) } : span,
  );
  return known(all.sort((a, b) => a.from - b.from || a.to - b.to));
};

const joined = (span: Span, { record, from, to }: Held): Span => ({
  ...span,
  from: from < span.from ? from : span.from,
  to: laterOf(span.to, to),
  records: [...span.records, record],
});

const laterOf = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** The name of a field that cannot be read, where there is one. */
const heldIn = (record: Seen): Held | string => {
  const { raw } = record;
  const uid = hint(raw, ["uid"], TEXT);
  const resourceVersion = hint(raw, ["resourceVersion"], TEXT);
  const immutable = hint(raw, ["immutable"], FLAG);
  const from = hint(raw, ["from"], TIME);
  const to = hint(raw, ["to"], TIME);
  if (uid === undefined) return "uid";
  if (resourceVersion === undefined) return "resourceVersion";
  if (immutable === undefined) return "immutable";
  if (from === undefined) return "from";
  if (to === undefined) return "to";
  const content = hint(raw, ["kind"], TEXT) === "Secret" ? null : contentIn(record);
  if (typeof content === "string") return content;
  return { record, uid, resourceVersion, immutable, content, from, to };
};

const contentIn = ({ raw }: Seen): Content | string => {
  const sha256 = fieldAt(raw, ["sha256"], TEXT);
  if (sha256.kind !== "known") return "sha256";
  const its = valueAt(raw, ["keys"]);
  if (!isJsonObject(its)) return "keys";
  const keys = new Map(Object.entries(its).filter((entry): entry is [string, string] => isText(entry[1])));
  // A record that lost a key, or was made up, does not come to its own digest.
  const isWhole = keys.size === Object.keys(its).length && objectDigest(keys) === sha256.value;
  return isWhole ? { sha256: sha256.value, keys } : "keys";
};

const isText = (value: JsonValue): value is string => typeof value === "string";

/** What was held over a whole time, both ends included. */
export interface Over {
  readonly spans: readonly Span[];
  /** The first moments of it that no span covers, as a clause; null: all of it is covered. */
  readonly blind: string | null;
}

export const heldOver = (spans: readonly Span[], from: Instant, to: Instant): Over => {
  const its = spans.filter((span) => span.to >= from && span.from <= to);
  let covered = from;
  for (const span of its) {
    if (span.from > covered) return { spans: its, blind: blindText(covered, span.from) };
    covered = laterOf(covered, span.to);
  }
  return { spans: its, blind: its.length > 0 && covered >= to ? null : blindText(covered, to) };
};

const blindText = (from: Instant, to: Instant): string =>
  `nothing is held of it from ${iso(from)} to ${iso(to)}`;

/**
 * Whether a span holds the same of these keys (null: of all) as the object now; null: that cannot be told. A Secret is the same
 * only as the very write that it was.
 */
export const isAsNow = (span: Span, object: Seen, keys: readonly string[] | null): boolean | null => {
  const { content } = span;
  if (content === null)
    return span.uid === object.uid && span.resourceVersion === hint(object.raw, VERSION, TEXT) ? true : null;
  const now = contentOf(object);
  if (now === null) return null;
  return keys === null
    ? content.sha256 === now.sha256
    : keys.every((key) => content.keys.get(key) === now.keys.get(key));
};

/** The fields of its records that a finding about these keys rests on. */
export const spanCites = (
  { records, content }: Span,
  keys: readonly string[] | null,
): readonly (readonly [Seen, Path])[] => {
  const its: readonly Path[] =
    content === null
      ? []
      : keys === null
        ? [["sha256"]]
        : keys.filter((key) => content.keys.has(key)).map((key) => ["keys", key]);
  const all: readonly Path[] = [["uid"], ["resourceVersion"], ["from"], ["to"], ...its];
  return records.flatMap((record) => all.map((path) => [record, path] as const));
};
