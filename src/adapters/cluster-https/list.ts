/**
 * A whole list, page by page, as it was at one moment. A page that does not fit the others, a list that breaks off, a
 * token that has expired again and again: each is a failure, never a shorter list (R2), for a complete list proves what
 * is absent (V5).
 *
 * The next page is asked for before the one that came is read, so that the server works while we do.
 */
import { setImmediate as otherWork } from "node:timers/promises";
import type { JsonObject } from "../../domain/json.ts";
import type {
  CollectionRef,
  Exchange,
  ListForm,
  ListKept,
  ListPage,
  ListReading,
  PageSink,
  ReadFailure,
  StreamReading,
} from "../../ports/cluster.ts";
import { type Answer, ask, type Caller, objectIn } from "./ask.ts";
import { failure } from "./failure.ts";
import { ACCEPTED, type Page, pageOf, tokenAhead } from "./list-page.ts";
import { collectionPath, isSegment, nameOfCollection } from "./name.ts";

/** As kubectl asks. */
const PAGE_ITEMS = 500;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** A token lasts five minutes, so a list that expires twice will do it again: the last try asks for all of it at once. */
const MAX_RESTARTS = 2;

/** At one moment no two objects of a kind have one name in one namespace. */
const placeOf = ({ metadata }: JsonObject): string => {
  const { namespace, name } = metadata as JsonObject;
  return JSON.stringify([namespace ?? null, name ?? null]);
};

/** Why a page does not belong to those before it. `again`: another walk may well be whole. */
interface Misfit {
  readonly again: boolean;
  readonly reason: ReadFailure["reason"];
  readonly why: string;
}

/** The pages of one walk so far; held here, unless they go to a sink. */
class Gathered {
  readonly items: JsonObject[] = [];
  readonly pages: ListPage[] = [];
  resourceVersion: string | null = null;
  readonly #isHeld: boolean;
  #pageCount = 0;
  #itemCount = 0;
  readonly #seen = new Set<string>();
  readonly #tokens = new Set<string>();
  #bytes = 0;

  constructor(isHeld: boolean) {
    this.#isHeld = isHeld;
  }

