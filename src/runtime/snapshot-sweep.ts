/**
 * What verdicts about many targets rest on, as files that `verify --from` judges to the same findings: whole lists, since one
 * that a selector narrowed would prove nothing of what is not in it. Each page goes to its file as it comes (less what is
 * never written, E5), and of its objects only that is held which tells what is a target: names, labels and owners. A question without an answer is kept as the Status that says so (R2), and what changed while it was
 * read is said of each object.
 */
import type { Answer, Seen } from "../domain/evidence.ts";
import { iso } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { WORKLOADS } from "../judge/targets.ts";
import type { CollectionRef, Exchange, ReadFailure, Resource, Round } from "../ports/cluster.ts";
import type { Draft, SnapshotFiles } from "../ports/snapshot-files.ts";
import { document } from "../wire/api/document.ts";
import { type Listed, type Lister, type SweepOptions, type Swept, sweptBy } from "./collect-sweep.ts";
import { heldIn } from "./held-evidence.ts";
import { seenIn, servedAs } from "./readings.ts";
import { fileOf, followedFile, followedOf, heldFile, lessSecrets, placeOf, statusOf } from "./snapshot.ts";
import type { SweepEvidence } from "./sweep.ts";

export interface Snapped {
  readonly files: number;
  /** Questions that had no answer, and files too large to be judged, each a sentence. */
  readonly unanswered: readonly string[];
}

/** What `--from` reads of one file, and of all (`adapters/system/saved-evidence.ts`). */
const MOST_FILE_BYTES = 256 * 1024 * 1024;
const MOST_BYTES = 512 * 1024 * 1024;

/** `key`: of the digests that stand in place of what was removed; to be forgotten. null: no list was answered. */
export const snapshotSweep = async (
  options: SweepOptions,
  files: SnapshotFiles,
  key: Uint8Array,
): Promise<Snapped | { readonly none: string }> => {
  const kept = new Kept(files, key);
  const swept = await sweptBy(options, kept.lister);
  if (options.stop.aborted) return { none: "it was ended" };
  const whys = [...swept.evidence.nameless, ...whysIn(swept)];
  if (!swept.lists.some(({ asked }) => asked.answer.kind === "observed"))
    return { none: whys.length === 0 ? "there was nothing to ask for" : whys.slice(0, 3).join("; ") };
  const lists = swept.lists.map((list) => ({ name: fileOf(list.resource), draft: kept.draftOf(list) }));
  const held = await heldIn(options.held, options.question.namespace);
  const more = [
    ...heldFile(held.objects),
    ...followedFile(swept.followed, (_file, object, of, at) => kept.without(FOLLOWED, object, of, at)),
    {
      name: "snapshot.json",
      value: snapshotJson(options, swept, kept.removedFrom(swept.lists), held.limits),
    },
  ];
  const written: { readonly name: string; readonly draft: Draft }[] = [...lists];
  for (const { name, value } of more) {
    const draft = await files.draft();
    await draft.write(`${JSON.stringify(value, null, 2)}\n`);
    written.push({ name, draft });
  }
  const large = tooLarge(written);
  await files.finish(written);
  return { files: written.length, unanswered: [...whys, ...large] };
};

const FOLLOWED = "followed.json";

const whysIn = ({ lists, followed }: Swept): readonly string[] =>
  [...lists, ...followed].flatMap(({ asked: { answer } }) => ("why" in answer ? [answer.why] : []));

const tooLarge = (
  files: readonly { readonly name: string; readonly draft: Pick<Draft, "bytes"> }[],
): readonly string[] => {
  const all = files.reduce((sum, { draft }) => sum + draft.bytes, 0);
  return [
    ...files
      .filter(({ draft }) => draft.bytes > MOST_FILE_BYTES)
      .map(
        ({ name, draft }) =>
          `${name} has ${draft.bytes} bytes, and --from reads at most ${MOST_FILE_BYTES} of a file; take one namespace, or fewer kinds`,
      ),
    ...(all > MOST_BYTES
      ? [
          `all files have ${all} bytes, and --from reads at most ${MOST_BYTES}; take one namespace, or fewer kinds`,
        ]
      : []),
  ];
};

/** The lists as drafts, and what was taken out of them. */
class Kept {
  readonly #files: SnapshotFiles;
  readonly #key: Uint8Array;
  readonly #drafts = new Map<Listed["asked"], Draft>();
  /** By file, then by pointer with `*` for each place in a list. */
  readonly #removed = new Map<Listed["asked"] | string, Map<string, number>>();

  constructor(files: SnapshotFiles, key: Uint8Array) {
    this.#files = files;
    this.#key = key;
  }

  readonly lister: Lister = async (round, name, namespace) => {
    const meant = await servedAs(round, name, namespace);
    const draft = await this.#files.draft();
    const { resource } = meant;
    const read =
      meant.failed === null
        ? await this.#streamed(round, draft, meant.collection)
        : { ...NOTHING, failed: meant.failed };
    if (read.failed !== null) {
      await draft.restart();
      await draft.write(`${JSON.stringify(statusOf(read.failed), null, 2)}\n`);
    }
    const answer: Answer =
      read.failed === null ? { kind: "observed" } : { kind: read.failed.kind, why: read.failed.sentence };
    const asked = {
      group: resource.group,
      resource: resource.resource,
      namespaces: namespace === null || !resource.namespaced ? ("all" as const) : [namespace],
      name: null,
      answer,
      source: { evidence: fileOf(resource), pointer: "" },
    };
    this.#drafts.set(asked, draft);
    this.#removed.set(asked, read.removed);
    return { resource, objects: read.objects, asked, exchanges: read.exchanges };
  };

