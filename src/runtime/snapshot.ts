/**
 * What a verdict about one target rests on, as files that `verify --from` judges to the same findings: one for each
 * question, named after the resource, as the server answered less what is never written (E5). A question without an answer
 * is kept as the Status that says so, never as an empty list (R2).
 */
import { rawOf } from "../domain/answer.ts";
import type { Asked, Seen } from "../domain/evidence.ts";
import { GIT_COMMIT } from "../domain/git-record.ts";
import { HELD } from "../domain/held.ts";
import { iso } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Exchange, ReadFailure, Resource } from "../ports/cluster.ts";
import { document } from "../wire/api/document.ts";
import { writtenAnswers } from "../wire/objects/answers.ts";
import { withoutSecrets } from "../wire/objects/without-secrets.ts";
import type { Look } from "./collect.ts";
import { clauseOf, type ReadList } from "./readings.ts";

export interface SnapshotFile {
  readonly name: string;
  readonly value: JsonValue;
}

/** `key`: of the digests that stand in place of what was removed; to be forgotten. null: the target was not observed. */
export const snapshotOf = (look: Look, key: Uint8Array): readonly SnapshotFile[] | null => {
  if (look.subject === null || look.target === null) return null;
  const { resource, namespace, name } = look.subject.ref;
  const removed: JsonObject[] = [];
  const kept = (file: string, object: JsonObject, of: Resource, at: string): JsonObject => {
    const made = lessSecrets(object, of, key, at);
    removed.push(...made.removed.map((pointer) => ({ file, pointer })));
    return made.object;
  };
  const own = fileOf(resource);
  const files = [
    { name: own, value: kept(own, look.target, resource, "") },
    ...look.lists.map((list) => {
      const file = fileOf(list.resource);
      return {
        name: file,
        value: listOf(list, (item, index) => kept(file, item, list.resource, `/items/${index}`)),
      };
    }),
  ];
  const { evidence } = look;
  return [
    ...files,
    ...followedFile(look.followed, kept),
    ...(look.answers.length === 0
      ? []
      : [{ name: "answers.json", value: writtenAnswers(look.answers.map(rawOf)) }]),
    ...heldFile(evidence.objects),
    ...gitFile(evidence.objects),
    {
      name: "snapshot.json",
      value: document("Snapshot", {
        at: iso(evidence.at),
        from: iso(look.from),
        to: iso(look.to),
        cluster: { server: look.server },
        target: { resource: resource.resource, group: resource.group, namespace, name },
        requests: look.exchanges.map(requestOf),
        followed: look.followed.map(({ asked }) => followedOf(asked)),
        removed,
        limits: [...evidence.limits],
      }),
    },
  ];
};

/** What is kept of an object of that resource (E5). */
export const lessSecrets = (object: JsonObject, of: Resource, key: Uint8Array, at: string) =>
  withoutSecrets(object, of.group === "" && of.kind === "Secret", key, at);

/** A pointer with `*` for each place in a list: of one place there are many in a sweep. */
export const placeOf = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");

export const heldFile = (objects: readonly Seen[]): readonly SnapshotFile[] => {
  const held = objects.filter(({ group, kind }) => group === HELD.group && kind === HELD.kind);
  return held.length === 0 ? [] : [{ name: "held.json", value: held.map(({ raw }) => raw) }];
};

export const gitFile = (objects: readonly Seen[]): readonly SnapshotFile[] => {
  const told = objects.filter(({ group, kind }) => group === GIT_COMMIT.group && kind === GIT_COMMIT.kind);
  return told.length === 0 ? [] : [{ name: "git.json", value: told.map(({ raw }) => raw) }];
};

/** What was asked for by name, of any kind and namespace: `snapshot.json` says which, and what came. */
export const followedFile = (
  followed: readonly Pick<Look["followed"][number], "objects">[],
  kept: (file: string, object: JsonObject, of: Resource, at: string) => JsonObject,
): readonly SnapshotFile[] => {
  const objects = followed.flatMap((reading) => reading.objects);
  if (objects.length === 0) return [];
  const items = objects.map(({ group, version, kind, raw }, index) => ({
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind,
    ...kept(FOLLOWED, raw, { group, version, kind, resource: "", namespaced: true }, `/items/${index}`),
  }));
  return [{ name: FOLLOWED, value: { apiVersion: "v1", kind: "List", metadata: {}, items } }];
};
const FOLLOWED = "followed.json";

export const followedOf = ({ group, resource, namespaces, name, answer }: Asked): JsonObject => ({
  group,
  resource,
  namespaces: namespaces === "all" ? null : [...namespaces],
  name,
  answer: answer.kind,
  why: "why" in answer ? answer.why : null,
});

export const fileOf = ({ group, resource }: Resource): string =>
  `${group === "" ? resource : `${resource}.${group}`}.json`;

const listOf = (
  { resource, reading }: ReadList,
  kept: (item: JsonObject, index: number) => JsonObject,
): JsonObject => {
  const { group, version, kind } = resource;
  if (reading.kind === "observed")
    return {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind: `${kind}List`,
      metadata: { resourceVersion: reading.resourceVersion ?? "" },
      items: reading.items.map(kept),
    };
  return statusOf(reading);
};

/** A question without an answer, as the API would have said it. */
export const statusOf = ({
  kind,
  reason,
  sentence,
}: Pick<ReadFailure, "kind" | "sentence"> & { readonly reason: string }): JsonObject => ({
  apiVersion: "v1",
  kind: "Status",
  status: "Failure",
  reason,
  message: clauseOf(sentence),
  code: CODES[kind],
});

const CODES = { denied: 403, "timed-out": 504, failed: 500 } as const;

export const requestOf = ({
  request,
  status,
  askedAt,
  answeredAt,
  serverDate,
  body,
}: Exchange): JsonObject => ({
  request,
  status,
  askedAt: iso(askedAt),
  answeredAt: iso(answeredAt),
  serverDate,
  bytes: body.length,
});