  /** `bytes`: of its body, which the exchange may not have any more. */
  add(page: Page, exchange: Exchange, bytes: number): Misfit | null {
    this.#pageCount += 1;
    this.#itemCount += page.items.length;
    if (this.#isHeld) this.pages.push({ exchange, items: page.items });
    this.#bytes += bytes;
    if (this.#bytes > MAX_LIST_BYTES)
      return {
        again: false,
        reason: "too-large",
        why: `it has more than ${MAX_LIST_BYTES} bytes; narrow it down`,
      };
    if (this.#pageCount > 1 && page.resourceVersion !== this.resourceVersion)
      return { again: true, reason: "inconsistent", why: "its pages are from different moments" };
    this.resourceVersion = page.resourceVersion;
    for (const item of page.items) {
      this.#seen.add(placeOf(item));
      if (this.#isHeld) this.items.push(item);
    }
    if (this.#seen.size < this.#itemCount)
      return { again: true, reason: "inconsistent", why: "it shows one object twice" };
    if (page.next !== null && this.#tokens.has(page.next))
      return {
        again: false,
        reason: "inconsistent",
        why: "it does not end: a page leads back to an earlier one",
      };
    if (page.next !== null) this.#tokens.add(page.next);
    return null;
  }
}

interface Asked {
  readonly caller: Caller;
  readonly ref: CollectionRef;
  readonly kept: ListKept;
  readonly what: string;
  /** All exchanges of this reading so far; each walk adds its own. */
  readonly exchanges: Exchange[];
  /** null: the pages are held. */
  readonly sink: PageSink | null;
  readonly form: ListForm;
}

const askForPage = (
  { caller, ref, what, form }: Asked,
  limit: number | null,
  token: string | null,
): Promise<Answer> => {
  const { group, resource } = ref.resource;
  return ask(caller, {
    what,
    path: collectionPath(ref, {
      ...(limit === null ? {} : { limit: String(limit) }),
      ...(token === null ? {} : { continue: token }),
    }),
    accept: ACCEPTED[form],
    maxBytes: MAX_PAGE_BYTES,
    right: { verb: "list", group, resource, namespace: ref.namespace, name: null },
  });
};

/** A page that was asked for before it was known whether it is wanted. */
interface Ahead {
  readonly token: string;
  readonly answer: Promise<Answer>;
  /** Ends it; resolves with the exchanges that it took. */
  end(): Promise<readonly Exchange[]>;
}

const askAhead = (asked: Asked, limit: number | null, token: string): Ahead => {
  const { allowance } = asked.caller;
  const ended = new AbortController();
  const signal = AbortSignal.any([allowance.signal, ended.signal]);
  const caller = { ...asked.caller, allowance: { ...allowance, signal } };
  const answer = askForPage({ ...asked, caller }, limit, token);
  return {
    token,
    answer,
    end: async () => {
      ended.abort();
      return (await answer).exchanges;
    },
  };
};

type Walk =
  | { readonly kind: "whole"; readonly gathered: Gathered }
  | { readonly kind: "broken"; readonly again: boolean; readonly failure: ReadFailure };

type Read = Pick<Page, "next" | "items"> | Extract<Walk, { kind: "broken" }>;

const NO_BYTES = new Uint8Array();

/** Reads what came as the next page of a walk. */
const readPage = (asked: Asked, gathered: Gathered, came: Answer): Read => {
  const { ref, what, kept, exchanges, form } = asked;
  const broken = (failed: ReadFailure, again = false): Read => ({
    kind: "broken",
    again,
    failure: { ...failed, exchanges },
  });
  const answer = objectIn(came, what, kept.writers);
  const released = kept.bytes || answer.kind !== "object" ? answer.exchanges : answer.exchanges.map(empty);
  exchanges.push(...released);
  // 410: the moment of the first page is forgotten. The token for the rest that comes with it is from another one.
  if (answer.kind === "other") return broken(answer.failure, answer.last.status === 410);
  if (answer.kind !== "object") return broken(answer);
  const page = pageOf(answer.object, ref, form);
  if ("why" in page) return broken(failure(what, page.reason, page.why, exchanges));
  const misfit = gathered.add(page, released.at(-1) as Exchange, answer.last.body.length);
  if (misfit !== null) return broken(failure(what, misfit.reason, misfit.why, exchanges), misfit.again);
  return page;
};

const empty = (exchange: Exchange): Exchange => ({ ...exchange, body: NO_BYTES });

/** From the first page to the last; `limit`: items a page, null: all in one. */
const walk = async (asked: Asked, limit: number | null): Promise<Walk> => {
  const gathered = new Gathered(asked.sink === null);
  await asked.sink?.begin();
  let coming = askForPage(asked, limit, null);
  for (;;) {
    const answer = await coming;
    const token = answer.kind === "replied" ? tokenAhead(answer.last) : null;
    const ahead = token === null ? null : askAhead(asked, limit, token);
    // It has to be on its way before the reading, which lets nothing else happen.
    if (ahead !== null) await otherWork();
    const page = readPage(asked, gathered, answer);
    const isWanted = ahead !== null && "next" in page && page.next === ahead.token;
    if (ahead !== null && !isWanted) asked.exchanges.push(...(await ahead.end()));
    if (!("next" in page)) return page;
    await asked.sink?.page(page.items);
    if (page.next === null) return { kind: "whole", gathered };
    coming = isWanted ? ahead.answer : askForPage(asked, limit, page.next);
  }
};

export const listObjects = async (
  caller: Caller,
  ref: CollectionRef,
  kept: ListKept,
): Promise<ListReading> => {
  const read = await walkAgain(caller, ref, { kept, sink: null, form: "whole" });
  if (!("gathered" in read)) return read;
  const { items, resourceVersion, pages } = read.gathered;
  return { kind: "observed", items, resourceVersion, pages, exchanges: read.exchanges };
};

export const streamObjects = async (
  caller: Caller,
  ref: CollectionRef,
  sink: PageSink,
  form: ListForm,
): Promise<StreamReading> => {
  const kept = { bytes: false, writers: form === "whole" };
  const read = await walkAgain(caller, ref, { kept, sink, form });
  if (!("gathered" in read)) return read;
  return { kind: "observed", resourceVersion: read.gathered.resourceVersion, exchanges: read.exchanges };
};

const walkAgain = async (
  caller: Caller,
  ref: CollectionRef,
  how: Pick<Asked, "kept" | "sink" | "form">,
): Promise<{ readonly gathered: Gathered; readonly exchanges: readonly Exchange[] } | ReadFailure> => {
  const what = nameOfCollection(ref);
  if (ref.namespace !== null && (!ref.resource.namespaced || !isSegment(ref.namespace)))
    return failure(what, "invalid-name", "it is in no such namespace", []);
  const asked: Asked = { caller, ref, ...how, what, exchanges: [] };
  for (let restarts = 0; ; restarts += 1) {
    const walked = await walk(asked, restarts === MAX_RESTARTS ? null : PAGE_ITEMS);
    if (walked.kind === "whole") return { gathered: walked.gathered, exchanges: asked.exchanges };
    if (!walked.again || restarts === MAX_RESTARTS) return walked.failure;
  }
};
