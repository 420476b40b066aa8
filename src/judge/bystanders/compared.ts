/**
 * One bystander against what it was. A name is not an object: with another UID it is another one (C4), and nothing else of
 * it is compared.
 */
import type { Before } from "../../domain/bystander.ts";
import type { Writer } from "../../domain/difference.ts";
import type { Seen } from "../../domain/evidence.ts";
import { iso } from "../../domain/ids.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { changesSince } from "../changes.ts";
import type { Collection } from "../collection.ts";
import type { Inquiry } from "../inquiry.ts";
import { hint, itemsAt, TEXT, TIME, valueAt, WHOLE } from "../read.ts";
import { counted, nameOf, quoted } from "../words.ts";
import { writersOf } from "../writers.ts";
import { podsChanged, podsOf, readiness } from "./pods.ts";
import { collectionOf, listsOfPods, type Meant } from "./whom.ts";

export interface Change {
  /** A clause, whose subject is the bystander. */
  readonly says: string;
  /** Whose write it was; empty: nobody's name is kept with it. */
  readonly by: readonly Writer[];
}

export interface Compared {
  readonly meant: Meant;
  readonly changes: readonly Change[];
  /** How many Pods were compared one by one. */
  readonly pods: number;
}

/** What cannot be compared is missing from the inquiry, by its name. */
export const compare = (inquiry: Inquiry, meant: Meant, before: Before | null, now: Collection): Compared => {
  const { resource, namespace, name, said } = meant;
  const there = now.object(resource, namespace, name);
  if (there.kind === "absent") {
    inquiry.citeAbsence(now, resource, namespace, name);
    return { meant, changes: [{ says: "is gone; who deleted it is kept nowhere", by: [] }], pods: 0 };
  }
  if (there.kind !== "known") {
    inquiry.lack(resource.plural, namespace, there);
    return { meant, changes: [], pods: 0 };
  }
  const told = said === null ? null : toldOf(inquiry, meant, there.value, now, before === null);
  if (told !== null && (before === null || told.changes.length > 0)) return told;
  return before === null
    ? { meant, changes: [], pods: 0 }
    : withState(inquiry, meant, before, there.value, now);
};

/** Against what the person or the file says of it. `alone`: there is no state before. */
const toldOf = (inquiry: Inquiry, meant: Meant, is: Seen, now: Collection, alone: boolean): Compared => {
  const { said, resource } = meant;
  const changes: Change[] = [];
  const uid = inquiry.need(is, ["metadata", "uid"], TEXT);
  if (said === null || uid === undefined) return { meant, changes, pods: 0 };
  if (alone && (said.uid === null || said.generation === null))
    inquiry.miss(
      `what ${nameOf(is)} was: ${said.uid === null ? "its uid" : "its generation"} before is not told`,
    );
  if (said.uid !== null && said.uid !== uid) return { meant, changes: [another(said.uid, uid, is)], pods: 0 };
  const generation =
    said.generation === null ? undefined : inquiry.need(is, ["metadata", "generation"], WHOLE);
  // The API server counts one for annotations of a Deployment too (apps/v1, PrepareForUpdate), and they restart nobody.
  if (generation !== undefined && generation !== said.generation && is.kind === "Deployment")
    inquiry.miss(
      `the spec that ${nameOf(is)} had: it is at generation ${generation}, and was at ${said.generation}; its spec or its annotations were changed since`,
    );
  else if (generation !== undefined && generation !== said.generation)
    changes.push({
      says: `its spec was changed (generation ${said.generation}, then ${generation})`,
      by: latestOf(writersOf(is.raw, [{ kind: "member", name: "spec" }])),
    });
  if (said.ready !== null) {
    const lists = listsOfPods(resource);
    if (lists === undefined || !areListed(inquiry, now, lists, is.namespace)) {
      if (lists === undefined)
        inquiry.miss(`ready Pods of ${nameOf(is)}: a ${is.kind} has none that are counted`);
      return { meant, changes, pods: 0 };
    }
    const ready = [...podsOf(inquiry, now, is).values()].filter(
      (pod) => readiness(inquiry, pod) === "True",
    ).length;
    if (ready < said.ready)
      changes.push({
        says: `${counted(said.ready, "Pod")} of it ${said.ready === 1 ? "was" : "were"} ready, and ${ready} ${ready === 1 ? "is" : "are"}`,
        by: [],
      });
  }
  return { meant, changes, pods: 0 };
};

