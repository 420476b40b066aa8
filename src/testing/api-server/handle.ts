/** One request to the fake API server: logged, let in or not, then answered with the faults that it meets. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { CloudClock } from "../cloud/real-clock.ts";
import { ANONYMOUS, forbiddenMessage, mayDo, type User } from "./access.ts";
import { type Asked, askedOf, type Verb } from "./asked.ts";
import { carryOut } from "./change.ts";
import { type DiscoveryOptions, discover } from "./discovery.ts";
import { evict } from "./evict.ts";
import type { ContainerFiles } from "./exec.ts";
import { type ApiFault, type ApiFaults, met } from "./fault.ts";
import { list, type World } from "./list.ts";
import type { ApiLogEntry, OpenApiEntry } from "./log.ts";
import { type PodReply, podPort } from "./pod-port.ts";
import { reply } from "./reply.ts";
import { groupVersionOf, type ServedResource } from "./resources.ts";
import {
  type Answer,
  badRequest,
  forbidden,
  json,
  noSuchPath,
  noSuchResource,
  notFound,
  tooManyRequests,
  unauthorized,
} from "./status.ts";
import { watch } from "./watch.ts";

/** What every request of one server shares. */
export interface Parts {
  readonly clock: CloudClock;
  readonly world: World;
  readonly faults: ApiFaults;
  readonly users: readonly User[];
  readonly discovery: DiscoveryOptions;
  readonly entries: OpenApiEntry[];
  /** Texts by namespace, Pod and container. */
  readonly logs: ReadonlyMap<string, string>;
  /** What Pods answer, by namespace and NAME:PORT. */
  readonly ports: ReadonlyMap<string, PodReply | null>;
  /** Of containers, by the same. */
  readonly files: ReadonlyMap<string, ContainerFiles>;
  readonly listeners: Set<(entry: ApiLogEntry) => void>;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/** null: none. A list is a JSON patch. */
const bodyOf = async (
  request: IncomingMessage,
): Promise<JsonObject | readonly JsonObject[] | null | undefined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return null;
  try {
    const value: JsonValue = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (Array.isArray(value)) return (value as readonly JsonValue[]).filter(isJsonObject);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isList = (read: JsonObject | readonly JsonObject[] | null): read is readonly JsonObject[] =>
  Array.isArray(read);

/** undefined: it says who it is, and nobody knows it. */
export const userOf = (users: readonly User[], request: IncomingMessage): User | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined)
    return users.find(({ token }) => token !== undefined && authorization === `Bearer ${token}`);
  const socket = request.socket as Partial<TLSSocket>;
  const name = socket.authorized === true ? socket.getPeerCertificate?.().subject?.CN : undefined;
  return users.find((user) => user.name === name) ?? ANONYMOUS;
};

/** Who is impersonated, if the caller may. */
const impersonated = (users: readonly User[], user: User, request: IncomingMessage): User => {
  const name = request.headers["impersonate-user"];
  if (name === undefined || user.rules !== "all") return user;
  return users.find((one) => one.name === name) ?? { name: String(name), rules: [] };
};

/** `/api`, `/api/VERSION`, `/apis`, `/apis/GROUP`, `/apis/GROUP/VERSION`. */
const isDiscovery = ({ served, path, verb }: Asked): boolean =>
  served === null && verb === "get" && /^\/(api(\/[^/]+)?|apis(\/[^/]+){0,2})$/.test(path);

/** The reply that a fault gives instead of the real one. */
const instead = (faults: readonly ApiFault[], after: boolean): Answer | null => {
  const text = met(faults, "reply");
  if (text !== undefined && (text.after === true) === after) {
    const type = text.contentType === undefined ? "application/json" : (text.contentType ?? "");
    return {
      status: text.status ?? 200,
      headers: { ...text.headers, "content-type": type },
      body: text.body,
    };
  }
  if (after) return null;
  const throttle = met(faults, "throttle");
  if (throttle !== undefined) {
    const { headers, ...answer } = tooManyRequests(throttle.retryAfter ?? "");
    return { ...answer, headers: throttle.retryAfter === null ? {} : headers };
  }
  const gone = met(faults, "unavailable");
  if (gone !== undefined)
    return {
      status: 503,
      headers: gone.retryAfter === null ? {} : { "retry-after": gone.retryAfter },
      body: "service unavailable\n",
    };
  const redirect = met(faults, "redirect");
  return redirect === undefined ? null : { status: 302, headers: { location: redirect.to }, body: "" };
};

/** A group that is served answers for all below it. */
const nobodys = ({ discovery }: Parts, path: string): Answer => {
  const [, root, group] = path.split("/");
  const isServed =
    root === "api" || (root === "apis" && discovery.resources.some((one) => one.group === group));
  return isServed ? noSuchResource : noSuchPath;
};

const shown = (part: Parts, { asked, faults, request }: Coming, served: ServedResource): Answer => {
  if (asked.verb === "list")
    return list(part.world, asked, served, faults, String(request.headers.accept ?? ""));
  const { objects } = part.world;
  const name = asked.name ?? "";
  const at = objects.revision - (met(faults, "stale")?.revisions ?? 0);
  const object = objects.get({ served, namespace: asked.namespace, name }, at);
  return object === undefined
    ? notFound(served, name)
    : json(200, { ...object, apiVersion: groupVersionOf(served) });
};

