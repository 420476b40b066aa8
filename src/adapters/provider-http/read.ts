/** A GET: follows redirects on the same origin only, waits when asked to, and never turns a failure into an absence (R2). */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Reached } from "../../domain/crash-point.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Clock } from "../../ports/clock.ts";
import { waitMs } from "../../wire/retry-after.ts";
import { jsonOf, quote } from "./body.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { exchange, type Head, type Reply } from "./exchange.ts";
import { expandPath, type Values } from "./placeholder.ts";
import type { Headers, HttpSpec } from "./spec.ts";

/** One read may take this long, waits included. */
const READ_MS = 30_000;
const MAX_REDIRECTS = 5;

/** What every request of one call shares. */
export interface Line {
  readonly clock: Clock;
  readonly reached: Reached;
  readonly budget: Budget;
  readonly spec: HttpSpec;
  /** The text of `ca`; null when the usual certificates are trusted. */
  readonly caText: string | null;
}

/** Reads `ca`. The fault is a sentence. */
export const caOf = async (
  spec: HttpSpec,
  baseDirectory: string,
): Promise<{ readonly text: string | null } | { readonly fault: string }> => {
  if (spec.ca === null) return { text: null };
  try {
    return { text: await readFile(resolve(baseDirectory, spec.ca), "utf8") };
  } catch {
    return { fault: `the certificates in ${spec.ca} cannot be read; check 'ca'` };
  }
};

export const urlOf = (
  spec: HttpSpec,
  path: string,
  values: Values,
): { readonly url: URL } | { readonly fault: string } => {
  const expanded = expandPath(path, values);
  if ("fault" in expanded) return expanded;
  const text = spec.base + expanded.path;
  return URL.canParse(text) ? { url: new URL(text) } : { fault: "base and path make no URL" };
};

/** For messages: without the query, which may hold a secret. */
export const nameOf = (method: string, url: URL): string => `${method} ${url.pathname} at ${url.host}`;

export type Read =
  | { readonly kind: "reply"; readonly reply: Reply; readonly url: URL }
  /** 404 or 410. */
  | { readonly kind: "missing"; readonly status: number; readonly reason: string }
  | { readonly kind: "denied" | "failed" | "timed-out"; readonly reason: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where a reply points to, if that is on the same origin. */
export const sameOrigin = (
  headers: Head["headers"],
  from: URL,
): { readonly url: URL } | { readonly fault: string } => {
  const location = headers["location"];
  if (location === undefined || !URL.canParse(location, from.href))
    return { fault: "without a Location that can be read" };
  const url = new URL(location, from.href);
  return url.origin === from.origin
    ? { url }
    : { fault: `to another origin (${url.origin}), where our headers must not go` };
};

export const get = async (line: Line, url: URL, headers: Headers): Promise<Read> => {
  const budget = budgetOf(line.clock, Math.min(READ_MS, line.budget.leftMs()), line.budget.signal);
  try {
    return await follow({ ...line, budget }, url, {
      accept: "application/json",
      ...line.spec.headers,
      ...headers,
    });
  } finally {
    budget.end();
  }
};

const follow = async (line: Line, first: URL, headers: Headers): Promise<Read> => {
  const { clock, reached, budget } = line;
  let url = first;
  let hops = 0;
  let turns = 0;
  for (;;) {
    const what = nameOf("GET", url);
    const came = await exchange(
      { method: "GET", url, headers, body: null, ca: line.caText },
      { clock, reached, budget },
    );
    if (came.kind === "too-large")
      return { kind: "failed", reason: `${what}: the reply has more than 8 MiB` };
    if (came.kind !== "reply")
      return { kind: came.over === "time" ? "timed-out" : "failed", reason: `${what}: ${came.reason}` };

    const { status } = came;
    if (REDIRECTS.has(status)) {
      const next = sameOrigin(came.headers, url);
      hops += 1;
      if ("fault" in next) return { kind: "failed", reason: `${what} was redirected ${next.fault}` };
      if (hops > MAX_REDIRECTS)
        return { kind: "failed", reason: `${what} was redirected more than ${MAX_REDIRECTS} times` };
      url = next.url;
      continue;
    }
    if (status === 429) {
      turns += 1;
      const wait = waitMs(came.headers["retry-after"], clock.now(), turns);
      if (wait >= budget.leftMs())
        return {
          kind: "failed",
          reason: `${what} was turned away by a rate limit that asks to wait ${Math.ceil(wait / 1_000)} s`,
        };
      await clock.sleep(wait, budget.signal);
      continue;
    }
    const said = quote(came.body, headers);
    if (status === 404 || status === 410)
      return { kind: "missing", status, reason: `${what} answered ${status}.${said}` };
    if (status === 401 || status === 403)
      return { kind: "denied", reason: `${what} answered ${status}.${said}` };
    if (status < 200 || status > 299 || status === 206)
      return { kind: "failed", reason: `${what} answered ${status}.${said}` };
    return { kind: "reply", reply: came, url };
  }
};

export type Document =
  | { readonly kind: "document"; readonly value: JsonValue; readonly headers: Headers; readonly url: URL }
  | Exclude<Read, { kind: "reply" }>;

/** A GET whose reply must be JSON. */
export const getJson = async (line: Line, url: URL, headers: Headers): Promise<Document> => {
  const read = await get(line, url, headers);
  if (read.kind !== "reply") return read;
  const json = jsonOf(read.reply);
  if ("fault" in json)
    return {
      kind: "failed",
      reason: `${nameOf("GET", url)} answered ${read.reply.status}, but ${json.fault}`,
    };
  return { kind: "document", value: json.value, headers: read.reply.headers, url: read.url };
};
