/** Drafts of a snapshot in their folder (ports/snapshot-files.ts): hidden files of ours, linked under their names at the end. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type Draft, SnapshotFault, type SnapshotFiles } from "../../ports/snapshot-files.ts";
import { reasonOf } from "./read-file.ts";
import { syncFolder } from "./write-file.ts";

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A new folder, or an empty one. The fault is a clause; nothing was asked of anybody then. */
export const openSnapshotFolder = async (
  path: string,
): Promise<SnapshotFiles | { readonly fault: string }> => {
  try {
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    if ((await readdir(path)).length > 0)
      return { fault: "it is not empty, and nothing is written over; name a new folder" };
    const drafts = new Drafts(path, made !== undefined);
    // Whether it can be written is better known before a cluster is asked for everything.
    await drafts.draft();
    await drafts.dropAll();
    return drafts;
  } catch (error) {
    const why = error instanceof SnapshotFault ? error.message : reasonOf(error).why;
    return { fault: `it cannot be written: ${why}` };
  }
};

const orFault = async <T>(doing: Promise<T>): Promise<T> => {
  try {
    return await doing;
  } catch (error) {
    throw new SnapshotFault(reasonOf(error).why, { cause: error });
  }
};

class DraftFile implements Draft {
  readonly path: string;
  readonly #file: FileHandle;
  bytes = 0;

  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    const buffer = Buffer.from(text);
    let at = 0;
    while (at < buffer.length) {
      const { bytesWritten } = await orFault(
        this.#file.write(buffer, at, buffer.length - at, this.bytes + at),
      );
      at += bytesWritten;
    }
    this.bytes += buffer.length;
  }

  async restart(): Promise<void> {
    await orFault(this.#file.truncate(0));
    this.bytes = 0;
  }

  sync(): Promise<void> {
    return orFault(this.#file.sync());
  }

  async drop(): Promise<void> {
    await this.#file.close();
    await unlink(this.path);
  }
}

class Drafts implements SnapshotFiles {
  readonly #path: string;
  readonly #isOurs: boolean;
  readonly #drafts = new Set<DraftFile>();
  readonly #named: string[] = [];
  #isOver = false;

  constructor(path: string, isOurs: boolean) {
    this.#path = path;
    this.#isOurs = isOurs;
  }

  async draft(): Promise<Draft> {
    const path = join(this.#path, `.${randomUUID()}.tmp`);
    const draft = new DraftFile(path, await orFault(open(path, FLAGS, 0o444)));
    if (this.#isOver) {
      await draft.drop();
      throw new SnapshotFault("the snapshot was given up");
    }
    this.#drafts.add(draft);
    return draft;
  }

  async finish(files: Parameters<SnapshotFiles["finish"]>[0]): Promise<void> {
    for (const { draft } of files) if (draft instanceof DraftFile) await draft.sync();
    for (const { name, draft } of files) {
      if (!(draft instanceof DraftFile)) continue;
      const path = join(this.#path, name);
      await orFault(link(draft.path, path));
      this.#named.push(path);
    }
    await this.dropAll();
    await orFault(syncFolder(this.#path));
    this.#named.length = 0;
    this.#isOver = true;
  }

  async dropAll(): Promise<void> {
    const all = [...this.#drafts];
    this.#drafts.clear();
    for (const draft of all) await orFault(draft.drop());
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.dropAll();
    for (const path of this.#named) await orFault(unlink(path));
    if (this.#isOurs) await orFault(rmdir(this.#path));
  }
}