/** What the test says that the container wrote, whenever that was. */
const podLog = (
  { world, logs }: Parts,
  { namespace, name, query }: Asked,
  served: ServedResource,
): Answer => {
  const pod = { ...served, resource: "pods" };
  const object = world.objects.get({ served: pod, namespace, name: name ?? "" }, world.objects.revision);
  if (object === undefined) return notFound(pod, name ?? "");
  const text = logs.get(JSON.stringify([namespace, name, query.get("container")])) ?? "";
  const limit = Number(query.get("limitBytes") ?? text.length);
  return { status: 200, headers: { "content-type": "text/plain" }, body: text.slice(0, limit) };
};

interface Coming {
  readonly asked: Asked;
  readonly faults: readonly ApiFault[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly entry: OpenApiEntry;
}

const nowIso = ({ clock }: Parts): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;

/** The real answer; null: a watch has taken the connection over. */
const answerTo = async (part: Parts, coming: Coming): Promise<Answer | null> => {
  const { asked, faults, request, response, entry } = coming;
  const { served } = asked;
  if (isDiscovery(asked)) return discover(part.discovery, asked.path, String(request.headers.accept ?? ""));
  if (served === null) return nobodys(part, asked.path);
  if (served.resource === "pods/log") return podLog(part, asked, served);
  if (served.resource === "pods/proxy") return podPort(part.world.objects, part.ports, asked, served);
  if (asked.verb === "get" || asked.verb === "list") return shown(part, coming, served);
  if (asked.verb === "watch") {
    entry.status = 200;
    await watch(part, asked, served, response, faults, String(request.headers.accept ?? ""));
    return null;
  }
  const read = await bodyOf(request);
  if (read === undefined) return badRequest("the object provided is unrecognized");
  const sent = isList(read) ? { body: null, operations: read } : { body: read, operations: null };
  const contentType = String(request.headers["content-type"] ?? "");
  const { objects } = part.world;
  const changed =
    served.resource === "pods/eviction"
      ? evict(objects, part.discovery.resources, { asked, contentType, ...sent }, served, nowIso(part))
      : carryOut(objects, { asked, contentType, ...sent }, served, nowIso(part));
  entry.effect = changed.effect;
  return changed.answer;
};

const verbOf = (asked: Asked): Verb => (isDiscovery(asked) ? "discover" : asked.verb);

/** null: nothing will ever come, or the connection is cut. */
const withFaults = async (part: Parts, coming: Coming): Promise<Answer | null> => {
  const { faults, response } = coming;
  const slow = met(faults, "slow");
  const hang = met(faults, "hang");
  const cut = met(faults, "cut");
  if (slow !== undefined && slow.after !== true) await part.clock.sleep(slow.ms, part.closing);
  if (hang !== undefined && hang.after !== true) return null;
  if (cut?.at === "before") {
    response.destroy();
    return null;
  }
  const before = instead(faults, false);
  if (before !== null) return before;
  const answer = await answerTo(part, coming);
  if (slow?.after === true) await part.clock.sleep(slow.ms, part.closing);
  if (hang !== undefined) return null;
  if (cut?.at === "after") {
    response.destroy();
    return null;
  }
  return instead(faults, true) ?? answer;
};

/** Logged as it comes. */
export const entryOf = (
  part: Parts,
  { asked, faults, request, verb }: Pick<Coming, "asked" | "faults" | "request"> & { readonly verb: Verb },
): OpenApiEntry => {
  const entry: OpenApiEntry = {
    n: part.entries.length + 1,
    at: part.clock.now(),
    verb,
    method: request.method ?? "GET",
    path: request.url ?? "/",
    resource: asked.served?.resource ?? null,
    user: null,
    faults: faults.map((fault) => fault.do),
    accept: request.headers.accept ?? null,
    acceptEncoding: String(request.headers["accept-encoding"] ?? "") || null,
    effect: null,
    status: null,
  };
  part.entries.push(entry);
  for (const listener of part.listeners) listener({ ...entry });
  return entry;
};

export const handle = async (
  part: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const asked = askedOf(method, new URL(path, "https://api-server"), part.discovery.resources);
  const resource = asked.served?.resource ?? null;
  const verb = verbOf(asked);
  const faults = part.faults.of(verb, resource, path, asked.query.get("dryRun") === "All");
  const entry = entryOf(part, { asked, faults, request, verb });
  const answered = async (answer: Answer): Promise<void> => {
    if (response.destroyed) return;
    entry.status = answer.status;
    await reply(request, response, answer, faults, part.clock);
  };
  const caller = userOf(part.users, request);
  if (caller === undefined) return answered(unauthorized);
  const user = impersonated(part.users, caller, request);
  entry.user = user.name;
  // Every user who is known may ask what is served (system:discovery), unless rules say otherwise of a path.
  const isOpen = isDiscovery(asked) && user !== ANONYMOUS;
  if (!isOpen && !mayDo(user, asked))
    return answered(
      forbidden(asked.served ?? { group: "", resource: "" }, asked.name ?? "", forbiddenMessage(user, asked)),
    );
  const answer = await withFaults(part, { asked, faults, request, response, entry });
  if (answer !== null) await answered(answer);
};
