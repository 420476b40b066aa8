/** What a fake API server can do wrong, on which request. Each has a control test. */
import type { JsonObject } from "../../domain/json.ts";
import type { Verb } from "./asked.ts";

/** `after: true`: the effect has happened before things go wrong. */
export type ApiFault =
  | { readonly do: "slow"; readonly ms: number; readonly after?: boolean }
  /** Never replies. */
  | { readonly do: "hang"; readonly after?: boolean }
  /** Drops the connection: before the effect, after it, or after half of the body. */
  | { readonly do: "cut"; readonly at: "before" | "after" | "middle" }
  /** Whole HTTP, half a body of JSON: a proxy that gave up and did not say so. */
  | { readonly do: "half" }
  /** Replies with this instead; `body` is sent as it is. Default: 200, `application/json`. */
  | {
      readonly do: "reply";
      readonly body: string;
      readonly status?: number;
      readonly contentType?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
      readonly after?: boolean;
    }
  | { readonly do: "redirect"; readonly to: string }
  /** 429; `retryAfter`: the header, or none. */
  | { readonly do: "throttle"; readonly retryAfter: string | null }
  /** 503 without a Status, as the aggregator says it of an API that is not there. */
  | { readonly do: "unavailable"; readonly retryAfter: string | null }
  /** Shows the world as it was so many changes ago: a cache that lags. */
  | { readonly do: "stale"; readonly revisions: number }
  /** RFC 7396 over the reply's object: another kind, a missing field, a string where a number belongs. */
  | { readonly do: "twist"; readonly patch: JsonObject }
  /** A page with only the first so many items; `silent`: without a word that more would follow. */
  | { readonly do: "shorten"; readonly items: number; readonly silent?: boolean }
  /** The continue token is too old: 410, with a token for the rest from another moment. */
  | { readonly do: "expire" }
  /** Every page leads to this token again. */
  | { readonly do: "circle" }
  /** Padding in a JSON string: too large, or a megabyte of gzip that holds far more. */
  | { readonly do: "huge"; readonly bytes: number; readonly gzip?: boolean }
  /** Says that its body is encoded so, and sends it as it is. */
  | { readonly do: "encoding"; readonly name: string }
  /** The Date header is off by so much. */
  | { readonly do: "skew"; readonly ms: number }
  /** Sends the body in pieces of so many bytes. */
  | { readonly do: "drip"; readonly bytes: number; readonly everyMs: number };

export interface ApiFaultRule {
  /** Absent: every one. */
  readonly verb?: Verb;
  /** The plural; absent: every one. */
  readonly resource?: string;
  /** The path begins so. */
  readonly path?: string;
  /** true: dry runs only; false: none of them; absent: both. */
  readonly dryRun?: boolean;
  /** Which of the requests that match, from 1; absent: all. */
  readonly nth?: number | readonly number[];
  readonly fault: ApiFault;
}

export interface ApiFaults {
  set(rules: readonly ApiFaultRule[]): void;
  /** The faults of this request; counts it. */
  of(verb: Verb, resource: string | null, path: string, isDryRun: boolean): readonly ApiFault[];
}

const matches = (
  rule: ApiFaultRule,
  verb: Verb,
  resource: string | null,
  path: string,
  isDryRun: boolean,
): boolean =>
  (rule.dryRun === undefined || rule.dryRun === isDryRun) &&
  (rule.verb === undefined || rule.verb === verb) &&
  (rule.resource === undefined || rule.resource === resource) &&
  (rule.path === undefined || path.startsWith(rule.path));

export const apiFaults = (initial: readonly ApiFaultRule[]): ApiFaults => {
  let rules = initial.map((rule) => ({ rule, seen: 0 }));
  return {
    set: (next) => {
      rules = next.map((rule) => ({ rule, seen: 0 }));
    },
    of: (verb, resource, path, isDryRun) =>
      rules.flatMap((entry) => {
        if (!matches(entry.rule, verb, resource, path, isDryRun)) return [];
        entry.seen += 1;
        const { nth } = entry.rule;
        const which = typeof nth === "number" ? [nth] : nth;
        return which === undefined || which.includes(entry.seen) ? [entry.rule.fault] : [];
      }),
  };
};

export const met = <D extends ApiFault["do"]>(
  faults: readonly ApiFault[],
  what: D,
): Extract<ApiFault, { readonly do: D }> | undefined =>
  faults.find((fault): fault is Extract<ApiFault, { readonly do: D }> => fault.do === what);
