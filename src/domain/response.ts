/**
 * What a reply has to be, by which path it is asked for, and how the app tells which Pod it is: as a person writes it, on
 * the command line or in a file. Pure; each parser gives the value, or one clause that says what is wrong.
 */
import { type ExpectedHealth, GRPC_HEALTHS, isGrpcHealth, isGrpcService } from "./grpc-health.ts";
import type { JsonValue } from "./json.ts";

/** By which way an answer is asked for. An answer proves only its own path (V9). */
export type Via =
  /** Each Pod of the target at its own address. */
  | { readonly kind: "pod" }
  /** null: the one Service that selects the target's Pods. */
  | { readonly kind: "service"; readonly name: string | null }
  | { readonly kind: "ingress" | "gateway"; readonly name: string }
  | { readonly kind: "url"; readonly url: string };

/** Keys and indexes into a JSON value. */
export type JsonPath = readonly (string | number)[];

export interface ExpectedReply {
  /** The gRPC health service is asked instead of a GET being sent; null: a GET. */
  readonly health: ExpectedHealth | null;
  readonly status: number;
  /** By its name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** `isText`: compared with the value as it is written, so that `2` is met by 2 and by "2". */
  readonly json: readonly { readonly path: JsonPath; readonly is: JsonValue; readonly isText: boolean }[];
  /** Of the whole body, 64 hex digits; null: any. */
  readonly bodySha256: string | null;
}

/** Where in a reply the app names its Pod: by UID or by name. */
export type ReplyTeller =
  | { readonly kind: "json"; readonly path: JsonPath }
  /** In lower case. */
  | { readonly kind: "header"; readonly name: string };

/** Beside the reply: whoever knows the id that a request has in this header, in lower case, has seen that request. */
export type IdTeller =
  /** The Pod logs it. */
  | { readonly kind: "log"; readonly header: string }
  /** The Pod tells it at a port of its own, which is asked with a GET of `path` through the API server's proxy. */
  | { readonly kind: "port"; readonly header: string; readonly port: number; readonly path: string };

export type PodTeller = ReplyTeller | IdTeller;

export const isIdTeller = (teller: PodTeller | null): teller is IdTeller =>
  teller !== null && (teller.kind === "log" || teller.kind === "port");

export interface ResponseExpectation {
  readonly via: Via;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  /** The Host header and the name that a certificate has to be for, where the path itself does not say it; null: as it says. */
  readonly host: string | null;
  /** null: the first port of the Service or container. */
  readonly port: number | null;
  readonly expect: ExpectedReply;
  /** A file of the authorities (PEM) that are trusted instead of this machine's; null: those. */
  readonly ca: string | null;
  /** null: the app does not tell. */
  readonly pod: PodTeller | null;
  /** Requests for each address that is asked. */
  readonly samples: number;
}

export type Fault = { readonly fault: string };

export const MOST_SAMPLES = 100;
/** Where nobody says how many. */
export const USUAL_SAMPLES = 3;

/** As it is written, and as a recorded answer names its path. */
export const viaText = (via: Via): string => {
  switch (via.kind) {
    case "pod":
      return "pod";
    case "service":
      return via.name === null ? "service" : `service/${via.name}`;
    case "url":
      return via.url;
    default:
      return `${via.kind}/${via.name}`;
  }
};

const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

