/**
 * In what two releases differ: images as they ran, fields of the template, config by object and key. Pure. The same images
 * with other config are half the same release, and that is said.
 *
 * Laws: equal digests are equal content, whatever the object's UID (C4: that is told apart); keyed digests of two keys tell
 * nothing of each other, and what was not read on one side is no difference and no sameness (V3).
 */
import type { JsonValue } from "../../domain/json.ts";
import type { Release, ReleasedConfig, ReleasedImage } from "../../domain/release.ts";
import { sameCluster } from "../../domain/same-release.ts";
import { DIGEST, shortPath, valueText } from "../changes.ts";
import { differencesOf } from "../differences.ts";
import { counted, listed } from "../words.ts";
import { type LineDifference, lineDifference } from "./lines.ts";

/** `open`: it cannot be compared. */
export type Compared = "same" | "differs" | "added" | "removed" | "open";

export interface ImageDifference {
  readonly container: string;
  readonly compared: Compared;
  readonly was: ReleasedImage | null;
  readonly is: ReleasedImage | null;
}

export interface FieldDifference {
  readonly path: string;
  readonly compared: "differs" | "open";
  /** null: not there. What is never written says so. */
  readonly was: string | null;
  readonly is: string | null;
}

export interface KeyDifference {
  readonly key: string;
  readonly compared: Exclude<Compared, "same" | "open">;
  /** null: its content is no text, or was not kept. */
  readonly lines: LineDifference | null;
}

export interface ConfigDifference {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly compared: Compared;
  /** In one cluster: another object stands under the name. */
  readonly recreated: boolean;
  /** What there is to know beside the digests, each a clause. */
  readonly says: readonly string[];
  readonly was: string | null;
  readonly is: string | null;
  readonly keys: readonly KeyDifference[];
}

export interface ReleaseDifference {
  readonly statement: string;
  readonly images: readonly ImageDifference[];
  readonly template: readonly FieldDifference[];
  readonly config: readonly ConfigDifference[];
  /** Of where they ran, each a sentence. */
  readonly around: readonly string[];
}

export const releaseDifference = (was: Release, is: Release): ReleaseDifference => {
  const images = imagesIn(was, is);
  const template = templateIn(was, is);
  const config = configIn(was, is);
  return {
    statement: statementOf({ images, template, config }),
    images,
    template,
    config,
    around: aroundOf(was, is),
  };
};

const namesOf = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].sort();

const imagesIn = (was: Release, is: Release): readonly ImageDifference[] =>
  namesOf(
    was.images.map(({ container }) => container),
    is.images.map(({ container }) => container),
  ).map((container) => {
    const its = (release: Release) => release.images.find((one) => one.container === container) ?? null;
    const [before, now] = [its(was), its(is)];
    const same = before?.digests.join() === now?.digests.join();
    return {
      container,
      compared: presence(before, now) ?? (same ? "same" : "differs"),
      was: before,
      is: now,
    };
  });

const presence = (was: unknown, is: unknown): "added" | "removed" | undefined => {
  if (was === null) return "added";
  return is === null ? "removed" : undefined;
};

/** Digests of one key are equal for equal values; of two keys they tell nothing. */
const oneKey = (was: Release, is: Release): boolean => was.keyId !== null && was.keyId === is.keyId;

const isDigest = (value: JsonValue | undefined): boolean => typeof value === "string" && DIGEST.test(value);

const templateIn = (was: Release, is: Release): readonly FieldDifference[] =>
  differencesOf(was.template, is.template).map(({ steps, was: before, is: now }) => {
    const keyed = isDigest(before) || isDigest(now);
    const open = isDigest(before) && isDigest(now) && !(oneKey(was, is) && areOurs(was, is, before, now));
    return {
      path: shortPath(steps),
      compared: open ? "open" : "differs",
      was: valueText(before, keyed),
      is: valueText(now, keyed),
    };
  });

/** What was removed before it came to us is of a key that nobody knows. */
const areOurs = (
  was: Release,
  is: Release,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
): boolean =>
  [...was.removed.values()].some((digest) => digest === before) &&
  [...is.removed.values()].some((digest) => digest === now);

type Side =
  | { readonly kind: "held"; readonly config: ReleasedConfig }
  | { readonly kind: "absent" | "not-asked" | "not-named" };

const sideOf = (release: Release, kind: string, name: string): Side => {
  const config = release.config.find((one) => one.kind === kind && one.name === name);
  if (config !== undefined) return { kind: "held", config };
  const unheld = release.unheld.find((one) => one.kind === kind && one.name === name);
  return { kind: unheld === undefined ? "not-named" : unheld.reason };
};

const configIn = (was: Release, is: Release): readonly ConfigDifference[] => {
  const namedIn = ({ config, unheld }: Release) =>
    [...config, ...unheld].map(({ kind, name }) => `${kind}/${name}`);
  return namesOf(namedIn(was), namedIn(is)).map((both) => {
    const [kind, ...name] = both.split("/");
    return oneConfig(kind === "Secret" ? "Secret" : "ConfigMap", name.join("/"), was, is);
  });
};

