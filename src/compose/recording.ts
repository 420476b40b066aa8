/** Where a verdict meets the folder that keeps evidence: judged from what is kept, recorded before it is told. */
import { evidenceIn, type SavedFile } from "../adapters/system/saved-evidence.ts";
import type { EvidenceQuestion, WhatWasAsked } from "../domain/evidence-question.ts";
import type { RunLink } from "../domain/evidence-run.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Question, SweepQuestion } from "../domain/question.ts";
import type { EvidenceRuns } from "../ports/evidence-runs.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { Signer } from "../ports/signer.ts";
import type { Look } from "../runtime/collect.ts";
import type { Swept } from "../runtime/collect-sweep.ts";
import type { Comparison } from "../runtime/comparison.ts";
import { factsOf, filesOfRun, keptQuestion, type RunOf, type Verdict } from "../runtime/evidence-run.ts";
import { filesOfLook, filesOfSweep } from "../runtime/kept-look.ts";
import { dotted } from "../runtime/readings.ts";
import { judgedFrom, seenBy, withKept } from "../runtime/recorded.ts";
import { gitFile, heldFile } from "../runtime/snapshot.ts";
import { keyOf, type VerdictList } from "../runtime/sweep.ts";
import { meantBy, type VerdictReport } from "../runtime/verify.ts";
import type { KeptAs } from "../wire/api/kept-as.ts";
import { questionDocument, readQuestion } from "../wire/evidence/question.ts";
import { keptFile } from "../wire/evidence/saved-file.ts";

/** An opened place; and who records there, by what. */
export interface Recording {
  readonly runs: EvidenceRuns;
  /** Of the digests that stand for what is never written. */
  readonly key: Uint8Array;
  /** Why nothing can be kept there, a clause; null: it can, as far as anybody looked. */
  readonly fault: string | null;
  readonly signer: Signer | null;
  readonly of: () => Omit<RunOf, "replays" | "details">;
}

interface Kept {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly question: EvidenceQuestion;
  readonly window: Pick<Collected, "from" | "to">;
}

const bytesOf = (value: JsonValue): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);

// ---- what is kept of it --------------------------------------------------------------------------------------------

export const keptLook = (look: Look, asked: Question, key: Uint8Array): Kept => ({
  files: filesOfLook(look, key).map(({ name, value }) => ({ name, bytes: bytesOf(value) })),
  question: keptQuestion(
    {
      ...liveQuestion(look),
      asked: { kind: "one", question: meantBy(asked, look) },
    },
    key,
  ),
  window: look,
});

export const keptSweep = (
  swept: Swept,
  asked: SweepQuestion,
  pins: ReadonlyMap<string, string>,
  key: Uint8Array,
): Kept => {
  const { evidence } = swept;
  const { collected, kinds } = evidence;
  const others = collected.evidence.objects.flatMap((seen) => {
    const uid = pins.get(keyOf(seen));
    const { group, kind, namespace, name } = seen;
    return uid === undefined || uid === seen.uid ? [] : [{ group, kind, namespace, name, uid }];
  });
  const question: SweepQuestion =
    kinds === null ? asked : { ...asked, kinds: kinds.map(({ plural, group }) => dotted(plural, group)) };
  const what: WhatWasAsked = { kind: "sweep", question, nameless: evidence.nameless, pins: others };
  return {
    files: filesOfSweep(swept, asked, key).map(({ name, value }) => ({ name, bytes: bytesOf(value) })),
    question: { ...liveQuestion(collected), asked: what },
    window: collected,
  };
};

const liveQuestion = ({ evidence }: Collected): Omit<EvidenceQuestion, "asked"> => ({
  at: evidence.at,
  from: null,
  limits: evidence.limits,
  renamed: [],
  removed: [],
});

