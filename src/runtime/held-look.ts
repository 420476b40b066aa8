/**
 * One look of the recorder at all objects of a kind: which are as they were (by a LIST of their metadata alone), and what the
 * others hold now (by a GET each, or one LIST where they are many). Only readings tell (V6).
 *
 * C6: of Secrets nothing but metadata is ever asked for.
 */
import type { ConfigKind } from "../domain/config.ts";
import { keyDigests, objectDigest } from "../domain/config-digest.ts";
import type { Gone, HeldRecord, HeldVersion, Reread } from "../domain/held-record.ts";
import type { HeldTimeline } from "../domain/held-timeline.ts";
import { instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { CollectionRef, Exchange, Round } from "../ports/cluster.ts";
import { type ReadingTime, readingTime } from "./reading-time.ts";

/** More than so many are read by one LIST. */
const MOST_GETS = 20;

/** An object as a list shows it. */
interface Listed {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface SeenKind {
  readonly kind: "seen";
  readonly time: ReadingTime;
  /** The last of the list. */
  readonly exchange: Exchange;
  readonly gone: readonly Gone[];
  readonly reread: Reread;
  readonly versions: readonly HeldVersion[];
  /** Why something that changed could not be read, each a sentence; the next look asks again. */
  readonly unread: readonly string[];
}

export type KindLook =
  | SeenKind
  /** No reading of the whole, or none that can be dated. */
  | { readonly kind: "blind"; readonly why: string; readonly isDenied: boolean };

/** `held`: what is held so far. */
export const lookAtKind = async (
  round: Round,
  of: ConfigKind,
  collection: CollectionRef,
  held: Pick<HeldTimeline, "held" | "open">,
): Promise<KindLook> => {
  let listed = new Map<string, Listed>();
  const reading = await round.stream(
    collection,
    {
      begin: async () => {
        listed = new Map();
      },
      page: async (items) => {
        for (const item of items) {
          const one = listedIn(item);
          if (one !== undefined) listed.set(placeOf(one), one);
        }
      },
    },
    "metadata",
  );
  if (reading.kind !== "observed")
    return { kind: "blind", why: reading.sentence, isDenied: reading.kind === "denied" };
  const time = readingTime(reading.exchanges);
  const exchange = reading.exchanges.at(-1);
  if (time === null || exchange === undefined)
    return {
      kind: "blind",
      why: "the API server's replies carry no date, so nothing can be dated",
      isDenied: false,
    };
  const seen = {
    kind: "seen",
    time,
    exchange,
    gone: held.open().flatMap((version) => goneOf(version, of, listed)),
    reread: { kind: "read", of, to: time.to, resourceVersion: reading.resourceVersion },
  } as const;
  const changed = [...listed.values()].filter((one) => !isSame(held.held({ of, ...one }), one));
  if (of === "Secret")
    return { ...seen, versions: changed.map((one) => versionOf(of, one, time, NOT_READ)), unread: [] };
  return { ...seen, ...(await readChanged(round, collection, changed)) };
};

const NOT_READ = { immutable: false, sha256: null, keys: null } as const;

const goneOf = (
  version: HeldVersion,
  of: ConfigKind,
  listed: ReadonlyMap<string, Listed>,
): readonly Gone[] => {
  if (version.of !== of) return [];
  const { namespace, name } = version;
  const now = listed.get(placeOf(version));
  return now !== undefined && isSame(version, now) ? [] : [{ kind: "gone", of, namespace, name }];
};

const isSame = (version: HeldVersion | undefined, { uid, resourceVersion }: Listed): boolean =>
  version !== undefined && version.uid === uid && version.resourceVersion === resourceVersion;

const placeOf = ({ namespace, name }: Pick<Listed, "namespace" | "name">): string => `${namespace}/${name}`;

/** undefined: it does not say which incarnation and version it is, and nothing can be held of it. */
const listedIn = ({ metadata }: JsonObject): Listed | undefined => {
  if (!isJsonObject(metadata)) return undefined;
  const { namespace, name, uid, resourceVersion } = metadata;
  if (typeof namespace !== "string" || typeof name !== "string") return undefined;
  if (typeof uid !== "string" || typeof resourceVersion !== "string") return undefined;
  return uid === "" || resourceVersion === "" ? undefined : { namespace, name, uid, resourceVersion };
};

const versionOf = (
  of: ConfigKind,
  { namespace, name, uid, resourceVersion }: Listed,
  { from, to }: ReadingTime,
  content: Pick<HeldVersion, "immutable" | "sha256" | "keys">,
): HeldVersion => ({ kind: "version", of, namespace, name, uid, resourceVersion, ...content, from, to });

const contentVersion = (object: JsonObject, time: ReadingTime): readonly HeldVersion[] => {
  const one = listedIn(object);
  if (one === undefined) return [];
  const keys = keyDigests(object);
  const sha256 = keys === null ? null : objectDigest(keys);
  return [versionOf("ConfigMap", one, time, { immutable: object["immutable"] === true, sha256, keys })];
};

type Changed = Pick<SeenKind, "versions" | "unread">;

const readChanged = (
  round: Round,
  collection: CollectionRef,
  changed: readonly Listed[],
): Promise<Changed> =>
  changed.length > MOST_GETS
    ? readAll(round, collection, new Set(changed.map(placeOf)))
    : readEach(round, collection, changed);

const readEach = async (
  round: Round,
  { resource }: CollectionRef,
  changed: readonly Listed[],
): Promise<Changed> => {
  const versions: HeldVersion[] = [];
  const unread: string[] = [];
  for (const { namespace, name } of changed) {
    const reading = await round.get({ resource, namespace, name });
    if (reading.kind === "absent") continue;
    if (reading.kind !== "observed") {
      unread.push(reading.sentence);
      continue;
    }
    const time = readingTime(reading.exchanges);
    if (time !== null) versions.push(...contentVersion(reading.object, time));
  }
  return { versions, unread };
};

/** When it was read is known at its end. */
const NO_TIME_YET: ReadingTime = { from: instant(Number.NaN), to: instant(Number.NaN) };

/** One page is held at a time. */
const readAll = async (
  round: Round,
  collection: CollectionRef,
  wanted: ReadonlySet<string>,
): Promise<Changed> => {
  let found: HeldVersion[] = [];
  const reading = await round.stream(collection, {
    begin: async () => {
      found = [];
    },
    page: async (items) => {
      for (const item of items)
        for (const version of contentVersion(item, NO_TIME_YET))
          if (wanted.has(placeOf(version))) found.push(version);
    },
  });
  if (reading.kind !== "observed") return { versions: [], unread: [reading.sentence] };
  const time = readingTime(reading.exchanges);
  return { versions: time === null ? [] : found.map((version) => ({ ...version, ...time })), unread: [] };
};

/** In the order in which they are written: what ended, what went on, what began. */
export const recordsOf = ({ gone, reread, versions }: SeenKind): readonly HeldRecord[] => [
  ...gone,
  reread,
  ...versions,
];
