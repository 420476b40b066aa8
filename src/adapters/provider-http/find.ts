/**
 * Looks for our keys in a list, page by page. Every item is compared here, exactly: a server's filter is a wish (op-17).
 * Only a list that was read to its end says that nothing is there; one that was cut short is no answer (R2).
 */
import type { JsonValue } from "../../domain/json.ts";
import { idText } from "./body.ts";
import { expand, placeholders } from "./placeholder.ts";
import { at } from "./pointer.ts";
import { type Document, getJson, type Line, nameOf, urlOf } from "./read.ts";
import type { FindSpec, NextAt } from "./spec.ts";

const MAX_PAGES = 1_000;

export type Found =
  /** Id → the item. Empty: every page was read, and nothing matched. */
  | { readonly kind: "found"; readonly items: ReadonlyMap<string, JsonValue> }
  | { readonly kind: "denied" | "failed" | "timed-out" | "not-asked"; readonly reason: string };

export const asksForKey = (find: FindSpec): boolean =>
  placeholders(find.path).includes("key") ||
  Object.values(find.match).some((value) => typeof value === "string" && placeholders(value).includes("key"));

/** The value itself, or a list (tags) that holds it. */
const stands = (there: JsonValue | undefined, wanted: JsonValue): boolean =>
  there === wanted || (Array.isArray(there) && there.includes(wanted));

const fits = (item: JsonValue, match: FindSpec["match"], key: string | null): boolean =>
  Object.entries(match).every(([pointer, wanted]) =>
    stands(at(item, pointer), typeof wanted === "string" && key !== null ? expand(wanted, { key }) : wanted),
  );

/** null: this was the last page. */
const nextUrl = (
  page: Extract<Document, { kind: "document" }>,
  next: NextAt,
): { readonly url: URL | null } | { readonly fault: string } => {
  const link = /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(page.headers["link"] ?? "")?.[1];
  if (next.by === "none")
    return link === undefined ? { url: null } : { fault: "names a next page, but 'next' says there is none" };
  if (next.by === "link") return resolved(link ?? null, page.url);
  const named = at(page.value, next.pointer) ?? null;
  if (next.by === "url") return resolved(named, page.url);
  const token =
    typeof named === "number"
      ? idText(named)
      : typeof named === "string" && named !== ""
        ? named.toWellFormed()
        : null;
  if (token === null)
    return named === null || named === "" ? { url: null } : { fault: "names a page token that is no text" };
  const url = new URL(page.url);
  url.searchParams.set(next.query, token);
  return { url };
};

const resolved = (named: JsonValue, from: URL): { readonly url: URL | null } | { readonly fault: string } => {
  if (named === null || named === "") return { url: null };
  if (typeof named !== "string" || !URL.canParse(named, from.href))
    return { fault: "names a next page that is no URL" };
  const url = new URL(named, from.href);
  return url.origin === from.origin
    ? { url }
    : { fault: `names a next page on another origin (${url.origin})` };
};

const search = async (
  line: Line,
  find: FindSpec,
  key: string | null,
  into: Map<string, JsonValue>,
): Promise<Found | undefined> => {
  const first = urlOf(line.spec, find.path, key === null ? {} : { key });
  if ("fault" in first) return { kind: "failed", reason: first.fault };
  const seen = new Set<string>();
  let url: URL | null = first.url;
  while (url !== null) {
    const what = `the list ${nameOf("GET", url)}`;
    if (seen.has(url.href)) return { kind: "failed", reason: `${what} leads back to a page already read` };
    if (seen.size >= MAX_PAGES)
      return { kind: "failed", reason: `${what} has more than ${MAX_PAGES} pages; narrow 'find.path' down` };
    seen.add(url.href);
    const page: Document = await getJson(line, url, find.headers);
    // A list that is not there is a wrong path, or hidden: no answer about the thing.
    if (page.kind === "missing")
      return { kind: "failed", reason: `the list itself is not there: ${page.reason}` };
    if (page.kind !== "document") return page;
    const items = at(page.value, find.items);
    if (!Array.isArray(items)) return { kind: "failed", reason: `${what} has no list at '${find.items}'` };
    for (const item of items as readonly JsonValue[]) {
      if (!fits(item, find.match, key)) continue;
      const id = idText(at(item, find.id));
      if (id === null)
        return { kind: "failed", reason: `${what} shows a match without an id at '${find.id}'` };
      into.set(id, item);
    }
    const next = nextUrl(page, find.next);
    if ("fault" in next) return { kind: "failed", reason: `${what} ${next.fault}` };
    url = next.url;
  }
  return undefined;
};

export const findAll = async (line: Line, find: FindSpec, keys: readonly string[]): Promise<Found> => {
  const asked: readonly (string | null)[] = asksForKey(find) ? keys : [null];
  if (asked.length === 0)
    return { kind: "not-asked", reason: "no key of ours was ever sent, so there is nothing to look for" };
  const items = new Map<string, JsonValue>();
  for (const key of asked) {
    const failed = await search(line, find, key, items);
    if (failed !== undefined) return failed;
  }
  return { kind: "found", items };
};
