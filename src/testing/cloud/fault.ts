/** What the cloud can do wrong, on which call, and how a call is matched. Each fault has a control test. */
import type { JsonObject, JsonValue } from "../../domain/json.ts";

export type Verb = "create" | "list" | "get" | "update" | "delete";

/** `after: true` everywhere: the effect has happened before things go wrong. */
export type Fault =
  /** Waits, before it does anything or between the effect and the reply. */
  | { readonly do: "slow"; readonly ms: number; readonly after?: boolean }
  /** Never replies. */
  | { readonly do: "hang"; readonly after?: boolean }
  /** Drops the connection: before the effect, after it, or after half of the reply's body. */
  | { readonly do: "cut"; readonly at: "before" | "after" | "middle" }
  /** Drops the connection at once; the effect happens `ms` later. */
  | { readonly do: "late"; readonly ms: number }
  /** Replies with this status instead. */
  | {
      readonly do: "status";
      readonly status: number;
      readonly after?: boolean;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: JsonValue;
      /** With `after`: the body names what was made, as `id` beside its error (op-20). */
      readonly tellsId?: boolean;
      /** Adds Retry-After as seconds, or as an HTTP date so many ms from now. */
      readonly retryAfter?: { readonly seconds: number } | { readonly dateInMs: number };
    }
  /** A proxy in between sends the request a second time: the effect twice, as far as keys allow, and the second reply. */
  | { readonly do: "repeat" }
  /** Replies twice over one connection: what follows the first reply is nobody's. */
  | { readonly do: "reply-twice" }
  /** Replies with 400 and all that it was sent: headers, secrets among them, and the body (op-25). Does nothing. */
  | { readonly do: "echo" }
  /** Replies with a redirect and does nothing. `to` is a path or a URL. */
  | { readonly do: "redirect"; readonly to: string; readonly status?: number }
  /** A GET or list shows the world as it was `ms` ago: what is new is missing, what is deleted still shows. */
  | { readonly do: "stale"; readonly ms: number }
  /** Leaves these fields out of the reply's object. */
  | { readonly do: "partial"; readonly without: readonly string[] }
  /** After the effect: a body that is not JSON, too many bytes, another content type. */
  | { readonly do: "garbage" }
  | { readonly do: "huge"; readonly bytes: number }
  | { readonly do: "content-type"; readonly type: string }
  /** Sends the body a few bytes at a time. */
  | { readonly do: "drip"; readonly bytes: number; readonly everyMs: number }
  /** A list matches labels by prefix only, so it shows other people's objects too. */
  | { readonly do: "loose-filter" }
  /** A list always names this as its next page. */
  | { readonly do: "next"; readonly url: string }
  /** An asynchronous create ends in `error`. */
  | { readonly do: "fail-later" };

export interface FaultRule {
  /** Absent: every kind. */
  readonly kind?: string;
  /** Absent: every verb. */
  readonly verb?: Verb;
  /** Which of the calls that match, from 1; absent: all. */
  readonly nth?: number | readonly number[];
  readonly fault: Fault;
}

/** Counts the matching calls of each rule. */
export interface Faults {
  set(rules: readonly FaultRule[]): void;
  /** The faults of this call; counts it. */
  of(verb: Verb, kind: string): readonly Fault[];
}

export const faultsOf = (initial: readonly FaultRule[]): Faults => {
  let rules = initial.map((rule) => ({ rule, seen: 0 }));
  return {
    set: (next) => {
      rules = next.map((rule) => ({ rule, seen: 0 }));
    },
    of: (verb, kind) => {
      const found: Fault[] = [];
      for (const entry of rules) {
        if (entry.rule.kind !== undefined && entry.rule.kind !== kind) continue;
        if (entry.rule.verb !== undefined && entry.rule.verb !== verb) continue;
        entry.seen += 1;
        const { nth } = entry.rule;
        const which = typeof nth === "number" ? [nth] : nth;
        if (which === undefined || which.includes(entry.seen)) found.push(entry.rule.fault);
      }
      return found;
    },
  };
};

/** The fault of that kind among those of a call. */
export const pick = <D extends Fault["do"]>(
  faults: readonly Fault[],
  what: D,
): Extract<Fault, { readonly do: D }> | undefined =>
  faults.find((fault): fault is Extract<Fault, { readonly do: D }> => fault.do === what);

/** A fault reply's body. */
export const faultBody = (status: number): JsonObject => ({ error: `fault: answered ${status} on purpose` });
