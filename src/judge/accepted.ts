/**
 * Conditions of the Gateway API, judged: each has to be True and of this generation. Rules: gateway.networking.k8s.io/v1
 * (GatewayConditionType, ListenerConditionType, RouteConditionType). The API server itself puts conditions with the reason
 * Pending and no generation into a Gateway's status when it is made: those are no controller's word.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Judgement } from "../domain/finding.ts";
import { type Condition, conditionOf } from "./conditions.ts";
import type { Inquiry } from "./inquiry.ts";
import { citeCondition, observedCondition } from "./observed-condition.ts";
import { type Path, valueAt } from "./read.ts";
import { quoted } from "./words.ts";

/** What is to be True; by each, what a script branches on where it is not. */
const GOOD = {
  Accepted: "not-accepted",
  Programmed: "not-programmed",
  ResolvedRefs: "refs-not-resolved",
} as const;
/** What is said only where it is so, or is to be False. */
const BAD = { Conflicted: "conflicted", PartiallyInvalid: "partially-invalid" } as const;

/** What makes a condition that is not True a matter of time, by its reason. */
const UNDER_WAY: ReadonlySet<string> = new Set(["Pending", "NotReconciled", "AddressNotAssigned"]);

/** How one condition stands. */
export interface Standing {
  readonly finding: Judgement;
  readonly reason: string;
  /** A clause: `Programmed of its listener web is False (PortUnavailable: …)`. */
  readonly says: string;
}

/** Conditions of one subject. */
export interface Subject {
  readonly object: Seen;
  /** Where they stand. */
  readonly at: Path;
  /** `it`, `its listener web`. */
  readonly who: string;
}

/** A condition that counts: what it says is cited; what is missing is named. */
export const standingOf = (inquiry: Inquiry, subject: Subject, type: keyof typeof GOOD): Standing => {
  const { object, at, who } = subject;
  const found = observedCondition(object, type, at);
  switch (found.kind) {
    case "absent":
      inquiry.miss(`the condition ${type} of ${who}`);
      return open("not-reported", `no controller has said of ${who} whether ${type} holds`);
    case "unreadable":
      return unread(inquiry, subject, type, found.why);
    case "stale":
      return {
        finding: "progressing",
        reason: "generation-behind",
        says: `${type} of ${who} is of generation ${found.observed}, and this is generation ${found.generation}`,
      };
    case "current":
      citeCondition(inquiry, object, found.condition);
      return judged(found.condition, who, GOOD[type]);
  }
};

const open = (reason: string, says: string): Standing => ({ finding: "undetermined", reason, says });

const unread = (
  inquiry: Inquiry,
  { object, at, who }: Subject,
  type: keyof typeof GOOD,
  why: string,
): Standing => {
  const plain = conditionOf(object, type, at);
  if (plain.kind === "known" && isNobodys(object, plain.value))
    return open(
      "not-reported",
      `no controller has reported on ${who}: ${type} is as the API server made it (Pending)`,
    );
  inquiry.miss(why);
  return open("missing", `whether ${type} holds of ${who} as it is now is not known: ${why}`);
};

const isNobodys = ({ raw }: Seen, { status, reason, path }: Condition): boolean =>
  status === "Unknown" && reason === "Pending" && valueAt(raw, [...path, "observedGeneration"]) === undefined;

const judged = ({ type, status, reason, message }: Condition, who: string, code: string): Standing => {
  const why = [reason, message].filter((part) => part !== "").map(quoted);
  const because = why.length === 0 ? "" : ` (${why.join(": ")})`;
  const says = `${type} of ${who} is ${status}${because}`;
  if (status === "True") return { finding: "proven", reason: "current", says };
  if (UNDER_WAY.has(reason)) return { finding: "progressing", reason: code, says };
  return { finding: status === "Unknown" ? "undetermined" : "refuted", reason: code, says };
};

/** Bad news of this generation; where there is none, nothing follows from that. */
export const badNewsOf = (
  inquiry: Inquiry,
  { object, at, who }: Subject,
  type: keyof typeof BAD,
): readonly Standing[] => {
  const found = observedCondition(object, type, at);
  if (found.kind !== "current" || found.condition.status !== "True") return [];
  citeCondition(inquiry, object, found.condition);
  const { reason, message } = found.condition;
  return [
    {
      finding: "refuted",
      reason: BAD[type],
      says: `${type} of ${who} is True (${quoted(reason)}: ${quoted(message)})`,
    },
  ];
};

const ORDER: readonly Judgement[] = ["refuted", "undetermined", "progressing", "proven"];

/** The one that decides; undefined: there is none. */
export const worstOf = (all: readonly Standing[]): Standing | undefined =>
  ORDER.map((judgement) => all.find(({ finding }) => finding === judgement)).find((one) => one !== undefined);
