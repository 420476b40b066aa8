/** A step before its first record: what `planned` or `import` begins with. */
import type { JournalRecord, PlannedStep, Policy } from "../journal.ts";
import type { StepState } from "../state.ts";
import { anchorAt } from "../steady.ts";
import { DEFAULTS } from "../step.ts";

export const DEFAULT_POLICY: Policy = {
  retry: "once",
  keyLifetimeMs: DEFAULTS.keyLifetimeMs,
  settleMs: DEFAULTS.settleMs,
  deadlineMs: DEFAULTS.deadlineMs,
  retain: null,
  approve: null,
  public: [],
  keepSecrets: false,
};

export const blank = (planned: PlannedStep, { at, clock }: JournalRecord): StepState => ({
  step: planned.step,
  uses: planned.uses,
  needs: planned.needs,
  partOf: planned.partOf,
  policy: planned.policy,
  status: "pending",
  reason: "it has not run yet",
  provenBy: null,
  key: null,
  keySince: null,
  keys: [],
  identity: null,
  surplus: [],
  present: false,
  open: [],
  closed: [],
  outputs: {},
  outputsFrom: {},
  previous: [],
  declared: null,
  applied: null,
  effect: "none",
  failedCommand: null,
  failedIn: null,
  lastError: null,
  owes: [],
  confirmed: null,
  left: false,
  retained: null,
  approvals: [],
  missingSince: null,
  senderSeen: null,
  disappeared: false,
  lastEvidence: null,
  lastReading: null,
  lastIntent: null,
  lastOperation: null,
  attempts: 0,
  updatedAt: at,
  anchor: anchorAt(at, clock),
});
