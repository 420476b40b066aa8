/**
 * One GET through the API server's proxy to a Pod or Service. Whatever the app answers is its reply, a 503 too, so nothing is
 * waited out or asked again; what the API server says of itself (a Status) is none.
 */
import type { Exchange, ProxyReading, ProxyRef } from "../../ports/cluster.ts";
import { type Caller, over, unsent } from "./ask.ts";
import { failure, refusalOf } from "./failure.ts";
import { isSegment } from "./name.ts";
import { send } from "./send.ts";
import { statusOf } from "./status.ts";

const MAX_BODY_BYTES = 1024 * 1024;

const pathOf = ({ resource, namespace, name, scheme, port, path }: ProxyRef): string => {
  const target = `${scheme === "https" ? "https:" : ""}${name}:${port}`;
  return `/api/v1/namespaces/${namespace}/${resource}/${target}/proxy${path}`;
};

/** What is the API server's own is not passed on as the app's. */
const OWN = new Set([
  "audit-id",
  "cache-control",
  "x-kubernetes-pf-flowschema-uid",
  "x-kubernetes-pf-prioritylevel-uid",
]);

export const askThroughProxy = async (caller: Caller, ref: ProxyRef): Promise<ProxyReading> => {
  const { line, credentials, allowance } = caller;
  const { resource, namespace, name } = ref;
  const what = `${resource}/${name} in namespace ${namespace} through the API server`;
  if (!isSegment(name) || !isSegment(namespace))
    return failure(what, "invalid-name", "no object can have that name or namespace", []);
  const exchanges: Exchange[] = [];
  for (let isRenewed = false; ; isRenewed = true) {
    if (allowance.over() !== null) return over(caller, what, exchanges);
    const held = await credentials.hold(allowance.signal);
    if ("fault" in held) return failure(what, "credentials", held.fault, exchanges);
    const sent = await send(
      line,
      { path: pathOf(ref), accept: "*/*", maxBytes: MAX_BODY_BYTES, held, extra: ref.headers },
      allowance.signal,
    );
    exchanges.push(sent.exchange);
    if (sent.kind !== "replied") return unsent(caller, what, sent, exchanges);
    const { exchange, headers } = sent;
    if (statusOf(exchange) === null)
      return { kind: "replied", status: exchange.status ?? 0, headers: appHeaders(headers), exchange };
    if (exchange.status === 401 && !isRenewed && credentials.refused(held)) continue;
    const right = { verb: "get" as const, group: "", resource: `${resource}/proxy`, namespace, name };
    return refusalOf(
      { what, right, host: line.connection.server.host, secrets: held.secrets },
      exchanges,
      null,
    );
  }
};

const appHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));
