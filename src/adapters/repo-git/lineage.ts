/**
 * What one commit is to another, by walking both pasts at once, a generation at a time. A commit that is in both pasts is not
 * walked on from: neither of the two can come before it. Where something of a past is missing, nothing is concluded from not
 * having found it.
 */
import type { Commit, Lineage } from "../../domain/commit.ts";
import { type Known, known, unreadable } from "../../domain/known.ts";

const MOST_COMMITS = 500_000;

const [ONE, OTHER] = [1, 2];
const BOTH = ONE | OTHER;

export const lineageOf = async (
  one: string,
  other: string,
  commit: (id: string) => Promise<Known<Commit>>,
): Promise<Known<Lineage>> => {
  if (one === other) {
    const read = await commit(one);
    return read.kind === "known" ? known("same") : read;
  }
  const reached = new Map<string, number>([
    [one, ONE],
    [other, OTHER],
  ]);
  const parents = new Map<string, readonly string[]>();
  let frontier = [one, other];
  let missing: string | null = null;
  const mark = (start: string, from: number, next: string[]): void => {
    for (const open = [start]; open.length > 0; ) {
      const id = open.pop() as string;
      const was = reached.get(id) ?? 0;
      if ((was | from) === was) continue;
      reached.set(id, was | from);
      const walked = parents.get(id);
      if (walked === undefined) next.push(id);
      else open.push(...walked);
    }
  };
  while (frontier.length > 0) {
    if ((reached.get(one) ?? 0) & OTHER) return known("ancestor");
    if ((reached.get(other) ?? 0) & ONE) return known("descendant");
    if (reached.size > MOST_COMMITS)
      return unreadable(`their past has more than ${MOST_COMMITS} commits, and no answer in those`);
    const step = [...new Set(frontier)].filter((id) => reached.get(id) !== BOTH);
    const read = await Promise.all(step.map(commit));
    const next: string[] = [];
    for (const [at, found] of read.entries()) {
      const id = step[at] as string;
      if (found.kind !== "known") {
        missing ??= found.kind === "unreadable" ? found.why : "a commit of their past is not there";
        continue;
      }
      parents.set(id, found.value.parents);
      for (const parent of found.value.parents) mark(parent, reached.get(id) ?? 0, next);
    }
    frontier = next;
  }
  if ((reached.get(one) ?? 0) & OTHER) return known("ancestor");
  if ((reached.get(other) ?? 0) & ONE) return known("descendant");
  if (missing !== null) return unreadable(missing);
  return known([...reached.values()].includes(BOTH) ? "diverged" : "unrelated");
};
