/** Walks over trees: what is at a path, all below it, and where two differ. What cannot be read ends a walk with its reason. */
import { type Entry, type PathChange, type TreeFile, treePath } from "../../domain/commit.ts";
import { absent, type Known, known, unreadable } from "../../domain/known.ts";
import type { TreeEntry } from "./read-object.ts";

export type ReadTree = (id: string) => Promise<Known<readonly TreeEntry[]>>;

const MOST_ENTRIES = 100_000;
const DEEPEST = 200;

const TOO_MANY = unreadable(`there are more than ${MOST_ENTRIES} files in it`);
const TOO_DEEP = unreadable(`its folders are nested more than ${DEEPEST} deep`);

const entryOf = ({ kind, id }: TreeEntry): Entry => ({ kind, id });

/** From a tree. absent: all of the way there was read, and it is not there. */
export const entryAt = async (root: string, path: string, read: ReadTree): Promise<Known<Entry>> => {
  const parts = treePath(path);
  if (parts === undefined) return unreadable("its path leads out of the repository");
  let here: Entry = { kind: "tree", id: root };
  for (const part of parts) {
    if (here.kind !== "tree") return absent;
    const entries = await read(here.id);
    if (entries.kind !== "known") return entries;
    const key = Buffer.from(part, "utf8").toString("latin1");
    const found = entries.value.find((one) => one.key === key);
    if (found === undefined) return absent;
    here = entryOf(found);
  }
  if (here.kind !== "tree") return known(here);
  const whole = await read(here.id);
  return whole.kind === "known" ? known(here) : whole;
};

export const filesBelow = async (from: Entry, read: ReadTree): Promise<Known<readonly TreeFile[]>> => {
  if (from.kind !== "tree") return known([{ path: "", ...from }]);
  const files: TreeFile[] = [];
  let open = [{ path: "", id: from.id }];
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > DEEPEST) return TOO_DEEP;
    const trees = await Promise.all(open.map(({ id }) => read(id)));
    const next: typeof open = [];
    for (const [at, entries] of trees.entries()) {
      if (entries.kind !== "known") return entries;
      for (const entry of entries.value) {
        const path = `${(open[at] as { path: string }).path}${entry.name}`;
        if (entry.kind === "tree") next.push({ path: `${path}/`, id: entry.id });
        else files.push({ path, ...entryOf(entry) });
      }
    }
    if (files.length + next.length > MOST_ENTRIES) return TOO_MANY;
    open = next;
  }
  return known(files);
};

interface Pair {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Equal ids are equal content, so that only what differs is walked. */
export const differencesBelow = async (
  before: Entry | null,
  after: Entry | null,
  read: ReadTree,
): Promise<Known<readonly PathChange[]>> => {
  const changes: PathChange[] = [];
  let open: Pair[] = [];
  const compare = (path: string, was: Entry | null, is: Entry | null, mode: boolean): void => {
    if (was !== null && is !== null && was.id === is.id && was.kind === is.kind && mode) return;
    const [wasTree, isTree] = [was?.kind === "tree" ? was.id : null, is?.kind === "tree" ? is.id : null];
    if (wasTree !== null || isTree !== null) open.push({ path, before: wasTree, after: isTree });
    const [wasFile, isFile] = [wasTree === null ? was : null, isTree === null ? is : null];
    if (wasFile !== null || isFile !== null) changes.push({ path, before: wasFile, after: isFile });
  };
  compare("", before, after, true);
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > DEEPEST) return TOO_DEEP;
    const step = open;
    open = [];
    const trees = await Promise.all(
      step.map(async (pair) => [await of(pair.before, read), await of(pair.after, read)] as const),
    );
    for (const [at, [was, is]] of trees.entries()) {
      if (was.kind !== "known") return was;
      if (is.kind !== "known") return is;
      const { path } = step[at] as Pair;
      const prefix = path === "" ? "" : `${path}/`;
      const now = new Map(is.value.map((one) => [one.key, one]));
      const then = new Map(was.value.map((one) => [one.key, one]));
      for (const [key, one] of [...then, ...[...now].filter(([key]) => !then.has(key))]) {
        const [old, young] = [then.get(key), now.get(key)];
        compare(
          `${prefix}${one.name}`,
          old === undefined ? null : entryOf(old),
          young === undefined ? null : entryOf(young),
          old?.mode === young?.mode,
        );
      }
    }
    if (changes.length + open.length > MOST_ENTRIES) return TOO_MANY;
  }
  return known(changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)));
};

const of = async (tree: string | null, read: ReadTree): Promise<Known<readonly TreeEntry[]>> =>
  tree === null ? known([]) : read(tree);
