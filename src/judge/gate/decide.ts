/**
 * Whether a gate lets a release go on. Pure: the same evidence, look, approvals and time give the same decision.
 *
 * Laws: nothing promotes but evidence on record that is whole, recent and trusted enough, that proves every claim by the gate's
 * own question; a look at what is there now that proves the same of the same incarnation (E4); and as many approvals of exactly
 * that verdict as are asked for. Each thing that is missing is a refusal of its own, and all of them are told.
 */
import type { ClaimName } from "../../domain/claim.ts";
import { formatDuration } from "../../domain/duration.ts";
import type { GateApprovals, GatePolicy } from "../../domain/gate.ts";
import { isTierAtLeast } from "../../domain/gate.ts";
import type {
  GateApproval,
  GateEvidence,
  GateLive,
  GateReason,
  GateRefusal,
  GateVerdict,
} from "../../domain/gate-decision.ts";
import type { Instant } from "../../domain/ids.ts";
import { instant, iso } from "../../domain/ids.ts";
import { age } from "../../domain/time.ts";
import { listed } from "../words.ts";
import { changedBetween } from "./changed.ts";

/** About one verification. */
export interface GateGiven {
  /** null: none is on record. */
  readonly evidence: GateEvidence | null;
  readonly live: GateLive;
  readonly approvals: readonly GateApproval[];
  /** Of the newest run in the chain, whatever it is of; null: there is none. */
  readonly newestRecordAt: Instant | null;
  readonly now: Instant;
}

/** Clocks of two machines may differ by this much without either being wrong. */
const CLOCK_MARGIN_MS = 5_000;

export const refusalsOf = (policy: GatePolicy, given: GateGiven): readonly GateRefusal[] => [
  ...againstEvidence(policy, given),
  ...againstLive(policy, given),
  ...againstApprovals(policy, given),
];

type Side = GateRefusal["side"];

const refusal = (
  side: Side,
  reason: GateReason,
  sentence: string,
  about: Pick<GateRefusal, "claim" | "finding"> = { claim: null, finding: null },
): GateRefusal => ({ side, reason, sentence, ...about });

const againstEvidence = (policy: GatePolicy, given: GateGiven): readonly GateRefusal[] => {
  const { evidence } = given;
  if (evidence === null)
    return [refusal("evidence", "no-evidence", "no evidence of it is on record (asfound verify --record)")];
  const { run, faults, judged, trust, recorded } = evidence;
  const least = policy.trust;
  return [
    ...faults.map(({ kind, sentence }) => refusal("evidence", kind, sentence)),
    ...ofTime(policy, evidence, given),
    ...(isTierAtLeast(trust, least)
      ? []
      : [
          refusal("evidence", "trust-too-low", `${run} is of trust tier ${trust}, and ${least} is asked for`),
        ]),
    ...(judged !== null
      ? notProven("evidence", policy, judged)
      : faults.length > 0
        ? []
        : [refusal("evidence", "unreadable", `what ${run} holds cannot be read as evidence`)]),
    ...(recorded === null || recorded === "proven"
      ? []
      : [
          refusal("evidence", "not-proven", `${run} was recorded as ${recorded}`, {
            claim: null,
            finding: recorded,
          }),
        ]),
  ];
};

/**
 * Age counts from when it was read: what is judged again and recorded again grows no younger by it. And to the later of this
 * clock and that of what is looked at now: who sets this one back makes nothing younger.
 */
const ofTime = (
  { maxAgeMs }: GatePolicy,
  { run, readAt, recordedAt }: GateEvidence,
  { now, newestRecordAt, live }: GateGiven,
): readonly GateRefusal[] => {
  if (readAt === null || recordedAt === null) return [];
  const newest = Math.max(readAt, recordedAt, newestRecordAt === null ? 0 : newestRecordAt);
  if (newest > now + CLOCK_MARGIN_MS)
    return [
      refusal(
        "evidence",
        "from-the-future",
        `there is a record of ${iso(instant(newest))}, and this clock says ${iso(now)}: a clock went backwards, and no age can be told`,
      ),
    ];
  const until = live.kind === "looked" ? Math.max(now, live.at) : now;
  const old = until - Math.min(readAt, recordedAt);
  return old <= maxAgeMs
    ? []
    : [
        refusal(
          "evidence",
          "too-old",
          `${run} was read ${age(old)} ago, and at most ${formatDuration(maxAgeMs)} are allowed`,
        ),
      ];
};

