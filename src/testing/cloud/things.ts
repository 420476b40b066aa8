/**
 * What exists in the cloud: every object with all its versions, so that any moment of the past can be shown.
 * An id names one incarnation and is never used again, but for ids that the client chose. Deleting a parent deletes what it contains.
 */
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

interface Version {
  /** May lie ahead: an asynchronous delete. */
  readonly at: number;
  /** null: gone from here on. */
  readonly body: JsonObject | null;
  readonly number: number;
}

interface Thing {
  readonly kind: string;
  readonly id: string;
  readonly number: number;
  readonly parent: string | null;
  /** Before this it is `provisioning`. */
  readonly readyAt: number;
  readonly fails: boolean;
  readonly versions: Version[];
}

/** An object as a reader sees it at one moment. */
export interface Shown {
  readonly kind: string;
  readonly id: string;
  readonly etag: string;
  /** What was sent, with `id`, `status` and `ip`. */
  readonly body: JsonObject;
}

/** What one request changed. */
export interface Effect {
  readonly what: "created" | "updated" | "deleted";
  readonly kind: string;
  readonly id: string;
  /** From 1, over all effects in the order in which they happened: a late one comes after calls that arrived later. */
  readonly nth: number;
}

export interface Things {
  /** `later.id`: the id that the client chose; else one is made. */
  create(
    kind: string,
    body: JsonObject,
    at: number,
    later: { readyAt: number; fails: boolean; id?: string },
  ): Effect;
  update(kind: string, id: string, body: JsonObject, at: number): Effect;
  /** `goneAt` after `at`: shown as `deleting` until then. */
  remove(kind: string, id: string, goneAt: number): readonly Effect[];
  at(kind: string, id: string, at: number): Shown | undefined;
  all(at: number, kind?: string): readonly Shown[];
}

/** `{"parent": "machines/m-1"}` in a body says what contains the new object. */
const parentOf = (body: JsonObject): string | null =>
  typeof body["parent"] === "string" ? body["parent"] : null;

export const things = (): Things => {
  const known = new Map<string, Thing>();
  let count = 0;
  let effects = 0;

  const show = (thing: Thing, at: number): Shown | undefined => {
    const version = thing.versions.findLast((one) => one.at <= at);
    if (version === undefined || version.body === null) return undefined;
    const leaving = thing.versions.some((one) => one.at > at && one.body === null);
    const settled = thing.fails ? "error" : "ready";
    const status = leaving ? "deleting" : at < thing.readyAt ? "provisioning" : settled;
    const ip = `10.0.${thing.number >> 8}.${thing.number & 255}`;
    return {
      kind: thing.kind,
      id: thing.id,
      etag: `"v${version.number}"`,
      body: { ...version.body, id: thing.id, status, ip },
    };
  };
  const append = (thing: Thing, at: number, body: JsonObject | null): void => {
    thing.versions.push({ at, body, number: thing.versions.length + 1 });
  };
  const happened = (what: Effect["what"], kind: string, id: string): Effect => {
    effects += 1;
    return { what, kind, id, nth: effects };
  };

  return {
    create: (kind, body, at, later) => {
      count += 1;
      const id = later.id ?? `${kind.slice(0, 1)}-${count}`;
      const thing = { kind, number: count, parent: parentOf(body), ...later, id, versions: [] };
      append(thing, at, body);
      known.set(`${kind}/${id}`, thing);
      return happened("created", kind, id);
    },
    update: (kind, id, body, at) => {
      const thing = known.get(`${kind}/${id}`);
      if (thing !== undefined) append(thing, at, body);
      return happened("updated", kind, id);
    },
    remove: (kind, id, goneAt) => {
      const doomed: Thing[] = [];
      const alive = (thing: Thing): boolean =>
        thing.versions.at(-1)?.body !== null && !doomed.includes(thing);
      const take = (place: string): void => {
        const thing = known.get(place);
        if (thing === undefined || !alive(thing)) return;
        doomed.push(thing);
        for (const [name, other] of known) if (other.parent === place) take(name);
      };
      take(`${kind}/${id}`);
      for (const thing of doomed) append(thing, goneAt, null);
      return doomed.map((thing) => happened("deleted", thing.kind, thing.id));
    },
    at: (kind, id, at) => {
      const thing = known.get(`${kind}/${id}`);
      return thing === undefined ? undefined : show(thing, at);
    },
    all: (at, kind) =>
      [...known.values()]
        .filter((thing) => kind === undefined || thing.kind === kind)
        .flatMap((thing) => show(thing, at) ?? []),
  };
};

/** RFC 7396: objects merge, null removes, the rest replaces. */
export const mergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  const merged: { [key: string]: JsonObject[string] } = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isJsonObject(value) ? mergePatch(isJsonObject(before) ? before : {}, value) : value;
  }
  return merged;
};