const withState = (inquiry: Inquiry, meant: Meant, before: Before, is: Seen, now: Collection): Compared => {
  const { resource, namespace, name } = meant;
  const earlier = collectionOf(before.evidence);
  const nothing = { meant, changes: [], pods: 0 };
  const was = earlier.object(resource, namespace, name);
  if (was.kind !== "known") {
    inquiry.miss(
      `${nameOf(is)} of ${before.named}: ${was.kind === "unreadable" ? was.why : "it holds none of that name"}`,
    );
    return nothing;
  }
  const torn = before.unsteady.find(
    (one) =>
      one.whole &&
      one.group === resource.group &&
      one.kind === resource.kind &&
      one.namespace === namespace &&
      one.name === name,
  );
  if (torn !== undefined) {
    inquiry.miss(`${nameOf(is)} of ${before.named}: ${torn.says}`);
    return nothing;
  }
  const wasUid = inquiry.need(was.value, ["metadata", "uid"], TEXT);
  const isUid = inquiry.need(is, ["metadata", "uid"], TEXT);
  if (wasUid === undefined || isUid === undefined) return nothing;
  if (wasUid !== isUid) return { meant, changes: [another(wasUid, isUid, is)], pods: 0 };
  const changes = declaredChanges(inquiry, before, was.value, is);
  const lists = listsOfPods(resource);
  // Another template brings other Pods.
  if (lists === undefined || changes.length > 0) return { meant, changes, pods: 0 };
  const read = [earlier, now].map((collection) => areListed(inquiry, collection, lists, namespace));
  if (read.includes(false)) return nothing;
  const pods = podsOf(inquiry, earlier, was.value);
  return {
    meant,
    changes: podsChanged(inquiry, pods, podsOf(inquiry, now, is), before.evidence.at).map((says) => ({
      says,
      by: [],
    })),
    pods: pods.size,
  };
};

const areListed = (
  inquiry: Inquiry,
  collection: Collection,
  lists: NonNullable<ReturnType<typeof listsOfPods>>,
  namespace: string | null,
): boolean => lists.map((one) => inquiry.needList(collection, one, namespace) !== undefined).every(Boolean);

const NOT_COMPARED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** All that is declared but for its own labels and annotations, which start nothing. */
const declaredChanges = (inquiry: Inquiry, before: Before, was: Seen, is: Seen): readonly Change[] => {
  const fields = [...new Set([...Object.keys(was.raw), ...Object.keys(is.raw)])]
    .filter((name) => !NOT_COMPARED.has(name))
    .sort();
  // What only one of them has cannot be taken away so that they are equal and cited.
  for (const field of fields)
    if (valueAt(was.raw, [field]) !== undefined && valueAt(is.raw, [field]) !== undefined)
      for (const one of [was, is]) inquiry.cite(one, [field]);
  const { items, total, notCompared } = sinceBefore(before, was, is, null);
  if (notCompared.length > 0 && !isSameGeneration(inquiry, was, is))
    inquiry.miss(
      `${counted(notCompared.length, "field")} of ${nameOf(is)}, of which digests are kept (${notCompared[0]})`,
    );
  const shown = items.slice(0, 2).map(({ path, was: from, is: to, writers }) => ({
    says: `${path}: ${shownOr(from)} -> ${shownOr(to)}`,
    by: writers,
  }));
  return total > 2
    ? [
        ...shown,
        {
          says: `and ${counted(total - 2, "more field")}`,
          by: items.slice(2).flatMap(({ writers }) => writers),
        },
      ]
    : shown;
};

const shownOr = (value: string | null): string => (value === null ? "(not there)" : value);

/** The API server counts a generation for each change of a spec. */
const isSameGeneration = (inquiry: Inquiry, was: Seen, is: Seen): boolean => {
  const [one, other] = [was, is].map((seen) => inquiry.need(seen, ["metadata", "generation"], WHOLE));
  return one !== undefined && one === other;
};

const sinceBefore = (before: Before, was: Seen, is: Seen, generation: number | null) =>
  changesSince(
    {
      since: { kind: "baseline", verdict: null, at: before.evidence.at, name: before.named },
      says: "",
      object: bare(was.raw),
      uid: was.uid,
      generation,
      only: [],
      limits: [],
    },
    { ...is, raw: bare(is.raw) },
  );

/** Without its own labels and annotations; with what tells who wrote. */
const bare = (raw: JsonObject): JsonObject => {
  const { metadata } = raw;
  const managedFields = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  return { ...raw, metadata: managedFields === undefined ? {} : { managedFields } };
};

const another = (was: string, now: string, is: Seen): Change => {
  const at = hint(is.raw, ["metadata", "creationTimestamp"], TIME);
  return {
    says: `is another object of that name (UID ${quoted(was)}, then ${quoted(now)}${at === undefined ? "" : `, made at ${iso(at)}`})`,
    by: makersOf(is),
  };
};

/** Its first writer, as far as managedFields still tell. */
const makersOf = ({ raw }: Seen): readonly Writer[] => {
  const all = itemsAt(raw, ["metadata", "managedFields"]).flatMap((entry): Writer[] => {
    const [manager, operation, subresource] = (["manager", "operation", "subresource"] as const).map(
      (field) => hint(entry, [field], TEXT),
    );
    const at = hint(entry, ["time"], TIME);
    return manager === undefined || at === undefined || (subresource !== undefined && subresource !== "")
      ? []
      : [
          {
            manager: quoted(manager),
            operation: operation === undefined ? "" : quoted(operation),
            subresource: null,
            at,
          },
        ];
  });
  return [...all].sort((a, b) => Number(a.at) - Number(b.at)).slice(0, 1);
};

const latestOf = (writers: readonly Writer[] | undefined): readonly Writer[] =>
  writers === undefined ? [] : [...writers].sort((a, b) => Number(b.at) - Number(a.at)).slice(0, 1);
