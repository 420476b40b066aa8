/** Reading a file that a person named: only ordinary files, only up to a size, and never a wait on a pipe or device. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

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

/** Opens for reading without ever waiting (a FIFO without writer opens at once). The caller closes it. */
export const openPlain = async (path: string): Promise<FileHandle | { fault: string; code: string }> => {
  if (path.includes("\0")) return { fault: "a path cannot hold a NUL character", code: "ENOENT" };
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stat = await file.stat();
    if (stat.isFile()) return file;
    await file.close();
    return stat.isDirectory()
      ? { fault: String(WHY["EISDIR"]), code: "EISDIR" }
      : { fault: "it is a pipe, socket or device, not an ordinary file", code: "not-a-file" };
  } catch (error) {
    const { why, code } = reasonOf(error);
    return { fault: why, code };
  }
};

/** The whole file, if it is an ordinary one of at most `most` bytes. */
export const readPlain = async (path: string, most: number): Promise<Bytes> => {
  const file = await openPlain(path);
  if ("fault" in file) return file;
  try {
    const { size } = await file.stat();
    if (size > most)
      return { fault: `it has ${size} bytes, and at most ${most} are read`, code: "too-large" };
    return await readAll(file, most);
  } catch (error) {
    const { why, code } = reasonOf(error);
    return { fault: why, code };
  } finally {
    await file.close();
  }
};

/** What the size says is not believed: files in /proc say 0, and a file can grow. */
const readAll = async (file: FileHandle, most: number): Promise<Bytes> => {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(65_536), 0, 65_536, null);
    if (bytesRead === 0) return { bytes: Buffer.concat(chunks) };
    total += bytesRead;
    if (total > most) return { fault: `it has more than the ${most} bytes that are read`, code: "too-large" };
    chunks.push(buffer.subarray(0, bytesRead));
  }
};
