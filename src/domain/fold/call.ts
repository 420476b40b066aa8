/** A call begins, and an id becomes known: intents and identities. W7, N3. */
import { iso } from "../ids.ts";
import type { IdentityRecord, IntentRecord } from "../journal.ts";
import type { OpenIntent, OutputSource, StepState } from "../state.ts";
import { isAlive } from "../state.ts";
import type { StepEvent } from "../status.ts";
import { merge, move, now } from "./move.ts";

export const intended = (state: StepState, record: IntentRecord): StepState => {
  const fresh = record.key !== state.key;
  const begins = record.action === "create" || record.action === "compensate";
  const open: OpenIntent = {
    intent: record.intent,
    action: record.action,
    operation: record.operation,
    attempt: record.attempt,
    key: record.key,
    epoch: record.epoch,
    at: record.at,
    callBy: record.callBy,
    begun: state.anchor.steady,
    target: record.target,
    outcome: null,
    ended: null,
    absenceSeen: record.absenceSeen,
    inputsDigest: record.declared.inputsDigest.digest,
    leftNothing: false,
  };
  const to = record.action === "destroy" ? "destroying" : "running";
  const moved = move(state, `intent:${record.action}`, to, `${record.action} was begun at ${iso(record.at)}`);
  return {
    ...moved,
    uses: record.declared.uses,
    key: record.key,
    keySince: fresh ? now(state) : state.keySince,
    keys: fresh ? [...(begins ? [] : state.keys), record.key] : state.keys,
    open: [...state.open, open],
    declared:
      record.action === "destroy" || record.action === "owed"
        ? (state.declared ?? record.declared)
        : record.declared,
    effect: "possible",
    missingSince: null,
    disappeared: false,
    // What is owed is done beside the thing; that this one is there was proven before.
    provenBy: record.action === "owed" ? state.provenBy : null,
    confirmed: null,
    lastIntent: record.intent,
    attempts: state.attempts + 1,
    // An approval is for one call.
    approvals: state.approvals.filter((a) => a.before !== "any" && a.before !== record.action),
  };
};

/** Takes an id that a call brought. A second real id is kept as surplus, never dropped and never mixed up (N3). */
export const takeId = (
  state: StepState,
  id: string | null,
  intent: OpenIntent | undefined,
  late: boolean,
): StepState => {
  if (id === null || state.identity?.id === id) return id === null ? state : { ...state, present: true };
  if (state.surplus.some((s) => s.id === id)) return state;
  // The id of this incarnation may not be known yet, and a call of an earlier one does not tell it.
  const stranger = late && intent !== undefined && isAlive(state) && !state.keys.includes(intent.key);
  if (state.identity === null && !stranger) return { ...state, identity: { id }, present: true };
  const surplus = (extra: string, why: string) => [
    ...state.surplus,
    {
      id: extra,
      since: now(state),
      operation: intent?.operation ?? state.lastOperation ?? ("op_unknown" as never),
      why,
    },
  ];
  const first = state.identity === null ? "" : `; ${state.identity.id} was recorded first`;
  if (!late && intent?.action === "update" && state.identity !== null)
    return {
      ...state,
      present: true,
      identity: { id },
      surplus: surplus(
        state.identity.id,
        `an update answered with another id, ${id}; this one was recorded before`,
      ),
    };
  return {
    ...state,
    present: true,
    surplus: surplus(id, `a second id was answered${first}`),
  };
};

export const identified = (state: StepState, record: IdentityRecord): StepState => {
  const open = state.open.find((o) => o.intent === record.intent);
  if (open === undefined && isFormer(state, record.id))
    return move(state, "identity", state.status, state.reason);
  const source: OutputSource = { from: "identity", operation: record.operation, at: record.at };
  const known = takeId(merge(state, record.outputs, source), record.id, open, open === undefined);
  const isKnown = state.identity?.id === record.id || state.surplus.some((s) => s.id === record.id);
  if (open !== undefined || isKnown) return move(known, "identity", state.status, state.reason);
  return reopen(known, "identity", record.intent, `an id (${record.id}) arrived after the step was settled`);
};

/** An incarnation of before: proven absent, or given up. Told again, it is nothing new. */
export const isFormer = (state: StepState, id: string): boolean =>
  state.identity?.id !== id && state.previous.some((p) => p.identity === id);

/**
 * What contradicts a settled call puts it back into doubt (N3), and its key among those that are looked for. `isBeside`:
 * another thing was made since, and the id of this one, if there is one, nobody has told.
 */
export const reopen = (
  state: StepState,
  event: StepEvent,
  intent: string,
  why: string,
  isBeside = false,
): StepState => {
  const moved = {
    ...move(state, event, "unresolved", why),
    effect: "possible" as const,
    provenBy: null,
    missingSince: null,
  };
  const call = state.closed.find((o) => o.intent === intent);
  if (call === undefined) return moved;
  return {
    ...moved,
    open: [...state.open, { ...call, outcome: "unknown" as const, ended: null, leftNothing: isBeside }],
    closed: state.closed.filter((o) => o.intent !== intent),
    key: state.key === null ? call.key : state.key,
    keySince: state.keySince === null ? { at: call.at, steady: call.begun } : state.keySince,
    keys: state.keys.includes(call.key) ? state.keys : [...state.keys, call.key],
  };
};
