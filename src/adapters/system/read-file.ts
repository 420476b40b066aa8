/**
 * Reading a file that a person named: only ordinary files, only up to a size, and never a wait on a pipe or device.
 * Small files are read synchronously: the threads that Node starts for its first asynchronous read cost more than that.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

export type Bytes =
  | { readonly bytes: Buffer }
  /** `code`: the system's own (`ENOENT`), or `not-a-file`, `too-large`. The fault is one sentence without the path. */
  | { readonly fault: string; readonly code: string };

const WHY: Readonly<Record<string, string | undefined>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user may not",
  EPERM: "the system does not permit it",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "a part of its path is a file, not a folder",
  ELOOP: "its symbolic links form a circle",
  ENAMETOOLONG: "its path is too long",
  ENXIO: "it is a socket or device, not an ordinary file",
  EIO: "the disk answers with an input/output error; look at the disk, then run again",
  ENOSPC: "the disk is full; free some space, then run again",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open; raise the limit (ulimit -n), then run again",
};

/** The reason of a system error, as the end of a sentence. */
export const reasonOf = (error: unknown): { readonly why: string; readonly code: string } => {
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown";
  return { why: WHY[code] ?? `the system answered ${code}`, code };
};

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

interface Fault {
  readonly fault: string;
  readonly code: string;
}

const faultOf = (error: unknown): Fault => {
  const { why, code } = reasonOf(error);
  return { fault: why, code };
};

const nulFault = (path: string): Fault | null =>
  path.includes("\0") ? { fault: "a path cannot hold a NUL character", code: "ENOENT" } : null;

const kindFault = (stat: Stats): Fault | null => {
  if (stat.isFile()) return null;
  return stat.isDirectory()
    ? { fault: String(WHY["EISDIR"]), code: "EISDIR" }
    : { fault: "it is a pipe, socket or device, not an ordinary file", code: "not-a-file" };
};

/** Opens for reading without ever waiting (a FIFO without writer opens at once). The caller closes it. */
export const openPlain = async (path: string): Promise<FileHandle | Fault> => {
  const nul = nulFault(path);
  if (nul !== null) return nul;
  try {
    const { open } = await import("node:fs/promises");
    const file = await open(path, FLAGS);
    const fault = kindFault(await file.stat());
    if (fault === null) return file;
    await file.close();
    return fault;
  } catch (error) {
    return faultOf(error);
  }
};

/** The whole file, if it is an ordinary one of at most `most` bytes. */
export const readPlain = (path: string, most: number): Bytes => {
  const nul = nulFault(path);
  if (nul !== null) return nul;
  let file: number | null = null;
  try {
    file = openSync(path, FLAGS);
    const stat = fstatSync(file);
    const fault = kindFault(stat);
    if (fault !== null) return fault;
    if (stat.size > most)
      return { fault: `it has ${stat.size} bytes, and at most ${most} are read`, code: "too-large" };
    return readAll(file, most);
  } catch (error) {
    return faultOf(error);
  } finally {
    if (file !== null) closeSync(file);
  }
};

/** What the size says is not believed: files in /proc say 0, and a file can grow. */
const readAll = (file: number, most: number): Bytes => {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(65_536);
    const bytes = readSync(file, buffer);
    if (bytes === 0) return { bytes: Buffer.concat(chunks) };
    total += bytes;
    if (total > most) return { fault: `it has more than the ${most} bytes that are read`, code: "too-large" };
    chunks.push(buffer.subarray(0, bytes));
  }
};
