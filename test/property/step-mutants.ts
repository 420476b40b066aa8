/** Broken domains, each in one law. What the properties do not catch in them, they would not catch in the real one. */
import { instant } from "../../src/domain/ids.ts";
import type { JournalRecord } from "../../src/domain/journal.ts";
import type { Asking } from "../../src/domain/settle.ts";
import type { StepState } from "../../src/domain/state.ts";
import { LAWS, type Laws } from "../support/step-history.ts";

const folding = (
  change: (record: JournalRecord, state: StepState | undefined) => JournalRecord,
  before: (state: StepState, record: JournalRecord) => StepState = (state) => state,
): Partial<Laws> => ({
  advance: (state, record) =>
    LAWS.advance(state === undefined ? state : before(state, record), change(record, state)),
});

const after = (change: (state: StepState, record: JournalRecord) => StepState): Partial<Laws> => ({
  advance: (state, record) => change(LAWS.advance(state, record), record),
});

const FAR_MS = 10 ** 9;

/** As if it had been asked long after it was. */
const later = ({ askedAt, askedMs, clock }: Asking) => ({
  askedAt: instant(askedAt + FAR_MS),
  askedMs: askedMs + FAR_MS,
  clock: { ...clock, ms: clock.ms + FAR_MS },
});

/** Folds of what a step has to be confirmed by. */
export const CONFIRM_MUTANTS: Readonly<Record<string, readonly [law: RegExp, change: Partial<Laws>]>> = {
  "a step is complete without what it has to be confirmed by": [
    /confirm/,
    after((state) => (state.status === "unconfirmed" ? { ...state, status: "complete" } : state)),
  ],
  "what cannot be judged counts as proven": [
    /confirm/,
    folding((record) =>
      record.kind === "decision" &&
      record.decision.what === "confirmed" &&
      record.decision.finding === "undetermined"
        ? { ...record, decision: { ...record.decision, finding: "proven" } }
        : record,
    ),
  ],
  "what was confirmed before a call stands after it": [
    /confirm/,
    {
      advance: (state, record) => {
        const next = LAWS.advance(state, record);
        return record.kind === "intent" && state !== undefined
          ? { ...next, confirmed: state.confirmed }
          : next;
      },
    },
  ],
  "what was confirmed stands when something else has to be": [
    /confirm/,
    {
      advance: (state, record) => {
        const next = LAWS.advance(state, record);
        const isPlanned = record.kind === "decision" && record.decision.what === "planned";
        return isPlanned && state !== undefined && state.confirmed !== null
          ? { ...next, confirmed: state.confirmed, status: state.status }
          : next;
      },
    },
  ],
  "a look lifts a refuted judgement": [
    /confirm/,
    folding(
      (record) => record,
      (state, record) =>
        record.kind === "observation" && state.confirmed?.finding === "refuted"
          ? { ...state, confirmed: { ...state.confirmed, finding: "proven" } }
          : state,
    ),
  ],
};

