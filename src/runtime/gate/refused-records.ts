/**
 * What a gate has to refuse though the state is healthy: evidence, approvals and clocks that do not bear a promotion. Each is
 * the healthy world shown with one thing other than it should be, and the reason for which it has to be refused.
 */
import type { GatePolicy } from "../../domain/gate.ts";
import type { GateReason, GateRefusal } from "../../domain/gate-decision.ts";
import type { RefusalName } from "../../domain/gate-refusal.ts";
import { madeAnew, type StateRefusal } from "./refused-states.ts";
import { type Asked, later, type Shown } from "./showing.ts";
import { READ, second } from "./world-times.ts";

export type RecordRefusal = Exclude<RefusalName, StateRefusal | "missing-field">;

interface OfRecord {
  /** The healthy world, with one thing changed. */
  readonly shown: (healthy: Shown, policy: GatePolicy) => Shown;
  readonly for: readonly [GateRefusal["side"], GateReason];
  /** Why this gate asks for nothing of the kind; left out: every gate does. */
  readonly notAsked?: (policy: GatePolicy) => string | null;
}

const NO_APPROVALS = "it asks for no approval";
const needsApprovals = ({ approvals }: GatePolicy): string | null =>
  approvals === null ? NO_APPROVALS : null;

/** Not somebody whom a gate would name. */
const STRANGER = "somebody-else-entirely";

const tooLate = (policy: GatePolicy) => later(second(READ), policy.maxAgeMs + 1_000);

export const REFUSED_RECORDS: Readonly<Record<RecordRefusal, OfRecord>> = {
  "no-evidence": {
    shown: (healthy) => ({ ...healthy, isRecorded: false }),
    for: ["evidence", "no-evidence"],
  },
  "stored-alone": {
    shown: (healthy) => ({ ...healthy, live: null }),
    for: ["live", "not-looked"],
  },
  "changed-since": {
    shown: (healthy) => ({ ...healthy, live: madeAnew(healthy.recorded) }),
    for: ["live", "changed"],
  },
  "edited-evidence": {
    shown: (healthy) => ({
      ...healthy,
      meddle: async (bench, { run }) => {
        await bench.edit(run);
        return null;
      },
    }),
    for: ["evidence", "altered"],
  },
  "incomplete-evidence": {
    shown: (healthy) => ({
      ...healthy,
      meddle: async (bench, { run }) => {
        await bench.cut(run);
        return null;
      },
    }),
    for: ["evidence", "incomplete"],
  },
  "old-evidence": {
    shown: (healthy, policy) => ({
      ...healthy,
      now: tooLate(policy),
      approvedAt: later(tooLate(policy), -1_000),
    }),
    for: ["evidence", "too-old"],
  },
  "replayed-evidence": {
    shown: (healthy, policy) => ({
      ...healthy,
      now: tooLate(policy),
      meddle: async (bench, first, { question }) => {
        const at = later(tooLate(policy), -2_000);
        const { recorded: files, signed, approvers } = healthy;
        const again = await bench.record({ files, question, recordedAt: at, signed, replays: first });
        for (const actor of approvers)
          await bench.approve({ of: again, actor, at: later(at, 1_000), signed });
        return again;
      },
    }),
    for: ["evidence", "too-old"],
  },
  "clock-backwards": {
    shown: (healthy) => ({ ...healthy, now: second(READ - 3_600) }),
    for: ["evidence", "from-the-future"],
  },
  "lower-trust": {
    shown: (healthy) => ({ ...healthy, signed: false }),
    for: ["evidence", "trust-too-low"],
    notAsked: ({ trust }) =>
      trust === "T0"
        ? "it takes T0, below which there is nothing: whoever can write evidence can promote"
        : null,
  },
  "wrong-approver": {
    shown: (healthy) => ({ ...healthy, approvers: healthy.approvers.map((_, at) => `${STRANGER}-${at}`) }),
    for: ["approval", "approval-missing"],
    notAsked: needsApprovals,
  },
  "approval-of-another": {
    shown: (healthy) => ({ ...healthy, approveAnother: true }),
    for: ["approval", "approval-missing"],
    notAsked: needsApprovals,
  },
  "old-approval": {
    shown: (healthy, { approvals }) => ({
      ...healthy,
      approvedAt: later(healthy.now, -(approvals === null ? 0 : approvals.maxAgeMs) - 1_000),
    }),
    for: ["approval", "approval-missing"],
    notAsked: needsApprovals,
  },
  "approved-twice-by-one": {
    shown: (healthy) => ({
      ...healthy,
      approvers: healthy.approvers.map(() => String(healthy.approvers[0])),
    }),
    for: ["approval", "approval-missing"],
    notAsked: ({ approvals }) =>
      approvals === null ? NO_APPROVALS : approvals.count < 2 ? "it asks for one approval" : null,
  },
};

export const isRefusedFor = (
  refusals: readonly GateRefusal[],
  [side, reason]: readonly [GateRefusal["side"], GateReason],
): boolean => refusals.some((one) => one.side === side && one.reason === reason);

/** The verifications of a gate differ in what they ask, not in how records of it are taken: one stands for all. */
export const firstOf = (all: readonly Asked[]): readonly Asked[] => all.slice(0, 1);
