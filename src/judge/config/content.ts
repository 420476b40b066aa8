/** What a ConfigMap or Secret holds, by digest (C3), and as a person expects it. */

import type { ExpectedConfig } from "../../domain/config.ts";
import { keyDigests, objectDigest } from "../../domain/config-digest.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Inquiry } from "../inquiry.ts";
import { type Path, valueAt } from "../read.ts";
import { quoted } from "../words.ts";

export interface Content {
  /** Of the object, in hex. */
  readonly sha256: string;
  readonly keys: ReadonlyMap<string, string>;
}

const made = new WeakMap<JsonObject, Content | null>();

/** null: something in it is neither text nor base64. Made once for each object. */
export const contentOf = ({ raw }: Pick<Seen, "raw">): Content | null => {
  const known = made.get(raw);
  if (known !== undefined) return known;
  const keys = keyDigests(raw);
  const content = keys === null ? null : { sha256: objectDigest(keys), keys };
  made.set(raw, content);
  return content;
};

/** The fields that its content is in. */
export const contentPaths = ({ raw }: Pick<Seen, "raw">): readonly Path[] =>
  ["data", "binaryData"].flatMap((field) => (valueAt(raw, [field]) === undefined ? [] : [[field]]));

export const citeContent = (inquiry: Inquiry, object: Seen): void => {
  for (const path of contentPaths(object)) inquiry.cite(object, path);
};

/** `sha256:1f0c2b…` as it is told in a sentence: the first twelve digits tell contents apart. */
export const shortly = (sha256: string): string => `sha256:${sha256.slice(0, 12)}…`;

/** `sha256:1f0c… (v1)`. */
export const expectedText = ({ sha256, version }: ExpectedConfig): string =>
  `${shortly(sha256)}${version === null ? "" : ` (${quoted(version)})`}`;
