/**
 * What a server's bytes can mean at best, told without the code under test and without Node's HTTP parser: a reader of
 * status line, headers and body of its own, and the tables of docs/guide/http-provider.md as conditions.
 */
import type { Outcome, Reading } from "../../../src/domain/outcome.ts";
import type { Exchange } from "./http-lie.ts";
import type { Lie } from "./lying-server.ts";

interface Said {
  readonly status: number;
  readonly head: string;
  /** undefined: no JSON. */
  readonly json: unknown;
  /** All of the body came, as far as anybody can tell. */
  readonly whole: boolean;
}

const NO_BODY = new Set([204, 304]);

/** The final reply in the bytes; null when there is none. */
const saidBy = ({ chunks }: Lie): Said | null => {
  let rest = Buffer.concat(chunks);
  for (;;) {
    // Empty lines before a reply are allowed to a robust reader (RFC 9112, 2.2).
    while (rest[0] === 0x0d || rest[0] === 0x0a) rest = rest.subarray(1);
    const end = rest.indexOf("\r\n\r\n");
    const lax = rest.indexOf("\n\n");
    if (end < 0 && lax < 0) return null;
    const cut = end < 0 || (lax >= 0 && lax < end) ? lax + 2 : end + 4;
    const head = rest.toString("latin1", 0, cut);
    const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return null;
    rest = rest.subarray(cut);
    if (status >= 100 && status < 200 && status !== 101) continue;
    const body = bodyOf(head, status, rest);
    return { status, head, json: jsonOf(body), whole: body !== null };
  }
};

const valuesOf = (head: string, name: string): string[] =>
  [...head.matchAll(new RegExp(`^${name}[ \\t]*:[ \\t]*([^\\r\\n]*)`, "gim"))].map(([, value]) =>
    String(value).replace(/[ \t]+$/, ""),
  );

/** null: it was cut off. */
const bodyOf = (head: string, status: number, rest: Buffer): Buffer | null => {
  if (NO_BODY.has(status)) return Buffer.alloc(0);
  const codings = valuesOf(head, "transfer-encoding").join(",").toLowerCase();
  if (/(^|,)[ \t]*chunked$/.test(codings)) return unchunked(rest);
  if (codings !== "") return rest;
  const [length] = valuesOf(head, "content-length");
  if (length === undefined) return rest;
  const bytes = Number(length);
  return rest.length < bytes ? null : rest.subarray(0, bytes);
};

const unchunked = (rest: Buffer): Buffer | null => {
  const parts: Buffer[] = [];
  for (let from = 0; ; ) {
    const newline = rest.indexOf("\n", from);
    const digits = newline < 0 ? undefined : /^[\da-f]+/i.exec(rest.toString("latin1", from, newline))?.[0];
    if (digits === undefined) return null;
    const size = Number.parseInt(digits, 16);
    if (size === 0) return Buffer.concat(parts);
    const part = rest.subarray(newline + 1, newline + 1 + size);
    if (part.length < size) return null;
    parts.push(part);
    from = newline + 1 + size + (rest[newline + 1 + size] === 0x0d ? 2 : 1);
  }
};

const jsonOf = (body: Buffer | null): unknown => {
  if (body === null) return undefined;
  try {
    return JSON.parse(body.toString("utf8").replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
};

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (found, key) => (Object.hasOwn(Object(found), key) ? Object(found)[key] : undefined),
    value,
  );

const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 426, 428,
  429, 431, 451,
]);

