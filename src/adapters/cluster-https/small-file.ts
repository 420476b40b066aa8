/**
 * Reads the files that a kubeconfig is and names. It may be somebody else's, so a device that never ends, a folder or a
 * file of any size is refused, and nothing is waited for but a pipe that the person named.
 */
import { type FileHandle, open, stat } from "node:fs/promises";

/** The fault is a clause: "cannot be read (EACCES)". */
export type SmallFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "missing"; readonly fault: string }
  | { readonly kind: "unreadable"; readonly fault: string };

const MAX_BYTES = 8 * 1024 * 1024;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown error";

const unreadable = (fault: string): SmallFile => ({ kind: "unreadable", fault });

const readAll = async (file: FileHandle): Promise<SmallFile> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const { bytesRead } = await file.read(buffer);
    if (bytesRead === 0) return { kind: "read", bytes: Buffer.concat(chunks) };
    length += bytesRead;
    if (length > MAX_BYTES) return unreadable("has more than 8 MiB");
    chunks.push(buffer.subarray(0, bytesRead));
  }
};

/** `pipes`: whether one is read, as `--kubeconfig <(sops -d …)` is. */
export const readSmall = async (path: string, pipes = false): Promise<SmallFile> => {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) return unreadable("is a folder, not a file");
    if (!facts.isFile() && !(pipes && facts.isFIFO()))
      return unreadable("is a device, pipe or socket, not a file");
    const file = await open(path);
    try {
      return await readAll(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing", fault: "is not there" };
    return unreadable(`cannot be read (${code})`);
  }
};

/** As UTF-8, whatever the bytes are. The fault is a clause. */
export const readSmallText = async (
  path: string,
): Promise<{ readonly text: string } | { readonly fault: string }> => {
  const file = await readSmall(path);
  return file.kind === "read" ? { text: file.bytes.toString("utf8") } : { fault: file.fault };
};
