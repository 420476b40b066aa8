/**
 * The cloud's REST interface without its faults: what one request means, and what it changes.
 *
 *   POST   /v1/KIND                        201, or 202 + Location
 *   GET    /v1/KIND?label=NAME=VALUE&name=…&page=2    {"items": […], "next": "/v1/…" | null}, and a Link header
 *   GET    /v1/KIND/ID                     200 + ETag, or 404
 *   PUT    /v1/KIND/ID, PATCH (RFC 7396)   200; If-Match is honoured; a PUT may make what is not there (`puts`)
 *   DELETE /v1/KIND/ID                     204; If-Match is honoured; takes what it contains with it
 *   GET    /v1/operations/ID               {"id", "status": running|succeeded|failed, "target": ID}
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { type Fault, pick, type Verb } from "./fault.ts";
import { type KindSettings, USUAL } from "./kinds.ts";
import type { OpenEntry } from "./log.ts";
import { mergePatch, type Shown, type Things } from "./things.ts";

export interface Asked {
  readonly verb: Verb;
  readonly method: string;
  readonly kind: string;
  readonly id: string | null;
  readonly query: URLSearchParams;
  readonly key: string | null;
  readonly ifMatch: string | null;
  readonly body: JsonObject;
}

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** null: no body. */
  readonly body: JsonValue;
}

interface Work {
  readonly id: string;
  readonly target: string;
  readonly doneAt: number;
  readonly fails: boolean;
}

export interface Api {
  readonly kinds: Map<string, KindSettings>;
  /** Carries the request out now and writes what it changed into the entry. */
  carryOut(asked: Asked, faults: readonly Fault[], entry: OpenEntry): Answer;
}

const answer = (status: number, body: JsonValue = null, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body,
});
const shown = (status: number, thing: Shown, headers: Answer["headers"] = {}): Answer =>
  answer(status, thing.body, { etag: thing.etag, ...headers });
const trouble = (status: number, error: string): Answer => answer(status, { error });

