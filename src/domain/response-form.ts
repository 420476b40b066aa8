/**
 * An expected reply as files say it (`response: { via, path, host, port, ca, samples, expect, pod }`): in a Verification and in a
 * step's `confirm`, read in one way. Pure; all that is wrong with it is told, each at its place.
 */
import { GRPC_HEALTHS, isGrpcHealth, isGrpcService } from "./grpc-health.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";
import {
  type BesideHealth,
  besideHealthFault,
  type ExpectedReply,
  HEADER_NAME,
  type JsonPath,
  MOST_SAMPLES,
  type PodTeller,
  parseHost,
  parseJsonPath,
  parsePodTeller,
  parseRequestPath,
  parseVia,
  type ResponseExpectation,
  USUAL_SAMPLES,
  type Via,
} from "./response.ts";

export interface FormFault {
  readonly path: readonly (string | number)[];
  /** A clause. */
  readonly message: string;
}

export type ParsedResponse =
  | { readonly response: ResponseExpectation }
  | { readonly faults: readonly FormFault[] };

export const parseResponse = (value: JsonValue): ParsedResponse => {
  const form = new Form();
  const response = form.response(value);
  return response === null || form.faults.length > 0 ? { faults: form.faults } : { response };
};

const FIELDS = ["via", "path", "host", "port", "ca", "samples", "expect", "pod"] as const;
const EXPECTED = ["status", "headers", "json", "bodySha256", "grpc"] as const;

class Form {
  readonly faults: FormFault[] = [];

  response(value: JsonValue): ResponseExpectation | null {
    const file = this.#object(value, [], FIELDS);
    if (file === null) return null;
    const via = this.#parsed<Via | null>(file, "via", (text) => picked(parseVia(text), "via"), null);
    if (!Object.hasOwn(file, "via")) this.#fault(["via"], "is missing: by which path is it asked for?");
    const pod = this.#parsed<PodTeller | null>(
      file,
      "pod",
      (text) => picked(parsePodTeller(text), "pod"),
      null,
    );
    const expected = Object.hasOwn(file, "expect")
      ? this.#object(file["expect"] as JsonValue, ["expect"], EXPECTED)
      : {};
    const path = this.#parsed(file, "path", (text) => picked(parseRequestPath(text), "path"), "/");
    const host = this.#parsed<string | null>(file, "host", (text) => picked(parseHost(text), "host"), null);
    const ca = this.#parsed<string | null>(file, "ca", fileName, null);
    const port = this.#whole(file, "port", 65_535);
    const samples = this.#whole(file, "samples", MOST_SAMPLES);
    if (via === null || expected === null) return null;
    if (Object.hasOwn(expected, "grpc")) {
      const fault = besideHealthFault({ via, pod, says: saysOf(file, expected) });
      if (fault !== null) this.#fault(["expect", "grpc"], fault);
    }
    return {
      ...{ via, path, host, port, ca, pod },
      samples: samples === null ? USUAL_SAMPLES : samples,
      expect: this.#reply(expected),
    };
  }

  #reply(expected: JsonObject): ExpectedReply {
    const at = ["expect"];
    const status = this.#whole(expected, "status", 599, 100, at);
    return {
      health: Object.hasOwn(expected, "grpc") ? this.#health(expected["grpc"] as JsonValue) : null,
      status: status === null ? 200 : status,
      headers: this.#headers(expected),
      bodySha256: this.#parsed<string | null>(expected, "bodySha256", digest, null, at),
      json: this.#json(expected),
    };
  }

  #headers(expected: JsonObject): ExpectedReply["headers"] {
    const headers = new Map<string, string>();
    for (const [name, value] of this.#members(expected, "headers")) {
      const at = ["expect", "headers", name];
      if (!HEADER_NAME.test(name)) this.#fault(at, "is no name of a header");
      else if (typeof value !== "string") this.#fault(at, "must be a text");
      else headers.set(name.toLowerCase(), value);
    }
    return headers;
  }

  #json(expected: JsonObject): ExpectedReply["json"] {
    return this.#members(expected, "json").flatMap(([key, value]) => {
      const path = key.startsWith("$") ? parseJsonPath(key) : { path: [key] };
      if (!("fault" in path)) return members(path.path, value);
      this.#fault(["expect", "json", key], path.fault);
      return [];
    });
  }

  #health(value: JsonValue): ExpectedReply["health"] {
    const at = ["expect", "grpc"];
    const grpc = this.#object(value, at, ["service", "status"]);
    if (grpc === null) return null;
    const service = this.#parsed(grpc, "service", serviceName, "", at);
    const is = this.#parsed(grpc, "status", health, "SERVING" as const, at);
    return { service, is };
  }

  /** An object that has no other fields; null: it is none, and said. */
  #object(value: JsonValue, at: FormFault["path"], fields: readonly string[]): JsonObject | null {
    if (!isJsonObject(value)) {
      this.#fault(at, `must be an object with ${fields.join(", ")}`);
      return null;
    }
    for (const key of Object.keys(value))
      if (!fields.includes(key))
        this.#fault(
          [...at, key],
          `there is no field ${JSON.stringify(key)} here; fields are ${fields.join(", ")}`,
        );
    return value;
  }

  #members(from: JsonObject, key: string): readonly (readonly [string, JsonValue])[] {
    if (!Object.hasOwn(from, key)) return [];
    const value = from[key];
    if (isJsonObject(value)) return Object.entries(value);
    this.#fault(["expect", key], "must be an object");
    return [];
  }

  #parsed<T>(
    from: JsonObject,
    key: string,
    parse: (text: string) => { readonly value: T } | { readonly fault: string },
    otherwise: T,
    at: FormFault["path"] = [],
  ): T {
    if (!Object.hasOwn(from, key)) return otherwise;
    const written = from[key];
    const read = typeof written === "string" ? parse(written) : { fault: "must be a text" };
    if ("value" in read) return read.value;
    this.#fault([...at, key], read.fault);
    return otherwise;
  }

  #whole(from: JsonObject, key: string, most: number, least = 1, at: FormFault["path"] = []): number | null {
    if (!Object.hasOwn(from, key)) return null;
    const value = from[key];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    this.#fault([...at, key], `must be a whole number from ${least} to ${most}`);
    return null;
  }

  #fault(path: FormFault["path"], message: string): void {
    this.faults.push({ path, message });
  }
}

