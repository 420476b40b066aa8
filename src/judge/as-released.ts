/**
 * `as-released`: the workload is the one that a release was recorded of, and declares the template that was recorded.
 *
 * What is never written (literals of env) stands in a record as a digest of a key that a judge has not. Whether these are
 * the same is told by the ReplicaSet or ControllerRevision that the record names by its UID, as long as the cluster keeps
 * it: it holds the whole template. A name is not content (C4), so no other one will do.
 */
import type { ExpectedRelease } from "../domain/expected-release.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Case, Rule } from "./case.ts";
import { shortPath } from "./changes.ts";
import { type Difference, differencesOf } from "./differences.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { type Revision, revisionPaths, revisionsIn, revisionsOf } from "./previous-revision.ts";
import { OBJECT, TEXT } from "./read.ts";
import { withoutHash } from "./template.ts";
import { counted, listed, nameOf } from "./words.ts";

export const asReleased: Rule = (given) => {
  const inquiry = new Inquiry("as-released");
  const { target, expected } = given;
  const { release } = expected;
  if (release === null) return inquiry.undetermined("vacuous", "no release is expected; say --release NAME");
  if (revisionsOf(target) === undefined)
    return inquiry.undetermined("no-rule", `as-released is not a claim about a ${target.kind}`);
  const stop = sameIncarnation(inquiry, target, expected);
  if (stop !== undefined) return stop;
  const uid = inquiry.need(target, ["metadata", "uid"], TEXT);
  const template = inquiry.need(target, ["spec", "template"], OBJECT);
  if (uid === undefined || template === undefined) return inquiry.unknown();
  if (uid !== release.uid)
    return inquiry.refuted(
      "other-incarnation",
      `${release.text} is of an earlier incarnation of ${nameOf(target)}, with UID ${release.uid}: it was deleted and made again since, and has UID ${uid} now`,
    );
  const { others, unread } = against(release, withoutHash(template));
  if (others.length > 0)
    return inquiry.refuted(
      "other-template",
      `${counted(others.length, "field")} of its template ${others.length === 1 ? "differs" : "differ"} from ${release.text}: ${fieldsOf(others)}`,
    );
  return unread.length === 0
    ? inquiry.proven(
        "same-template",
        `it declares the very template of ${release.text}${holding(given, release)}`,
      )
    : byRevision(inquiry, given, { release, template, literals: unread.length });
};

interface Against {
  /** What a record's digest stands for, and something is there: whether it is the same cannot be told from the record. */
  readonly unread: readonly Difference[];
  readonly others: readonly Difference[];
}

const against = (release: ExpectedRelease, is: Parameters<typeof differencesOf>[1]): Against => {
  const all = differencesOf(release.template, is);
  const isUnread = (one: Difference): boolean =>
    typeof one.was === "string" && release.removed.has(one.was) && typeof one.is === "string";
  return { unread: all.filter(isUnread), others: all.filter((one) => !isUnread(one)) };
};

const fieldsOf = (all: readonly Difference[]): string =>
  listed(all.map(({ steps }) => `spec.template.${shortPath(steps)}`));

const recordedIn = (all: readonly Revision[], { revision }: ExpectedRelease): Revision | undefined =>
  revision === null ? undefined : all.find(({ object }) => object.uid === revision.uid);

/** For the wording alone: the record holds the whole template by itself. */
const holding = ({ target, collection }: Case, release: ExpectedRelease): string => {
  const kept = revisionsIn(target, collection);
  if (kept.kind !== "known" || release.revision === null) return "";
  const { kind, name, uid } = release.revision;
  return recordedIn(kept.value, release) === undefined
    ? `; ${kind} ${name} (UID ${uid}), which held it, is not kept any more`
    : `, which ${kind} ${name} (UID ${uid}) still holds`;
};

interface Declared {
  readonly release: ExpectedRelease;
  readonly template: JsonObject;
  /** How many values of it the record does not hold. */
  readonly literals: number;
}

const byRevision = (inquiry: Inquiry, given: Case, { release, template, literals }: Declared): Found => {
  const { target, collection } = given;
  const few = literals === 1;
  const open = `${counted(literals, "literal value")} of its template ${few ? "is" : "are"} not kept in ${release.text}`;
  const resource = revisionsOf(target);
  const list = resource === undefined ? undefined : inquiry.needList(collection, resource, target.namespace);
  const kept = revisionsIn(target, collection);
  if (list === undefined || kept.kind !== "known") return inquiry.unknown();
  const revision = recordedIn(kept.value, release);
  if (revision === undefined)
    return inquiry.undetermined(
      "not-kept",
      `${open}, and ${goneText(release)}: whether ${few ? "it is" : "they are"} the same is not known`,
    );
  const { object } = revision;
  for (const path of revisionPaths(object)) inquiry.cite(object, path);
  if (against(release, revision.template).others.length > 0)
    return inquiry.undetermined(
      "contradiction",
      `${open}, and ${nameOf(object)}, which held ${few ? "it" : "them"}, was changed since`,
    );
  const differ = differencesOf(revision.template, withoutHash(template));
  if (differ.length > 0)
    return inquiry.refuted(
      "other-literals",
      `${counted(differ.length, "literal value")} of its template ${differ.length === 1 ? "differs" : "differ"} from ${release.text}, as ${nameOf(object)} holds it: ${fieldsOf(differ)}`,
    );
  inquiry.limit(
    `${open}: that ${few ? "it is" : "they are"} the same is told by ${nameOf(object)}, which has the UID that was recorded`,
  );
  return inquiry.proven(
    "same-template",
    `it declares the template of ${release.text}, whole as ${nameOf(object)} (UID ${String(object.uid)}) holds it`,
  );
};

const goneText = ({ revision }: ExpectedRelease): string =>
  revision === null
    ? "which revision held them is not recorded"
    : `${revision.kind} ${revision.name}, which held them, is not kept any more`;