export const apiOf = (world: Things, now: () => number): Api => {
  const kinds = new Map<string, KindSettings>();
  const works = new Map<string, Work>();
  const replies = new Map<string, { readonly body: string; readonly answer: Answer }>();
  const settingsOf = (kind: string): KindSettings => kinds.get(kind) ?? USUAL;

  const accepted = (asked: Asked, target: string, fails: boolean, doneAt: number): Answer => {
    const path = `/v1/${asked.kind}/${target}`;
    if (settingsOf(asked.kind).async === "status") {
      const thing = world.at(asked.kind, target, now());
      return answer(202, thing?.body ?? null, { location: path });
    }
    const work = { id: `w-${works.size + 1}`, target, doneAt, fails };
    works.set(work.id, work);
    return answer(202, { operation: work.id, status: "running" }, { location: `/v1/operations/${work.id}` });
  };

  const create = (asked: Asked, faults: readonly Fault[], entry: OpenEntry): Answer => {
    const settings = settingsOf(asked.kind);
    const place = `${asked.kind} ${asked.key}`;
    const text = JSON.stringify(asked.body);
    const before = asked.key === null || settings.keys === "ignore" ? undefined : replies.get(place);
    if (before !== undefined) {
      if (before.body !== text) return trouble(422, "this key was used with another body");
      entry.replayed = true;
      return before.answer;
    }
    const { name, parent } = asked.body;
    if (settings.uniqueNames && world.all(now(), asked.kind).some((thing) => thing.body["name"] === name))
      return trouble(409, "the name is taken");
    if (typeof parent === "string") {
      const [kind, id] = parent.split("/");
      if (world.at(kind ?? "", id ?? "", now()) === undefined)
        return trouble(422, "the parent does not exist");
    }
    const fails = pick(faults, "fail-later") !== undefined;
    const readyAt = now() + (settings.async === "none" ? 0 : settings.workMs);
    const effect = world.create(asked.kind, asked.body, now(), { readyAt, fails });
    entry.effects = [...entry.effects, effect];
    const thing = world.at(asked.kind, effect.id, now());
    const reply =
      settings.async !== "none" || thing === undefined
        ? accepted(asked, effect.id, fails, readyAt)
        : shown(201, thing, { location: `/v1/${asked.kind}/${effect.id}` });
    if (asked.key !== null) replies.set(place, { body: text, answer: reply });
    return reply;
  };

  const list = (asked: Asked, faults: readonly Fault[]): Answer => {
    const at = now() - (pick(faults, "stale")?.ms ?? 0);
    const loose = pick(faults, "loose-filter") !== undefined;
    const fits = (thing: Shown): boolean => {
      const name = asked.query.get("name");
      if (name !== null && thing.body["name"] !== name) return false;
      return asked.query.getAll("label").every((label) => {
        const cut = label.indexOf("=");
        const labels = thing.body["labels"];
        const value = isJsonObject(labels) ? labels[label.slice(0, cut)] : undefined;
        const wanted = label.slice(cut + 1);
        return (
          typeof value === "string" && (value === wanted || (loose && value.startsWith(wanted.slice(0, 4))))
        );
      });
    };
    const found = world.all(at, asked.kind).filter(fits);
    const { pageSize } = settingsOf(asked.kind);
    const page = Number(asked.query.get("page") ?? 1);
    const items = found.slice((page - 1) * pageSize, page * pageSize).map((thing) => thing.body);
    const query = new URLSearchParams(asked.query);
    query.set("page", String(page + 1));
    const more = found.length > page * pageSize ? `/v1/${asked.kind}?${query}` : null;
    const next = pick(faults, "next")?.url ?? more;
    return answer(200, { items, next }, next === null ? {} : { link: `<${next}>; rel="next"` });
  };

  const get = (asked: Asked, faults: readonly Fault[]): Answer => {
    if (asked.kind === "operations") {
      const work = works.get(asked.id ?? "");
      if (work === undefined) return trouble(404, "no such operation");
      if (now() < work.doneAt) return answer(200, { id: work.id, status: "running" });
      return answer(200, { id: work.id, status: work.fails ? "failed" : "succeeded", target: work.target });
    }
    const thing = world.at(asked.kind, asked.id ?? "", now() - (pick(faults, "stale")?.ms ?? 0));
    return thing === undefined ? trouble(404, "not found") : shown(200, thing);
  };

  const change = (asked: Asked, entry: OpenEntry): Answer => {
    const id = asked.id ?? "";
    const thing = world.at(asked.kind, id, now());
    if (thing === undefined && asked.method === "PUT" && settingsOf(asked.kind).puts === "create") {
      entry.effects = [
        ...entry.effects,
        world.create(asked.kind, asked.body, now(), { readyAt: now(), fails: false, id }),
      ];
      const made = world.at(asked.kind, id, now());
      return made === undefined ? trouble(404, "not found") : shown(201, made);
    }
    if (thing === undefined) return trouble(404, "not found");
    if (asked.ifMatch !== null && asked.ifMatch !== thing.etag) return trouble(412, "it has changed since");
    if (asked.verb === "delete") {
      const settings = settingsOf(asked.kind);
      const goneAt = now() + (settings.async === "none" ? 0 : settings.workMs);
      entry.effects = [...entry.effects, ...world.remove(asked.kind, id, goneAt)];
      return settings.async === "none" ? answer(204) : accepted(asked, id, false, goneAt);
    }
    const { id: _id, status: _status, ip: _ip, ...before } = thing.body;
    const body = asked.method === "PATCH" ? mergePatch(before, asked.body) : asked.body;
    entry.effects = [...entry.effects, world.update(asked.kind, id, body, now())];
    const after = world.at(asked.kind, id, now());
    return after === undefined ? trouble(404, "not found") : shown(200, after);
  };

  return {
    kinds,
    carryOut: (asked, faults, entry) => {
      if (asked.verb === "create") return create(asked, faults, entry);
      if (asked.verb === "list") return list(asked, faults);
      if (asked.verb === "get") return get(asked, faults);
      return change(asked, entry);
    },
  };
};

/** The key that a request carries. */
export const keyOf = (header: string | undefined, body: JsonObject): string | null => {
  if (header !== undefined) return header;
  if (typeof body["key"] === "string") return body["key"];
  const label = isJsonObject(body["labels"]) ? body["labels"]["asfound-key"] : undefined;
  return typeof label === "string" ? label : null;
};