/** `saved`: the files as they were read; `collected`: what they say, with what a recorder held beside. */
export const keptSaved = (
  saved: readonly SavedFile[],
  collected: Collected,
  asked: WhatWasAsked,
  { from, key }: { readonly from: string; readonly key: Uint8Array },
): Kept => {
  const names = new Set<string>();
  const renamed: { readonly kept: string; readonly was: string }[] = [];
  const removed: { readonly file: string; readonly pointer: string }[] = [];
  const { objects } = collected.evidence;
  const beside = [...heldFile(objects), ...gitFile(objects)];
  const all = [
    // What a recorder held, or a clone tells, is one file, with what a saved one of it says already.
    ...saved.filter((file) => !beside.some(({ name }) => name === file.name)),
    ...beside.map(({ name, value }) => ({ name, value, bytes: bytesOf(value) })),
  ];
  const files = all.map((file) => {
    const name = freeName(file.name, names);
    names.add(name);
    if (name !== file.name) renamed.push({ kept: name, was: file.name });
    const kept = keptFile(file, key);
    removed.push(...kept.removed.map((pointer) => ({ file: `snapshot/${name}`, pointer })));
    return { name, bytes: kept.bytes };
  });
  const { evidence } = collected;
  const question = { asked, at: evidence.at, from, limits: evidence.limits, renamed, removed };
  return { files, question: keptQuestion(question, key), window: collected };
};

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}\.json$/;

/** A name that any checksum file can hold, of JSON: YAML is kept as that. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const json = name.replace(/\.ya?ml$/i, ".json");
  if (PLAIN.test(json) && !taken.has(json)) return json;
  for (let number = 1; ; number += 1) {
    const free = `saved-${number}.json`;
    if (!taken.has(free)) return free;
  }
};

// ---- judged from that, and recorded --------------------------------------------------------------------------------

/** `watched`: the verdict of a watch, which tells how long it looked. */
export const recordedOne = async (
  recording: Recording,
  kept: Kept,
  comparison: Comparison,
  watched: VerdictReport | null,
): Promise<VerdictReport> => {
  const judged = await judgedKept(kept, comparison);
  if (judged.kind !== "one") throw new Error("a question about one was judged as a sweep");
  const report = watched === null ? judged.report : seenBy(judged.report, watched);
  return withKept(report, await keep(recording, kept, { kind: "one", report }));
};

export const recordedMany = async (
  recording: Recording,
  kept: Kept,
  comparison: Comparison,
  watched: VerdictList | null,
): Promise<VerdictList> => {
  const judged = await judgedKept(kept, comparison);
  if (judged.kind !== "sweep") throw new Error("a sweep was judged as a question about one");
  const list = watched === null ? judged.list : seenBy(judged.list, watched);
  return withKept(list, await keep(recording, kept, { kind: "sweep", list }));
};

/** The kept bytes, as `verify --from` would read them. */
const judgedKept = async ({ files, question, window }: Kept, comparison: Comparison): Promise<Verdict> => {
  const collected = await readKept(files, question);
  if ("fault" in collected) throw new Error(`what is to be kept cannot be read: ${collected.fault}`);
  return judgedFrom(collected, question, window, comparison);
};

/** The fault is a sentence that names the file. */
export const readKept = async (
  files: Kept["files"],
  { renamed, at }: EvidenceQuestion,
): Promise<Collected | { readonly fault: string }> => {
  const names = new Map(renamed.map(({ kept, was }) => [kept, was]));
  const collected = await evidenceIn(
    files.map(({ name, bytes }) => ({ name: names.get(name) ?? name, bytes })),
    at,
  );
  if (!("faults" in collected)) return collected;
  const [first] = collected.faults;
  return { fault: first === undefined ? "nothing in it can be read" : `${first.file}: ${first.message}` };
};

export const keep = async (
  { runs, fault, signer, of }: Recording,
  kept: Pick<Kept, "files" | "question">,
  verdict: Verdict,
  more: { readonly replays: RunLink | null; readonly details: JsonObject | null } = NOTHING_MORE,
): Promise<KeptAs> => {
  if (fault !== null) return { kind: "fault", fault };
  // What could not be read back could not be judged again (E2).
  const question = readQuestion(questionDocument(kept.question));
  if ("fault" in question) return { kind: "fault", fault: `its question cannot be kept: ${question.fault}` };
  const made = await runs
    .record({
      facts: factsOf(verdict, { ...of(), ...more }),
      files: filesOfRun(kept.files, kept.question, verdict),
      signer,
    })
    .catch((error: unknown) => ({
      kind: "fault" as const,
      fault: error instanceof Error ? error.message : "for an unknown reason",
    }));
  switch (made.kind) {
    case "recorded": {
      const { run, sequence, trust } = made.run;
      const { sha256 } = made.link;
      return { kind: "recorded", run, sequence, sha256, place: runs.place, trust, notes: made.notes };
    }
    case "exists":
      return { kind: "fault", fault: "there is a run of this id already" };
    case "fault":
      return made;
  }
};

const NOTHING_MORE = { replays: null, details: null };
