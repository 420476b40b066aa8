/**
 * What one look at a live cluster saw, as files: what `asfound snapshot` writes, and of a target that was not there, or was
 * not read, the question with its answer. Whoever judges these files judges what is kept, and nothing else (E2).
 *
 * E5: what is never written is taken out here, before anything is judged or written.
 */
import { iso } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { SweepQuestion } from "../domain/question.ts";
import type { Resource } from "../ports/cluster.ts";
import { document } from "../wire/api/document.ts";
import type { Look } from "./collect.ts";
import type { Listed, Swept } from "./collect-sweep.ts";
import {
  fileOf,
  followedFile,
  followedOf,
  heldFile,
  lessSecrets,
  placeOf,
  requestOf,
  type SnapshotFile,
  snapshotOf,
  statusOf,
} from "./snapshot.ts";
import { snapshotJson } from "./snapshot-sweep.ts";

export const filesOfLook = (look: Look, key: Uint8Array): readonly SnapshotFile[] =>
  snapshotOf(look, key) ?? unseen(look);

/** Nothing was there to be kept but the answers themselves. */
const unseen = (look: Look): readonly SnapshotFile[] => {
  const { evidence } = look;
  return [
    ...heldFile(evidence.objects),
    {
      name: "snapshot.json",
      value: document("Snapshot", {
        at: iso(evidence.at),
        from: iso(look.from),
        to: iso(look.to),
        cluster: { server: look.server },
        target: null,
        requests: look.exchanges.map(requestOf),
        followed: evidence.asked.map(followedOf),
        removed: [],
        limits: [...evidence.limits],
      }),
    },
  ];
};

/** The same of a sweep: whole lists, as they were held for judging. */
export const filesOfSweep = (
  swept: Swept,
  question: SweepQuestion,
  key: Uint8Array,
): readonly SnapshotFile[] => {
  const removed = new Removed();
  const kept = (file: string, object: JsonObject, of: Resource, at: string): JsonObject => {
    const made = lessSecrets(object, of, key, at);
    removed.add(file, made.removed);
    return made.object;
  };
  return [
    ...swept.lists.map((list) => ({ name: fileOf(list.resource), value: listOf(list, kept) })),
    ...followedFile(swept.followed, kept),
    ...heldFile(swept.evidence.collected.evidence.objects),
    { name: "snapshot.json", value: snapshotJson({ question }, swept, removed.all(), []) },
  ];
};

const listOf = (
  { resource, objects, asked }: Listed,
  kept: (file: string, object: JsonObject, of: Resource, at: string) => JsonObject,
): JsonObject => {
  const { answer } = asked;
  if ("why" in answer) return statusOf({ kind: answer.kind, reason: "Unanswered", sentence: answer.why });
  const { group, version, kind } = resource;
  return {
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind: `${kind}List`,
    metadata: {},
    items: objects.map(({ raw }, index) => kept(fileOf(resource), raw, resource, `/items/${index}`)),
  };
};

/** A sweep has many of one place: they are told once, with how many there are. */
class Removed {
  readonly #counts = new Map<string, { readonly file: string; readonly pointer: string; count: number }>();

  add(file: string, pointers: readonly string[]): void {
    for (const pointer of pointers) {
      const place = placeOf(pointer);
      const key = JSON.stringify([file, place]);
      const before = this.#counts.get(key);
      if (before === undefined) this.#counts.set(key, { file, pointer: place, count: 1 });
      else before.count += 1;
    }
  }

  all(): readonly JsonObject[] {
    return [...this.#counts.values()].map((one) => ({ ...one }));
  }
}
