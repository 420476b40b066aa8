/** `gate check`: what is on record and what is there now, against what the gate asks. Reads only. */
import type { GateTier } from "../../domain/gate.ts";
import {
  decisionOf,
  type GateDecision,
  type GateEvidence,
  type GateLive,
  type GateRefusal,
} from "../../domain/gate-decision.ts";
import type { Instant } from "../../domain/ids.ts";
import { refusalsOf } from "../../judge/gate/decide.ts";
import type { VerdictReport } from "../verify.ts";
import type { GateAsked } from "./asked.ts";
import type { OnRecord } from "./on-record.ts";

/** One verification of the gate, and all that speaks against it. */
export interface GateChecked {
  readonly target: { readonly kind: string; readonly namespace: string | null; readonly name: string };
  /** null: none is on record. */
  readonly evidence: GateEvidence | null;
  /** null: nobody could look. */
  readonly live: VerdictReport | null;
  readonly approvals: OnRecord["approvals"];
  readonly refusals: readonly GateRefusal[];
  readonly notes: readonly string[];
}

export interface GateReport extends GateDecision {
  readonly kind: "checked";
  /** As the person named it. */
  readonly file: string;
  readonly at: Instant;
  readonly trust: GateTier;
  readonly items: readonly GateChecked[];
  readonly statement: string;
  /** What it does not tell, each a sentence. */
  readonly limits: readonly string[];
}

export interface GateLooked {
  readonly asked: GateAsked;
  readonly record: OnRecord;
  readonly live: GateLive;
  readonly report: VerdictReport | null;
}

export const checkedOf = ({ asked, record, live, report }: GateLooked, now: Instant): GateChecked => {
  const { evidence, approvals, newestRecordAt, notes } = record;
  const { kind, namespace, name } = report === null ? asked.question : report.target;
  return {
    target: { kind, namespace, name },
    evidence,
    live: report,
    approvals,
    refusals: refusalsOf(asked.policy, { evidence, live, approvals, newestRecordAt, now }),
    notes,
  };
};

export const gateReport = (
  file: string,
  items: readonly GateChecked[],
  all: readonly GateAsked[],
  at: Instant,
): GateReport => {
  const decision = decisionOf(items.flatMap(({ refusals }) => refusals));
  const [first] = all;
  return {
    kind: "checked",
    ...decision,
    file,
    at,
    trust: first === undefined ? "T0" : first.policy.trust,
    items,
    statement: statementOf(decision, items),
    limits: limitsOf(all),
  };
};

const statementOf = ({ decision, refusals }: GateDecision, items: readonly GateChecked[]): string => {
  if (decision === "promote")
    return `${items.length === 1 ? "it is" : `all ${items.length} are`} proven on record and proven now, and nothing stands against it`;
  const of = (side: GateRefusal["side"]) => refusals.filter((one) => one.side === side).length;
  const parts = [
    [of("evidence"), "by the evidence"],
    [of("live"), "by what is there now"],
    [of("approval"), "for want of approvals"],
  ] as const;
  return `it is not promoted: ${parts
    .filter(([count]) => count > 0)
    .map(([count, by]) => `${count} ${count === 1 ? "refusal" : "refusals"} ${by}`)
    .join(", ")}`;
};

/** E3: what stands beside every digest. */
const limitsOf = (all: readonly GateAsked[]): readonly string[] => [
  ...(all.some(({ policy }) => policy.trust === "T0")
    ? ["T0 is enough for this gate: whoever can write the evidence folder can make evidence that it takes"]
    : []),
  ...(all.some(({ policy }) => policy.approvals !== null)
    ? [
        "who approved is what they said of themselves (--actor, or the environment): a claim, and no proof of who it was; a signature tells whose key it was, and no more",
      ]
    : []),
  "it says what was so when it looked: nothing holds it so until the next step has run",
];
