/** `git.json`: what a repository told of commits, as a list. */

import type { Seen } from "../../domain/evidence.ts";
import { isCommit } from "../../domain/expected-commit.ts";
import { seenCommit } from "../../domain/git-record.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

const MOST_RECORDS = 10_000;

/** What a judge needs of a field is checked where it is needed; here, only what tells one record from another. */
export const readGitRecords = (
  value: JsonValue,
  evidence: string,
): { readonly records: readonly Seen[] } | { readonly fault: string; readonly pointer: string } => {
  if (!Array.isArray(value))
    return { fault: "this is no list of commits: [{commit, tree, parents, …}]", pointer: "" };
  if (value.length > MOST_RECORDS)
    return { fault: `there are ${value.length} commits; at most ${MOST_RECORDS} are read`, pointer: "" };
  const records: Seen[] = [];
  const seen = new Set<string>();
  for (const [at, one] of value.entries()) {
    const pointer = `/${at}`;
    if (!isJsonObject(one)) return { fault: "a commit is an object", pointer };
    const id = Object.hasOwn(one, "commit") ? one["commit"] : undefined;
    if (typeof id !== "string" || !isCommit(id))
      return {
        fault: "it does not say which commit it is (40 or 64 hex digits)",
        pointer: `${pointer}/commit`,
      };
    if (seen.has(id)) return { fault: "this commit is there twice", pointer: `${pointer}/commit` };
    seen.add(id);
    records.push(seenCommit(one, id, { evidence, pointer }));
  }
  return { records };
};
