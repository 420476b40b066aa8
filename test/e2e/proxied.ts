/** Requests to a Pod or a Service through the API server's proxy: the way that is there on every cluster. */

import type { JsonObject } from "../../src/domain/json.ts";
import { type Writer, type Written, writerFor } from "../support/cluster-writer.ts";

let writer: Promise<Writer> | undefined;

/** `object`: `pods/NAME:PORT` or `services/NAME:PORT`. */
export const askProxied = async (
  method: "GET" | "PATCH" | "POST",
  namespace: string,
  object: string,
  path: string,
  body?: JsonObject,
): Promise<Written> => {
  writer ??= writerFor(String(process.env["KUBECONFIG"]));
  const { raw, send } = await writer;
  const url = `/api/v1/namespaces/${namespace}/${object}/proxy${path}`;
  if (method === "PATCH") return await send(method, url, body);
  const { status, text } = await raw(method, url);
  return { status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
};
