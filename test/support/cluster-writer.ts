/** Writes to a cluster, for tests alone: what asfound asks with cannot, and what asfound changes with is its provider. */
import { request } from "node:https";
import { tlsOptions } from "../../src/adapters/cluster-https/agent.ts";
import { type Connection, chooseContext } from "../../src/adapters/cluster-https/connection.ts";
import { credentialsOf } from "../../src/adapters/cluster-https/credentials.ts";
import { loadKubeconfig } from "../../src/adapters/cluster-https/kubeconfig/load.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { JsonObject } from "../../src/domain/json.ts";

export interface Written {
  readonly status: number;
  readonly body: JsonObject;
}

/** A reply as it came. */
export interface Raw {
  readonly status: number;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  /** As UTF-8; of no use where it is encoded. */
  readonly text: string;
}

export interface Writer {
  readonly connection: Connection;
  /** With these headers in place of its own; an `authorization` replaces a certificate too. */
  raw(method: "GET" | "POST", path: string, headers?: Readonly<Record<string, string>>): Promise<Raw>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: JsonObject): Promise<Written>;
}

const TYPES: Readonly<Record<string, string>> = { PATCH: "application/merge-patch+json" };

export const writerFor = async (kubeconfig: string): Promise<Writer> => {
  const environment = {};
  const loaded = await loadKubeconfig({ explicit: kubeconfig, environment, workingDirectory: "/" });
  if ("fault" in loaded) throw new Error(loaded.fault);
  const chosen = await chooseContext(loaded, { context: null, namespace: null });
  if ("fault" in chosen) throw new Error(chosen.fault);
  const { connection } = chosen;
  const exec = { allow: [], show: () => undefined };
  const held = await credentialsOf({ connection, clock: systemClock, environment, exec }).hold(
    new AbortController().signal,
  );
  if ("fault" in held) throw new Error(held.fault);
  const exchange = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: JsonObject,
  ): Promise<Raw> =>
    new Promise((resolve, reject) => {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const own =
        "authorization" in headers ? {} : { cert: held.cert ?? undefined, key: held.key ?? undefined };
      const sent = request({
        method,
        host: connection.server.hostname,
        port: connection.server.port,
        path,
        headers: {
          ...(held.headers as Record<string, string>),
          accept: "application/json",
          ...headers,
          // Node frames the body of a DELETE only if it is told its length: else a server deletes without having read
          // the preconditions in it.
          ...(bytes === null ? {} : { "content-length": String(bytes.length) }),
        },
        ...tlsOptions(connection),
        ...own,
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"] ?? null,
            contentEncoding: response.headers["content-encoding"] ?? null,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      });
      sent.end(bytes ?? undefined);
    });
  const raw: Writer["raw"] = (method, path, headers = {}) => exchange(method, path, headers);
  const send: Writer["send"] = async (method, path, body) => {
    const type = TYPES[method] ?? "application/json";
    const { status, text } = await exchange(method, path, { "content-type": type }, body);
    return { status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
  };
  return { connection, send, raw };
};

/** Fails unless the server took it. */
export const written = async (writing: Promise<Written>): Promise<JsonObject> => {
  const { status, body } = await writing;
  if (status < 200 || status > 299) throw new Error(`the server answered ${status}: ${JSON.stringify(body)}`);
  return body;
};