export const parseVia = (text: string): { readonly via: Via } | Fault => {
  if (/^https?:\/\//i.test(text)) return urlOf(text);
  if (text === "pod") return { via: { kind: "pod" } };
  if (text === "service") return { via: { kind: "service", name: null } };
  const [kind = "", name = "", ...rest] = text.split("/");
  if (!Object.hasOwn(LONG, kind) || rest.length > 0)
    return { fault: "must be pod, service, service/NAME, ingress/NAME, gateway/NAME or an http(s) URL" };
  if (!NAME.test(name)) return { fault: `names no object: ${JSON.stringify(name)}` };
  return { via: { kind: LONG[kind as keyof typeof LONG], name } };
};

const LONG = {
  service: "service",
  svc: "service",
  ingress: "ingress",
  ing: "ingress",
  gateway: "gateway",
  gtw: "gateway",
} as const;

const urlOf = (text: string): { readonly via: Via } | Fault => {
  if (!URL.canParse(text)) return { fault: "is not a URL" };
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return { fault: "must not hold a user or password: no credentials are sent" };
  if (url.hash !== "") return { fault: "must not have a fragment (#…): it is never sent" };
  return { via: { kind: "url", url: url.href } };
};

export const parseRequestPath = (text: string): { readonly path: string } | Fault =>
  /^\/[\x21-\x7e]*$/.test(text) && !text.includes("#")
    ? { path: text }
    : { fault: "must begin with / and hold no spaces, fragment or other letters than URLs have" };

export const parseHost = (text: string): { readonly host: string } | Fault =>
  /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(:\d{1,5})?$/.test(text)
    ? { host: text }
    : { fault: "must be a host name, with a port where it has one" };

const MOST_DEPTH = 32;
const STEP = /^(?:\.([A-Za-z_$][\w$-]*)|\[(\d{1,9})\]|\['([^']*)'\])/;

/** `$.pod.uid`, `$.items[0]`, `$['odd.key']`. */
export const parseJsonPath = (text: string): { readonly path: JsonPath } | Fault => {
  const bad = { fault: "must be a path as $.pod.uid, $.items[0] or $['odd.key']" };
  if (!text.startsWith("$") || text.length > 1_000) return bad;
  const path: (string | number)[] = [];
  let rest = text.slice(1);
  while (rest !== "") {
    const step = STEP.exec(rest);
    if (step === null || path.length === MOST_DEPTH) return bad;
    const [whole, key, index, quoted = ""] = step;
    path.push(index === undefined ? (key === undefined ? quoted : key) : Number(index));
    rest = rest.slice(whole.length);
  }
  return path.length === 0 ? bad : { path };
};

/** Of a field name (RFC 9110, 5.6.2). */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** What clients and proxies are told by, and what the API server acts on: none of these is ours to set. */
const NOT_OURS =
  /^(host|authorization|cookie|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|user-agent|forwarded|x-forwarded-.*|proxy-.*|impersonate-.*|x-remote-.*)$/;

const USUAL_ID_HEADER = "x-request-id";

/** In lower case, or what is wrong with it; `as`: how one is written there. */
const idHeader = (text: string, as: string): { readonly header: string } | Fault => {
  const header = text.toLowerCase();
  if (!HEADER_NAME.test(header)) return { fault: `must name a header as ${as}` };
  return NOT_OURS.test(header)
    ? { fault: `cannot send an id in the header ${header}, which has a meaning of its own` }
    : { header };
};

const logTeller = (text: string): { readonly pod: PodTeller } | Fault => {
  const named = idHeader(text, "log:X-Request-Id");
  return "fault" in named ? named : { pod: { kind: "log", header: named.header } };
};

/** `9901/requests`, `X-Trace@9901/requests`. */
const portTeller = (text: string): { readonly pod: PodTeller } | Fault => {
  const as = "port:9901/requests or port:X-Request-Id@9901/requests";
  const written = /^(?:([^/]*)@)?(\d{1,5})(\/.*)$/.exec(text);
  const [, before, digits, path = ""] = written === null ? [] : written;
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535)) return { fault: `must name a Pod's port and a path as ${as}` };
  const asked = parseRequestPath(path);
  if ("fault" in asked) return { fault: `names a path that ${asked.fault}` };
  const named = idHeader(before === undefined ? USUAL_ID_HEADER : before, as);
  return "fault" in named ? named : { pod: { kind: "port", header: named.header, port, path } };
};

/** `$.pod`, `header:X-Pod`, `log`, `log:X-Request-Id`, `port:9901/requests`. */
export const parsePodTeller = (text: string): { readonly pod: PodTeller } | Fault => {
  if (text === "log") return logTeller(USUAL_ID_HEADER);
  if (text.startsWith("log:")) return logTeller(text.slice("log:".length));
  if (text.startsWith("port:")) return portTeller(text.slice("port:".length));
  if (text.startsWith("header:")) {
    const name = text.slice("header:".length);
    return HEADER_NAME.test(name)
      ? { pod: { kind: "header", name: name.toLowerCase() } }
      : { fault: "must name a header as header:X-Pod" };
  }
  const path = parseJsonPath(text);
  return "fault" in path
    ? { fault: `${path.fault}, header:NAME, log or port:PORT/PATH` }
    : { pod: { kind: "json", path: path.path } };
};

