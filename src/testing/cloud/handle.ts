/** One request to the cloud: logged, then carried out and answered with the faults that it meets. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { type Answer, type Api, type Asked, keyOf } from "./api.ts";
import { type Fault, type Faults, faultBody, pick, type Verb } from "./fault.ts";
import type { OpenEntry } from "./log.ts";
import type { CloudClock } from "./real-clock.ts";
import { reply } from "./reply.ts";
import type { Effect } from "./things.ts";

/** What every request of one cloud shares. */
export interface Parts {
  readonly clock: CloudClock;
  readonly api: Api;
  readonly faults: Faults;
  readonly entries: OpenEntry[];
  readonly token: string | undefined;
  /** Aborted when the cloud closes. */
  readonly closing: AbortSignal;
}

const bodyOf = async (request: IncomingMessage): Promise<JsonObject | undefined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return {};
  try {
    const value: JsonValue = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const verbOf = (method: string, id: string | null): Verb | "other" => {
  if (method === "POST" && id === null) return "create";
  if (method === "GET") return id === null ? "list" : "get";
  if ((method === "PUT" || method === "PATCH") && id !== null) return "update";
  return method === "DELETE" && id !== null ? "delete" : "other";
};

/** The reply that a fault gives instead of the real one; `made`: what the request made before that. */
const instead = (
  fault: Extract<Fault, { do: "status" }>,
  nowMs: number,
  made: Effect | undefined,
): Answer => {
  const after = fault.retryAfter;
  const asked =
    after === undefined
      ? {}
      : "seconds" in after
        ? { "retry-after": String(after.seconds) }
        : { "retry-after": new Date(nowMs + after.dateInMs).toUTCString() };
  return {
    status: fault.status,
    headers: { ...asked, ...fault.headers },
    body: fault.body ?? {
      ...faultBody(fault.status),
      ...(fault.tellsId === true && made !== undefined ? { id: made.id } : {}),
    },
  };
};

const sent = (request: IncomingMessage): JsonObject =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

/** undefined: the connection was cut, or nothing will ever come. */
const carryOut = async (
  part: Parts,
  asked: Asked,
  met: readonly Fault[],
  entry: OpenEntry,
  response: ServerResponse,
): Promise<Answer | undefined> => {
  const slow = pick(met, "slow");
  const hang = pick(met, "hang");
  const status = pick(met, "status");
  const cut = pick(met, "cut");
  const late = pick(met, "late");
  const redirect = pick(met, "redirect");
  if (slow !== undefined && slow.after !== true) await part.clock.sleep(slow.ms, part.closing);
  if (hang !== undefined && hang.after !== true) return undefined;
  if (cut?.at === "before" || late !== undefined) response.destroy();
  if (cut?.at === "before") return undefined;
  if (late !== undefined) {
    await part.clock.sleep(late.ms, part.closing);
    if (!part.closing.aborted) part.api.carryOut(asked, met, entry);
    return undefined;
  }
  if (status !== undefined && status.after !== true) return instead(status, part.clock.now(), undefined);
  if (redirect !== undefined)
    return { status: redirect.status ?? 307, headers: { location: redirect.to }, body: null };

  if (pick(met, "repeat") !== undefined) part.api.carryOut(asked, met, entry);
  const answer = part.api.carryOut(asked, met, entry);
  if (slow?.after === true) await part.clock.sleep(slow.ms, part.closing);
  if (hang !== undefined) return undefined;
  if (cut?.at === "after") response.destroy();
  if (cut?.at === "after") return undefined;
  if (status !== undefined) return instead(status, part.clock.now(), entry.effects.at(-1));
  const partial = pick(met, "partial");
  if (partial === undefined || !isJsonObject(answer.body)) return answer;
  const kept = Object.entries(answer.body).filter(([name]) => !partial.without.includes(name));
  return { ...answer, body: Object.fromEntries(kept) };
};

/** Logs, carries out and answers one request, with the faults it meets. */
export const handle = async (
  part: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const url = new URL(path, "http://cloud");
  const [version, kind = "", id = null, more] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const verb = version === "v1" && kind !== "" && more === undefined ? verbOf(method, id) : "other";
  const entry: OpenEntry = {
    n: part.entries.length + 1,
    at: part.clock.now(),
    verb,
    method,
    path,
    kind: kind === "" ? null : kind,
    key: null,
    ifMatch: request.headers["if-match"] ?? null,
    replayed: false,
    faults: [],
    effects: [],
    status: null,
  };
  part.entries.push(entry);
  const answered = async (answer: Answer, met: readonly Fault[] = []): Promise<void> => {
    if (response.destroyed) return;
    entry.status = answer.status;
    await reply(response, answer, met, part.clock);
  };
  const body = await bodyOf(request);
  if (part.token !== undefined && request.headers.authorization !== `Bearer ${part.token}`)
    return answered({ status: 401, headers: {}, body: { error: "who are you?" } });
  if (verb === "other") return answered({ status: 404, headers: {}, body: { error: "no such path" } });
  if (body === undefined) return answered({ status: 400, headers: {}, body: { error: "not a JSON object" } });
  const header = request.headers["idempotency-key"];
  entry.key = keyOf(typeof header === "string" ? header : undefined, body);
  const met = part.faults.of(verb, kind);
  entry.faults = met.map((fault) => fault.do);
  const asked: Asked = {
    verb,
    method,
    kind,
    id,
    query: url.searchParams,
    key: entry.key,
    ifMatch: entry.ifMatch,
    body,
  };
  if (pick(met, "echo") !== undefined)
    return answered(
      { status: 400, headers: {}, body: { error: "bad request", headers: sent(request), body } },
      met,
    );
  const answer = await carryOut(part, asked, met, entry, response);
  if (answer !== undefined) await answered(answer, met);
};