const againstLive = (policy: GatePolicy, { evidence, live }: GateGiven): readonly GateRefusal[] => {
  if (live.kind === "not-looked") return [refusal("live", "not-looked", live.why)];
  const was = evidence === null ? null : evidence.judged;
  return [
    ...notProven("live", policy, live.judged),
    ...(was === null ? [] : changedBetween(was.subject, live.judged.subject)).map(({ sentence }) =>
      refusal("live", "changed", `since the evidence: ${sentence}`),
    ),
  ];
};

/** A claim that was not judged at all is not proven either; and a refuted one counts whether it was asked for or not. */
const notProven = (
  side: Side,
  { claims }: GatePolicy,
  { verdict, findings }: GateVerdict,
): readonly GateRefusal[] => {
  const asked = new Set<ClaimName>(claims);
  const open = findings.filter(
    ({ claim, finding, required }) =>
      finding === "refuted" || (finding !== "proven" && (required || asked.has(claim))),
  );
  const unjudged = claims.filter((claim) => !findings.some((one) => one.claim === claim));
  const refusals = [
    ...open.map(({ claim, finding, sentence }) =>
      refusal(side, "claim-not-proven", `${claim} is ${finding}: ${sentence}`, { claim, finding }),
    ),
    ...unjudged.map((claim) =>
      refusal(side, "claim-not-proven", `${claim} was not judged`, { claim, finding: "undetermined" }),
    ),
  ];
  return refusals.length > 0 || verdict === "proven"
    ? refusals
    : [refusal(side, "not-proven", `the verdict is ${verdict}`, { claim: null, finding: verdict })];
};

const againstApprovals = (policy: GatePolicy, given: GateGiven): readonly GateRefusal[] => {
  const { approvals: rule } = policy;
  if (rule === null) return [];
  const counted = new Set<string>();
  const others: string[] = [];
  for (const one of given.approvals) {
    const why = approvalFault(policy, rule, given, one);
    if (why === null) counted.add(one.actor);
    else others.push(`${one.actor}'s does not count: ${why}`);
  }
  if (counted.size >= rule.count) return [];
  const by = `${rule.count === 1 ? "an approval" : `${rule.count} approvals`} by ${rule.by.join(" or ")}`;
  const given_ = counted.size === 0 ? "none is given" : `given by ${[...counted].sort().join(", ")}`;
  return [
    refusal(
      "approval",
      "approval-missing",
      `it waits for ${by}; ${given_}${others.length === 0 ? "" : `; ${listed(others)}`}`,
    ),
  ];
};

/** Why one does not count, a clause; null: it does. */
export const approvalFault = (
  { trust: least }: Pick<GatePolicy, "trust">,
  { by, maxAgeMs }: GateApprovals,
  { evidence, now }: Pick<GateGiven, "evidence" | "now">,
  { actor, at, of, whole, trust }: GateApproval,
): string | null => {
  if (!by.includes(actor)) return "who gave it may not approve";
  if (evidence === null || evidence.sha256 === null || of !== evidence.sha256)
    return "it is of another verdict";
  if (!whole) return "its record is not whole";
  if (!isTierAtLeast(trust, least)) return `its record is of trust tier ${trust}, and ${least} is asked for`;
  if (at > now + CLOCK_MARGIN_MS) return "it is of a time that has not come yet";
  if (now - at > maxAgeMs)
    return `it was given ${age(now - at)} ago, and at most ${formatDuration(maxAgeMs)} are allowed`;
  return null;
};
