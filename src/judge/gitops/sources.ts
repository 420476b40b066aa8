/**
 * What an Argo CD Application declares, and what its controller compared. Rules: argoproj.io/v1alpha1 Application: spec.sources,
 * where there are any, stands in place of spec.source; status.sync.comparedTo holds the sources and the destination that the
 * controller compared the cluster with. An Application's generation tells nothing: its status is no subresource, so that
 * each report raises it.
 */
import type { Seen } from "../../domain/evidence.ts";
import { isCommit } from "../../domain/expected-commit.ts";
import type { JsonValue } from "../../domain/json.ts";
import { sameRepository, withoutUser } from "../../domain/repository.ts";
import type { Case } from "../case.ts";
import { differencesOf, pathText } from "../differences.ts";
import type { Found, Inquiry } from "../inquiry.ts";
import { fieldAt, hint, itemsAt, LIST, OBJECT, type Path, TEXT, valueAt } from "../read.ts";
import { listed, nameOf, quoted } from "../words.ts";

/** A source of the Application. */
export interface Source {
  readonly at: Path;
  /** Among several: its place in status.sync.revisions; null: it is the only one. */
  readonly index: number | null;
  readonly repository: string;
  /** As it is written; nothing written is HEAD. */
  readonly revision: string;
  readonly isChart: boolean;
}

const declaredAt = (target: Seen): readonly { readonly at: Path; readonly index: number | null }[] => {
  const several = itemsAt(target.raw, ["spec", "sources"]);
  return several.length === 0
    ? [{ at: ["spec", "source"], index: null }]
    : several.map((_, index) => ({ at: ["spec", "sources", index], index }));
};

/** Its sources; undefined: a field is missing, and named. */
export const sourcesOf = (inquiry: Inquiry, target: Seen): readonly Source[] | undefined => {
  const sources = declaredAt(target).map(({ at, index }): Source | undefined => {
    if (inquiry.need(target, at, OBJECT) === undefined) return undefined;
    const repository = inquiry.need(target, [...at, "repoURL"], TEXT);
    const written = fieldAt(target.raw, [...at, "targetRevision"], TEXT);
    if (written.kind === "unreadable") inquiry.miss(`${nameOf(target)} ${written.why}`);
    if (repository === undefined || written.kind === "unreadable") return undefined;
    const isChart = valueAt(target.raw, [...at, "chart"]) !== undefined;
    const revision = written.kind === "known" && written.value !== "" ? written.value : "HEAD";
    return { at, index, repository, revision, isChart };
  });
  return sources.includes(undefined) ? undefined : (sources as readonly Source[]);
};

/** For what rests on where a source aims. */
export const citeRevision = (inquiry: Inquiry, target: Seen, { at }: Source): void => {
  const path: Path = [...at, "targetRevision"];
  if (valueAt(target.raw, path) !== undefined) inquiry.cite(target, path);
};

/** The source that a commit is expected of; else the finding to give. */
export const sourceMeant = (inquiry: Inquiry, { target, expected }: Case): Source | Found => {
  const sources = sourcesOf(inquiry, target);
  if (sources === undefined) return inquiry.unknown();
  const wanted = expected.commit?.repository ?? null;
  const named = sources.filter(({ repository }) => wanted === null || sameRepository(repository, wanted));
  const [only] = named;
  if (only === undefined)
    return inquiry.refuted(
      "other-repository",
      `it takes nothing from ${quoted(String(wanted))}, but from ${repositoriesIn(sources)}`,
    );
  if (named.length > 1)
    return inquiry.undetermined(
      "several-sources",
      `it has ${named.length} sources (${repositoriesIn(named)}), and of which the commit is expected is not said${wanted === null ? " (--repository)" : ""}`,
    );
  if (only.isChart)
    return inquiry.undetermined(
      "not-git",
      `its source is a Helm chart of version ${quoted(only.revision)}, and no commit`,
    );
  return only;
};

const repositoriesIn = (sources: readonly Source[]): string =>
  sources.map(({ repository }) => quoted(withoutUser(repository))).join(", ");

export const shortOf = (commit: string): string => (isCommit(commit) ? commit.slice(0, 10) : quoted(commit));

/** Where its last comparison says which commit that was. */
export const comparedRevisionAt = ({ index }: Source): Path =>
  index === null ? ["status", "sync", "revision"] : ["status", "sync", "revisions", index];

/**
 * Whether status.sync speaks of what spec declares now (O1): sources and destination as they were compared, and by a comparison
 * that came to something. One that did not (Unknown: no repository, no such branch) names the branch where the commit would
 * stand, and leaves health as that of nothing. undefined: it does; else the finding to give.
 */
export const comparisonFault = (inquiry: Inquiry, target: Seen): Found | undefined => {
  const sources = sourcesOf(inquiry, target);
  const destination = inquiry.need(target, ["spec", "destination"], OBJECT);
  if (sources === undefined || destination === undefined) return inquiry.unknown();
  if (hint(target.raw, ["status", "sync"], OBJECT) === undefined)
    return inquiry.undetermined(
      "not-reported",
      "the GitOps controller has reported no comparison: it may never have been synced",
    );
  const compared = ["status", "sync", "comparedTo"] as const;
  const isOne = sources[0]?.index === null;
  const field = isOne ? "source" : "sources";
  const was: JsonValue | undefined = isOne
    ? inquiry.need(target, [...compared, field], OBJECT)
    : (inquiry.need(target, [...compared, field], LIST) as JsonValue | undefined);
  const to = inquiry.need(target, [...compared, "destination"], OBJECT);
  if (was === undefined || to === undefined) return inquiry.unknown();
  const spec = hint(target.raw, ["spec"], OBJECT);
  const different = [
    ...differencesOf({ [field]: was }, { [field]: valueAt(spec, [field]) ?? null }),
    ...differencesOf({ destination: to }, { destination }),
  ];
  if (different.length > 0)
    return inquiry.progressing(
      "not-compared",
      `the GitOps controller has not compared what is declared now: ${listed(different.slice(0, 3).map(({ steps }) => quoted(pathText(steps))))} ${different.length === 1 ? "differs" : "differ"} from what it last compared`,
    );
  const status = inquiry.need(target, ["status", "sync", "status"], TEXT);
  if (status === undefined) return inquiry.unknown();
  if (hasCompared(target)) return undefined;
  const why = errorsOf(target);
  return inquiry.undetermined(
    "comparison-failed",
    `the GitOps controller cannot tell whether the cluster agrees with what is declared (${quoted(status)})${why.length === 0 ? "" : `: ${listed(why.slice(0, 2))}`}`,
  );
};

/** Whether its last comparison came to something. */
const hasCompared = ({ raw }: Seen): boolean => {
  const status = hint(raw, ["status", "sync", "status"], TEXT);
  return status === "Synced" || status === "OutOfSync";
};

/** What its controller says went wrong, newest look. */
export const errorsOf = (target: Seen, of = "Error"): readonly string[] =>
  itemsAt(target.raw, ["status", "conditions"]).flatMap((one) => {
    const [type, message] = [hint(one, ["type"], TEXT), hint(one, ["message"], TEXT)];
    return message !== undefined && type?.endsWith(of) === true ? [quoted(message)] : [];
  });