  async #streamed(round: Round, draft: Draft, collection: CollectionRef): Promise<Streamed> {
    const { resource } = collection;
    let objects: Seen[] = [];
    let removed = new Map<string, number>();
    let count = 0;
    const reading = await round.stream(collection, {
      begin: async () => {
        objects = [];
        removed = new Map();
        count = 0;
        await draft.restart();
        await draft.write(headOf(resource));
      },
      page: async (items) => {
        const texts = items.map((item, at) => {
          const pointer = `/items/${count + at}`;
          objects.push(seenIn(resource, held(resource, item), { evidence: fileOf(resource), pointer }));
          return JSON.stringify(this.#without(removed, item, resource, pointer));
        });
        const before = count > 0 && texts.length > 0 ? ",\n" : "";
        count += items.length;
        await draft.write(`${before}${texts.join(",\n")}`);
      },
    });
    if (reading.kind !== "observed") return { ...NOTHING, failed: reading, exchanges: reading.exchanges };
    await draft.write(tailOf(reading.resourceVersion));
    return { failed: null, objects, removed, exchanges: reading.exchanges };
  }

  #without(removed: Map<string, number>, object: JsonObject, of: Resource, at: string): JsonObject {
    const made = lessSecrets(object, of, this.#key, at);
    for (const pointer of made.removed) {
      const place = placeOf(pointer);
      removed.set(place, (removed.get(place) ?? 0) + 1);
    }
    return made.object;
  }

  without(file: string, object: JsonObject, of: Resource, at: string): JsonObject {
    const removed = this.#removed.get(file) ?? new Map<string, number>();
    this.#removed.set(file, removed);
    return this.#without(removed, object, of, at);
  }

  draftOf({ asked }: Listed): Draft {
    const draft = this.#drafts.get(asked);
    if (draft === undefined) throw new Error("a list was read by another way than it is kept");
    return draft;
  }

  removedFrom(lists: readonly Listed[]): readonly JsonObject[] {
    const all = [
      ...lists.map(({ resource, asked }) => [fileOf(resource), this.#removed.get(asked)] as const),
      [FOLLOWED, this.#removed.get(FOLLOWED)] as const,
    ];
    return all.flatMap(([file, removed]) =>
      [...(removed ?? [])].map(([pointer, count]) => ({ file, pointer, count })),
    );
  }
}

interface Streamed {
  readonly failed: ReadFailure | null;
  readonly objects: readonly Seen[];
  readonly removed: Map<string, number>;
  readonly exchanges: readonly Exchange[];
}

const NOTHING = { objects: [], removed: new Map<string, number>(), exchanges: [] };

const headOf = ({ group, version, kind }: Resource): string =>
  `{"apiVersion":${JSON.stringify(group === "" ? version : `${group}/${version}`)},"kind":${JSON.stringify(`${kind}List`)},"items":[\n`;

const tailOf = (resourceVersion: string | null): string =>
  `\n],"metadata":{"resourceVersion":${JSON.stringify(resourceVersion ?? "")}}}\n`;

/** Of these there are many, and what is a target is told by their metadata. */
const MANY: ReadonlySet<string> = new Set(["Event", "EndpointSlice", ...WORKLOADS.map(({ kind }) => kind)]);
const TELLS = ["name", "namespace", "uid", "generation", "resourceVersion", "labels", "ownerReferences"];

const held = ({ kind }: Resource, item: JsonObject): JsonObject => {
  const { metadata } = item;
  if (!MANY.has(kind) || !isJsonObject(metadata)) return item;
  const kept = TELLS.flatMap((name): [string, JsonValue][] =>
    Object.hasOwn(metadata, name) ? [[name, metadata[name] as JsonValue]] : [],
  );
  return { metadata: Object.fromEntries(kept) };
};

/** `removed`: by file, each place of a list as `*`. */
export const snapshotJson = (
  { question }: Pick<SweepOptions, "question">,
  { evidence, followed, exchanges }: Swept,
  removed: readonly JsonObject[],
  limits: readonly string[],
): JsonObject => {
  const { collected } = evidence;
  const { kinds, namespace, selector } = question;
  return document("Snapshot", {
    at: iso(collected.evidence.at),
    from: iso(collected.from),
    to: iso(collected.to),
    cluster: { server: collected.server },
    selection: {
      kinds: kinds === null ? null : [...kinds],
      namespace,
      selector: selector === null ? null : selector.text,
    },
    requests: exchanges.map(requestOf),
    followed: followed.map(({ asked }) => followedOf(asked)),
    removed: [...removed],
    unsteady: [...unsteadyIn(evidence)],
    limits: [...collected.evidence.limits, ...limits],
  });
};

const unsteadyIn = ({ torn, limits }: SweepEvidence): readonly JsonObject[] => {
  const of = (said: ReadonlyMap<string, string>, whole: boolean) =>
    [...said].map(([key, says]) => {
      const [group, kind, namespace, name] = JSON.parse(key) as readonly JsonValue[];
      return { group, kind, namespace, name, whole, says } as JsonObject;
    });
  return [...of(torn, true), ...of(limits, false)];
};

const requestOf = ({ request, status, askedAt, answeredAt, serverDate }: Exchange): JsonObject => ({
  request,
  status,
  askedAt: iso(askedAt),
  answeredAt: iso(answeredAt),
  serverDate,
});