/** Why the outcome is better than what the server said; undefined when it is not. */
export const outcomeFault = (
  exchange: Exchange,
  served: readonly Lie[],
  outcome: Outcome,
): string | undefined => {
  if (exchange.means !== null && outcome.kind !== exchange.means)
    return `an undamaged reply means ${exchange.means}, and was read as ${outcome.kind}`;
  const [lie, ...more] = served;
  if (lie === undefined) return "nothing was ever sent to the server";
  // Sent again only after a 429, which is the last reply's business then.
  const said = saidBy(more.at(-1) ?? lie);
  if (more.length > 0 && saidBy(lie)?.status !== 429) return "a changing request was sent a second time";
  if (outcome.kind === "failed") return "read as failed, which no reply says";
  const id = outcome.kind === "refused" ? null : outcome.id;
  if (id !== null && said !== null && !names(said, id))
    return `the id ${JSON.stringify(id)} is not one that it named`;
  if (outcome.kind === "unknown") return undefined;
  if (said === null) return `read as ${outcome.kind}, and there is no reply`;
  if (!said.whole) return `read as ${outcome.kind}, and the reply was cut off`;
  const isGone = exchange.asked === "destroy" && (said.status === 404 || said.status === 410);
  if (outcome.kind === "refused")
    return REFUSALS.has(said.status) ? undefined : `read as refused, and the status is ${said.status}`;
  if (!isGone && ![200, 201, 202, 204].includes(said.status))
    return `read as done, and the status is ${said.status}`;
  if (exchange.asked === "create" && id === null) return "read as done, and nobody knows what was made";
  return undefined;
};

const names = ({ json, head }: Said, id: string): boolean => {
  const inBody = at(json, "id");
  if (inBody === id || String(inBody) === id) return true;
  return valuesOf(head, "location").some(
    (value) => value.includes(id) || value.includes(encodeURIComponent(id)),
  );
};

const isRedirect = (lie: Lie): boolean => {
  const said = saidBy(lie);
  return said !== null && said.status >= 300 && said.status < 400;
};

/** The same for a reading: absence and presence only by a whole reply that says so (R2). */
export const readingFault = (
  { asked, means }: Exchange,
  served: readonly Lie[],
  reading: Reading,
  key: string,
): string | undefined => {
  if (means !== null && reading.kind !== means)
    return `an undamaged reply means ${means}, and was read as ${reading.kind}`;
  if (reading.kind === "failed" || reading.kind === "timed-out" || reading.kind === "not-asked")
    return undefined;
  const replies = served.filter((lie) => !isRedirect(lie)).map(saidBy);
  const last = replies.at(-1);
  if (last === undefined || last === null) return `read as ${reading.kind}, and there is no reply`;
  if (!last.whole) return `read as ${reading.kind}, and the reply was cut off`;
  if (reading.kind === "denied")
    return last.status === 401 || last.status === 403
      ? undefined
      : `read as denied, and the status is ${last.status}`;
  if (asked === "get") {
    if (reading.kind === "absent")
      return last.status === 404 || last.status === 410
        ? undefined
        : `read as absent, and the status is ${last.status}`;
    if (last.status < 200 || last.status > 299 || last.json === undefined)
      return `read as ${reading.kind}, out of status ${last.status} and no JSON`;
    return declaredFault(reading, last.json);
  }
  const items: unknown[] = [];
  for (const page of replies) {
    const found = at(page?.json, "items");
    if (page === null || page === undefined || !page.whole || !Array.isArray(found))
      return `read as ${reading.kind}, out of a page that is no list`;
    items.push(...found);
  }
  const ours = items.filter((item) => {
    const label = at(item, "labels", "asfound-key");
    return label === key || (Array.isArray(label) && label.includes(key));
  });
  const ids = new Set(ours.map((item) => String(at(item, "id"))));
  if (reading.kind === "absent")
    return ids.size === 0 ? undefined : "read as absent, and it stands in the list";
  if (reading.kind === "ambiguous") return ids.size > 1 ? undefined : "read as ambiguous, and one matches";
  if (ids.size !== 1) return `read as observed, and ${ids.size} match`;
  return declaredFault(reading, ours.at(-1));
};

const declaredFault = (reading: Reading, thing: unknown): string | undefined => {
  if (reading.kind !== "observed" || reading.asDeclared.kind !== "known") return undefined;
  if (!reading.asDeclared.value) return undefined;
  return at(thing, "size") === "s"
    ? undefined
    : `read as declared, and its size is ${JSON.stringify(at(thing, "size"))}`;
};
