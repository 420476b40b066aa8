/**
 * Reads `${secret.env.NAME}` and `${secret.file.PATH}` (ports/secrets.ts). Symbolic links are followed, since mounted
 * secrets are links; an empty value is a fault, since it is nearly always a secret that CI did not pass on.
 */
import { resolve } from "node:path";
import type { Secrets } from "../../ports/secrets.ts";
import { printable } from "../../wire/redact/printable.ts";
import { readPlain } from "./read-file.ts";

const MAX_BYTES = 1024 * 1024;

/** `baseDirectory`: the stack file's folder. `environment` is read at each call, so that a test may give its own. */
export const systemSecrets = (
  baseDirectory: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Secrets => ({
  env(name) {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value === undefined)
      return { fault: `the environment variable ${name} is not set; set it, and run again` };
    if (value === "")
      return { fault: `the environment variable ${name} is empty; give it the secret, and run again` };
    return { value };
  },
  async file(path) {
    const named = `the secret file ${printable(path)}`;
    const read = readPlain(resolve(baseDirectory, path), MAX_BYTES);
    if ("fault" in read) return { fault: `${named} cannot be read: ${read.fault}` };
    const text = decoded(read.bytes);
    if (text === undefined) return { fault: `${named} is not UTF-8 text` };
    const value = text.replace(/\r?\n$/, "");
    if (value === "") return { fault: `${named} is empty; put the secret in it` };
    return { value };
  },
});

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
