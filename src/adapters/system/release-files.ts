/**
 * One release as a folder: `release.json`, `report.json`, `config/NAME/KEY` with the exact bytes of each ConfigMap, and
 * `SHA256SUMS` over all of it, as `sha256sum -c` reads it. Made under another name and renamed when it is whole (E1).
 */
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { StoredRelease } from "../../ports/releases.ts";
import { sha256Hex } from "../../wire/digest.ts";
import { parseStrictJson } from "../../wire/objects/strict-json.ts";
import { releaseDocument } from "../../wire/releases/document.ts";
import { type Contents, readRelease } from "../../wire/releases/read.ts";
import { readPlain, reasonOf } from "./read-file.ts";
import { syncFolder } from "./write-file.ts";

const SUMS = "SHA256SUMS";
/** An object has at most 1.5 MiB in etcd, a report of many Pods more. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 100_000;

const draftName = (id: string): string => `.${id}.draft`;
export const idOfDraft = (name: string): string | undefined => /^\.(rel_[0-9a-f-]+)\.draft$/.exec(name)?.[1];

/** Told after each thing that was done on the disk, for tests that end the process there. */
export type Told = (done: string) => void;

// ---- writing -------------------------------------------------------------------------------------------------------

/** Throws the system's error; then there is no release, and at most a draft. */
export const writeRelease = async (folder: string, stored: StoredRelease, told: Told): Promise<void> => {
  const { id } = stored.release;
  const draft = join(folder, draftName(id));
  await mkdir(draft, { mode: 0o700 });
  try {
    await fill(draft, filesOf(stored), told);
    await rename(draft, join(folder, id));
    told("named");
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
};

type Files = ReadonlyMap<string, Uint8Array>;

const filesOf = ({ release, report }: StoredRelease): Files => {
  const text = (value: JsonObject): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const files = new Map<string, Uint8Array>();
  for (const { name, content } of release.config)
    if (content !== null) for (const [key, bytes] of content) files.set(`config/${name}/${key}`, bytes);
  files.set("report.json", text(report));
  files.set("release.json", text(releaseDocument(release)));
  return files.set(SUMS, Buffer.from(sumsOf(files)));
};

const sumsOf = (files: Files): string =>
  [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => `${sha256Hex(bytes)}  ${path}\n`)
    .join("");

const fill = async (draft: string, files: Files, told: Told): Promise<void> => {
  const folders = new Set([draft]);
  for (const [path, bytes] of files) {
    for (const folder of foldersOf(path)) {
      const made = join(draft, folder);
      if (folders.has(made)) continue;
      await mkdir(made, { mode: 0o700 });
      folders.add(made);
    }
    await writeNew(join(draft, path), bytes);
    told(path);
  }
  for (const folder of folders) await syncFolder(folder);
  told("synced");
};

/** `config` and `config/app` of `config/app/key`. */
const foldersOf = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
};

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const writeNew = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, NEW, 0o444);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

// ---- reading -------------------------------------------------------------------------------------------------------

/** The fault is a clause that names the file. */
export const readReleaseFolder = async (
  path: string,
  id: string,
): Promise<StoredRelease | { readonly fault: string }> => {
  try {
    const files = await checked(path);
    if ("fault" in files) return files;
    const report = jsonIn(files.bytes, "report.json");
    const written = jsonIn(files.bytes, "release.json");
    if ("fault" in report) return report;
    if ("fault" in written) return written;
    const release = readRelease(written.value, report.value, contentsIn(files.bytes));
    if ("fault" in release) return release;
    if (release.id !== id) return { fault: `release.json says that it is ${release.id}` };
    return { release, report: report.value };
  } catch (error) {
    return { fault: `it cannot be read: ${reasonOf(error).why}` };
  }
};

/** Every file, as SHA256SUMS has it: none altered, none missing, none added. */
const checked = async (
  path: string,
): Promise<{ readonly bytes: ReadonlyMap<string, Buffer> } | { readonly fault: string }> => {
  const sums = readPlain(join(path, SUMS), MOST_BYTES);
  if ("fault" in sums) return { fault: `${SUMS}: ${sums.fault}` };
  const wanted = wantedIn(sums.bytes.toString("utf8"));
  if ("fault" in wanted) return wanted;
  const there = await filesIn(path);
  if ("fault" in there) return there;
  const added = there.files.find((file) => !wanted.digests.has(file));
  if (added !== undefined) return { fault: `${added} was not there when it was recorded` };
  const bytes = new Map<string, Buffer>();
  for (const [file, digest] of wanted.digests) {
    const read = readPlain(join(path, file), MOST_BYTES);
    if ("fault" in read) return { fault: `${file}: ${read.fault}` };
    if (sha256Hex(read.bytes) !== digest)
      return { fault: `${file} is not as it was recorded (its SHA-256 is not the one in ${SUMS})` };
    bytes.set(file, read.bytes);
  }
  return { bytes };
};

const LINE = /^([0-9a-f]{64}) {2}(release\.json|report\.json|config\/[a-z0-9.-]+\/[-._a-zA-Z0-9]+)$/;

const wantedIn = (
  text: string,
): { readonly digests: ReadonlyMap<string, string> } | { readonly fault: string } => {
  const digests = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, digest, file] = LINE.exec(line) ?? [];
    if (digest === undefined || file === undefined || file.split("/").some(isStep) || digests.has(file))
      return { fault: `${SUMS} has a line that asfound does not write` };
    digests.set(file, digest);
  }
  if (!text.endsWith("\n") || digests.size > MOST_FILES) return { fault: `${SUMS} is not whole` };
  return { digests };
};

const isStep = (part: string): boolean => part === "." || part === "..";

/** By their paths, at most three deep, without SHA256SUMS. */
const filesIn = async (
  path: string,
): Promise<{ readonly files: readonly string[] } | { readonly fault: string }> => {
  const files: string[] = [];
  const look = async (folder: string, depth: number): Promise<string | undefined> => {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (name === SUMS) continue;
      if (entry.isDirectory() && depth < 2) {
        const fault = await look(name, depth + 1);
        if (fault !== undefined) return fault;
      } else if (entry.isFile() && files.length < MOST_FILES) files.push(name);
      else return `${name} is no file of a release`;
    }
    return undefined;
  };
  const fault = await look("", 0);
  return fault === undefined ? { files } : { fault };
};

const jsonIn = (
  files: ReadonlyMap<string, Buffer>,
  name: string,
): { readonly value: JsonObject } | { readonly fault: string } => {
  const bytes = files.get(name);
  if (bytes === undefined) return { fault: `${name} is not among its files` };
  const json = parseStrictJson(bytes.toString("utf8"));
  if ("fault" in json) return { fault: `${name}: ${json.fault}` };
  return isJsonObject(json.value) ? { value: json.value } : { fault: `${name} is no JSON object` };
};

const contentsIn = (files: ReadonlyMap<string, Buffer>): Contents => {
  const contents = new Map<string, Map<string, Uint8Array>>();
  for (const [path, bytes] of files) {
    const [first, name, key] = path.split("/");
    if (first !== "config" || name === undefined || key === undefined) continue;
    const its = contents.get(name) ?? new Map<string, Uint8Array>();
    contents.set(name, its.set(key, new Uint8Array(bytes)));
  }
  return contents;
};
