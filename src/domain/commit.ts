/**
 * What a Git repository tells of commits. An id is the digest of what it names, so a tree that is known by its commit's id is
 * the very content; a name (a branch, a tag) is only what one clone says at one time. Text in it (authors, messages, file
 * names) is anybody's: whoever shows it makes it printable.
 */
import type { Instant } from "./ids.ts";

/** Who, as the commit says of itself; nothing shows that it is true. */
export interface Signed {
  readonly name: string;
  /** null: it is no time of this calendar. */
  readonly at: Instant | null;
}

/**
 * What Git can tell of a signature. `good` and `bad` are the word of this machine's own gpg or ssh-keygen, with the person's own keys;
 * `not-checked`: there is one, and nobody could check it.
 */
export type SignatureStatus = "none" | "good" | "bad" | "not-checked";

export interface Commit {
  /** Whole: 40 or 64 hex digits. */
  readonly id: string;
  readonly tree: string;
  /** The first is the one that it was made on. */
  readonly parents: readonly string[];
  readonly author: Signed;
  readonly committer: Signed;
  /** The first line of its message. */
  readonly subject: string;
  /** Commits that its message says it reverts ("This reverts commit …"): a word, not a fact. */
  readonly reverts: readonly string[];
  readonly isSigned: boolean;
}

/** `ancestor`: the one comes before the other; `diverged`: they share a past; `unrelated`: not even that. */
export type Lineage = "same" | "ancestor" | "descendant" | "diverged" | "unrelated";

export type EntryKind = "tree" | "file" | "link" | "submodule";

/** What a commit's tree holds at a path. */
export interface Entry {
  readonly kind: EntryKind;
  readonly id: string;
}

/** A file of a tree, from the path that was asked for. */
export interface TreeFile extends Entry {
  readonly path: string;
}

/** One path at which two trees differ. null: it is not there. */
export interface PathChange {
  readonly path: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

const REVERTS = /^This reverts commit ([0-9a-f]{40}|[0-9a-f]{64})[.,]/gm;

/** Of a whole message, as `git revert` writes it; abbreviated ids name nothing for certain. */
export const revertsIn = (message: string): readonly string[] => [
  ...new Set([...message.matchAll(REVERTS)].map(([, id]) => String(id))),
];

/** `deploy//web/` and `./deploy/web` are one path; `.` is the whole tree. undefined: it leads out of it. */
export const treePath = (path: string): readonly string[] | undefined => {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") || path.includes("\u0000") ? undefined : parts;
};
