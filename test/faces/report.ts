/** Reports with one step in each kind of trouble, and reports made of anything at all. */
import fc from "fast-check";
import { EXIT } from "../../src/domain/exit.ts";
import { instant, operationId, stackName, stepName } from "../../src/domain/ids.ts";
import { STATUSES } from "../../src/domain/status.ts";
import type { StatusReport, StepReport } from "../../src/runtime/status.ts";
import { moment } from "../support/clock.ts";

const OPERATION = operationId("op_01900000-0000-7000-8000-000000000001");
const AT = instant(Date.UTC(2026, 10, 29, 12, 0, 0));

const stepReport = (step: string, more: Partial<StepReport> = {}): StepReport => ({
  step: stepName(step),
  provider: "exec",
  status: "complete",
  reason: "observed present and as declared",
  confirmed: null,
  identity: { id: `${step}-1` },
  surplus: [],
  outputs: {},
  outputsFrom: {},
  previous: [],
  waitingOn: [],
  failedCommand: null,
  lastError: null,
  effect: "known",
  owes: [],
  rerunInputsFile: null,
  resolvedInputsFile: null,
  runId: OPERATION,
  intent: "in_01900000-0000-7000-8000-000000000002",
  retained: null,
  survivors: [],
  evidence: [],
  updatedAt: AT,
  ...more,
});

export const troubled: StatusReport = {
  stack: stackName("shop-staging"),
  ledger: "/srv/shop/.asfound/ledger.db",
  working: null,
  steps: [
    stepReport("network", {
      outputs: { subnet: "net-1" },
      outputsFrom: { subnet: { from: "observation", operation: OPERATION, at: AT } },
      evidence: ["ev_01900000-0000-7000-8000-000000000003"],
    }),
    stepReport("機械", {
      provider: "http",
      status: "unresolved",
      reason: "create of 2026-11-29T12:00:00.000Z has no outcome",
      identity: null,
      failedCommand: "create",
      lastError: "the connection was cut",
      effect: "possible",
      surplus: [{ id: "m-2", since: moment(AT), operation: OPERATION, why: "answered late" }],
      rerunInputsFile: "/srv/shop/.asfound/runs/rerun.yaml",
      resolvedInputsFile: "/srv/shop/.asfound/runs/machine.resolved.json",
      previous: [{ identity: "m-0", outputs: { ip: "10.0.0.1" }, until: moment(AT), endedBy: "replace" }],
    }),
    stepReport("web", {
      status: "pending",
      reason: "it waits",
      identity: null,
      effect: "none",
      waitingOn: [{ step: stepName("機械"), why: "機械 is unresolved" }],
    }),
    stepReport("backups", {
      status: "retained",
      reason: "kept on purpose",
      retained: { owner: "platform", reason: "legal hold", reviewBy: "2027-06-30" },
    }),
  ],
  next: [{ command: "asfound reconcile", why: "asks what is there of 機械" }],
  notOffered: [{ command: "asfound apply", why: "it would refuse to repeat the call in doubt (機械)" }],
  exit: EXIT.unresolved,
};

/** Text as a hostile provider would write it. */
export const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "\x1b[2J",
    "\x1b]0;owned\x07",
    "a\nFAKE complete",
    "\r\x1b[1A",
    "\u202egnp.exe",
    "\u009b31m",
    '"];evil',
    "ok",
  ),
);

export const anyReport: fc.Arbitrary<StatusReport> = fc
  .record({
    stack: hostile,
    working: fc.option(hostile),
    next: fc.array(fc.record({ command: hostile, why: hostile }), { maxLength: 3 }),
    steps: fc.array(
      fc.record({
        name: hostile,
        provider: hostile,
        status: fc.constantFrom(...STATUSES),
        reason: hostile,
        id: fc.option(hostile),
        lastError: fc.option(hostile),
        file: fc.option(hostile),
        waits: fc.array(hostile, { maxLength: 2 }),
        surplus: fc.array(hostile, { maxLength: 2 }),
        owes: fc.array(hostile, { maxLength: 2 }),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ stack, working, next, steps }) => ({
    ...troubled,
    stack: stackName(stack),
    working,
    next,
    notOffered: next,
    steps: steps.map((step) =>
      stepReport(step.name, {
        provider: step.provider,
        status: step.status,
        reason: step.reason,
        identity: step.id === null ? null : { id: step.id },
        failedCommand: "create",
        lastError: step.lastError,
        rerunInputsFile: step.file,
        resolvedInputsFile: step.file,
        waitingOn: step.waits.map((why) => ({ step: stepName(why), why })),
        surplus: step.surplus.map((id) => ({ id, since: moment(AT), operation: OPERATION, why: id })),
        owes: step.owes,
      }),
    ),
  }));