const oneConfig = (
  kind: ReleasedConfig["kind"],
  name: string,
  was: Release,
  is: Release,
): ConfigDifference => {
  const [before, now] = [sideOf(was, kind, name), sideOf(is, kind, name)];
  const base = {
    kind,
    name,
    recreated: false,
    says: [] as readonly string[],
    was: digestOf(before),
    is: digestOf(now),
    keys: [] as readonly KeyDifference[],
  };
  const open = (why: string): ConfigDifference => ({ ...base, compared: "open", says: [why] });
  if (before.kind === "not-asked" || now.kind === "not-asked")
    return before.kind === "not-named" || now.kind === "not-named"
      ? { ...base, compared: before.kind === "not-named" ? "added" : "removed", says: ["it was not read"] }
      : open(`it was not read for ${before.kind === now.kind ? "either" : "one"} of them (--secrets)`);
  if (before.kind !== "held" || now.kind !== "held") return { ...base, ...oneSided(before, now) };
  if (kind === "Secret" && !oneKey(was, is))
    return open("its digests are of another key, which tells neither that it differs nor that it does not");
  const same = before.config.digest === now.config.digest;
  return {
    ...base,
    compared: same ? "same" : "differs",
    ...objectsOf(before.config, now.config, sameCluster(was.cluster, is.cluster)),
    keys: same ? [] : keysIn(before.config, now.config),
  };
};

const digestOf = (side: Side): string | null => (side.kind === "held" ? side.config.digest : null);

const oneSided = (before: Side, now: Side): Pick<ConfigDifference, "compared" | "says"> => {
  if (before.kind === "held")
    return { compared: "removed", says: now.kind === "absent" ? ["named, and not there (optional)"] : [] };
  if (now.kind === "held")
    return {
      compared: "added",
      says: before.kind === "absent" ? ["was named, and not there (optional)"] : [],
    };
  if (before.kind === now.kind) return { compared: "same", says: ["not there in either (optional)"] };
  return {
    compared: before.kind === "not-named" ? "added" : "removed",
    says: ["named, and not there (optional)"],
  };
};

const objectsOf = (
  was: ReleasedConfig,
  is: ReleasedConfig,
  inOneCluster: boolean,
): Pick<ConfigDifference, "recreated" | "says"> => {
  const recreated = inOneCluster && was.uid !== null && is.uid !== null && was.uid !== is.uid;
  const mutable = (one: ReleasedConfig): string => (one.immutable ? "immutable" : "mutable");
  return {
    recreated,
    says: [
      ...(recreated ? [`another object stands under the name (UID ${was.uid}, then ${is.uid})`] : []),
      ...(was.immutable === is.immutable ? [] : [`${mutable(was)}, then ${mutable(is)}`]),
    ],
  };
};

const keysIn = (was: ReleasedConfig, is: ReleasedConfig): readonly KeyDifference[] =>
  namesOf([...was.keys.keys()], [...is.keys.keys()]).flatMap((key): readonly KeyDifference[] => {
    const [before, now] = [was.keys.get(key), is.keys.get(key)];
    if (before === now) return [];
    const compared = before === undefined ? "added" : now === undefined ? "removed" : "differs";
    return [{ key, compared, lines: linesOf(was.content, is.content, key) }];
  });

const linesOf = (
  was: ReleasedConfig["content"],
  is: ReleasedConfig["content"],
  key: string,
): LineDifference | null => {
  if (was === null || is === null) return null;
  const [before, now] = [textOf(was.get(key)), textOf(is.get(key))];
  return before === null || now === null ? null : lineDifference(before, now);
};

/** null: it is no text. What is not there has no lines. */
const textOf = (bytes: Uint8Array | undefined): string | null => {
  if (bytes === undefined) return "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\u0000") ? null : text;
  } catch {
    return null;
  }
};

const statementOf = ({
  images,
  template,
  config,
}: Pick<ReleaseDifference, "images" | "template" | "config">): string => {
  const differs = ({ compared }: { readonly compared: Compared }): boolean =>
    compared !== "same" && compared !== "open";
  const [otherImages, otherFields, otherConfig] = [
    images.filter(differs),
    template.filter(differs),
    config.filter(differs),
  ];
  const open = [...template, ...config].filter(({ compared }) => compared === "open").length;
  const recreated = config.filter((one) => one.recreated && one.compared === "same").length;
  const parts = [
    otherImages.length === 0
      ? "the same images"
      : `other images in ${counted(otherImages.length, "container")}`,
    ...(otherFields.length === 0
      ? ["the same template"]
      : [
          `${counted(otherFields.length, "field")} of the template differ${otherFields.length === 1 ? "s" : ""}`,
        ]),
    otherConfig.length === 0
      ? "the same config"
      : `other config in ${listed(otherConfig.map(({ kind, name }) => `${kind} ${name}`))}`,
  ];
  const half =
    otherImages.length === 0 && otherConfig.length > 0
      ? "; the same images with other config are half the same release"
      : "";
  const more = [
    ...(recreated === 0
      ? []
      : [
          `${counted(recreated, "object")} of the same content ${recreated === 1 ? "was" : "were"} made again`,
        ]),
    ...(open === 0 ? [] : [`${counted(open, "thing")} cannot be compared`]),
  ];
  return `${listed(parts)}${half}${more.map((text) => `; ${text}`).join("")}.`;
};

const aroundOf = (was: Release, is: Release): readonly string[] => {
  const named = ({ target }: Release): string => `${target.kind} ${target.namespace}/${target.name}`;
  const inOne = sameCluster(was.cluster, is.cluster);
  return [
    ...(named(was) === named(is) ? [] : [`they are of two workloads: ${named(was)}, and ${named(is)}`]),
    ...(inOne ? [] : ["they ran in two clusters, as far as their records tell"]),
    ...(inOne && named(was) === named(is) && was.target.uid !== is.target.uid
      ? [`the workload was made again in between (UID ${was.target.uid}, then ${is.target.uid})`]
      : []),
    ...(commitOf(was) === commitOf(is) ? [] : [`commit ${commitOf(was)}, then ${commitOf(is)}`]),
  ];
};

const commitOf = ({ source }: Release): string => (source === null ? "not told" : source.commit);
