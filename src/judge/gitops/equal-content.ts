/**
 * Whether two commits declare the same, as far as a repository told (`GitCommit` records): their whole trees are equal, or what
 * stands at the one path that the controller reads is. The latter only where nothing outside of that path gets in: plain
 * manifests, and no symbolic link. Without a record of both nothing is said.
 */
import type { Seen } from "../../domain/evidence.ts";
import { GIT_COMMIT } from "../../domain/git-record.ts";
import type { Case } from "../case.ts";
import type { Citing } from "../citing.ts";
import { FLAG, hint, itemsAt, type Path, TEXT, valueAt } from "../read.ts";
import { quoted } from "../words.ts";
import { type Source, shortOf } from "./sources.ts";

export interface Equal {
  readonly reason: "equal-tree" | "equal-path";
  /** After "at COMMIT". */
  readonly says: string;
}

export const commitRecord = (collection: Case["collection"], id: string): Seen | undefined =>
  collection.ofKind(GIT_COMMIT.group, GIT_COMMIT.kind).find(({ raw }) => valueAt(raw, ["commit"]) === id);

/** undefined: it is not shown. What stands in the way is a limit, where there is a record at all. */
export const equalContent = (
  inquiry: Citing,
  { target, collection, expected }: Case,
  source: Source,
  is: string,
  wanted: string,
): Equal | undefined => {
  const [synced, meant] = [commitRecord(collection, is), commitRecord(collection, wanted)];
  const declared = expected.commit === null ? null : expected.commit.tree;
  if (synced === undefined || (meant === undefined && declared === null)) return undefined;
  const unread = [synced, ...(meant === undefined || declared !== null ? [] : [meant])].flatMap((one) =>
    hint(one.raw, ["why"], TEXT) === undefined
      ? []
      : [`${shortOf(one.name)}: ${quoted(String(valueAt(one.raw, ["why"])))}`],
  );
  if (unread.length > 0) {
    inquiry.limit(`whether the two commits hold the same is not known: ${unread.join("; ")}`);
    return undefined;
  }
  const tree = hint(synced.raw, ["tree"], TEXT);
  const other = declared === null ? hint(meant?.raw, ["tree"], TEXT) : declared;
  if (tree === undefined || other === undefined) return undefined;
  if (tree === other) {
    for (const record of declared === null && meant !== undefined ? [synced, meant] : [synced]) {
      inquiry.cite(record, ["commit"]);
      inquiry.cite(record, ["tree"]);
    }
    inquiry.limit(
      "another commit than the expected one was synced: its content is the same, its history is not",
    );
    return { reason: "equal-tree", says: `whose tree is that of ${shortOf(wanted)}` };
  }
  return meant === undefined ? undefined : equalPath(inquiry, target, source, synced, meant);
};

const equalPath = (
  inquiry: Citing,
  target: Seen,
  { at, index }: Source,
  synced: Seen,
  meant: Seen,
): Equal | undefined => {
  const path = hint(target.raw, [...at, "path"], TEXT);
  if (path === undefined) return undefined;
  const [is, was] = [placeIn(synced, path), placeIn(meant, path)];
  if (is === undefined || was === undefined || is.id !== was.id) return undefined;
  const type: Path = index === null ? ["status", "sourceType"] : ["status", "sourceTypes", index];
  const isPlain =
    hint(target.raw, type, TEXT) === "Directory" &&
    valueAt(target.raw, [...at, "directory", "jsonnet"]) === undefined;
  if (!isPlain || !is.isClosed || !was.isClosed) {
    inquiry.limit(
      `what stands at ${quoted(path)} is the same in both commits; whether what is made of it is, too, is not known: ${isPlain ? "a symbolic link is below it, or it was not read whole" : "only of plain manifests is it known that nothing from elsewhere gets in"}`,
    );
    return undefined;
  }
  for (const { record, at: place } of [is, was]) {
    inquiry.cite(record, ["commit"]);
    for (const field of ["path", "id", "selfContained"]) inquiry.cite(record, [...place, field]);
  }
  for (const cited of [[...at, "path"], type]) inquiry.cite(target, cited);
  inquiry.limit(
    `another commit than the expected one was synced: the same stands at ${quoted(path)}, and the repositories' other files differ`,
  );
  return {
    reason: "equal-path",
    says: `where the same stands at ${quoted(path)} as in ${shortOf(meant.name)}`,
  };
};

interface Place {
  readonly record: Seen;
  readonly at: Path;
  readonly id: string;
  readonly isClosed: boolean;
}

const placeIn = (record: Seen, path: string): Place | undefined => {
  const index = itemsAt(record.raw, ["paths"]).findIndex((one) => hint(one, ["path"], TEXT) === path);
  if (index < 0) return undefined;
  const at: Path = ["paths", index];
  const id = hint(record.raw, [...at, "id"], TEXT);
  return id === undefined
    ? undefined
    : { record, at, id, isClosed: hint(record.raw, [...at, "selfContained"], FLAG) === true };
};
