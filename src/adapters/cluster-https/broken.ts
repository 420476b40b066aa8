/** Why a connection failed or broke, from the system's and OpenSSL's codes, as a clause. */
import { ProxyRefusal } from "./proxy-refusal.ts";

export interface Broken {
  readonly kind: "unreachable" | "tls" | "proxy" | "cut";
  readonly why: string;
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up just now",
  ECONNREFUSED: "nothing listens there",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ETIMEDOUT: "it did not take the connection in time",
};

const UNTRUSTED = "its certificate is not signed by an authority that is trusted here";
const TLS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  // Clusters made with one tool have authorities of one name: this is one that was made anew.
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself, and not trusted here",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; look at this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && !("code" in error)) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "";
};

export const brokenBy = (error: unknown): Broken => {
  if (error instanceof ProxyRefusal) return { kind: "proxy", why: error.message };
  const code = codeOf(error);
  const way = UNREACHABLE[code];
  if (way !== undefined) return { kind: "unreachable", why: `${way} (${code})` };
  const tls = TLS[code];
  if (tls !== undefined) return { kind: "tls", why: `${tls} (${code})` };
  if (/^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO|HOSTNAME_|INVALID_)|^EPROTO$/.test(code))
    return { kind: "tls", why: `no TLS connection came about (${code})` };
  if (code.startsWith("HPE_")) return { kind: "cut", why: `the reply is not valid HTTP (${code})` };
  return {
    kind: "cut",
    why: `the connection broke before a whole reply came${code === "" ? "" : ` (${code})`}`,
  };
};
