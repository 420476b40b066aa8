/**
 * `synced-revision`: what was last synced is that commit. Rules: status.sync is the controller's comparison of the cluster with
 * what it rendered at status.sync.revision; Synced says that they agree, by whatever operation. A commit that renders to what is
 * there already becomes Synced without one, so that operationState stays what it was: it explains, and decides nothing. Another
 * commit than the expected one counts only where a repository told that it declares the same (Y1), and that is said.
 */
import { rolledBack } from "../../domain/argo-application.ts";
import type { Seen } from "../../domain/evidence.ts";
import { isCommit } from "../../domain/expected-commit.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Case, Rule } from "../case.ts";
import { differencesOf, pathText } from "../differences.ts";
import { sameIncarnation } from "../generation.ts";
import { type Found, Inquiry } from "../inquiry.ts";
import { hint, itemsAt, OBJECT, TEXT, valueAt } from "../read.ts";
import { counted, listed, quoted } from "../words.ts";
import { commitRecord, type Equal, equalContent } from "./equal-content.ts";
import { objectText } from "./object-text.ts";
import {
  citeRevision,
  comparedRevisionAt,
  comparisonFault,
  errorsOf,
  type Source,
  shortOf,
  sourceMeant,
  sourcesOf,
} from "./sources.ts";

export const syncedRevision: Rule = (given) => {
  const inquiry = new Inquiry("synced-revision");
  const { target, expected } = given;
  const stop = sameIncarnation(inquiry, target, expected) ?? comparisonFault(inquiry, target);
  if (stop !== undefined) return stop;
  const meant = expected.commit === null ? sourcesOf(inquiry, target) : oneOf(sourceMeant(inquiry, given));
  if (meant === undefined) return inquiry.unknown();
  if ("finding" in meant) return meant;
  const revisions = meant.map((source) => ({
    source,
    is: inquiry.need(target, comparedRevisionAt(source), TEXT),
  }));
  const status = inquiry.need(target, ["status", "sync", "status"], TEXT);
  if (status === undefined || revisions.some(({ is }) => is === undefined)) return inquiry.unknown();
  let equal: Equal | null = null;
  for (const { source, is } of revisions) {
    if (expected.commit === null && isCommit(source.revision)) citeRevision(inquiry, target, source);
    const wanted =
      expected.commit === null ? (isCommit(source.revision) ? source.revision : null) : expected.commit.sha;
    if (wanted === null) continue;
    if (wanted === is) {
      const fault = otherTree(inquiry, given, wanted);
      if (fault !== undefined) return fault;
      continue;
    }
    const found =
      expected.commit === null ? undefined : equalContent(inquiry, given, source, String(is), wanted);
    if (found === undefined) return otherCommit(inquiry, given, source, String(is), wanted);
    equal = found;
  }
  const at = listed(revisions.map(({ is }) => shortOf(String(is))));
  if (status !== "Synced") return notSynced(inquiry, target, at);
  const surplus = otherSource(inquiry, given, meant);
  if (surplus !== undefined) return surplus;
  for (const { source } of revisions) sayOverrides(inquiry, target, source);
  inquiry.limit(
    "fields that are not declared are not compared: what somebody added to an object is still there",
  );
  const agrees = `the cluster agrees with what is declared at ${at}`;
  return equal === null
    ? inquiry.proven("synced", agrees)
    : inquiry.proven(equal.reason, `${agrees}, ${equal.says}`);
};

const oneOf = (source: Source | Found): readonly Source[] | Found =>
  "finding" in source ? source : [source];

/** A commit's id says its tree: where another one is expected, two words of the person contradict each other. */
const otherTree = (inquiry: Inquiry, { collection, expected }: Case, sha: string): Found | undefined => {
  const declared = expected.commit === null ? null : expected.commit.tree;
  const record = declared === null ? undefined : commitRecord(collection, sha);
  const tree = record === undefined ? undefined : hint(record.raw, ["tree"], TEXT);
  if (record === undefined || tree === undefined || tree === declared) return undefined;
  inquiry.cite(record, ["tree"]);
  return inquiry.refuted(
    "other-tree",
    `commit ${shortOf(sha)} has tree ${shortOf(tree)}, and ${shortOf(String(declared))} is expected`,
  );
};

const otherCommit = (inquiry: Inquiry, given: Case, source: Source, is: string, wanted: string): Found => {
  const sentence = `its controller last compared the cluster with commit ${shortOf(is)}, and ${shortOf(wanted)} is expected`;
  const aims = given.before.get("intended-commit")?.finding;
  return aims === "refuted" || (isCommit(source.revision) && source.revision !== wanted)
    ? inquiry.refuted("other-commit", sentence)
    : inquiry.progressing("waiting-for", sentence);
};

/** Under way where an operation runs, or its controller starts one by itself; else nobody brings it on. */
const notSynced = (inquiry: Inquiry, target: Seen, at: string): Found => {
  const sentence = `the cluster differs from what is declared at ${at}: ${outOfSync(target)}`;
  const phase = hint(target.raw, ["status", "operationState", "phase"], TEXT);
  if (valueAt(target.raw, ["operation"]) !== undefined || phase === "Running")
    return inquiry.progressing("syncing", `${sentence}; a sync is under way`);
  if (wasTried(target) && (phase === "Failed" || phase === "Error")) {
    const message = hint(target.raw, ["status", "operationState", "message"], TEXT);
    return inquiry.refuted(
      "sync-failed",
      `${sentence}; its sync failed${message === undefined ? "" : `: ${quoted(message)}`}`,
    );
  }
  const why = whyLeft(target);
  return why === undefined
    ? inquiry.progressing("out-of-sync", `${sentence}; its controller syncs by itself`)
    : inquiry.refuted("out-of-sync", `${sentence}; ${why}${rollbackText(target)}`);
};

