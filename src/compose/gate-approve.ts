/**
 * approve --gate: looks at the live service at that moment, and records that somebody let this very verdict pass (E4). What changed
 * since the verdict, or does not hold, refuses; then nothing is recorded.
 */
import { systemClock } from "../adapters/system/clock.ts";
import { passingKey } from "../adapters/system/snapshot-folder.ts";
import type { RunLink, Trust } from "../domain/evidence-run.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import type { GateRefusal } from "../domain/gate-decision.ts";
import type { Instant } from "../domain/ids.ts";
import { approvalFault, refusalsOf } from "../judge/gate/decide.ts";
import type { RunFile } from "../ports/evidence-runs.ts";
import { jsonFile, saidOf } from "../runtime/evidence-run.ts";
import { onRecord, type Records } from "../runtime/gate/on-record.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { snapshotOf } from "../runtime/snapshot.ts";
import { verdictReport } from "../wire/api/verdict-report.ts";
import { actorOf } from "./actor.ts";
import { type EvidencePlace, newRunId, signerFor } from "./evidence.ts";
import type { OpenedGate } from "./gate.ts";
import { type LookedFor, lookFor } from "./gate-check.ts";
import type { Live } from "./verify-cluster.ts";

export interface ApproveAsked {
  /** null: the newest verdict about the gate's target. */
  readonly run: string | null;
  readonly actor: string | null;
  readonly reason: string;
  readonly signingKey: string | null;
  readonly tool: string;
}

export interface Approved {
  readonly kind: "approved";
  /** The gate's file, as the person named it. */
  readonly file: string;
  readonly link: RunLink;
  readonly approves: { readonly run: string; readonly sha256: string };
  readonly target: { readonly kind: string; readonly namespace: string | null; readonly name: string };
  readonly actor: string;
  readonly reason: string;
  readonly at: Instant;
  readonly trust: Trust;
  /** Why it does not count for this gate, a clause; null: it does. */
  readonly why: string | null;
  readonly given: number;
  readonly wanted: number;
  readonly notes: readonly string[];
  readonly exit: ExitCode;
}

export const approveVerdict = async (
  live: Live,
  opened: OpenedGate,
  records: Records,
  place: EvidencePlace,
  asked: ApproveAsked,
): Promise<Approved | Refused> => {
  const [only, ...others] = opened.asked;
  const rule = opened.gate.approvals;
  if (rule === null)
    return refused(EXIT.usage, `${opened.file} asks for no approval; write approvals there, or leave this`);
  if (only === undefined || others.length > 0)
    return refused(
      EXIT.usage,
      `${opened.file} has several verifications, and an approval is of one verdict; write a gate for each`,
    );
  const actor = actorOf(asked.actor, place.environment);
  if (!rule.by.includes(actor))
    return refused(
      EXIT.refused,
      `${actor} may not approve here: ${opened.file} names ${rule.by.join(", ")}. Nothing was recorded`,
    );
  const signing = signerFor(place, asked.signingKey);
  if ("fault" in signing) return refused(EXIT.usage, signing.fault);
  const looked = await lookFor(live, only);
  if (isRefused(looked)) return looked;
  const record = await onRecord(records, looked.question, asked.run);
  if ("fault" in record)
    return refused(record.reason === "unreadable" ? EXIT.broken : EXIT.usage, record.fault);
  const { evidence } = record;
  const now = systemClock.now();
  const refusals = refusalsOf({ ...only.policy, approvals: null }, { ...record, live: looked.live, now });
  if (refusals.length > 0 || evidence === null || evidence.sha256 === null)
    return { kind: "refused", exit: EXIT.refused, why: notApproved(refusals) };
  const approves = { run: evidence.run, sha256: evidence.sha256 };
  const done = await records.runs.record({
    facts: {
      run: newRunId(),
      kind: "approval",
      verb: "approve",
      actor,
      recordedAt: now,
      ...saidOf(looked.report),
      replays: null,
      tool: asked.tool,
      rules: "",
      details: { approves, reason: asked.reason, gate: opened.sha256 },
    },
    files: filesOf(looked),
    signer: signing.signer,
  });
  if (done.kind !== "recorded")
    return refused(
      EXIT.notDurable,
      `the approval is not recorded in ${records.runs.place}: ${done.kind === "fault" ? done.fault : "its id is taken"}`,
    );
  return toldOf({ opened, records, looked, approves, done, reason: asked.reason });
};

const notApproved = (refusals: readonly GateRefusal[]): string =>
  `not approved, and nothing was recorded: ${[...new Set(refusals.map(({ sentence }) => sentence))].join("; ")}`;

/** The look that the approval rests on, as any evidence: so that what was seen then can be judged again. */
const filesOf = ({ look, report }: LookedFor): readonly RunFile[] => {
  const files = snapshotOf(look, passingKey());
  return [
    ...(files === null ? [] : files.map(({ name, value }) => jsonFile(`snapshot/${name}`, value))),
    jsonFile("report.json", verdictReport(report)),
  ];
};

interface Done {
  readonly opened: OpenedGate;
  readonly records: Records;
  readonly looked: LookedFor;
  readonly approves: Approved["approves"];
  readonly done: Extract<Awaited<ReturnType<Records["runs"]["record"]>>, { readonly kind: "recorded" }>;
  readonly reason: string;
}

/** What was recorded is read again with all others: what it counts for is what a check would say. */
const toldOf = async ({
  opened,
  records,
  looked,
  approves,
  done,
  reason,
}: Done): Promise<Approved | Refused> => {
  const { run, link } = done;
  const after = await onRecord(records, looked.question, approves.run);
  if ("fault" in after) return refused(EXIT.broken, after.fault);
  const rule = opened.gate.approvals;
  const [only] = opened.asked;
  if (rule === null || only === undefined) return refused(EXIT.usage, `${opened.file} asks for no approval`);
  const now = systemClock.now();
  const faultOf = (one: (typeof after.approvals)[number]) =>
    approvalFault(only.policy, rule, { evidence: after.evidence, now }, one);
  const counted = new Set(after.approvals.filter((one) => faultOf(one) === null).map(({ actor }) => actor));
  const own = after.approvals.find((one) => one.run === link.run);
  const why = own === undefined ? "it is not among what is on record" : faultOf(own);
  return {
    kind: "approved",
    file: opened.file,
    link,
    approves,
    target: looked.report.target,
    actor: run.actor,
    reason,
    at: run.recordedAt,
    trust: run.trust,
    why,
    given: counted.size,
    wanted: rule.count,
    notes: done.notes,
    exit: why === null ? EXIT.proven : EXIT.refused,
  };
};
