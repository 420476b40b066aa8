/** evidence ls, evidence show: what was recorded. Reads alone; no cluster is asked. */
import { readPlain } from "../adapters/system/read-file.ts";
import type { RunLink } from "../domain/evidence-run.ts";
import { EXIT } from "../domain/exit.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import {
  type EvidenceRuns,
  EvidenceUnreadable,
  type ListedRun,
  type StoredRun,
} from "../ports/evidence-runs.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import type { EvidenceListInput } from "../wire/api/evidence-list.ts";
import type { ShownRunInput } from "../wire/api/evidence-run.ts";
import { runsDeletedIn } from "../wire/evidence/retention.ts";
import { parseStrictJson } from "../wire/objects/strict-json.ts";
import { type EvidencePlace, evidenceIn } from "./evidence.ts";
import { refusedFor } from "./evidence-replay.ts";

export interface Wanted {
  readonly limit: number;
  /** `deployment/web`, of any namespace; null: of all. */
  readonly target: { readonly kind: string; readonly name: string } | null;
  readonly namespace: string | null;
  readonly verdict: string | null;
}

/** The newest of them, the newest last: never more than so many are held. */
export const listEvidence = async (
  place: EvidencePlace,
  wanted: Wanted,
): Promise<(EvidenceListInput & { readonly kind: "listed" }) | Refused> => {
  const runs = evidenceIn(place);
  try {
    return await listed(runs, wanted);
  } catch (error) {
    if (!(error instanceof EvidenceUnreadable)) throw error;
    return refused(EXIT.broken, error.message);
  }
};

const listed = async (
  runs: EvidenceRuns,
  wanted: Wanted,
): Promise<EvidenceListInput & { readonly kind: "listed" }> => {
  const items: ListedRun[] = [];
  const deleted = new Set<string>();
  let more = false;
  for await (const one of runs.list("newest-first")) {
    // What was deleted is told by a run after it, which is met before it.
    if (one.kind === "run" && one.run.kind === "retention")
      for (const run of await deletedBy(runs, one.run.run)) deleted.add(run);
    if (!isWanted(one, wanted)) continue;
    more = items.length === wanted.limit;
    if (more) break;
    items.push(one);
  }
  return { kind: "listed", place: runs.place, items: items.reverse(), deleted, more };
};

/** One that is altered or unfinished may be any of them. */
const isWanted = (one: ListedRun, { target, namespace, verdict }: Wanted): boolean => {
  if (one.kind !== "run") return true;
  const { run } = one;
  if (verdict !== null && run.verdict !== verdict) return false;
  if (target !== null && (run.target?.name !== target.name || !isKind(run.target.kind, target.kind)))
    return false;
  return namespace === null || run.target?.namespace === namespace;
};

const isKind = (kind: string, typed: string): boolean => kind.toLowerCase() === typed.toLowerCase();

const deletedBy = async (runs: EvidenceRuns, run: string): Promise<readonly string[]> => {
  const folder = await runs.folderOf(run);
  const read = typeof folder === "string" ? readPlain(`${folder}/report.json`, 64 * 1024 * 1024) : null;
  return (read !== null && "bytes" in read ? runsDeletedIn(read.bytes) : undefined) ?? [];
};

export const showEvidence = async (
  place: EvidencePlace,
  named: string,
): Promise<(ShownRunInput & { readonly kind: "shown" }) | Refused> => {
  const runs = evidenceIn(place);
  const stored = await runs.read(named);
  if ("fault" in stored) return refusedFor(stored);
  return {
    kind: "shown",
    place: runs.place,
    run: stored.run,
    sha256: stored.sha256,
    report: stored.report,
    next: await after(runs, stored.run.sequence),
    removed: removedIn(stored),
    deleted: stored.deleted,
  };
};

/** The first whole run after it; null: it is the newest. */
const after = async (runs: EvidenceRuns, sequence: number): Promise<RunLink | null> => {
  let next: RunLink | null = null;
  for await (const one of runs.list("newest-first")) {
    if (one.kind === "run" && one.run.sequence <= sequence) break;
    if (one.kind === "run") next = { run: one.run.run, sha256: one.sha256 };
  }
  return next;
};

/** E5: what is not in it, and where that was. */
const removedIn = ({ question, snapshot }: StoredRun): ShownRunInput["removed"] => {
  const read = snapshot === null ? null : readPlain(`${snapshot}/snapshot.json`, 64 * 1024 * 1024);
  const json = read !== null && "bytes" in read ? parseStrictJson(read.bytes.toString("utf8")) : null;
  const taken = json !== null && "value" in json ? listIn(json.value, "removed") : [];
  return [
    ...taken.map((one) => ({ ...one, file: `snapshot/${one.file}` })),
    ...(question === null ? [] : listIn(question, "removed")),
  ];
};

const listIn = (value: JsonValue, name: string): ShownRunInput["removed"] => {
  const list = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((one: JsonObject) => {
    const { file, pointer } = one;
    return typeof file === "string" && typeof pointer === "string" ? [{ file, pointer }] : [];
  });
};