/** A rollback in Argo CD is told from a revert in Git, which is a commit that it would aim at. */
const rollbackText = ({ raw }: Seen): string => {
  const declared = hint(raw, ["status", "sync", "revision"], TEXT);
  const back = declared === undefined ? null : rolledBack(raw, null, declared);
  if (back === null) return "";
  const { revision, by } = back.deployed;
  const who = by === null ? "" : ` by ${quoted(by)}`;
  return `; what was deployed last${who} is an older commit again, ${shortOf(revision)}, as argocd app rollback leaves it: no revert in Git, and what it aims at stays`;
};

/**
 * Why its controller does not sync it by itself; undefined: it does. Rules: autoSync of argo-cd 3.2
 * (controller/appcontroller.go): what was tried already is tried again to heal it alone, and nothing is pruned unasked.
 */
const whyLeft = (target: Seen): string | undefined => {
  const automated = ["spec", "syncPolicy", "automated"] as const;
  if (!isAutomatic(target)) return "nothing syncs it, as it is not synced automatically";
  const [refusal] = errorsOf(target, "SyncError");
  if (refusal !== undefined) return `its controller does not sync it: ${refusal}`;
  const open = itemsAt(target.raw, ["status", "resources"]).filter(
    (one) => hint(one, ["status"], TEXT) === "OutOfSync",
  );
  const isSurplus = open.length > 0 && open.every((one) => valueAt(one, ["requiresPruning"]) === true);
  if (isSurplus && valueAt(target.raw, [...automated, "prune"]) !== true)
    return "nothing syncs it, as what is not declared any more is not pruned automatically";
  return wasTried(target) && valueAt(target.raw, [...automated, "selfHeal"]) !== true
    ? "nothing syncs it, as it was synced to this before and what changed since is not healed automatically (selfHeal)"
    : undefined;
};

/** Whether its last sync was to the revisions that it was compared with, of the same sources. */
const wasTried = ({ raw }: Seen): boolean => {
  const result = hint(raw, ["status", "operationState", "syncResult"], OBJECT);
  const compared = hint(raw, ["status", "sync"], OBJECT);
  if (result === undefined || compared === undefined) return false;
  const of = (from: JsonValue, at: readonly string[]): JsonObject =>
    Object.fromEntries(at.map((field) => [field, valueAt(from, [field]) ?? null]));
  const revisions = ["revision", "revisions"];
  const sources = hint(compared, ["comparedTo"], OBJECT);
  return (
    differencesOf(of(result, revisions), of(compared, revisions)).length === 0 &&
    (sources === undefined || differencesOf(of(result, SOURCES), of(sources, SOURCES)).length === 0)
  );
};

const SOURCES = ["source", "sources"];

const isAutomatic = ({ raw }: Seen): boolean =>
  hint(raw, ["spec", "syncPolicy", "automated"], OBJECT) !== undefined &&
  valueAt(raw, ["spec", "syncPolicy", "automated", "enabled"]) !== false;

const outOfSync = ({ raw }: Seen): string => {
  const all = itemsAt(raw, ["status", "resources"]).filter(
    (one) => hint(one, ["status"], TEXT) === "OutOfSync",
  );
  const named = all.slice(0, 3).map(objectText);
  if (named.length === 0) return "of which object is not said";
  return all.length > named.length ? `${listed(named)} and ${all.length - named.length} more` : listed(named);
};

/** Equal commits with other parameters are another release (k8s-28): where the source is expected, it has to be this one. */
const otherSource = (inquiry: Inquiry, given: Case, sources: readonly Source[]): Found | undefined => {
  const wanted = given.expected.commit?.source ?? null;
  const [source] = sources;
  if (wanted === null || source === undefined) return undefined;
  const { targetRevision: _, repoURL: __, ...is } = hint(given.target.raw, source.at, OBJECT) ?? NO_SOURCE;
  const different = differencesOf(wanted, is);
  return different.length === 0
    ? undefined
    : inquiry.refuted(
        "other-source",
        `the commit is the expected one, and what is made of it is not: ${counted(different.length, "field")} of its source ${different.length === 1 ? "differs" : "differ"} from what is expected (${listed(different.slice(0, 3).map(({ steps }) => quoted(pathText(steps))))})`,
      );
};

const NO_SOURCE: Readonly<Record<string, never>> = {};

const OVERRIDES = [
  ["helm", "parameters"],
  ["helm", "values"],
  ["helm", "valuesObject"],
  ["helm", "fileParameters"],
  ["kustomize", "images"],
  ["kustomize", "replicas"],
  ["kustomize", "patches"],
  ["kustomize", "commonLabels"],
  ["kustomize", "commonAnnotations"],
  ["directory", "jsonnet"],
  ["plugin", "parameters"],
  ["plugin", "env"],
] as const;

/** Values may be secrets: only where they stand is said. */
const sayOverrides = (inquiry: Inquiry, target: Seen, { at }: Source): void => {
  const there = OVERRIDES.filter((path) => valueAt(target.raw, [...at, ...path]) !== undefined);
  if (there.length > 0)
    inquiry.limit(
      `its source is changed beside Git (${listed(there.map((path) => path.join(".")))}): the commit alone does not say what was deployed`,
    );
};
