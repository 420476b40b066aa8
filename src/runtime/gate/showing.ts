/** Shows a gate one world: records it, lets it be approved, looks at what is "there", and has the gate decide. */
import type { RunLink } from "../../domain/evidence-run.ts";
import type { GatePolicy } from "../../domain/gate.ts";
import type { GateLive, GateRefusal } from "../../domain/gate-decision.ts";
import { type Instant, instant } from "../../domain/ids.ts";
import type { Question } from "../../domain/question.ts";
import type { GateGiven } from "../../judge/gate/decide.ts";
import type { Bench, OpenBench } from "./bench.ts";
import { gateJudged } from "./judged.ts";
import { onRecord } from "./on-record.ts";
import { collectedOf, type WorldFiles } from "./world-files.ts";
import { READ, second } from "./world-times.ts";

/** The rule that is tested; a broken one has to be caught. */
export type Rule = (policy: GatePolicy, given: GateGiven) => readonly GateRefusal[];

/** One verification of the gate, asked of the built-in world. */
export interface Asked {
  readonly policy: GatePolicy;
  readonly question: Question;
}

export interface Shown {
  readonly recorded: WorldFiles;
  /** null: nobody could look. */
  readonly live: WorldFiles | null;
  readonly recordedAt: Instant;
  readonly now: Instant;
  readonly signed: boolean;
  readonly approvers: readonly string[];
  readonly approvedAt: Instant;
  /** Between the recording and the decision. `link`: the run that was recorded. */
  readonly meddle?: (bench: Bench, link: RunLink, asked: Asked) => Promise<RunLink | null>;
  /** `false`: nothing is recorded at all. */
  readonly isRecorded: boolean;
  /** Approvals are of this run, not of the one that is shown. */
  readonly approveAnother: boolean;
}

/** What is as it should be: recorded a second after it was read, approved, and looked at a minute later. */
export const asItShould = (policy: GatePolicy, files: WorldFiles): Shown => ({
  recorded: files,
  live: files,
  recordedAt: second(READ + 1),
  now: second(READ + 61),
  signed: policy.trust !== "T0",
  approvers: policy.approvals === null ? [] : policy.approvals.by.slice(0, policy.approvals.count),
  approvedAt: second(READ + 31),
  isRecorded: true,
  approveAnother: false,
});

export const later = (at: Instant, ms: number): Instant => instant(at + ms);

/** What the gate has against each of its verifications. */
export const shownTo = async (
  open: OpenBench,
  rule: Rule,
  all: readonly Asked[],
  shown: Shown,
): Promise<readonly (readonly GateRefusal[])[]> => {
  const bench = await open();
  try {
    const refusals: (readonly GateRefusal[])[] = [];
    for (const asked of all) refusals.push(rule(asked.policy, await givenIn(bench, asked, shown)));
    return refusals;
  } finally {
    await bench.end();
  }
};

/** As `gate check` has it, of a world. */
export const givenIn = async (bench: Bench, asked: Asked, shown: Shown): Promise<GateGiven> => {
  const { policy, question } = asked;
  const link = shown.isRecorded ? await recordedIn(bench, asked, shown) : null;
  const record = await onRecord(bench.records(policy.trust), question, link === null ? null : link.run);
  if ("fault" in record) throw new Error(`the built-in world could not be read: ${record.fault}`);
  const { evidence, approvals, newestRecordAt } = record;
  return { evidence, approvals, newestRecordAt, live: liveOf(shown, question), now: shown.now };
};

const recordedIn = async (bench: Bench, asked: Asked, shown: Shown): Promise<RunLink> => {
  const { recorded, recordedAt, signed, approvers, approvedAt } = shown;
  const state = { files: recorded, question: asked.question, recordedAt, signed, replays: null };
  const other = shown.approveAnother ? await bench.record(state) : null;
  const first = await bench.record(state);
  const of = other === null ? first : other;
  for (const actor of approvers) await bench.approve({ of, actor, at: approvedAt, signed });
  const meddled = shown.meddle === undefined ? null : await shown.meddle(bench, first, asked);
  return meddled === null ? first : meddled;
};

const liveOf = ({ live, now }: Shown, question: Question): GateLive =>
  live === null
    ? { kind: "not-looked", why: "the cluster could not be asked" }
    : { kind: "looked", at: now, judged: gateJudged(collectedOf(live), question).verdict };
