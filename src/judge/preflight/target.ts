/**
 * What a rollback goes to: a recorded release, or a revision that the cluster keeps. A release whose template had something
 * taken out of it (E5) is only whole in the ReplicaSet or ControllerRevision of the same digest.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { Release } from "../../domain/release.ts";
import type { Check } from "../../domain/rollback.ts";
import { DIGEST } from "../changes.ts";
import type { Collection } from "../collection.ts";
import { differencesOf } from "../differences.ts";
import { type Revision, revisionsIn, revisionsOf } from "../previous-revision.ts";
import type { Path } from "../read.ts";
import { counted, nameOf } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Digests, RollbackTarget } from "./given.ts";

export type Wanted =
  | { readonly kind: "release"; readonly release: Release }
  | { readonly kind: "revision"; readonly number: number };

export interface Resolved {
  /** null: there is nothing that could be rolled back to. */
  readonly target: RollbackTarget | null;
  readonly check: Check;
}

export const resolveTarget = (
  live: Seen,
  wanted: Wanted,
  collection: Collection,
  digests: Digests,
): Resolved => {
  const checking = new Checking("target");
  const resource = revisionsOf(live);
  if (resource === undefined)
    return nothing(
      checking.refuted(
        "no-revisions",
        `of ${live.kind} neither a template nor revisions are known that could be rolled back to`,
        "name a Deployment, StatefulSet or DaemonSet",
      ),
    );
  if (live.uid === null) {
    checking.miss(`${nameOf(live)} metadata.uid`);
    return nothing(checking.unknown());
  }
  checking.cite(live, ["metadata", "uid"]);
  const kept = revisionsIn(live, collection);
  // A release that is whole needs no revision.
  const needsThem = wanted.kind === "revision" || wanted.release.removed.size > 0;
  if (needsThem && kept.kind === "known") checking.needList(collection, resource, live.namespace);
  return wanted.kind === "revision"
    ? byNumber(checking, live, wanted.number, kept.kind === "known" ? kept.value : null, resource.plural)
    : byRelease(checking, live, wanted.release, kept.kind === "known" ? kept.value : [], digests);
};

const nothing = (check: Check): Resolved => ({ target: null, check });

const templateIn = ({ object }: Revision): Path =>
  object.kind === "ReplicaSet" ? ["spec", "template"] : ["data", "spec", "template"];

const byNumber = (
  checking: Checking,
  live: Seen,
  number: number,
  kept: readonly Revision[] | null,
  plural: string,
): Resolved => {
  if (kept === null) {
    checking.miss(plural);
    return nothing(checking.unknown(`save them too: kubectl get ${plural} -o json`));
  }
  const found = kept.filter((one) => one.number === number);
  const [revision] = found;
  if (revision === undefined)
    return nothing(
      checking.refuted(
        "no-such-revision",
        `${nameOf(live)} keeps no revision ${number}: ${kept.length === 0 ? "none is kept" : `it keeps ${kept.map((one) => one.number).join(", ")}`}`,
        "choose one of those, or a recorded release",
      ),
    );
  if (found.length > 1)
    return nothing(
      checking.undetermined(
        "ambiguous",
        `${counted(found.length, "object")} say that they are revision ${number}: ${found.map(({ object }) => nameOf(object)).join(" and ")}`,
        "roll back to a recorded release instead",
      ),
    );
  checking.cite(revision.object, templateIn(revision));
  checking.cite(revision.object, numberOf(revision));
  checking.cite(revision.object, ["metadata", "ownerReferences"]);
  checking.limit("that the cluster keeps a revision does not say that it ever worked");
  return {
    target: {
      text: `revision ${number} (${revision.object.kind} ${revision.object.name})`,
      release: null,
      revision,
      template: revision.template,
      holder: revision.object,
      path: templateIn(revision),
    },
    check: checking.proven(
      "revision-kept",
      `${nameOf(revision.object)} keeps the template of revision ${number}`,
    ),
  };
};

const numberOf = ({ object }: Revision): Path =>
  object.kind === "ReplicaSet"
    ? ["metadata", "annotations", "deployment.kubernetes.io/revision"]
    : ["revision"];

const byRelease = (
  checking: Checking,
  live: Seen,
  release: Release,
  kept: readonly Revision[],
  digests: Digests,
): Resolved => {
  const text = `release ${release.name === null ? release.id : `${release.name} (${release.id})`}`;
  const its = release.target;
  if (
    its.kind !== live.kind ||
    its.group !== live.group ||
    its.namespace !== live.namespace ||
    its.name !== live.name
  )
    return nothing(
      checking.refuted(
        "other-workload",
        `${text} is of ${its.kind} ${its.namespace}/${its.name}, and not of ${nameOf(live)}`,
        "name a release of this workload",
      ),
    );
  const holder = seenRelease(release);
  checking.cite(holder, ["templateDigest"]);
  const revision = holding(release, kept, digests);
  const isWhole = release.removed.size === 0;
  if (isWhole && digests.template(release.template) !== release.templateDigest)
    return nothing(
      checking.refuted(
        "record-damaged",
        `the template that ${text} holds is not the one whose digest it recorded`,
        "take another release: this record was changed after it was written",
      ),
    );
  if (!isWhole && revision === null)
    return nothing(
      checking.refuted(
        "template-not-whole",
        `${counted(release.removed.size, "value")} of its template ${release.removed.size === 1 ? "was" : "were"} not kept in ${text} (literals of env are never written), and no ReplicaSet or ControllerRevision of this workload holds that template any more`,
        "bring it back from Git, and raise revisionHistoryLimit",
      ),
    );
  const target: RollbackTarget = {
    text,
    release,
    revision,
    template: revision === null ? release.template : revision.template,
    holder: revision === null ? holder : revision.object,
    path: revision === null ? ["template"] : templateIn(revision),
  };
  if (!isWhole) checking.cite(target.holder, target.path);
  if (its.uid !== live.uid)
    return {
      target,
      check: checking.refuted(
        "other-incarnation",
        `${text} is of an earlier incarnation of ${nameOf(live)} (UID ${its.uid}, and now ${live.uid})`,
        "record a release of the present one once it is proven, or --accept target",
      ),
    };
  return {
    target,
    check: checking.proven(
      "release-whole",
      revision === null
        ? `${text} holds the whole template; no revision of the cluster does any more`
        : `${nameOf(revision.object)} keeps the very template that ${text} recorded`,
    ),
  };
};

/**
 * By the template's digest; without the key of what was removed from it, by the UID of what held it, whose template is the
 * recorded one but for those values.
 */
const holding = (release: Release, kept: readonly Revision[], digests: Digests): Revision | null => {
  const same = kept.find(({ template }) => digests.template(template) === release.templateDigest);
  if (same !== undefined) return same;
  const its = kept.find(({ object }) => object.uid !== null && object.uid === release.revision?.uid);
  if (its === undefined) return null;
  const others = differencesOf(release.template, its.template).filter(
    ({ was, is }) => is === undefined || typeof was !== "string" || !DIGEST.test(was),
  );
  return others.length === 0 ? its : null;
};

/** A record as evidence: what a check rests on in it has a place. */
const seenRelease = (release: Release): Seen => ({
  group: "asfound.dev",
  version: "v1alpha1",
  kind: "Release",
  namespace: release.target.namespace,
  name: release.name ?? release.id,
  uid: release.id,
  raw: { template: release.template, templateDigest: release.templateDigest },
  source: { evidence: `release ${release.id}`, pointer: "" },
});
