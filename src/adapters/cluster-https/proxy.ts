/**
 * Which proxy a request goes through, as kubectl decides it: the cluster's own `proxy-url`, else HTTPS_PROXY or HTTP_PROXY
 * for what NO_PROXY does not name (the rules of Go's golang.org/x/net/http/httpproxy).
 */
import { BlockList, isIP } from "node:net";
import type { Environment } from "./kubeconfig/load.ts";

export type Proxy = { readonly proxy: URL | null } | { readonly fault: string };

const SPOKEN: ReadonlySet<string> = new Set(["http:", "https:", "socks5:", "socks5h:"]);

const first = (environment: Environment, ...names: readonly string[]): string =>
  names.map((name) => environment[name] ?? "").find((value) => value !== "") ?? "";

const isLoopback = (host: string): boolean => {
  if (host === "localhost") return true;
  return isIP(host) === 4 ? host.startsWith("127.") : host === "::1";
};

const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/** Whether `host` lies in an address range such as `10.0.0.0/8`. */
const inRange = (range: string, host: string): boolean => {
  const [network = "", bits = ""] = range.split("/");
  const [family, hostFamily] = [isIP(network), isIP(host)];
  if (family === 0 || family !== hostFamily || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
};

/** One item of NO_PROXY: `*`, a range, an address or a name, the last two with an optional port. */
const excludes = (item: string, host: string, port: string): boolean => {
  if (item === "*") return true;
  if (item.includes("/")) return inRange(item, host);
  const bracketed = /^\[(?<name>[^\]]+)\](?::(?<port>\d+))?$/.exec(item)?.groups;
  const plain = isIP(item) === 6 ? null : /^(?<name>[^:]+)(?::(?<port>\d+))?$/.exec(item)?.groups;
  const name = bracketed?.["name"] ?? plain?.["name"] ?? item;
  const wantedPort = bracketed?.["port"] ?? plain?.["port"];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (isIP(name) !== 0) return name === host;
  const suffix = name.startsWith("*.") ? name.slice(1) : name;
  if (suffix.startsWith(".")) return host.endsWith(suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
};

const spared = (server: URL, noProxy: string): boolean => {
  const host = server.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (isLoopback(host)) return true;
  const items = noProxy.toLowerCase().split(",");
  return items.some((item) => item.trim() !== "" && excludes(item.trim(), host, portOf(server)));
};

/** `configured`: the cluster's `proxy-url`, which NO_PROXY does not concern. The fault is one sentence. */
export const proxyFor = (server: URL, configured: string | null, environment: Environment): Proxy => {
  const fromEnvironment =
    server.protocol === "https:"
      ? first(environment, "HTTPS_PROXY", "https_proxy")
      : first(environment, "HTTP_PROXY", "http_proxy");
  const text = configured ?? fromEnvironment;
  const source = configured === null ? "the environment's proxy" : "the cluster's proxy-url";
  if (text === "") return { proxy: null };
  if (configured === null && spared(server, first(environment, "NO_PROXY", "no_proxy")))
    return { proxy: null };
  const full = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(full)) return { fault: `${source} is not a URL; check it` };
  const proxy = new URL(full);
  if (SPOKEN.has(proxy.protocol)) return { proxy };
  return {
    fault: `${source} is of the kind ${proxy.protocol.slice(0, -1)}, which asfound does not speak; use an HTTP or SOCKS 5 proxy`,
  };
};
