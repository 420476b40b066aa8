/** Records of the recorder as JSON, and back. Written by another version they are read strictly, or not at all (V7). */
import type { ConfigKind } from "../../domain/config.ts";
import type { Began, HeldRecord, HeldScope, HeldVersion } from "../../domain/held-record.ts";
import { type Instant, iso } from "../../domain/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { parseTime } from "../../domain/time.ts";

/** All times are whole seconds. */
const timeText = (at: Instant): string => iso(at).replace(".000Z", "Z");

export const heldRecordJson = (record: HeldRecord): JsonObject => {
  switch (record.kind) {
    case "began": {
      const { scope, at } = record;
      return { ...record, at: timeText(at), scope: { ...scope, kinds: [...scope.kinds] } };
    }
    case "version":
      return {
        ...record,
        keys: record.keys === null ? null : Object.fromEntries(record.keys),
        from: timeText(record.from),
        to: timeText(record.to),
      };
    case "read":
      return { ...record, to: timeText(record.to) };
    case "blind":
      return {
        ...record,
        from: record.from === null ? null : timeText(record.from),
        to: timeText(record.to),
      };
    case "dropped":
      return { ...record, from: timeText(record.from), to: timeText(record.to) };
    case "gone":
    case "rewound":
    case "ended":
      return { ...record };
  }
};

/** A member that is not as it is written. */
class Misfit extends Error {
  readonly code = "ASFOUND_HELD_MEMBER";
}

class Members {
  readonly #members: JsonObject;

  constructor(members: JsonObject) {
    this.#members = members;
  }

  #of(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  text(name: string): string {
    const value = this.#of(name);
    if (typeof value !== "string") throw new Misfit(`${name} is not a text`);
    return value;
  }

  textOrNull(name: string): string | null {
    return this.#of(name) === null ? null : this.text(name);
  }

  time(name: string): Instant {
    const at = parseTime(this.text(name));
    if (at === undefined) throw new Misfit(`${name} is not a time`);
    return at;
  }

  timeOrNull(name: string): Instant | null {
    return this.#of(name) === null ? null : this.time(name);
  }

  whole(name: string): number {
    const value = this.#of(name);
    if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Misfit(`${name} is not a whole number`);
    return Number(value);
  }

  flag(name: string): boolean {
    const value = this.#of(name);
    if (typeof value !== "boolean") throw new Misfit(`${name} is neither true nor false`);
    return value;
  }

  object(name: string): JsonObject {
    const value = this.#of(name);
    if (!isJsonObject(value)) throw new Misfit(`${name} is not an object`);
    return value;
  }

  digest(name: string): string | null {
    const value = this.textOrNull(name);
    if (value !== null && !DIGEST.test(value)) throw new Misfit(`${name} is not a SHA-256 in hex`);
    return value;
  }

  digests(name: string): ReadonlyMap<string, string> | null {
    if (this.#of(name) === null) return null;
    const all = Object.entries(this.object(name));
    for (const [, value] of all)
      if (typeof value !== "string" || !DIGEST.test(value))
        throw new Misfit(`${name} has something else than SHA-256 in hex`);
    return new Map(all as readonly (readonly [string, string])[]);
  }

  of(): ConfigKind {
    return kindIn(this.#of("of"), "of");
  }

  kinds(): readonly ConfigKind[] {
    const value = this.#of("kinds");
    if (!Array.isArray(value)) throw new Misfit("kinds is not a list");
    return value.map((one) => kindIn(one, "kinds"));
  }
}

const DIGEST = /^[0-9a-f]{64}$/;

const kindIn = (value: JsonValue | undefined, name: string): ConfigKind => {
  if (value !== "ConfigMap" && value !== "Secret")
    throw new Misfit(`${name} is neither ConfigMap nor Secret`);
  return value;
};

/** The fault is a clause. */
export const readHeldRecord = (
  json: JsonObject,
): { readonly record: HeldRecord } | { readonly fault: string } => {
  try {
    return { record: recordIn(new Members(json)) };
  } catch (error) {
    if (error instanceof Misfit) return { fault: error.message };
    throw error;
  }
};

const recordIn = (members: Members): HeldRecord => {
  const kind = members.text("kind");
  switch (kind) {
    case "began":
      return beganIn(members);
    case "version":
      return versionIn(members);
    case "gone":
      return { kind, of: members.of(), namespace: members.text("namespace"), name: members.text("name") };
    case "read":
      return {
        kind,
        of: members.of(),
        to: members.time("to"),
        resourceVersion: members.textOrNull("resourceVersion"),
      };
    case "blind":
      return {
        kind,
        of: members.of(),
        from: members.timeOrNull("from"),
        to: members.time("to"),
        why: members.text("why"),
      };
    case "rewound":
      return { kind, why: members.text("why") };
    case "dropped":
      return {
        kind,
        through: members.whole("through"),
        files: members.whole("files"),
        bytes: members.whole("bytes"),
        from: members.time("from"),
        to: members.time("to"),
        why: members.text("why"),
      };
    case "ended":
      return { kind, why: members.text("why") };
    default:
      throw new Misfit("its kind is none that this version of asfound knows");
  }
};

const beganIn = (members: Members): Began => ({
  kind: "began",
  at: members.time("at"),
  scope: scopeIn(new Members(members.object("scope"))),
  era: members.whole("era"),
});

const scopeIn = (members: Members): HeldScope => ({
  server: members.text("server"),
  namespace: members.textOrNull("namespace"),
  selector: members.textOrNull("selector"),
  kinds: members.kinds(),
});

const versionIn = (members: Members): HeldVersion => ({
  kind: "version",
  of: members.of(),
  namespace: members.text("namespace"),
  name: members.text("name"),
  uid: members.text("uid"),
  resourceVersion: members.text("resourceVersion"),
  immutable: members.flag("immutable"),
  sha256: members.digest("sha256"),
  keys: members.digests("keys"),
  from: members.time("from"),
  to: members.time("to"),
});
