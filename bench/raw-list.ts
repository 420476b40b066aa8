/**
 * The yardstick: a plain client that walks lists to their ends, as a process of its own. It reads each page as JSON, since
 * that is how a client learns that more follows, and keeps nothing.
 *   node bench/raw-list.ts WAY PATH…
 *
 * WAY: a JSON file that says how to reach the server (`way.ts`). All lists are asked for at once, 500 items a page,
 * compressed, over kept connections: as asfound asks.
 */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { createGunzip } from "node:zlib";
import type { Way } from "./way.ts";

const [file = "", ...paths] = process.argv.slice(2);
const { server, token, ...keys } = JSON.parse(readFileSync(file, "utf8")) as Way;
const agent = new Agent({ keepAlive: true, ...keys });
const headers = {
  accept: "application/json",
  "accept-encoding": "gzip",
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
};

let bytes = 0;
const page = (path: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(new URL(path, server), { agent, headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${path}: ${reply.statusCode}`));
      const body = reply.headers["content-encoding"] === "gzip" ? reply.pipe(createGunzip()) : reply;
      const chunks: Buffer[] = [];
      body.on("data", (chunk: Buffer) => chunks.push(chunk));
      body.on("end", () => resolve(Buffer.concat(chunks)));
      body.on("error", reject);
    }).on("error", reject);
  });

const walk = async (path: string): Promise<number> => {
  let items = 0;
  let next: string | undefined = "";
  while (next !== undefined) {
    const token = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
    const body = await page(`${path}?limit=500${token}`);
    bytes += body.length;
    const list = JSON.parse(body.toString("utf8")) as {
      readonly metadata: { readonly continue?: string };
      readonly items: readonly unknown[];
    };
    items += list.items.length;
    next = list.metadata.continue || undefined;
  }
  return items;
};

const items = (await Promise.all(paths.map(walk))).reduce((sum, count) => sum + count, 0);
agent.destroy();
console.log(JSON.stringify({ items, bytes }));
