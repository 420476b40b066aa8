/** A request to the fake API server that is to become something else: the same door, and a reply only where it is refused. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { forbiddenMessage, mayDo } from "./access.ts";
import { type Asked, askedOf } from "./asked.ts";
import { execute } from "./exec.ts";
import { type ApiFault, met } from "./fault.ts";
import { entryOf, type Parts, userOf } from "./handle.ts";
import type { OpenApiEntry } from "./log.ts";
import { type Answer, forbidden, noSuchPath, notFound, unauthorized } from "./status.ts";

export const handleUpgrade = (part: Parts, request: IncomingMessage, socket: Duplex): void => {
  socket.on("error", () => undefined);
  // Node's server does not count it as a connection of its own any more.
  socket.on("end", () => socket.end());
  part.closing.addEventListener("abort", () => socket.destroy());
  const path = request.url ?? "/";
  const asked = askedOf("GET", new URL(path, "https://api-server"), part.discovery.resources);
  const faults = part.faults.of("get", asked.served?.resource ?? null, path, false);
  const entry = entryOf(part, { asked, faults, request, verb: "get" });
  if (met(faults, "hang") !== undefined) return;
  const refusal = upgraded(part, { request, socket, asked, faults, entry });
  entry.status = refusal === null ? 101 : refusal.status;
  if (refusal !== null) refuse(socket, refusal);
};

interface Coming {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly asked: Asked;
  readonly faults: readonly ApiFault[];
  readonly entry: OpenApiEntry;
}

/** null: it is one now. */
const upgraded = (part: Parts, { request, socket, asked, faults, entry }: Coming): Answer | null => {
  const user = userOf(part.users, request);
  if (user === undefined) return unauthorized;
  entry.user = user.name;
  const { served, namespace } = asked;
  const name = asked.name ?? "";
  if (served === null || served.resource !== "pods/exec") return noSuchPath;
  if (!mayDo(user, asked)) return forbidden(served, name, forbiddenMessage(user, asked));
  const pod = { ...served, resource: "pods" };
  const { objects } = part.world;
  if (objects.get({ served: pod, namespace, name }, objects.revision) === undefined)
    return notFound(pod, name);
  const files = part.files.get(JSON.stringify([namespace, name, asked.query.get("container")]));
  const isCut = met(faults, "cut") !== undefined;
  return execute(request, socket, asked, files === undefined ? new Map() : files, isCut);
};

const refuse = (socket: Duplex, { status, headers, body }: Answer): void => {
  const [text, type] =
    typeof body === "string" ? [body, "text/plain"] : [`${JSON.stringify(body)}\n`, "application/json"];
  const said = Object.entries({
    "content-type": type,
    ...headers,
    "content-length": String(Buffer.byteLength(text)),
  });
  const lines = said.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines}\r\n${text}`);
};
