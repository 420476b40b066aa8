/** What a server may answer: right replies, and right replies that were damaged on their way. */
import type { JsonObject } from "../../../src/domain/json.ts";
import { damaged, pieces } from "./damage.ts";
import type { Dice } from "./dice.ts";
import type { Lie } from "./lying-server.ts";

/** What is asked of the provider. `list` looks for the thing by its key, `get` by its id. */
export type Asked = "create" | "create by Location" | "update" | "destroy" | "get" | "list";

export interface Exchange {
  readonly asked: Asked;
  readonly lies: readonly Lie[];
  /** What undamaged replies mean; null where they were damaged. */
  readonly means: string | null;
}

const ASKED: readonly Asked[] = [
  "create",
  "create",
  "create by Location",
  "update",
  "destroy",
  "get",
  "list",
];
const STATUSES = [
  200, 200, 200, 201, 201, 202, 203, 204, 301, 307, 400, 401, 403, 404, 404, 408, 409, 410, 412, 422, 424,
  429, 500, 502, 503, 504, 299, 599, 600, 999,
];
const REFUSALS = [400, 401, 403, 404, 410, 412, 422, 429];

const words = (...texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text));
const WORDS = words(
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 201 Created\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 404 Not Found\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
  "HTTP/1.0 ",
  "HTTP/0.9 ",
  "HTTP/2 ",
  " 200 ",
  " 404 ",
  " 500 ",
  "\r\n",
  "\r\n\r\n",
  "\n",
  "\r",
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "-1\r\n",
  "Content-Length: 0\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: identity\r\n",
  "Content-Encoding: gzip\r\n",
  "Location: /p1/machines/m-2\r\n",
  "Location: http://[::1/\r\n",
  "Location: //elsewhere.example/x\r\n",
  "Location: %00\r\n",
  "Retry-After: 600\r\n",
  "X: \u0000\r\n",
  " folded\r\n",
  '{"id":"m-2"}',
  '"id":"m-2"',
  '"id":""',
  '"id":null',
  '"id":{}',
  '"items":[]',
  '"items":{}',
  '"items":null',
  '"next":"/p1/machines?page=2"',
  '"next":"http://127.0.0.1:1/x"',
  '"size":"s"',
  '"size":"x"',
  '"status":"ready"',
  "null",
  "[]",
  "{",
  "}",
  '"',
  "\\",
  "\ufeff",
  "[".repeat(80),
);
WORDS.push(Buffer.from([0xff]), Buffer.from([0x1f, 0x8b]));

const bodyOf = (
  dice: Dice,
  asked: Asked,
  status: number,
  key: string,
): { body: JsonObject; shows: string } => {
  const size = dice.once(4) ? "x" : "s";
  const thing = { id: "m-1", size, status: "ready", labels: { "asfound-key": key } };
  if (status >= 300) return { body: { error: "no" }, shows: "nothing" };
  if (asked !== "list") return { body: thing, shows: "it" };
  const other = { ...thing, id: "m-0", labels: { "asfound-key": `${key}0` } };
  const [items, shows] = dice.pick<[JsonObject[], string]>([
    [[], "nothing"],
    [[other], "nothing"],
    [[other, thing], "it"],
    [[thing, { ...thing, id: "m-3" }], "two"],
  ]);
  return { body: { items, next: null }, shows };
};

const meaningOf = (asked: Asked, status: number, shows: string): string => {
  if (asked === "get" || asked === "list") {
    if (asked === "get" && (status === 404 || status === 410)) return "absent";
    if (status === 401 || status === 403) return "denied";
    if (status > 299 || status === 204) return "failed";
    return { it: "observed", two: "ambiguous", nothing: "absent" }[shows] ?? "failed";
  }
  if (asked === "destroy" && (status === 404 || status === 410)) return "done";
  if (REFUSALS.includes(status)) return "refused";
  if (![200, 201, 202, 204].includes(status)) return "unknown";
  return "done";
};

const framed = (dice: Dice, status: number, headers: readonly string[], body: Buffer): Buffer => {
  const lines = [`HTTP/1.1 ${status} X`, ...headers];
  const way = status === 204 ? 3 : dice.below(3);
  if (way === 0) lines.push(`Content-Length: ${body.length}`);
  if (way === 1) lines.push("Transfer-Encoding: chunked");
  const head = Buffer.from(
    `${dice.once(20) ? "HTTP/1.1 100 Continue\r\n\r\n" : ""}${lines.join("\r\n")}\r\n\r\n`,
  );
  if (way === 3) return head;
  if (way !== 1) return Buffer.concat([head, body]);
  const chunks = pieces(dice, body).flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([head, ...chunks, Buffer.from("0\r\n\r\n")]);
};

/** `key`: the one that the question or the intent carries. */
export const exchangeOf =
  (key: string) =>
  (dice: Dice): Exchange => {
    const asked = dice.pick(ASKED);
    const isRead = asked === "get" || asked === "list";
    // A status that HTTP does not have is no reply to a reader, and a redirect needs where to.
    const status = dice.pick(isRead ? STATUSES.filter((one) => one < 600 && one !== 429) : STATUSES);
    const { body, shows } = bodyOf(dice, asked, status, key);
    const headers = [
      "Content-Type: application/json",
      ...(asked === "create by Location" ? ["Location: /v1/machines/m-1"] : []),
      ...(status === 429 ? ["Retry-After: 600"] : []),
    ];
    const whole = framed(dice, status, headers, Buffer.from(JSON.stringify(body)));
    const isDamaged = !dice.once(4);
    const bytes = isDamaged ? damaged(dice, whole, WORDS) : whole;
    const then = dice.once(60) ? "hold" : dice.once(8) ? "cut" : "end";
    const named = asked === "create" && status === 204 ? "unknown" : meaningOf(asked, status, shows);
    const lie: Lie = { chunks: pieces(dice, bytes), then };
    return { asked, lies: [lie], means: isDamaged || then !== "end" ? null : named };
  };
