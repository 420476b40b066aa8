/** A small ext4 file system in a file, on a loop device. */
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, truncateSync, writeFileSync } from "node:fs";

const IMAGE_BYTES = 64 * 1024 * 1024;

const quietly = (program: string, ...words: readonly string[]): void => {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "pipe"] });
};

/** A sparse file with a file system whose background work is all done. */
export const makeImage = (path: string): void => {
  writeFileSync(path, "");
  truncateSync(path, IMAGE_BYTES);
  quietly("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", path);
};

/** The kernel lets go of the loop device by itself when the mount ends, however it ends. */
export const mountImage = (image: string, at: string): void => {
  mkdirSync(at, { recursive: true });
  quietly("mount", "-t", "ext4", "-o", "loop", image, at);
};

export const unmount = (at: string): void => quietly("umount", at);

const TRIES = 50;

/**
 * What would be on the disk if the power went now. The file system is neither frozen nor synced: both would write out
 * what only memory holds, and nothing could ever be lost. A copy during which the disk was still written to would be a
 * state that no disk was ever in, so it is made again.
 */
export const copyAsItIs = (image: string, copy: string): void => {
  const writtenAt = (): bigint => statSync(image, { bigint: true }).mtimeNs;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = writtenAt();
    quietly("cp", "--sparse=always", image, copy);
    if (writtenAt() === before) return;
  }
  throw new Error(`${image} was written to during each of ${TRIES} copies`);
};
