/**
 * What a clone that a person named tells of the commits that a question is about, as evidence beside what was read: the expected
 * one, and those that Applications say they compared. Read after the cluster, and kept with it, so that it is judged the same later.
 */
import type { Commit, Entry, TreeFile } from "../domain/commit.ts";
import type { Seen } from "../domain/evidence.ts";
import { isCommit } from "../domain/expected-commit.ts";
import { GIT_COMMIT, type GitRecord, type RecordedPath, seenCommit } from "../domain/git-record.ts";
import { iso } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import type { Question } from "../domain/question.ts";
import { RESOURCES } from "../domain/resource.ts";
import { hint, itemsAt, TEXT } from "../judge/read.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { Repository } from "../ports/repository.ts";

const MOST_COMMITS = 100;

/** What cannot be read of it is in the records, with the reason. */
export const withGit = async <C extends Collected>(
  collected: C,
  question: Question,
  git: Repository | undefined,
): Promise<C> => {
  if (git === undefined) return collected;
  const { evidence } = collected;
  const { commits, paths } = wantedOf(question, evidence.objects);
  const known = new Set(evidence.objects.filter(isTold).map(({ name }) => name));
  const asked = commits.filter((id) => !known.has(id)).slice(0, MOST_COMMITS);
  const records = await Promise.all(asked.map((id) => recordOf(git, id, paths)));
  // What an earlier reading could not tell is told anew.
  const kept = evidence.objects.filter((one) => one.kind !== GIT_COMMIT.kind || !asked.includes(one.name));
  return {
    ...collected,
    evidence: {
      ...evidence,
      objects: [...kept, ...records.map((one, at) => seenRecord(one, `git in ${git.named}`, at))],
      limits: [
        ...evidence.limits,
        `commits are as the clone ${git.named} holds them; nothing shows that it is the repository that the controller reads`,
      ],
    },
  };
};

const seenRecord = (record: GitRecord, evidence: string, at: number): Seen =>
  seenCommit(record as unknown as JsonObject, record.commit, { evidence, pointer: `/${at}` });

const isTold = ({ group, kind, raw }: Seen): boolean =>
  group === GIT_COMMIT.group && kind === GIT_COMMIT.kind && raw["why"] === null;

interface Wanted {
  readonly commits: readonly string[];
  readonly paths: readonly string[];
}

const wantedOf = ({ expected }: Question, objects: readonly Seen[]): Wanted => {
  const apps = objects.filter(
    ({ group, kind }) => group === RESOURCES.Application.group && kind === RESOURCES.Application.kind,
  );
  const texts = (values: readonly (JsonValue | undefined)[]) =>
    values.flatMap((value) => (typeof value === "string" ? [value] : []));
  const commits = apps.flatMap(({ raw }) => [
    ...texts([hint(raw, ["status", "sync", "revision"], TEXT)]),
    ...texts(itemsAt(raw, ["status", "sync", "revisions"])),
  ]);
  const paths = apps.flatMap(({ raw }) => [
    ...texts([hint(raw, ["spec", "source", "path"], TEXT)]),
    ...texts(itemsAt(raw, ["spec", "sources"]).map((one) => hint(one, ["path"], TEXT))),
  ]);
  return {
    commits: [
      ...new Set([...(expected.commit === null ? [] : [expected.commit.sha]), ...commits.filter(isCommit)]),
    ],
    paths: [...new Set(paths)],
  };
};

/** One commit, with what stands at each path. */
export const recordOf = async (git: Repository, id: string, paths: readonly string[]): Promise<GitRecord> => {
  const commit = await git.commit(id);
  if (commit.kind !== "known") return unread(id, whyOf(commit));
  const places = await Promise.all(paths.map((path) => placeOf(git, id, path)));
  const signature = await git.signature(id);
  return {
    commit: id,
    why: null,
    ...told(commit.value),
    signature: signature.kind === "known" ? signature.value : "not-checked",
    paths: places,
  };
};

const told = ({ tree, parents, author, committer, subject, reverts }: Commit) => {
  const person = ({ name, at }: Commit["author"]) => ({ name, at: at === null ? null : iso(at) });
  return { tree, parents, author: person(author), committer: person(committer), subject, reverts };
};

const unread = (commit: string, why: string): GitRecord => ({
  commit,
  why,
  tree: null,
  parents: null,
  author: null,
  committer: null,
  subject: null,
  reverts: null,
  signature: null,
  paths: null,
});

const placeOf = async (git: Repository, id: string, path: string): Promise<RecordedPath> => {
  const entry: Known<Entry> = await git.entry(id, path);
  if (entry.kind === "absent") return { path, id: null, selfContained: null, why: null };
  if (entry.kind !== "known") return { path, id: null, selfContained: null, why: whyOf(entry) };
  const files: Known<readonly TreeFile[]> = await git.files(id, path);
  if (files.kind !== "known") return { path, id: entry.value.id, selfContained: null, why: whyOf(files) };
  return {
    path,
    id: entry.value.id,
    selfContained: files.value.every(({ kind }) => kind !== "link"),
    why: null,
  };
};

export const whyOf = (known: Exclude<Known<unknown>, { readonly kind: "known" }>): string =>
  known.kind === "unreadable" ? known.why : "it is not there";
