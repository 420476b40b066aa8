/** One record of the journal as a line of an operation's timeline: when, which step, what, and one sentence. */

import type { Decision, JournalRecord } from "../../domain/journal.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Outcome, Reading } from "../../domain/outcome.ts";
import { time } from "./document.ts";

export const timelineEntry = (seq: number, record: JournalRecord): JsonObject => ({
  seq,
  at: time(record.at),
  step: record.step,
  kind: record.kind,
  what: whatOf(record),
  intent: "intent" in record ? record.intent : null,
  evidence: record.kind === "observation" ? record.evidence : null,
  text: textOf(record),
});

const whatOf = (record: JournalRecord): string => {
  switch (record.kind) {
    case "intent":
      return record.action;
    case "identity":
      return record.id;
    case "outcome":
      return record.outcome.kind;
    case "observation":
      return record.reading.kind;
    case "settlement":
      return record.says;
    case "decision":
      return record.decision.what;
  }
};

/** One sentence for a person; not yet safe to print. */
export const textOf = (record: JournalRecord): string => {
  switch (record.kind) {
    case "intent":
      return `will ${record.action === "owed" ? "do what is owed" : record.action} (attempt ${record.attempt}${record.target === null ? "" : `, on ${record.target}`}, key ${record.key})`;
    case "identity":
      return `it has the id ${record.id}`;
    case "outcome":
      return (
        outcomeText(record.outcome) + (record.source === "spool" ? " (kept in the spool until now)" : "")
      );
    case "observation":
      return (
        (record.surplusId === null ? "" : `second object ${record.surplusId}: `) + readingText(record.reading)
      );
    case "settlement":
      return `the call is settled as ${record.says}: ${record.reason}`;
    case "decision":
      return `${record.actor} ${decisionText(record.decision)}${record.reason === "" ? "" : `: ${record.reason}`}`;
  }
};

const outcomeText = (outcome: Outcome): string => {
  const id = "id" in outcome && outcome.id !== null ? ` (id ${outcome.id})` : "";
  switch (outcome.kind) {
    case "done":
      return `answered that it is done${id}`;
    case "refused":
      return `refused, and did nothing: ${outcome.reason}`;
    case "failed":
      return `answered that it failed${id}: ${outcome.reason}`;
    case "unknown":
      return `nobody knows what it did${id}: ${outcome.reason}`;
  }
};

const readingText = (reading: Reading): string => {
  switch (reading.kind) {
    case "observed":
      return `it is there${reading.id === null ? "" : ` (id ${reading.id})`}${declaredText(reading)}`;
    case "absent":
      return "it is not there";
    case "ambiguous":
      return `several could be it: ${reading.ids.join(", ")}`;
    case "denied":
      return `reading it was denied: ${reading.reason}`;
    case "failed":
      return `reading it failed: ${reading.reason}`;
    case "timed-out":
      return `reading it took too long: ${reading.reason}`;
    case "not-asked":
      return `it was not asked for: ${reading.reason}`;
  }
};

const declaredText = (reading: Extract<Reading, { kind: "observed" }>): string => {
  const why = reading.reason === null ? "" : ` (${reading.reason})`;
  if (reading.asDeclared.kind !== "known") return why;
  return (reading.asDeclared.value ? ", as declared" : ", not as declared") + why;
};

const decisionText = (decision: Decision): string => {
  switch (decision.what) {
    case "planned":
      return `planned ${decision.steps.length} ${decision.steps.length === 1 ? "step" : "steps"}`;
    case "renamed":
      return `renamed it from ${decision.from}`;
    case "resolve":
      return `said that it is ${decision.as}${decision.id === null ? "" : ` (id ${decision.id})`}`;
    case "retain":
      return `retained it for ${decision.retain.owner}, to be reviewed by ${decision.retain.reviewBy}`;
    case "release-retain":
      return "retains it no more";
    case "kept":
      return "left it standing";
    case "taken-up":
      return "goes on with it";
    case "left":
      return "found it in the file no more";
    case "forget":
      return `gave it up${decision.id === null ? "" : ` (id ${decision.id})`}`;
    case "import":
      return `took it over as ${decision.id}`;
    case "approve":
      return `approved ${decision.before}${decision.plan === null ? "" : ` for the plan ${decision.plan}`}`;
    case "relinked":
      return `follows ${decision.from}, which is ${decision.to} now`;
    case "contained-gone":
      return `found it gone with ${decision.parent}`;
    case "nothing-to-remove":
      return "had nothing to call, since it has no destroy";
    case "not-run":
      return "could not begin it";
    case "confirmed":
      return `judged its confirm as ${decision.finding}: ${decision.sentence}`;
  }
};