type Read<T> = { readonly value: T } | { readonly fault: string };

const picked = <K extends string, T>(
  parsed: Readonly<Record<K, T>> | { readonly fault: string },
  key: K,
): Read<T> =>
  "fault" in parsed ? { fault: (parsed as { readonly fault: string }).fault } : { value: parsed[key] };

const fileName = (text: string): Read<string> =>
  text.trim() === "" || text.includes("\0") ? { fault: "must be a file's path" } : { value: text };
const digest = (text: string): Read<string> =>
  /^[0-9a-f]{64}$/.test(text) ? { value: text } : { fault: "must be 64 hex digits" };
const serviceName = (text: string): Read<string> =>
  isGrpcService(text) ? { value: text } : { fault: "must be a name without spaces" };
const health = (text: string) =>
  isGrpcHealth(text) ? { value: text } : { fault: `must be one of ${GRPC_HEALTHS.join(", ")}` };

const saysOf = (file: JsonObject, expected: JsonObject): BesideHealth["says"] => {
  const says = new Set<"status" | "json" | "body" | "path">();
  if (Object.hasOwn(file, "path")) says.add("path");
  if (Object.hasOwn(expected, "status")) says.add("status");
  if (Object.hasOwn(expected, "json")) says.add("json");
  if (Object.hasOwn(expected, "bodySha256")) says.add("body");
  return says;
};

/** An object stands for its members: others may be beside them. */
const members = (path: JsonPath, value: JsonValue): ExpectedReply["json"] =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => members([...path, key], inner))
    : [{ path, is: value, isText: false }];
