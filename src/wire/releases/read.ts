/** A written release, read back: what does not fit in every field is a fault, never a release with less in it. */

import { objectDigest } from "../../domain/config-digest.ts";
import { instant } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Release, ReleasedConfig } from "../../domain/release.ts";
import { canonicalJson } from "../canonical.ts";
import { sha256Hex } from "../digest.ts";
import { releaseSchema } from "./schema.ts";

/** By object (`KIND/NAME`), then by key: the exact bytes. */
export type Contents = ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;

/** The fault is a clause. */
export const readRelease = (
  value: JsonValue,
  report: JsonObject,
  contents: Contents,
): Release | { readonly fault: string } => {
  const parsed = releaseSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { fault: `release.json is no release of this version: ${issueText(issue)}` };
  }
  const { data } = parsed;
  const { apiVersion, ...target } = data.target;
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const template = data.template as JsonObject;
  if (sha256Hex(canonicalJson(template)) !== data.templateDigest)
    return { fault: "its templateDigest is not the digest of its template" };
  if (sha256Hex(canonicalJson(report)) !== data.verdict)
    return { fault: "report.json is not the report that release.json names by its digest" };
  const config: ReleasedConfig[] = [];
  for (const one of data.config) {
    const keys = new Map(one.keys.map(({ key, digest }) => [key, digest]));
    const content = one.kind === "Secret" ? null : (contents.get(one.name) ?? new Map());
    const fault = content === null ? undefined : contentFault({ ...one, keys, content });
    if (fault !== undefined) return { fault };
    config.push({ ...one, keys, content });
  }
  const { apiVersion: _, kind: __, template: ___, removed, provenAt, ...rest } = data;
  return {
    ...rest,
    template,
    provenAt: instant(Date.parse(provenAt)),
    target: { group, version, ...target },
    removed: new Map(removed.map(({ pointer, digest }) => [pointer, digest])),
    config,
  };
};

const contentFault = ({ name, keys, digest, content }: ReleasedConfig): string | undefined => {
  const held = content === null ? new Map<string, Uint8Array>() : content;
  const names = new Set([...keys.keys(), ...held.keys()]);
  for (const key of names) {
    const bytes = held.get(key);
    if (bytes === undefined) return `the content of key ${key} of ConfigMap ${name} is not there`;
    if (sha256Hex(bytes) !== keys.get(key))
      return `the content of key ${key} of ConfigMap ${name} is not what release.json names by its digest`;
  }
  return objectDigest(keys) === digest
    ? undefined
    : `the digest of ConfigMap ${name} is not that of its keys in release.json`;
};

const issueText = (
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string =>
  issue === undefined
    ? "a field does not fit"
    : `${issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `}${issue.message}`;
