/** The files of manifests at a path, with their texts; within bounds, and without hidden files. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { utf8 } from "../../wire/manifest/text.ts";
import { printable } from "../../wire/redact/printable.ts";

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;

export const MANIFEST = /\.(ya?ml|json)$/;

export interface ManifestText {
  readonly path: string;
  /** Safe to print. */
  readonly shown: string;
  readonly text: string;
}

/** A file as it is, or those below a folder: no hidden ones, and no folder that is a link. */
const filesIn = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const inner = join(path, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(inner)));
    else if (MANIFEST.test(entry.name) && !(await linksToFolder(entry, inner))) files.push(inner);
  }
  return files;
};

const linksToFolder = async (entry: Dirent, path: string): Promise<boolean> =>
  entry.isSymbolicLink() && (await stat(path)).isDirectory();

/** Throws the system's error. */
export const manifestTexts = async (
  path: string,
  shownAs: (path: string) => string,
): Promise<{ readonly texts: readonly ManifestText[] } | { readonly fault: string }> => {
  const texts: ManifestText[] = [];
  let total = 0;
  for (const file of await filesIn(path)) {
    const shown = printable(shownAs(file));
    const { size } = await stat(file);
    total += size;
    if (size > MAX_FILE_BYTES) return { fault: `${shown} has more than 8 MiB; split it` };
    if (total > MAX_BYTES) return { fault: "the manifests have more than 32 MiB together; split them" };
    const decoded = utf8(await readFile(file));
    if ("fault" in decoded) return { fault: `${shown}: ${decoded.fault}` };
    texts.push({ path: file, shown, text: decoded.text });
  }
  return { texts };
};
