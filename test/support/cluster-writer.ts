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

export interface Writer {
  readonly connection: Connection;
  send(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: JsonObject,
  ): Promise<Written>;
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
  const send: Writer["send"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request({
        method,
        host: connection.server.hostname,
        port: connection.server.port,
        path,
        headers: {
          ...(held.headers as Record<string, string>),
          accept: "application/json",
          "content-type": TYPES[method] ?? "application/json",
        },
        ...tlsOptions(connection),
        ...(held.cert === null ? {} : { cert: held.cert }),
        ...(held.key === null ? {} : { key: held.key }),
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            body: text.startsWith("{") ? JSON.parse(text) : { text },
          });
        });
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { connection, send };
};

/** Fails unless the server took it. */
export const written = async (writing: Promise<Written>): Promise<JsonObject> => {
  const { status, body } = await writing;
  if (status < 200 || status > 299) throw new Error(`the server answered ${status}: ${JSON.stringify(body)}`);
  return body;
};
