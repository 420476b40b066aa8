/**
 * Reading and writing within a folder that others can write to as well: no symbolic link is followed in it, nothing waits on a
 * pipe, and nothing is ever written over (E1).
 */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { type FileHandle, link, mkdir, open, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Digest } from "../../../domain/ids.ts";
import { digestOfHex } from "../../../wire/evidence/sums.ts";
import { reasonOf } from "../read-file.ts";
import { syncFolder } from "../write-file.ts";

// ---- reading -------------------------------------------------------------------------------------------------------

const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;
const CHUNK_BYTES = 1024 * 1024;

export interface NoFile {
  /** A clause without the path. */
  readonly fault: string;
  readonly isMissing: boolean;
}

const WHY_LINK = "it is a symbolic link, and none is followed here";

const noFile = (error: unknown): NoFile => {
  const { why, code } = reasonOf(error);
  return { fault: code === "ELOOP" ? WHY_LINK : why, isMissing: code === "ENOENT" };
};

const withFile = <T>(path: string, use: (file: number, stat: Stats) => T | NoFile): T | NoFile => {
  let file: number | null = null;
  try {
    file = openSync(path, READ);
    const stat = fstatSync(file);
    return stat.isFile() ? use(file, stat) : { fault: "it is no ordinary file", isMissing: false };
  } catch (error) {
    return noFile(error);
  } finally {
    if (file !== null) closeSync(file);
  }
};

/** The whole file, of at most `most` bytes; its last part is no symbolic link. */
export const readBytes = (path: string, most: number): { readonly bytes: Buffer } | NoFile =>
  withFile(path, (file, stat) => {
    const tooLarge = { fault: `it has more than the ${most} bytes that are read`, isMissing: false };
    if (stat.size > most) return tooLarge;
    const bytes = Buffer.allocUnsafe(stat.size + 1);
    let read = 0;
    for (;;) {
      const more = readSync(file, bytes, read, bytes.length - read, null);
      read += more;
      if (more === 0) return { bytes: bytes.subarray(0, read) };
      // It grew while it was read: no file of ours does.
      if (read === bytes.length) return tooLarge;
    }
  });

/** Of a file of any size, piece by piece. */
export const digestIn = (
  path: string,
  buffer: Buffer,
): { readonly digest: Digest; readonly bytes: number } | NoFile =>
  withFile(path, (file) => {
    const hash = createHash("sha256");
    let total = 0;
    for (;;) {
      const read = readSync(file, buffer);
      if (read === 0) return { digest: digestOfHex(hash.digest("hex")), bytes: total };
      hash.update(buffer.subarray(0, read));
      total += read;
    }
  });

/** Room for `digestIn`, to be used again. */
export const readingBuffer = (): Buffer => Buffer.allocUnsafe(CHUNK_BYTES);

// ---- writing -------------------------------------------------------------------------------------------------------

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

type Pieces = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A new file, synced; its folder is not. Throws the system's error, EEXIST where there is one. */
export const writeNew = async (path: string, pieces: Pieces): Promise<Digest> => {
  const file = await open(path, NEW, 0o444);
  try {
    const hash = createHash("sha256");
    for await (const piece of pieces instanceof Uint8Array ? [pieces] : pieces) {
      hash.update(piece);
      await writeAll(file, piece);
    }
    await file.sync();
    return digestOfHex(hash.digest("hex"));
  } finally {
    await file.close();
  }
};

const writeAll = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
};

/**
 * A file that is there whole or not at all, and durable: made in `drafts`, which is no part of the evidence, and linked. False:
 * there is one of that name, and it stands.
 */
export const appear = async (drafts: string, path: string, bytes: Uint8Array): Promise<boolean> => {
  const draft = join(drafts, `${basename(path)}.${randomUUID()}`);
  try {
    await writeNew(draft, bytes);
    await link(draft, path);
  } catch (error) {
    if (reasonOf(error).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(dirname(path));
  return true;
};

/** True: made now; false: there was one, which is looked at by whoever reads it. Throws the system's error. */
export const makeFolder = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (reasonOf(error).code === "EEXIST") return false;
    throw error;
  }
};
