/** `held.json` and `files.json`: what a recorder held of config, and what was read in containers, as lists of one reading. */
import type { Seen } from "../../domain/evidence.ts";
import { seenHeld, seenReadFile } from "../../domain/held.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { parseTime } from "../../domain/time.ts";

export type ReadRecords =
  | { readonly records: readonly Seen[] }
  /** `pointer` (RFC 6901) says where. */
  | { readonly fault: string; readonly pointer: string };

/** What is wrong with a field, as a clause; null: nothing. */
type Check = (value: JsonValue | undefined) => string | null;

const MOST_RECORDS = 1_000_000;

const text: Check = (value) => (typeof value === "string" && value !== "" ? null : "must be a text");
const flag: Check = (value) => (typeof value === "boolean" ? null : "must be true or false");
const time: Check = (value) =>
  typeof value === "string" && parseTime(value) !== undefined ? null : "must be a time (RFC 3339)";
const digest: Check = (value) =>
  value === null || (typeof value === "string" && /^[0-9a-f]{64}$/.test(value))
    ? null
    : "must be 64 hex digits, or null";
const kind: Check = (value) =>
  value === "ConfigMap" || value === "Secret" ? null : "must be ConfigMap or Secret";
const digests: Check = (value) =>
  value === null ||
  (isJsonObject(value) && Object.values(value).every((one) => one !== null && digest(one) === null))
    ? null
    : "must be 64 hex digits by key, or null";
const pod: Check = (value) =>
  isJsonObject(value) && ["namespace", "name", "uid"].every((key) => text(value[key]) === null)
    ? null
    : "must be {namespace, name, uid}";

const HELD_FIELDS: Readonly<Record<string, Check>> = {
  kind,
  namespace: text,
  name: text,
  uid: text,
  resourceVersion: text,
  immutable: flag,
  sha256: digest,
  keys: digests,
  from: time,
  to: time,
};

const FILE_FIELDS: Readonly<Record<string, Check>> = {
  pod,
  container: text,
  containerId: text,
  path: text,
  sha256: digest,
  at: time,
};

export const readHeld = (value: JsonValue, evidence: string): ReadRecords => {
  const read = recordsIn(value, HELD_FIELDS, "{kind, namespace, name, uid, …, from, to}");
  if ("fault" in read) return read;
  const backwards = read.objects.findIndex(({ from, to }) => timeOf(from) > timeOf(to));
  if (backwards >= 0) return { fault: "it ends before it begins", pointer: `/${backwards}/to` };
  return { records: read.objects.map((one, at) => seenHeld(one, numbered(at), placed(evidence, at))) };
};

export const readFiles = (value: JsonValue, evidence: string): ReadRecords => {
  const read = recordsIn(value, FILE_FIELDS, "{pod, container, containerId, path, sha256, at}");
  return "fault" in read
    ? read
    : { records: read.objects.map((one, at) => seenReadFile(one, numbered(at), placed(evidence, at))) };
};

const recordsIn = (
  value: JsonValue,
  fields: Readonly<Record<string, Check>>,
  what: string,
): { readonly objects: readonly JsonObject[] } | { readonly fault: string; readonly pointer: string } => {
  if (!Array.isArray(value)) return { fault: `this is no list of records: [${what}]`, pointer: "" };
  if (value.length > MOST_RECORDS)
    return { fault: `there are ${value.length} records; at most ${MOST_RECORDS} are read`, pointer: "" };
  const objects: JsonObject[] = [];
  for (const [at, one] of value.entries()) {
    if (!isJsonObject(one)) return { fault: `a record is an object: ${what}`, pointer: `/${at}` };
    for (const [name, check] of Object.entries(fields)) {
      const fault = check(Object.hasOwn(one, name) ? one[name] : undefined);
      if (fault !== null) return { fault: `${name} ${fault}`, pointer: `/${at}/${name}` };
    }
    objects.push(one);
  }
  return { objects };
};

const timeOf = (value: JsonValue | undefined): number => parseTime(String(value)) ?? Number.NaN;

/** By its number: a name would have to be told by whoever recorded it. */
const numbered = (at: number): string => `number ${String(at + 1).padStart(7, "0")}`;

const placed = (evidence: string, at: number) => ({ evidence, pointer: `/${at}` });