export const MUTANTS: Readonly<Record<string, readonly [law: RegExp, change: Partial<Laws>]>> = {
  // The key of each is what went wrong; then the law that has to catch it.
  "outputs that come with an error are dropped": [
    /W4/,
    folding((record) =>
      record.kind === "outcome" && (record.outcome.kind === "failed" || record.outcome.kind === "unknown")
        ? { ...record, outcome: { ...record.outcome, id: null, outputs: {} } }
        : record,
    ),
  ],
  "outputs of an earlier incarnation are thrown away": [/W4/, after((state) => ({ ...state, previous: [] }))],
  "an id known before the result is not kept": [
    /W4|D1/,
    after((state, record) => (record.kind === "identity" ? { ...state, identity: null } : state)),
  ],
  "a call without an outcome is closed by the next one": [
    /R1/,
    folding(
      (record) => record,
      (state, record) =>
        record.kind === "intent"
          ? { ...state, open: state.open.filter((open) => open.outcome !== null) }
          : state,
    ),
  ],
  "a dead owner's call is shown as pending": [
    /W3/,
    {
      shown: (state, states, live) => {
        const told = LAWS.shown(state, states, live);
        return state.status === "running" ? { ...told, status: "pending" } : told;
      },
    },
  ],
  "a dead owner's call is shown as running": [
    /W3/,
    { shown: (state) => ({ status: state.status, reason: state.reason }) },
  ],
  "a question without an answer counts as absence": [
    /D1|promise 4|table/,
    {
      judgeReading: (state, reading, asking) =>
        LAWS.judgeReading(
          state,
          "reason" in reading && reading.kind !== "observed" ? { kind: "absent" } : reading,
          asking,
        ),
    },
  ],
  "absence is believed inside the settle window": [
    /D1|promise 4/,
    {
      judgeReading: (state, reading, asking) =>
        LAWS.judgeReading(state, reading, {
          ...asking,
          ...(reading.kind === "absent" ? later(asking) : {}),
        }),
    },
  ],
  "an old picture is believed": [
    /V|table|D1/,
    {
      judgeReading: (state, reading, asking) =>
        LAWS.judgeReading(state, reading, { ...asking, ...later(asking) }),
    },
  ],
  "the wall clock tells how much time has passed": [
    /D1|promise 4/,
    {
      judgeReading: (state, reading, asking) => {
        const clock = { id: "wall", ms: asking.askedAt };
        const anchor = {
          clock: { id: "wall", ms: state.updatedAt },
          wall: state.updatedAt,
          steady: state.anchor.steady,
        };
        return LAWS.judgeReading({ ...state, anchor }, reading, { ...asking, clock, askedMs: clock.ms });
      },
    },
  ],
  "the clocks of two hosts are taken for one": [
    /D1|promise 4/,
    {
      judgeReading: (state, reading, asking) =>
        LAWS.judgeReading(state, reading, {
          ...asking,
          clock: { ...asking.clock, id: state.anchor.clock.id },
        }),
    },
  ],
  "a living sender is overlooked": [
    /D1|promise 4/,
    {
      judgeReading: (state, reading, asking) =>
        LAWS.judgeReading(state, reading, { ...asking, senderAlive: false }),
      ...folding((record) => (record.kind === "observation" ? { ...record, senderAlive: false } : record)),
    },
  ],
  "one reading that finds nothing ends a complete step": [
    /D1|promise 4/,
    folding(
      (record) => record,
      (state, record) =>
        record.kind === "observation" && state.missingSince === null && state.open.length === 0
          ? {
              ...state,
              missingSince: { at: record.at, steady: (state.anchor.steady - state.policy.settleMs) as never },
            }
          : state,
    ),
  ],
  "whatever is in doubt may be sent again": [/lost|D1|V|N3|table/, { resendFault: () => undefined }],
  "a late outcome is ignored": [
    /W4/,
    {
      advance: (state, record) =>
        record.kind === "outcome" &&
        state !== undefined &&
        !state.open.some((o) => o.intent === record.intent)
          ? state
          : LAWS.advance(state, record),
    },
  ],
  "a second id is dropped": [/W4|lost/, after((state) => ({ ...state, surplus: [] }))],
  "a second object does not stop the step from being destroyed": [
    /N3|D1/,
    after((state, record) =>
      record.kind === "settlement" && record.says === "gone" ? { ...state, status: "destroyed" } : state,
    ),
  ],
  "a destroy that failed and left the thing there makes it complete again": [
    /D5/,
    folding((record) =>
      record.kind === "settlement" && record.says === "still-there"
        ? { ...record, says: "complete" }
        : record,
    ),
  ],
  "done is taken for an observation": [
    /R1/,
    folding(
      (record) => record,
      (state, record) =>
        record.kind === "outcome" && state.declared !== null
          ? { ...state, declared: { ...state.declared, can: { ...state.declared.can, observe: false } } }
          : state,
    ),
  ],
  "what is owed is forgotten when the step is complete": [
    /P3/,
    after((state) => (state.status === "complete" ? { ...state, owes: [] } : state)),
  ],
  "only what was seen counts as alive": [/lost|D1|V|promise|table/, { isAlive: (state) => state.present }],
};

/** Of what `besideAnother` begins with. */
export const BESIDE_MUTANTS: typeof MUTANTS = {
  "a create that left nothing says done after all, and that is only noted": [
    /N3/,
    folding(
      (record) => record,
      (state, record) =>
        record.kind === "outcome" && LAWS.isAlive(state)
          ? { ...state, closed: state.closed.map((o) => ({ ...o, leftNothing: false })) }
          : state,
    ),
  ],
  "what was made since tells what a call beside it left": [
    /R1/,
    after((state) => ({ ...state, open: state.open.map((o) => ({ ...o, leftNothing: false })) })),
  ],
};
