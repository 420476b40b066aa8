/**
 * The config that is bound: what was given beside the manifests, and the ConfigMaps that stand in them. Each has a name by
 * which it is known, a digest (C3), and from both its versioned name.
 */

import { configDigest } from "../../domain/config-digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import { type Fault, fieldOf } from "../manifest/fault.ts";
import { contentFault, textsIn } from "./content.ts";
import { faultAt, type Manifest } from "./manifest.ts";
import { CONFIG_MARK, isObjectName, isVersionOf, versionedName } from "./names.ts";
import { secretReason } from "./secret-looking.ts";
import { kindOf, textAt } from "./templates.ts";

/** Config that stands outside of the manifests. */
export interface GivenConfig {
  readonly name: string;
  /** null: that of whatever refers to it. */
  readonly namespace: string | null;
  /** `data` and `binaryData`. */
  readonly content: JsonObject;
  /** As a person gave it: `--from-file settings=conf`. */
  readonly from: string;
}

export interface Source {
  /** The name by which it is known. */
  readonly base: string;
  /** Empty: the one that it will be applied to. */
  readonly namespace: string;
  readonly digest: string;
  readonly versioned: string;
  readonly keys: ReadonlySet<string>;
  readonly from: string;
  readonly content: JsonObject;
  /** The manifest that it is; null: it is made. */
  readonly manifest: number | null;
  /** The name that the manifest has now. */
  readonly written: string | null;
}

/** The namespace that an object is in, as far as the manifests tell; empty: the one it will be applied to. */
export const namespaceOf = (object: JsonObject, usual: string | null): string => {
  const written = textAt(object, ["metadata", "namespace"]);
  return written ?? (usual === null ? "" : usual);
};

export const isConfigMap = (object: JsonObject): boolean => kindOf(object) === "ConfigMap.";

/** The name by which a ConfigMap of the manifests is known: a bound one carries it. */
const baseOf = (object: JsonObject): string => {
  const name = String(textAt(object, ["metadata", "name"]));
  const marked = textAt(object, ["metadata", "annotations", CONFIG_MARK]);
  return marked !== null && isVersionOf(name, marked) ? marked : name;
};

/** A ConfigMap whose name is that of its content, and whose content stays: as binding leaves it. */
export const isBoundConfig = (object: JsonObject): boolean => {
  if (!isConfigMap(object) || object["immutable"] !== true) return false;
  const base = textAt(object, ["metadata", "annotations", CONFIG_MARK]);
  const digest = configDigest(object);
  return (
    base !== null && digest !== null && versionedName(base, digest) === textAt(object, ["metadata", "name"])
  );
};

export const sourceIn = (
  manifest: Manifest,
  index: number,
  namespace: string,
): Source | { readonly fault: Fault } => {
  const { object, file } = manifest;
  const wrong = contentFault(object);
  if (wrong !== undefined) return { fault: faultAt(manifest, wrong.at, wrong.message) };
  const written = String(textAt(object, ["metadata", "name"]));
  if (!isObjectName(written))
    return { fault: faultAt(manifest, ["metadata", "name"], "no ConfigMap can have this name") };
  return { ...named(baseOf(object), object), namespace, from: file, manifest: index, written };
};

const named = (base: string, content: JsonObject) => {
  const digest = String(configDigest(content));
  return {
    base,
    digest,
    versioned: versionedName(base, digest),
    keys: new Set(textsIn(content).keys()),
    content,
  };
};

export const givenSource = ({
  name,
  content,
  from,
}: GivenConfig): Omit<Source, "namespace"> | { readonly fault: Fault } => {
  const fault = (field: string, message: string) => ({
    fault: { file: from, line: null, column: null, field, message },
  });
  if (!isObjectName(name)) return fault("", "no ConfigMap can have this name");
  const wrong = contentFault(content);
  if (wrong !== undefined) return fault(fieldOf(wrong.at.slice(1)), wrong.message);
  return { ...named(name, content), from, manifest: null, written: null };
};

/** Each key whose value looks like a secret and is not allowed, as `NAME/KEY` with the reason. */
export const secretsIn = (
  { base, content }: Source,
  allowed: ReadonlySet<string>,
): readonly { readonly key: string; readonly named: string; readonly why: string }[] =>
  [...textsIn(content)].flatMap(([key, text]) => {
    const named = `${base}/${key}`;
    if (text === null || allowed.has(named)) return [];
    const why = secretReason(key, text);
    return why === undefined ? [] : [{ key, named, why }];
  });
