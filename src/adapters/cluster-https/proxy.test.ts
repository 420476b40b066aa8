/** The rules of Go's httpproxy, which kubectl follows; its documentation gives the meaning of each item. */
import { describe, expect, it } from "vitest";
import { proxyFor } from "./proxy.ts";

const PROXY = "http://proxy.example:3128";
const chosen = (server: string, environment: Record<string, string>, configured: string | null = null) =>
  proxyFor(new URL(server), configured, environment);
const isProxied = (server: string, noProxy: string): boolean => {
  const proxy = chosen(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy });
  return "proxy" in proxy && proxy.proxy !== null;
};

describe("which proxy", () => {
  it.each<[string, string, string, boolean]>([
    ["no exception", "https://10.0.0.1:6443", "", true],
    ["everything", "https://10.0.0.1:6443", "*", false],
    ["its address", "https://10.0.0.1:6443", "10.0.0.2,10.0.0.1", false],
    ["another address", "https://10.0.0.1:6443", "10.0.0.10", true],
    ["its range", "https://10.0.0.1:6443", "10.0.0.0/8", false],
    ["another range", "https://10.0.0.1:6443", "10.1.0.0/16", true],
    ["a range that is none", "https://10.0.0.1:6443", "10.0.0.0/99", true],
    ["a range of the other family", "https://10.0.0.1:6443", "fd00::/8", true],
    ["an IPv6 range", "https://[fd00::1]:6443", "fd00::/8", false],
    ["an IPv6 address", "https://[fd00::1]:6443", "fd00::1", false],
    ["an IPv6 address and port", "https://[fd00::1]:6443", "[fd00::1]:6443", false],
    ["its address and port", "https://10.0.0.1:6443", "10.0.0.1:6443", false],
    ["its address and another port", "https://10.0.0.1:6443", "10.0.0.1:443", true],
    ["its name", "https://api.example.com", "api.example.com", false],
    ["its name in other letters", "https://API.example.com", "api.EXAMPLE.com", false],
    ["the name above it", "https://api.example.com", "example.com", false],
    ["a name that only ends alike", "https://apiexample.com", "example.com", true],
    ["the names below", "https://api.example.com", ".example.com", false],
    ["the names below, and it is that itself", "https://example.com", ".example.com", true],
    ["the names below with a star", "https://api.example.com", "*.example.com", false],
    ["the usual port, written out", "https://api.example.com", "example.com:443", false],
    ["blanks and empty items", "https://10.0.0.1:6443", " , 10.0.0.1 ,", false],
    ["loopback", "https://127.0.0.1:6443", "", false],
    ["another loopback", "https://127.8.8.8:6443", "", false],
    ["IPv6 loopback", "https://[::1]:6443", "", false],
    ["localhost", "https://localhost:6443", "", false],
  ])("NO_PROXY: %s", (_name, server, noProxy, expected) => {
    expect(isProxied(server, noProxy)).toBe(expected);
  });

  it("the cluster's own proxy-url comes first, and NO_PROXY does not concern it", () => {
    const environment = { HTTPS_PROXY: PROXY, NO_PROXY: "*" };
    expect(chosen("https://127.0.0.1:6443", environment, "http://own:8080")).toEqual({
      proxy: new URL("http://own:8080"),
    });
  });

  it("variables in lower case count, an empty one is none, and http has its own", () => {
    expect(chosen("https://10.0.0.1", { HTTPS_PROXY: "", https_proxy: "proxy:1" })).toEqual({
      proxy: new URL("http://proxy:1"),
    });
    expect(chosen("https://10.0.0.1", { HTTP_PROXY: PROXY })).toEqual({ proxy: null });
    expect(chosen("http://10.0.0.1", { HTTP_PROXY: PROXY })).toEqual({ proxy: new URL(PROXY) });
  });

  it.each([
    ["socks4://127.0.0.1:1080", "of the kind socks4"],
    ["http://", "is not a URL"],
  ])("what cannot be spoken is said: %s", (text, why) => {
    expect(chosen("https://10.0.0.1", {}, text)).toEqual({ fault: expect.stringContaining(why) });
  });
});
