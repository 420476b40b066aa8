/** The bytes of a commit and of a tree, as Git's own format has them (gitformat: commit and tree objects). */
import { type Commit, type EntryKind, revertsIn, type Signed } from "../../domain/commit.ts";
import type { Instant } from "../../domain/ids.ts";

export interface TreeEntry {
  /** As bytes, one character each: names need not be UTF-8, and are compared as they are. */
  readonly key: string;
  readonly name: string;
  readonly kind: EntryKind;
  readonly mode: string;
  readonly id: string;
}

/** undefined: it is no commit. */
export const readCommit = (id: string, bytes: Buffer): Commit | undefined => {
  const end = bytes.indexOf("\n\n");
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString("utf8");
  const message = end < 0 ? "" : bytes.subarray(end + 2).toString("utf8");
  const lines = head.split("\n");
  const tree = /^tree ([0-9a-f]+)$/.exec(lines[0] ?? "")?.[1];
  if (tree?.length !== id.length) return undefined;
  const parents: string[] = [];
  let at = 1;
  for (; lines[at]?.startsWith("parent "); at += 1) {
    const parent = String(lines[at]).slice("parent ".length);
    if (parent.length !== id.length || !/^[0-9a-f]+$/.test(parent)) return undefined;
    parents.push(parent);
  }
  const author = signedIn(lines[at], "author");
  const committer = signedIn(lines[at + 1], "committer");
  if (author === undefined || committer === undefined) return undefined;
  return {
    id,
    tree,
    parents,
    author,
    committer,
    subject: subjectOf(message),
    reverts: revertsIn(message),
    isSigned: lines.slice(at + 2).some((line) => /^gpgsig(?:-sha256)? /.test(line)),
  };
};

const LONGEST = 200;

const subjectOf = (message: string): string => {
  const [line = ""] = message.replace(/^\n+/, "").split("\n");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
};

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const signedIn = (line: string | undefined, as: string): Signed | undefined => {
  if (line?.startsWith(`${as} `) !== true) return undefined;
  const said = line.slice(as.length + 1);
  const [, name, seconds] = /^(.*?) ?<[^>]*> (-?\d{1,18}) [+-]\d{4}$/.exec(said) ?? [];
  const whole = name === undefined ? said.replace(/ ?<.*$/, "") : name;
  const at = Number(seconds ?? Number.NaN);
  return {
    name: whole.slice(0, LONGEST),
    at: at >= 0 && at <= LAST_SECOND ? ((at * 1000) as Instant) : null,
  };
};

const KINDS: Readonly<Record<string, EntryKind>> = {
  "40000": "tree",
  "120000": "link",
  "160000": "submodule",
};

/** undefined: it is no tree, or names something that Git itself would not check out. */
export const readTree = (bytes: Buffer, idBytes: 20 | 32): readonly TreeEntry[] | undefined => {
  const entries: TreeEntry[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const zero = space < 0 ? -1 : bytes.indexOf(0, space);
    if (zero < 0 || zero + 1 + idBytes > bytes.length) return undefined;
    const mode = bytes.toString("latin1", at, space);
    const name = bytes.subarray(space + 1, zero);
    const key = name.toString("latin1");
    if (!/^[0-7]{5,6}$/.test(mode) || key === "" || key.includes("/") || seen.has(key)) return undefined;
    if (key === "." || key === "..") return undefined;
    seen.add(key);
    entries.push({
      key,
      name: shownName(name),
      kind: KINDS[mode] ?? "file",
      mode,
      id: bytes.toString("hex", zero + 1, zero + 1 + idBytes),
    });
    at = zero + 1 + idBytes;
  }
  return entries;
};

/** As people read it; bytes that are no UTF-8 are written out. */
const shownName = (bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes)
    ? text
    : bytes
        .toString("latin1")
        .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
};
