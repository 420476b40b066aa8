/**
 * Digests of the files that a step's inputs name (ports/files.ts).
 *
 * Globs as a shell knows them (`*`, `?`, `[…]`, `{a,b}`, and `**` for any depth), inside the stack file's folder only:
 * `..` and absolute ones are refused. A link to a file is followed; a link to a folder is not, unless the glob names it
 * before its first wildcard. Names with a leading dot match only a glob that writes the dot, so `**` never meets
 * `.asfound` or `.git`. `asfound.lock` beside the stack file is not an input: asfound writes it itself.
 */
import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { type Digest, digest } from "../../domain/ids.ts";
import type { InputFiles } from "../../ports/files.ts";
import { globFault } from "../../wire/manifest/glob.ts";
import { printable } from "../../wire/redact/printable.ts";
import { openPlain, reasonOf } from "./read-file.ts";

const MAX_FILES = 100_000;
const LOCK = "asfound.lock";

/** A fault as a value inside this file; only `digests` gives it out. */
class Refused extends Error {}

export const inputFiles = (baseDirectory: string): InputFiles => ({
  async digests(globs) {
    const files = new Map<string, Digest>();
    try {
      const paths = new Set<string>();
      for (const glob of globs) for (const path of await matching(baseDirectory, glob)) paths.add(path);
      for (const path of [...paths].sort()) files.set(path, await digestOfFile(baseDirectory, path));
    } catch (error) {
      if (error instanceof Refused) return { fault: error.message };
      throw error;
    }
    return { files };
  },
});

const MAGIC = /[*?[\]{}()!+@\\]/;

const matching = async (base: string, written: string): Promise<readonly string[]> => {
  const refusal = globFault(written);
  if (refusal !== undefined)
    throw new Refused(`the input files ${printable(written)} cannot be used: ${refusal}`);
  const parts = written.split("/").filter((part) => part !== "" && part !== ".");
  const firstMagic = parts.findIndex((part) => MAGIC.test(part));
  if (firstMagic < 0) return [parts.join("/")];
  const glob = parts.join("/");
  const deep = parts.some((part) => part.includes("**")) || /[{(][^})]*\//.test(glob);
  const walk = {
    base,
    glob,
    dots: parts.some((part) => /(^|[{,(|])\./.test(part)),
    levels: deep ? Infinity : parts.length,
  };
  const found = await walkFrom(walk, parts.slice(0, firstMagic).join("/"));
  if (found.length === 0)
    throw new Refused(`the input files ${printable(written)} match no file; correct the glob, or remove it`);
  return found;
};

interface Walk {
  readonly base: string;
  readonly glob: string;
  /** Whether the glob writes a leading dot anywhere. */
  readonly dots: boolean;
  readonly levels: number;
}

const walkFrom = async (walk: Walk, start: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const folders = [start];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await list(walk.base, folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") && !walk.dots) continue;
      if (entry.isDirectory()) {
        if (path.split("/").length < walk.levels) folders.push(path);
      } else if (
        path !== LOCK &&
        matchesGlob(path, walk.glob) &&
        !(await linksToFolder(walk.base, path, entry))
      ) {
        found.push(path);
        if (found.length > MAX_FILES)
          throw new Refused(
            `the input files ${printable(walk.glob)} are more than ${MAX_FILES}; use a narrower glob`,
          );
      }
    }
  }
  return found;
};

/** A folder that cannot be read may hold inputs: that is a fault, never an empty list. */
const list = async (base: string, folder: string): Promise<readonly Dirent[]> => {
  try {
    return await readdir(join(base, folder), { withFileTypes: true });
  } catch (error) {
    const { why, code } = reasonOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new Refused(`the folder ${printable(folder)} with input files cannot be read: ${why}`);
  }
};

const linksToFolder = async (base: string, path: string, entry: Dirent): Promise<boolean> => {
  if (!entry.isSymbolicLink()) return false;
  const opened = await openPlain(join(base, path));
  if ("fault" in opened) return opened.code === "EISDIR";
  await opened.close();
  return false;
};

/** SHA-256 of the bytes, streamed. A file that changes meanwhile is a fault: its digest would be of neither version. */
const digestOfFile = async (base: string, path: string): Promise<Digest> => {
  const file = await openPlain(join(base, path));
  const name = printable(path);
  if ("fault" in file)
    throw new Refused(
      file.code === "EISDIR"
        ? `the input file ${name} is a folder; write ${name}/** for all files in it`
        : `the input file ${name} cannot be read: ${file.fault}`,
    );
  try {
    const before = await file.stat({ bigint: true });
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(262_144);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
    }
    const after = await file.stat({ bigint: true });
    if (before.size !== after.size || before.mtimeNs !== after.mtimeNs)
      throw new Refused(`the input file ${name} changed while it was read; run again when it is at rest`);
    return digest(`sha256:${hash.digest("hex")}`);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`the input file ${name} cannot be read: ${reasonOf(error).why}`);
  } finally {
    await file.close();
  }
};
