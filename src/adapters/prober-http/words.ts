/** Why no reply came, as a clause. */
import { isUntrusted, tlsWords } from "../../wire/tls-words.ts";

/** Never an answer of anybody's, by what Node calls it. */
export const UNREACHABLE: ReadonlySet<string> = new Set([
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENETDOWN",
]);

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** `isNamed`: whether a person named the authorities that are trusted. */
export const wordFor = (error: unknown, isNamed: boolean): string => {
  const code = codeOf(error);
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ECONNRESET") return "the connection was cut";
  if (UNREACHABLE.has(code)) return `it cannot be reached (${code})`;
  const tls = tlsWords(code);
  if (tls !== undefined && isUntrusted(code))
    return isNamed
      ? `${tls}: none of those in the file named by ca`
      : `${tls}; its authority can be named (--ca FILE)`;
  if (tls !== undefined) return tls;
  return error instanceof Error ? `${error.message.slice(0, 200)} (${code})` : code;
};

export const lateWord = (deadlineMs: number): string => `no reply within ${Math.ceil(deadlineMs)} ms`;
