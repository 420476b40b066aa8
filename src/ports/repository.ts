/**
 * A Git repository that a person named, read only. What it holds is by its own word until the bytes were seen to have the id
 * that names them; every answer here is of such bytes.
 *
 * Laws: `absent` says that the repository is whole where it was asked and holds no such thing (a path in a tree). What a
 * shallow or partial clone lacks, a damaged object, a missing git, a limit or a deadline is `unreadable` with the reason: never
 * "unchanged", never an empty list (R2). Nothing that the repository names is run, nothing is fetched, nothing is written.
 */
import type { Commit, Entry, Lineage, PathChange, SignatureStatus, TreeFile } from "../domain/commit.ts";
import type { Known } from "../domain/known.ts";

export interface Repository {
  /** As the person named it, for sentences. */
  readonly named: string;
  /** The commit that a name (a branch, a tag, an id, `HEAD`) leads to in this clone. */
  resolve(name: string): Promise<Known<string>>;
  commit(id: string): Promise<Known<Commit>>;
  /** `path`: of the tree, `.` for all of it. */
  entry(commit: string, path: string): Promise<Known<Entry>>;
  /** All that is below a path, or the one file there. */
  files(commit: string, path: string): Promise<Known<readonly TreeFile[]>>;
  /** A file's bytes. */
  bytes(file: string): Promise<Known<Uint8Array>>;
  /** Where two commits differ below a path; empty: nowhere, and both were read. */
  changes(before: string, after: string, path: string): Promise<Known<readonly PathChange[]>>;
  /** What `one` is to `other`. */
  lineage(one: string, other: string): Promise<Known<Lineage>>;
  /** From a commit by its first parents back to another, both included, newest first; absent: it is not on that line. */
  line(newest: string, oldest: string): Promise<Known<readonly Commit[]>>;
  signature(commit: string): Promise<Known<SignatureStatus>>;
  close(): void;
}
