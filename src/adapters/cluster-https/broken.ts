/** Why a connection failed or broke, from the system's and OpenSSL's codes, as a clause. */
import { tlsWords } from "../../wire/tls-words.ts";
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

export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && !("code" in error)) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "";
};

export const brokenBy = (error: unknown): Broken => {
  if (error instanceof ProxyRefusal) return { kind: "proxy", why: error.message };
  const code = codeOf(error);
  const way = UNREACHABLE[code];
  if (way !== undefined) return { kind: "unreachable", why: `${way} (${code})` };
  const tls = tlsWords(code);
  if (tls !== undefined) return { kind: "tls", why: tls };
  if (code.startsWith("HPE_")) return { kind: "cut", why: `the reply is not valid HTTP (${code})` };
  return {
    kind: "cut",
    why: `the connection broke before a whole reply came${code === "" ? "" : ` (${code})`}`,
  };
};
