/** A Git repository on this machine, by the system's git (`ports/repository.ts`). */
import { statSync } from "node:fs";
import type { Commit, SignatureStatus } from "../../domain/commit.ts";
import { absent, type Known, known, unreadable } from "../../domain/known.ts";
import type { Repository } from "../../ports/repository.ts";
import { type Environment, isId } from "./hardened.ts";
import { lineageOf } from "./lineage.ts";
import { type GitObject, type Limits, Objects, type ObjectType } from "./objects.ts";
import { readCommit, readTree, type TreeEntry } from "./read-object.ts";
import { runGit } from "./run.ts";
import { signatureOf } from "./signature.ts";
import { differencesBelow, entryAt, filesBelow } from "./trees.ts";

const LIMITS: Limits = {
  deadlineMs: 60_000,
  objectBytes: 32 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
};

const LONGEST_LINE = 10_000;

export interface Opening {
  /** A folder in it. */
  readonly folder: string;
  /** As the person wrote it. */
  readonly named: string;
  readonly environment: Environment;
  readonly limits?: Partial<Limits>;
}

/** The fault is a sentence. */
export const openRepository = async (opening: Opening): Promise<Repository | { readonly fault: string }> => {
  const { folder, named, environment } = opening;
  if (!isFolder(folder)) return { fault: `${named} is no folder` };
  const facts = await runGit(folder, environment, [
    "rev-parse",
    "--show-object-format",
    "--is-shallow-repository",
  ]);
  if ("fault" in facts) return { fault: `${named} is no Git repository that can be read: ${facts.fault}` };
  const [format, shallow] = facts.out.trim().split("\n");
  if (format !== "sha1" && format !== "sha256")
    return { fault: `${named} has ids of another kind (${String(format)}) than SHA-1 and SHA-256` };
  const partial = await runGit(folder, environment, [
    "config",
    "--get-regexp",
    "^(extensions[.]partialclone|remote[.].*[.]promisor)$",
  ]);
  // git config exits with 1 where it finds none.
  const isPartial = !("fault" in partial) || partial.exit !== 1;
  return new GitRepository(opening, format === "sha1" ? 20 : 32, lackingIn(shallow === "true", isPartial));
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const lackingIn = (shallow: boolean, partial: boolean): string => {
  if (partial) return ": it is a partial clone, which holds a part of the objects, and nothing is fetched";
  if (shallow) return ": it is a shallow clone, whose past was cut off (git fetch --unshallow brings it)";
  return ": it is damaged here, or was never fetched";
};

const MOST_KEPT = 50_000;

class GitRepository implements Repository {
  readonly named: string;
  readonly #opening: Opening;
  readonly #idBytes: 20 | 32;
  readonly #lacking: string;
  readonly #commits = new Map<string, Commit>();
  #objects: Objects | null = null;

  constructor(opening: Opening, idBytes: 20 | 32, lacking: string) {
    this.named = opening.named;
    this.#opening = opening;
    this.#idBytes = idBytes;
    this.#lacking = lacking;
  }

  async resolve(name: string): Promise<Known<string>> {
    if (isId(name)) {
      const read = await this.commit(name);
      if (read.kind === "known") return known(read.value.id);
    }
    if (name === "" || name.length > 1_000 || name.includes("\u0000"))
      return unreadable("this is no name of a commit");
    const { folder, environment } = this.#opening;
    const ran = await runGit(folder, environment, [
      "rev-parse",
      "--verify",
      "--end-of-options",
      `${name}^{commit}`,
    ]);
    if ("fault" in ran) return unreadable(`it holds no commit of that name${this.#lacking}`);
    if (ran.err.includes("is ambiguous"))
      return unreadable(
        "that name is of several (a branch and a tag, say); say refs/heads/NAME or refs/tags/NAME",
      );
    const id = ran.out.trim();
    return isId(id) ? known(id) : unreadable("that is no commit");
  }

  async commit(id: string): Promise<Known<Commit>> {
    const kept = this.#commits.get(id);
    if (kept !== undefined) return known(kept);
    const read = await this.#object(id, "commit");
    if (read.kind !== "known") return read;
    const commit = readCommit(id, read.value.bytes);
    if (commit === undefined) return unreadable(`object ${id.slice(0, 10)} is no commit that can be read`);
    if (this.#commits.size < MOST_KEPT) this.#commits.set(id, commit);
    return known(commit);
  }

  async entry(commit: string, path: string): ReturnType<Repository["entry"]> {
    const of = await this.commit(commit);
    return of.kind === "known" ? entryAt(of.value.tree, path, this.#tree) : of;
  }

  async files(commit: string, path: string): ReturnType<Repository["files"]> {
    const from = await this.entry(commit, path);
    return from.kind === "known" ? filesBelow(from.value, this.#tree) : from;
  }

  async bytes(file: string): Promise<Known<Uint8Array>> {
    const read = await this.#object(file, "blob");
    return read.kind === "known" ? known(read.value.bytes) : read;
  }

  async changes(before: string, after: string, path: string): ReturnType<Repository["changes"]> {
    const [was, is] = [await this.entry(before, path), await this.entry(after, path)];
    if (was.kind === "unreadable" || was.kind === "not-asked") return was;
    if (is.kind === "unreadable" || is.kind === "not-asked") return is;
    return differencesBelow(
      was.kind === "known" ? was.value : null,
      is.kind === "known" ? is.value : null,
      this.#tree,
    );
  }

  lineage(one: string, other: string): ReturnType<Repository["lineage"]> {
    return lineageOf(one, other, (id) => this.commit(id));
  }

  async line(newest: string, oldest: string): ReturnType<Repository["line"]> {
    const line: Commit[] = [];
    for (let id: string | undefined = newest; id !== undefined; ) {
      const read: Known<Commit> = await this.commit(id);
      if (read.kind !== "known") return read;
      line.push(read.value);
      if (id === oldest) return known(line);
      if (line.length >= LONGEST_LINE)
        return unreadable(`there are more than ${LONGEST_LINE} commits between them`);
      [id] = read.value.parents;
    }
    return absent;
  }

  async signature(commit: string): Promise<Known<SignatureStatus>> {
    const read = await this.commit(commit);
    if (read.kind !== "known") return read;
    if (!read.value.isSigned) return known("none");
    const { folder, environment } = this.#opening;
    return signatureOf(folder, environment, commit);
  }

  close(): void {
    this.#objects?.close();
  }

  readonly #tree = async (id: string): Promise<Known<readonly TreeEntry[]>> => {
    const read = await this.#object(id, "tree");
    if (read.kind !== "known") return read;
    const entries = readTree(read.value.bytes, this.#idBytes);
    return entries === undefined
      ? unreadable(`object ${id.slice(0, 10)} is no tree that can be read`)
      : known(entries);
  };

  async #object(id: string, type: ObjectType): Promise<Known<GitObject>> {
    if (id.length !== this.#idBytes * 2)
      return unreadable(`it has ids of another length than ${id.slice(0, 10)}`);
    const { folder, environment, limits } = this.#opening;
    // git ends where it cannot go on: what is asked next is asked anew.
    if (this.#objects === null || this.#objects.ended)
      this.#objects = new Objects(folder, environment, { ...LIMITS, ...limits }, () => this.#lacking);
    const read = await this.#objects.get(id);
    if (read.kind !== "known") return read;
    return read.value.type === type
      ? read
      : unreadable(`${id.slice(0, 10)} is a ${read.value.type}, no ${type}`);
  }
}