/** One thing that is expected of a reply. */
export type Expectation =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  | { readonly kind: "json"; readonly path: JsonPath; readonly text: string }
  | { readonly kind: "body"; readonly sha256: string }
  | ({ readonly kind: "grpc" } & ExpectedHealth);

/** `status=200`, `header:NAME=VALUE`, `json:$.version=v2`, `body-sha256=HEX`, `grpc=SERVING`, `grpc:SERVICE=SERVING`. */
export const parseExpectation = (text: string): Expectation | Fault => {
  const at = text.indexOf("=");
  const [what, value] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  if (what === "status")
    return /^[1-5]\d\d$/.test(value)
      ? { kind: "status", status: Number(value) }
      : { fault: "must have a status from 100 to 599, as status=200" };
  if (what === "body-sha256")
    return /^[0-9a-f]{64}$/.test(value)
      ? { kind: "body", sha256: value }
      : { fault: "must have 64 hex digits in lower case, as body-sha256=…" };
  if (at >= 0 && what.startsWith("header:")) {
    const name = what.slice("header:".length);
    return HEADER_NAME.test(name)
      ? { kind: "header", name: name.toLowerCase(), value }
      : { fault: "must name a header as header:NAME=VALUE" };
  }
  if (at >= 0 && what.startsWith("json:")) {
    const path = parseJsonPath(what.slice("json:".length));
    return "fault" in path ? path : { kind: "json", path: path.path, text: value };
  }
  if (what === "grpc" || what.startsWith("grpc:")) return healthOf(what, value);
  return {
    fault:
      "must be status=N, header:NAME=VALUE, json:$.PATH=VALUE, body-sha256=HEX or grpc[:SERVICE]=SERVING",
  };
};

const healthOf = (what: string, is: string): Expectation | Fault => {
  const service = what.slice("grpc:".length);
  if (what !== "grpc" && !isGrpcService(service))
    return { fault: "must name a gRPC service without spaces, as grpc:shop.Cart=SERVING" };
  return isGrpcHealth(is)
    ? { kind: "grpc", service, is }
    : { fault: `must have a health out of ${GRPC_HEALTHS.join(", ")}, as grpc=SERVING` };
};

/** What else is said of a request, beside a gRPC health that is expected of its reply. */
export interface BesideHealth {
  readonly via: Via;
  readonly says: ReadonlySet<"status" | "json" | "body" | "path">;
  readonly pod: PodTeller | null;
}

/** Why they do not go together, a clause; null: they do. A health call has one path, and a message of its own. */
export const besideHealthFault = ({ via, says, pod }: BesideHealth): string | null => {
  const [other] = says;
  if (other !== undefined)
    return `is asked by gRPC, so ${BESIDE[other]} cannot be expected or asked beside it`;
  if (pod?.kind === "json")
    return "is asked by gRPC, so the Pod can be told by header:NAME, log or port:PORT/PATH alone";
  return via.kind === "url" && !/^https?:\/\/[^/?]+\/?$/.test(via.url)
    ? "is asked by gRPC, whose path is its own: the URL can have none"
    : null;
};

const BESIDE = { status: "a status", json: "JSON", body: "a body's digest", path: "a path" } as const;

/** Asked by this path at `/`, and answered with 200. */
export const usualReply = (via: Via): ResponseExpectation => ({
  via,
  path: "/",
  host: null,
  port: null,
  expect: expectedReply([]),
  ca: null,
  pod: null,
  samples: USUAL_SAMPLES,
});

/** All of them; of what is said twice the last. Nothing said of the status: 200. */
export const expectedReply = (all: readonly Expectation[]): ExpectedReply => {
  let status = 200;
  let bodySha256: string | null = null;
  let health: ExpectedHealth | null = null;
  const headers = new Map<string, string>();
  const json: ExpectedReply["json"][number][] = [];
  for (const one of all) {
    if (one.kind === "status") status = one.status;
    else if (one.kind === "body") bodySha256 = one.sha256;
    else if (one.kind === "grpc") health = { service: one.service, is: one.is };
    else if (one.kind === "header") headers.set(one.name, one.value);
    else json.push({ path: one.path, is: one.text, isText: true });
  }
  return { health, status, headers, json, bodySha256 };
};
