/**
 * With which earlier state a verdict's object is compared: files that the person named (`--baseline`), the last state that
 * asfound recorded as proven (`--proven`), else the revision before, where the verdict is not proven.
 *
 * Law: none of them is called proven that a judgement does not say it of. Saved files are judged again for that; a record is
 * of a verdict of ours; a revision was judged by nobody.
 */
import type { Changes, Since, StateKey } from "../domain/difference.ts";
import type { Seen } from "../domain/evidence.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Judgement } from "../domain/finding.ts";
import { iso } from "../domain/ids.ts";
import type { Question } from "../domain/question.ts";
import { resourceOf } from "../domain/resource.ts";
import { changesSince, notComparable } from "../judge/changes.ts";
import { Collection } from "../judge/collection.ts";
import { previousRevision, revisionsOf } from "../judge/previous-revision.ts";
import { resourceMeant } from "../judge/resource-meant.ts";
import { rulesOf } from "../judge/rules.ts";
import { nameOf } from "../judge/words.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { ProvenStates } from "../ports/proven-states.ts";
import { dotted, generationOf } from "./readings.ts";

/** A target that was judged, and what it was judged over. */
export interface JudgedOne {
  readonly target: Seen;
  readonly collection: Collection;
  readonly verdict: Judgement;
  /** What was asked of it. */
  readonly question: Question;
}

export interface Comparison {
  /** null: nothing is said of changes. */
  readonly changes: (one: JudgedOne) => Changes | null;
  /** Whether the revisions of a workload have to be read for it. */
  readonly needsRevisions: boolean;
}

export const NO_COMPARISON: Comparison = { changes: () => null, needsRevisions: false };

export const BY_REVISION: Comparison = {
  changes: ({ target, collection, verdict }) =>
    verdict === "proven" ? null : sinceRevision(target, collection),
  needsRevisions: true,
};

const HOW = "name files of a state that was proven (--baseline), or keep records of those (--proven)";

const sinceRevision = (target: Seen, collection: Collection): Changes => {
  const resource = revisionsOf(target);
  if (resource === undefined)
    return notComparable(
      `of ${/^[AEIO]/.test(target.kind) ? "an" : "a"} ${target.kind} no earlier revisions are kept; ${HOW}`,
    );
  const revision = previousRevision(target, collection);
  if (revision.kind === "absent")
    return notComparable(`there is no other revision of it among its ${resource.plural}; ${HOW}`);
  if (revision.kind !== "known") {
    const why = revision.kind === "unreadable" ? revision.why : "they were not read";
    return notComparable(`its earlier revisions (${resource.plural}) cannot be told: ${why}; ${HOW}`);
  }
  const { object, number, template } = revision.value;
  const since: Since = { kind: "previous-revision", verdict: null, at: null, name: nameOf(object) };
  return changesSince(
    {
      since,
      says: `since the previous revision (${resource.kind} ${object.name}, revision ${number}), which was not seen proven`,
      object: { spec: { template } },
      uid: null,
      generation: null,
      only: ["spec", "template"],
      limits: ["a revision keeps the Pod template alone: replicas and all else are not compared"],
    },
    target,
  );
};

// ---- saved files ---------------------------------------------------------------------------------------------------

/** `named`: the files, as the person wrote it. */
export const againstBaseline = (
  named: string,
  collected: Collected,
  judgeIn: (
    collection: Collection,
    collected: Collected,
    question: Question,
  ) => { readonly verdict: Judgement },
): Comparison => {
  const collection = new Collection(collected.evidence);
  const verdicts = new Map<string, Judgement>();
  const verdictOf = ({ group, kind, namespace, name }: Seen, { rules }: Question): Judgement => {
    const key = JSON.stringify([group, kind, namespace, name]);
    const before = verdicts.get(key);
    if (before !== undefined) return before;
    const { verdict } = judgeIn(collection, collected, {
      kind: dotted(kind, group),
      namespace,
      name,
      expected: NOTHING_EXPECTED,
      claims: null,
      ...(rules === undefined ? {} : { rules }),
    });
    verdicts.set(key, verdict);
    return verdict;
  };
  return {
    needsRevisions: false,
    changes: ({ target, question }) => {
      const { group, kind, namespace, name } = target;
      const resource = resourceOf(group, kind) ?? { group, kind, plural: "", short: [] };
      const was = collection.object(resource, namespace, name);
      if (was.kind === "unreadable") return notComparable(`${named}: ${was.why}`);
      if (was.kind !== "known") return notComparable(`${named} holds no ${nameOf(target)}`);
      const verdict = verdictOf(target, question);
      const at = collected.evidence.at;
      return changesSince(
        {
          since: { kind: "baseline", verdict, at, name: named },
          says:
            verdict === "proven"
              ? `since ${named}, proven as it was at ${iso(at)}`
              : `since ${named} as it was at ${iso(at)}, which is no proven state: judged again it is ${verdict}`,
          object: was.value.raw,
          uid: was.value.uid,
          generation: generationOf(was.value.raw),
          only: [],
          limits: [...new Set([...collected.evidence.limits, ...fromWhere(collected)])].map(
            (limit) => `${named}: ${limit}`,
          ),
        },
        target,
      );
    },
  };
};

const fromWhere = ({ server }: Collected): readonly string[] =>
  server === null ? ["nothing in it says of which cluster it is"] : [];

/** Why these files are no earlier state of what is asked for; null: they are. `server`: null for saved files that do not say it. */
export const misfit = (
  named: string,
  baseline: Collected,
  server: string | null,
  wanted: Pick<Question, "kind" | "namespace" | "name" | "rules"> | null,
): string | null => {
  if (server !== null && baseline.server !== null && server !== baseline.server)
    return `${named} is of another cluster: it was read from ${baseline.server}, and this is ${server}`;
  if (wanted === null) return null;
  const collection = new Collection(baseline.evidence);
  const resource = resourceMeant(wanted.kind, collection, rulesOf(wanted));
  const { namespace, name } = wanted;
  const isThere = [namespace, null].some((place) => {
    const { kind } = collection.object(resource, place, name);
    return kind === "known" || kind === "unreadable";
  });
  return isThere
    ? null
    : `${named} holds no ${nameOf({ kind: resource.kind, namespace, name })}, so it is no earlier state of it`;
};

// ---- records -------------------------------------------------------------------------------------------------------

/** What this folder holds of the object, else the revision before. */
export const againstRecords = (states: ProvenStates, server: string): Comparison => ({
  needsRevisions: true,
  changes: (one) => {
    const last = states.last(keyOf(one.target, server));
    if (last === null) return BY_REVISION.changes(one);
    if ("fault" in last)
      return notComparable(`the last record of it as proven (${last.name}) cannot be read: ${last.fault}`);
    const { at, name, uid, object } = last;
    return changesSince(
      {
        since: { kind: "record", verdict: "proven", at, name },
        says: `since the state that asfound last recorded as proven, at ${iso(at)} (${name})`,
        object,
        uid,
        generation: generationOf(object),
        only: [],
        limits: ["nothing but the folder's own rights shows that a record is unchanged"],
      },
      one.target,
    );
  },
});

export const keyOf = ({ group, kind, namespace, name }: Seen, server: string): StateKey => ({
  server,
  group,
  kind,
  namespace,
  name,
});
