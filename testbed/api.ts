/** The administrator's own connection to the API server. Runs in the testbed's network. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { TestbedFault } from "./fault.ts";
import { authorityOf, certificateOf, keyOf } from "./keys.ts";
import type { Place } from "./place.ts";

export interface ApiReply {
  readonly status: number;
  readonly text: string;
}

export interface Api extends Disposable {
  /** Any https URL of this machine. Rejects when nobody answers. */
  get(url: string): Promise<ApiReply>;
  /** Makes an object below `path`; resolves to it as the API server has it now. */
  create<T>(path: string, object: object): Promise<T>;
}

const TIMEOUT_MS = 20_000;
/** Connections; more only wait for each other. */
const SOCKETS = 32;

export const openApi = (place: Place): Api => {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: SOCKETS,
    ca: readFileSync(authorityOf(place)),
    cert: readFileSync(certificateOf(place, "admin")),
    key: readFileSync(keyOf(place, "admin")),
  });
  const ask = (method: string, url: string, body?: string): Promise<ApiReply> =>
    new Promise((resolve, reject) => {
      // Controller manager and scheduler make certificates of their own, which nobody signed.
      const rejectUnauthorized = url.startsWith(API);
      const headers = { "content-type": "application/json" };
      const options = { agent, method, headers, timeout: TIMEOUT_MS, rejectUnauthorized };
      const asked = request(url, options, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        reply.once("error", reject);
        reply.once("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      });
      asked.once("timeout", () => asked.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      asked.once("error", reject);
      asked.end(body);
    });
  return {
    get: (url) => ask("GET", url),
    create: async <T>(path: string, object: object) => {
      const { status, text } = await ask("POST", `${API}${path}`, JSON.stringify(object));
      if (status !== 201)
        throw new TestbedFault(
          "failed",
          `the API server answered POST ${path} with ${status}: ${text.slice(0, 300)}`,
        );
      return JSON.parse(text) as T;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
};

export const API = "https://127.0.0.1:6443";
