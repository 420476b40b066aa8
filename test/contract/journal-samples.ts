/** Journal records, states and operations as a store's tests need them: of every kind, and valid. */
import { blank } from "../../src/domain/fold/blank.ts";
import {
  digest,
  epoch,
  evidenceId,
  instant,
  intentId,
  key,
  operationId,
  stackName,
  stepName,
} from "../../src/domain/ids.ts";
import type { DecisionRecord, Declared, JournalRecord, Policy } from "../../src/domain/journal.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Holder, Lease } from "../../src/domain/lease.ts";
import type { Operation } from "../../src/domain/operation.ts";
import type { StepState } from "../../src/domain/state.ts";
import { reading } from "../support/clock.ts";

const policy: Policy = {
  retry: "keyed",
  keyLifetimeMs: 86_400_000,
  settleMs: 30_000,
  deadlineMs: 600_000,
  retain: { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" },
  approve: { before: "destroy", by: ["alice"] },
  public: ["token"],
  keepSecrets: false,
};

export const declared: Declared = {
  uses: "http",
  inputs: { size: 3, tags: ["a", "ü"] },
  inputsDigest: { digest: digest(`sha256:${"ab".repeat(32)}`), keyId: null },
  policy,
  can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
};

const holder: Holder = {
  host: "build-7",
  bootId: "b00t",
  pidNamespace: "pid:[4026531836]",
  pid: 4711,
  startTicks: "123456",
  actor: "alice",
  ciRun: null,
};

export const lease = (operation: string, count: number): Lease => ({
  operation: operationId(operation),
  epoch: epoch(count),
  holder,
  acquiredAt: instant(1000),
  expiresAt: instant(31_000),
});

export const operation = (id: string, stack: string, summary: string | null = null): Operation => ({
  id: operationId(id),
  stack: stackName(stack),
  verb: "apply",
  actor: "alice",
  reason: null,
  options: { only: [], allowDestroy: false, failFast: false, parallelism: 4 },
  epoch: epoch(1),
  holder,
  startedAt: instant(1000),
  endedAt: null,
  exit: null,
  summary,
  fileDigest: null,
});

const at = (step: string, id: string) => ({
  step: stepName(step),
  operation: operationId(id),
  at: instant(2000),
  clock: reading(2000),
});

export const planned = (step: string, id = "op_1"): DecisionRecord => ({
  ...at(step, id),
  kind: "decision",
  decision: {
    what: "planned",
    steps: [{ step: stepName(step), uses: "http", needs: [], partOf: null, policy }],
  },
  actor: "alice",
  reason: "apply",
});

export const identity = (step: string, outputs: JsonObject, id = "op_1"): JournalRecord => ({
  ...at(step, id),
  kind: "identity",
  intent: intentId("in_1"),
  id: "vm-1",
  outputs,
});

/** One record of every kind, of every case that has members of its own. */
export const everyKind = (step: string, id = "op_1"): JournalRecord[] => {
  const common = at(step, id);
  const intent = intentId("in_1");
  const evidence = evidenceId("ev_1");
  const outcome = (value: object) =>
    ({
      ...common,
      kind: "outcome",
      intent,
      outcome: value,
      source: "call",
      endedAt: instant(3000),
      ended: reading(3000),
    }) as JournalRecord;
  const observation = (answer: object) =>
    ({
      ...common,
      kind: "observation",
      evidence,
      reading: answer,
      inputsDigest: null,
      surplusId: null,
      senderAlive: false,
      last: false,
      askedMs: 1500,
    }) as JournalRecord;
  const settlement = (by: object) =>
    ({ ...common, kind: "settlement", intent, says: "complete", by, reason: "it is there" }) as JournalRecord;
  const decision = (value: object) =>
    ({ ...common, kind: "decision", decision: value, actor: "alice", reason: "because" }) as JournalRecord;
  const brought = { id: "vm-1", outputs: { ip: "10.0.0.1" }, owes: ["restart nginx"] };
  return [
    planned(step, id),
    {
      ...common,
      kind: "intent",
      intent,
      action: "create",
      attempt: 1,
      key: key("asf-1"),
      epoch: epoch(1),
      callBy: instant(32_000),
      declared,
      target: null,
      priorOutputs: { old: true },
      absenceSeen: true,
    },
    identity(step, { ip: "10.0.0.1" }, id),
    outcome({ kind: "done", ...brought }),
    outcome({ kind: "refused", reason: "no" }),
    outcome({ kind: "failed", reason: "broke", ...brought }),
    outcome({ kind: "unknown", reason: "lost", ...brought, id: null }),
    observation({
      kind: "observed",
      id: "vm-1",
      outputs: {},
      asDeclared: { kind: "known", value: true },
      reason: null,
    }),
    observation({
      kind: "observed",
      id: null,
      outputs: {},
      asDeclared: { kind: "unreadable", why: "x" },
      reason: "y",
    }),
    observation({ kind: "absent" }),
    observation({ kind: "ambiguous", ids: ["a", "b"] }),
    observation({ kind: "denied", reason: "403" }),
    observation({ kind: "failed", reason: "500" }),
    observation({ kind: "timed-out", reason: "10 s" }),
    observation({ kind: "not-asked", reason: "cannot" }),
    settlement({ kind: "observation", evidence }),
    settlement({ kind: "parent", step: "machine", evidence: null }),
    settlement({ kind: "decision", actor: "bob" }),
    settlement({ kind: "own-word" }),
    decision({ what: "renamed", from: "old" }),
    decision({ what: "relinked", from: "old", to: "new" }),
    decision({ what: "resolve", as: "present", id: null, owed: "done" }),
    decision({ what: "retain", retain: policy.retain }),
    decision({ what: "release-retain" }),
    decision({ what: "kept" }),
    decision({ what: "taken-up" }),
    decision({ what: "left" }),
    decision({ what: "forget", id: "vm-1" }),
    decision({ what: "import", id: "vm-1", declared }),
    decision({ what: "approve", before: "any", plan: null }),
    decision({ what: "contained-gone", parent: "machine", by: { kind: "own-word" } }),
    decision({ what: "nothing-to-remove" }),
    decision({ what: "not-run" }),
    decision({ what: "confirmed", finding: "proven", sentence: "3 of 3 serve" }),
  ];
};

export const state = (step: string, changes: Partial<StepState> = {}): StepState => ({
  ...blank({ step: stepName(step), uses: "http", needs: [], partOf: null, policy }, planned(step)),
  ...changes,
});
