/**
 * What a repository told of one commit, as evidence: an object of a kind of its own, as recorded answers are, so that a judge cites
 * its fields, and without one of them has nothing (V1). `git.json` holds them as they are here. An id is the digest of what it
 * names, and was found again from the bytes when the record was made; of a record in a file nothing shows that.
 */
import type { SignatureStatus } from "./commit.ts";
import type { Cited, Seen } from "./evidence.ts";
import type { JsonObject } from "./json.ts";

export const GIT_COMMIT = { group: "asfound.dev", version: "v1alpha1", kind: "GitCommit" } as const;

export interface RecordedPath {
  /** As it was asked for. */
  readonly path: string;
  /** The id of what is there, of which equal ids are equal content; null: nothing is there, or it is not known. */
  readonly id: string | null;
  /** Whether it leads nowhere outside of itself: no symbolic link is below it; null: not known. */
  readonly selfContained: boolean | null;
  /** Why it is not known, a clause; null: it is. */
  readonly why: string | null;
}

export interface RecordedPerson {
  readonly name: string;
  /** RFC 3339; null: it is no time. */
  readonly at: string | null;
}

export interface GitRecord {
  readonly commit: string;
  /** Why the commit could not be read, a clause; null: it was. Then all that follows is null. */
  readonly why: string | null;
  readonly tree: string | null;
  readonly parents: readonly string[] | null;
  readonly author: RecordedPerson | null;
  readonly committer: RecordedPerson | null;
  readonly subject: string | null;
  readonly reverts: readonly string[] | null;
  readonly signature: SignatureStatus | null;
  readonly paths: readonly RecordedPath[] | null;
}

export const seenCommit = (raw: JsonObject, name: string, source: Cited): Seen => ({
  ...GIT_COMMIT,
  namespace: null,
  name,
  uid: null,
  raw,
  source,
});
