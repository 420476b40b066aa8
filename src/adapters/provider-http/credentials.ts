/**
 * A credential written into the file would be stored with every intent, so it is a fault; a reference is not. Names of
 * headers decide: `authorization` and the like, and what looks like a secret by its last word.
 */
import { looksSecret } from "../../domain/secret-name.ts";
import type { InputFault } from "../../ports/provider.ts";
import { isReference } from "./fields.ts";
import type { Headers, HttpSpec } from "./spec.ts";

const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-auth",
]);

/** Only for a `with` as written: once resolved, every credential is a literal. */
export const writtenCredentials = (spec: HttpSpec): readonly InputFault[] => {
  const { create, update, destroy, compensate, owed, observe } = spec;
  const places: readonly (readonly [readonly string[], { readonly headers: Headers } | null | undefined])[] =
    [
      [[], spec],
      [["create"], create],
      [["update"], update],
      [["destroy"], destroy],
      [["compensate"], compensate],
      [["owed"], owed],
      [["observe", "get"], observe?.get],
      [["observe", "find"], observe?.find],
    ];
  return places.flatMap(([path, holder]) =>
    Object.entries(holder?.headers ?? {})
      .filter(([name, value]) => (CREDENTIALS.has(name) || looksSecret(name)) && !isReference(value))
      .map(([name]) => ({
        path: [...path, "headers", name],
        message: `the header '${name}' is a credential and must not stand in the file; write \${secret.env.NAME} or \${secret.file.PATH}`,
      })),
  );
};
