/** A proxy that did not open the way, as a clause: "the proxy 10.0.0.1:3128 refused the way (407)". */
export class ProxyRefusal extends Error {
  readonly code = "ASFOUND_PROXY";

  /** What a proxy did, or a system error on the way to it. */
  static from(error: unknown, proxy: URL): ProxyRefusal {
    if (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError"))
      return new ProxyRefusal(`the proxy ${proxy.host} did not open the way in time`, { cause: error });
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const why = error instanceof ProxyRefusal ? error.message : `cannot be reached (${code})`;
    return new ProxyRefusal(`the proxy ${proxy.host} ${why}`, { cause: error });
  }
}
