/**
 * What targets name beyond their own lists (a route's parent, that one's class, a Service of another namespace): asked for
 * by name, until nothing new is named. A question without an answer stays one (R2), and is asked once.
 */
import type { Asked, Evidence, Seen } from "../domain/evidence.ts";
import { Collection } from "../judge/collection.ts";
import type { Followed } from "../judge/kind-rule.ts";
import { kindOf } from "../judge/kinds.ts";
import type { Exchange, Round } from "../ports/cluster.ts";
import {
  askedFor,
  clauseOf,
  dotted,
  evidenceOf,
  listNamed,
  qualified,
  seenIn,
  sourceOf,
} from "./readings.ts";

/** One answer about what was followed. */
export interface FollowedReading {
  readonly objects: readonly Seen[];
  readonly asked: Asked;
  readonly exchanges: readonly Exchange[];
}

/** A route names a Gateway, and that one a class: a step more than there is. */
const MOST_STEPS = 3;

/**
 * `ask`: runs a round of questions under the deadline of all. `evidence`: made only where a target's kind names anything, or
 * the person did (`also`).
 */
export const follow = async (
  ask: <T>(questions: (round: Round) => Promise<T>) => Promise<T>,
  targets: readonly Seen[],
  evidence: () => Evidence,
  also: readonly Followed[] = [],
): Promise<readonly FollowedReading[]> => {
  const following = targets.filter((target) => kindOf(target)?.follows !== undefined);
  if (following.length === 0 && also.length === 0) return [];
  const lists = evidence();
  const read: FollowedReading[] = [];
  const known = new Set<string>();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const collection = new Collection(withReadings(lists, read));
    const named = [
      ...also,
      ...following.flatMap((target) => kindOf(target)?.follows?.({ target, collection }) ?? []),
    ];
    const wanted = new Map<string, Followed>();
    for (const one of named) {
      const key = keyOf(one);
      if (!known.has(key) && !isAnswered(collection, one)) wanted.set(key, one);
      known.add(key);
    }
    if (wanted.size === 0) break;
    read.push(...(await ask((round) => Promise.all([...wanted.values()].map((one) => reading(round, one))))));
  }
  return read;
};

const withReadings = (evidence: Evidence, read: readonly FollowedReading[]): Evidence => ({
  ...evidence,
  objects: [...evidence.objects, ...read.flatMap(({ objects }) => objects)],
  asked: [...evidence.asked, ...read.map(({ asked }) => asked)],
});

const keyOf = ({ resource, namespace, name }: Followed): string =>
  JSON.stringify([resource.group, resource.plural, namespace, name]);

/** A list may have told it already. */
const isAnswered = (collection: Collection, { resource, namespace, name }: Followed): boolean =>
  (name === null ? collection.list(resource, namespace) : collection.object(resource, namespace, name))
    .kind !== "not-asked";

const reading = async (round: Round, followed: Followed): Promise<FollowedReading> => {
  const { resource, namespace, name } = followed;
  const word = dotted(resource.plural, resource.group);
  if (name === null) {
    const list = await listNamed(round, word, namespace);
    const exchanges = list.resource.kind === "" ? [] : list.reading.exchanges;
    return { ...evidenceOf(list, namespace), exchanges };
  }
  const found = await round.find(word);
  if (found.kind !== "found") {
    const kind = found.kind === "unknown" ? ("failed" as const) : found.kind;
    const asked: Asked = {
      group: resource.group,
      resource: resource.plural,
      namespaces: namespace === null ? "all" : [namespace],
      name,
      answer: { kind, why: found.sentence },
      source: { evidence: `no request for ${word}`, pointer: "" },
    };
    return { objects: [], asked, exchanges: [] };
  }
  const ref = { resource: found.resource, namespace: found.resource.namespaced ? namespace : null, name };
  const got = await round.get(ref);
  if (got.kind === "observed") {
    const source = sourceOf(got.exchanges, got.resourceVersion, ref.resource);
    return {
      objects: [seenIn(ref.resource, got.object, source)],
      asked: askedFor(ref, { kind: "observed" }, source),
      exchanges: got.exchanges,
    };
  }
  const answer =
    got.kind === "absent"
      ? ({ kind: "absent" } as const)
      : { kind: got.kind, why: `${qualified(ref.resource)} "${name}": ${clauseOf(got.sentence)}` };
  return {
    objects: [],
    asked: askedFor(ref, answer, sourceOf(got.exchanges, null, ref.resource)),
    exchanges: got.exchanges,
  };
};
