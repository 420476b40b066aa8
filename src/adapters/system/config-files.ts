/** A file, or the files of a folder, as the keys of a ConfigMap: their exact bytes, and only what lies in that folder. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ConfigEntry } from "../../domain/config.ts";
import type { ConfigFiles, ReadConfig } from "../../ports/config-files.ts";
import { keyFault, MOST_CONFIG_BYTES, tooLargeFault } from "../../wire/bind/content.ts";
import { printable } from "../../wire/redact/printable.ts";
import { readPlain, reasonOf } from "./read-file.ts";

/** More keys than that are a mistake. */
const MOST_KEYS = 5_000;

/** A folder's own folders are a fault: a ConfigMap has none. */
export const configFiles: ReadConfig = (path, shown) => {
  try {
    if (path.includes("\0")) return { fault: "a path cannot hold a NUL character" };
    return statSync(path).isDirectory() ? folder(path, shown) : take([[basename(path), path]], shown);
  } catch (error) {
    return { fault: `${printable(shown)}: ${reasonOf(error).why}` };
  }
};

const folder = (path: string, shown: string): ConfigFiles => {
  const entries = readdirSync(path, { withFileTypes: true });
  if (entries.length === 0)
    return { fault: `${printable(shown)} is empty; a ConfigMap of it would have no key` };
  if (entries.length > MOST_KEYS)
    return { fault: `${printable(shown)} has ${entries.length} files; at most ${MOST_KEYS} become keys` };
  const home = realpathSync(path);
  const files: [string, string][] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const why = entryFault(entry, home);
    if (why !== undefined) return { fault: `${printable(join(shown, entry.name))}: ${why}` };
    files.push([entry.name, join(path, entry.name)]);
  }
  return take(files, shown);
};

const entryFault = (entry: Dirent, home: string): string | undefined => {
  const key = keyFault(entry.name);
  if (key !== undefined) return `it cannot be a key of a ConfigMap: ${key}`;
  if (entry.isDirectory())
    return "it is a folder, and a ConfigMap has none; give it as a ConfigMap of its own";
  if (!entry.isSymbolicLink()) return undefined;
  const real = realpathSync(join(home, entry.name));
  return dirname(real) === home || real.startsWith(`${home}/`)
    ? undefined
    : "it is a link that leads out of the folder; copy the file, or name it by itself";
};

const take = (files: readonly (readonly [key: string, path: string])[], shown: string): ConfigFiles => {
  const entries: ConfigEntry[] = [];
  let total = 0;
  for (const [key, path] of files) {
    const wrong = keyFault(key);
    if (wrong !== undefined) return { fault: `${printable(shown)} cannot be a key of a ConfigMap: ${wrong}` };
    const read = readPlain(path, MOST_CONFIG_BYTES);
    const named = printable(files.length === 1 ? shown : join(shown, key));
    if ("fault" in read) {
      const large = read.code === "too-large" ? tooLargeFault(statSync(path).size) : undefined;
      return { fault: `${named}: ${large === undefined ? read.fault : large}` };
    }
    total += read.bytes.length;
    const large = tooLargeFault(total);
    if (large !== undefined) return { fault: `${printable(shown)}: ${large}` };
    entries.push({ key, bytes: read.bytes });
  }
  return { entries };
};
