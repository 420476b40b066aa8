/**
 * Checksums that stand on a workload as annotations, and what they are digests of (L3).
 *
 * Laws: C7 one that cannot be recomputed from what was read is opaque: it explains a rollout, and says nothing of config. C3 what
 * can be: an object's digest, a key's, or the one over all ConfigMaps that the template takes (`checksumOf`). One on the
 * workload's own metadata rolls nothing: a rollout begins with a change of the Pod template.
 */
import { checksumOf } from "../../domain/config-digest.ts";
import type { Seen } from "../../domain/evidence.ts";
import { RESOURCES } from "../../domain/resource.ts";
import { parseTime } from "../../domain/time.ts";
import type { Case } from "../case.ts";
import { hint, OBJECT, type Path } from "../read.ts";
import { quoted } from "../words.ts";
import type { Consumption } from "./consumptions.ts";
import { type Content, contentOf, shortly } from "./content.ts";
import { spansOf } from "./held.ts";

export interface Checksum {
  readonly annotation: string;
  readonly on: "template" | "metadata";
  readonly path: Path;
  readonly of: Source;
  /** A sentence. */
  readonly says: string;
}

type Source =
  /** Of every ConfigMap that the template takes something from. */
  | { readonly kind: "all" }
  | { readonly kind: "object"; readonly name: string }
  | { readonly kind: "key"; readonly name: string; readonly key: string }
  /** Of what an object held before, as a recorder held it. */
  | { readonly kind: "earlier"; readonly name: string }
  | { readonly kind: "time" }
  | { readonly kind: "opaque" };

/** `own`: what the template takes; `podSpec`: where it stands in the target. */
export const checksumsOf = (
  given: Pick<Case, "target" | "collection" | "at">,
  podSpec: Path,
  own: readonly Consumption[],
): readonly Checksum[] => {
  const { target } = given;
  const onTemplate: Path = [...podSpec.slice(0, -1), "metadata", "annotations"];
  const onTop: Path = ["metadata", "annotations"];
  const taken = takenFrom(given, own);
  const template = candidatesAt(target, onTemplate);
  const there = new Set(template.map(([name]) => name));
  const top =
    onTemplate.length === onTop.length
      ? []
      : candidatesAt(target, onTop).filter(([name]) => !there.has(name));
  return [
    ...template.map(([name, value]): Checksum => {
      const of = sourceOf(value, taken, given);
      return {
        annotation: name,
        on: "template",
        path: [...onTemplate, name],
        of,
        says: says(name, value, of),
      };
    }),
    ...top.map(([name, value]): Checksum => {
      const of = sourceOf(value, taken, given);
      return {
        annotation: name,
        on: "metadata",
        path: [...onTop, name],
        of,
        says: `${quoted(name)} stands on the workload's own metadata, and not on its Pod template: a change of it rolls nothing, so it ties nothing`,
      };
    }),
  ];
};

/** Which of these references a checksum on the template ties to content that is there now. */
export const isTied = (
  { kind, name, keys }: Pick<Consumption, "kind" | "name" | "keys">,
  checksums: readonly Checksum[],
): boolean => {
  if (kind !== "ConfigMap") return false;
  const ties = checksums.filter(({ on }) => on === "template").map(({ of }) => of);
  if (ties.some((of) => of.kind === "all" || (of.kind === "object" && of.name === name))) return true;
  const tied = ties.flatMap((of) => (of.kind === "key" && of.name === name ? [of.key] : []));
  return keys !== null && keys.length > 0 && keys.every((key) => tied.includes(key));
};

interface Taken {
  readonly object: Seen;
  readonly content: Content;
}

const takenFrom = (
  { target, collection }: Pick<Case, "target" | "collection">,
  own: readonly Consumption[],
) => {
  const taken = new Map<string, Taken | null>();
  for (const { kind, name } of own) {
    if (kind !== "ConfigMap" || taken.has(name)) continue;
    const source = collection.object(RESOURCES.ConfigMap, target.namespace, name);
    const content = source.kind === "known" ? contentOf(source.value) : null;
    taken.set(name, source.kind === "known" && content !== null ? { object: source.value, content } : null);
  }
  return taken;
};

/** What looks like a checksum, or like what is written to make a rollout. */
const LIKE = /checksum|hash|digest|sha256|rollme|restarted|reloaded|timestamp/i;
const NOT: ReadonlySet<string> = new Set(["kubectl.kubernetes.io/last-applied-configuration"]);
const HEX = /^(?:sha256:)?([0-9a-f]{64})$/;

const candidatesAt = ({ raw }: Seen, path: Path): readonly (readonly [string, string])[] => {
  const annotations = hint(raw, path, OBJECT);
  if (annotations === undefined) return [];
  return Object.entries(annotations)
    .flatMap(([name, value]) =>
      typeof value === "string" && !NOT.has(name) && (LIKE.test(name) || HEX.test(value))
        ? [[name, value] as const]
        : [],
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
};

const sourceOf = (
  value: string,
  taken: ReadonlyMap<string, Taken | null>,
  given: Pick<Case, "collection" | "at">,
): Source => {
  const sha256 = HEX.exec(value)?.[1];
  if (sha256 === undefined) return isTime(value) ? { kind: "time" } : { kind: "opaque" };
  const known = [...taken].flatMap(([name, one]) => (one === null ? [] : [{ name, ...one }]));
  for (const { name, content } of known) if (content.sha256 === sha256) return { kind: "object", name };
  if (known.length === taken.size && known.length > 1) {
    const all = checksumOf(new Map(known.map(({ name, content }) => [name, content.sha256])));
    if (all === sha256) return { kind: "all" };
  }
  for (const { name, content } of known)
    for (const [key, digest] of content.keys) if (digest === sha256) return { kind: "key", name, key };
  const before = known.find(({ object }) => wasOf(object, sha256, given));
  return before === undefined ? { kind: "opaque" } : { kind: "earlier", name: before.name };
};

/** A recorder held the object with this digest, or a key of it. */
const wasOf = (
  object: Seen,
  sha256: string,
  { collection, at }: Pick<Case, "collection" | "at">,
): boolean => {
  const spans = spansOf(collection, "ConfigMap", object, at);
  return (
    spans.kind === "known" &&
    spans.value.some(
      ({ content }) =>
        content !== null && (content.sha256 === sha256 || [...content.keys.values()].includes(sha256)),
    )
  );
};

/** Of RFC 3339, or seconds or milliseconds since 1970. */
const isTime = (value: string): boolean => parseTime(value) !== undefined || /^1\d{9}(?:\d{3})?$/.test(value);

const says = (name: string, value: string, of: Source): string => {
  const what = quoted(name);
  switch (of.kind) {
    case "all":
      return `${what} is the digest over all ConfigMaps that the template takes, as they are now: it ties the template to them`;
    case "object":
      return `${what} is the digest of ConfigMap ${quoted(of.name)} as it is now: it ties the template to it`;
    case "key":
      return `${what} is the digest of ${quoted(of.key)} in ConfigMap ${quoted(of.name)} as it is now: it ties the template to that key`;
    case "earlier":
      return `${what} (${shortly(value.replace(/^sha256:/, ""))}) is a digest of what ConfigMap ${quoted(of.name)} held before, and it holds something else now`;
    case "time":
      return `${what} is a time: it explains a rollout, and not which config runs`;
    case "opaque":
      return `${what} is opaque: it cannot be recomputed from what was read, so that it explains a rollout, and not which config runs`;
  }
};
