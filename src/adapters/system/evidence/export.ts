/**
 * A run for somebody else: its files as they are, public keys, a README and the script that checks it with stock tools. A new
 * folder or a new tar (ustar), never written over. The same run gives the same bytes: names in C order, no times, no owners.
 */
import { readdirSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readPlain, reasonOf } from "../read-file.ts";
import { createFile, syncFolder } from "../write-file.ts";

export interface ExportFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MOST_BYTES = 256 * 1024 * 1024;
const MOST_DEPTH = 6;

/** Ordinary files alone: a link is a fault. The fault is a clause that names the file. */
export const filesOfRun = (folder: string): readonly ExportFile[] | { readonly fault: string } => {
  const files: ExportFile[] = [];
  const look = (at: string, depth: number): string | undefined => {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && depth < MOST_DEPTH) {
        const fault = look(path, depth + 1);
        if (fault !== undefined) return fault;
        continue;
      }
      if (!entry.isFile()) return `${path} is no ordinary file`;
      const read = readPlain(join(folder, path), MOST_BYTES);
      if ("fault" in read) return `${path}: ${read.fault}`;
      files.push({ path, bytes: read.bytes });
    }
    return undefined;
  };
  try {
    const fault = look("", 0);
    return fault === undefined ? files : { fault };
  } catch (error) {
    return { fault: reasonOf(error).why };
  }
};

const inOrder = (files: readonly ExportFile[]): readonly ExportFile[] =>
  [...files].sort((a, b) => (a.path < b.path ? -1 : 1));

/** The fault is a clause; then nothing of it is left. */
export const exportFolder = async (
  path: string,
  files: readonly ExportFile[],
): Promise<{ readonly fault: string } | undefined> => {
  try {
    await mkdir(path, { mode: 0o755 });
  } catch (error) {
    const { why, code } = reasonOf(error);
    return { fault: code === "EEXIST" ? IS_THERE : why };
  }
  try {
    const folders = new Set<string>([path]);
    for (const file of inOrder(files)) {
      const to = join(path, file.path);
      await mkdir(dirname(to), { recursive: true, mode: 0o755 });
      folders.add(dirname(to));
      const made = await open(to, "wx", 0o444);
      try {
        await made.writeFile(file.bytes);
        await made.sync();
      } finally {
        await made.close();
      }
    }
    for (const folder of folders) await syncFolder(folder);
    return undefined;
  } catch (error) {
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
    return { fault: reasonOf(error).why };
  }
};

/** `root`: the folder in the archive. */
export const exportTar = async (
  path: string,
  root: string,
  files: readonly ExportFile[],
): Promise<{ readonly fault: string } | undefined> => {
  const blocks = inOrder(files).flatMap(({ path: name, bytes }) => entryOf(`${root}/${name}`, bytes));
  try {
    const made = await createFile(path, Buffer.concat([...blocks, Buffer.alloc(1024)]), 0o444);
    return made ? undefined : { fault: IS_THERE };
  } catch (error) {
    return { fault: reasonOf(error).why };
  }
};

const IS_THERE = "there is something of that name already, and nothing is written over";

const BLOCK = 512;

/** POSIX.1-1988 ustar; names of a run have at most 100 letters here, or their folder stands in the prefix. */
const entryOf = (name: string, bytes: Uint8Array): readonly Buffer[] => {
  const header = Buffer.alloc(BLOCK);
  const cut = name.length <= 100 ? -1 : name.lastIndexOf("/");
  header.write(name.slice(cut + 1), 0, 100, "latin1");
  if (cut > 0) header.write(name.slice(0, cut), 345, 155, "latin1");
  header.write("0000444\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const rest = bytes.length % BLOCK;
  return [header, Buffer.from(bytes), Buffer.alloc(rest === 0 ? 0 : BLOCK - rest)];
};
