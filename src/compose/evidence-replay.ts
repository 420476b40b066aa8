/**
 * evidence replay: judges what a run holds again by today's rules, and records that as a run of its own which names the old one
 * and what differs (E2). No cluster is opened here, and nothing is added to what was kept: this file reaches no way to one.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "../adapters/system/read-file.ts";
import type { EvidenceQuestion } from "../domain/evidence-question.ts";
import type { RunLink } from "../domain/evidence-run.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import { iso } from "../domain/ids.ts";
import type { EvidenceFault, StoredRun } from "../ports/evidence-runs.ts";
import { BY_REVISION } from "../runtime/comparison.ts";
import { reportJson, type Verdict } from "../runtime/evidence-run.ts";
import { judgedFrom, withKept } from "../runtime/recorded.ts";
import { differencesOf } from "../runtime/replayed.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import type { EvidenceReplayInput } from "../wire/api/evidence-replay.ts";
import { readQuestion } from "../wire/evidence/question.ts";
import { evidenceIn } from "./evidence.ts";
import { openRecording, type ToRecord } from "./open-recording.ts";
import { keep, readKept } from "./recording.ts";

const MOST_BYTES = 256 * 1024 * 1024;

export type Replayed = EvidenceReplayInput & { readonly kind: "replayed"; readonly exit: ExitCode };

export const replayEvidence = async (asked: ToRecord, named: string): Promise<Replayed | Refused> => {
  const runs = evidenceIn(asked);
  const stored = await runs.read(named);
  if ("fault" in stored) return refusedFor(stored);
  const held = heldIn(stored);
  if ("fault" in held) return refused(EXIT.refused, `${stored.run.run} is not judged again: ${held.fault}`);
  const { question, files } = held;
  const read = await readKept(files, question);
  if ("fault" in read) return refused(EXIT.refused, `${stored.run.run} is not judged again: ${read.fault}`);
  const opened = await openRecording({ ...asked, verb: "evidence replay" });
  if (opened.kind === "refused") return opened;
  const of: RunLink = { run: stored.run.run, sha256: stored.sha256 };
  const limit = `judged again from ${of.run}, of what was seen at ${iso(question.at)}: no cluster was asked, so what is there now it does not tell`;
  const limited = { ...question, limits: [...question.limits, limit] };
  const judged = judgedFrom(read, limited, { from: question.at, to: question.at }, BY_REVISION);
  const differs = differencesOf(stored.report, reportJson(judged));
  const kept = await keep(opened.recording, { files: [], question }, judged, {
    replays: of,
    details: { differs: differs.map((one) => ({ ...one })) },
  });
  const verdict = told(judged, kept);
  return {
    kind: "replayed",
    of: { ...of, sequence: stored.run.sequence, verdict: stored.run.verdict, rules: stored.run.rules },
    differs,
    verdict,
    exit: verdict.kind === "one" ? verdict.report.exit : verdict.list.exit,
  };
};

const told = (judged: Verdict, kept: Parameters<typeof withKept>[1]): Verdict =>
  judged.kind === "one"
    ? { kind: "one", report: withKept(judged.report, kept) }
    : { kind: "sweep", list: withKept(judged.list, kept) };

/** What can be judged again of it. The fault is a clause. */
const heldIn = (
  stored: StoredRun,
):
  | {
      readonly question: EvidenceQuestion;
      readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
    }
  | { readonly fault: string } => {
  const { run, snapshot, deleted } = stored;
  if (deleted !== null)
    return { fault: `what was observed was deleted by retention (${deleted.by.run}, at ${deleted.at})` };
  if (run.replays !== null)
    return { fault: `it holds no observations of its own; replay ${run.replays.run}, which it judged again` };
  if (stored.question === null || snapshot === null)
    return { fault: `a run of the kind ${run.kind} holds no observations` };
  const question = readQuestion(stored.question);
  if ("fault" in question) return { fault: `question.json: ${question.fault}` };
  const files: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const name of readdirSync(snapshot).sort()) {
    const read = readPlain(join(snapshot, name), MOST_BYTES);
    if ("fault" in read) return { fault: `snapshot/${name}: ${read.fault}` };
    files.push({ name, bytes: read.bytes });
  }
  return { question, files };
};

/** Of evidence that is not as it was recorded nothing is judged. */
export const refusedFor = ({ reason, fault }: EvidenceFault): Refused => {
  if (reason === "absent" || reason === "ambiguous") return refused(EXIT.usage, fault);
  return refused(reason === "unreadable" ? EXIT.broken : EXIT.refused, fault);
};
