/** Writing a small file so that after a crash or a power cut either the old or the new one is there, whole. */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Makes what was done in a folder durable: a new name is lost in a power cut until its folder is synced. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeBeside = async (path: string, bytes: Uint8Array | string, mode: number): Promise<string> => {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(beside, flags, mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  return beside;
};

/** Replaces `path` (or makes it) durably. Throws the system's error; then the old file stands. */
export const replaceFile = async (path: string, bytes: Uint8Array | string, mode: number): Promise<void> => {
  const beside = await writeBeside(path, bytes, mode);
  try {
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
};

/**
 * Makes `path` durably, whole from the first moment it can be seen. False: somebody else made it first, and theirs
 * stands. Throws the system's error.
 */
export const createFile = async (
  path: string,
  bytes: Uint8Array | string,
  mode: number,
): Promise<boolean> => {
  const beside = await writeBeside(path, bytes, mode);
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(beside).catch(() => undefined);
    await syncFolder(dirname(path));
  }
};
