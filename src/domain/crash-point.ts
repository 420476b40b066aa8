/**
 * Where a process may die, by name: every line at which something has just become durable, or has just happened outside
 * and is not durable yet. The proof kills a real process at each of them (`test/proof/crash-points`); in every other run
 * passing one does nothing. A point that is called and not listed here does not compile.
 */

/** Each with what is durable there, and what is not. */
export const CRASH_POINTS = {
  // ---- before the operation
  "ledger-opened": "the ledger is there; at a first apply it is empty, and asfound.lock does not name it yet",
  "lock-written": "asfound.lock names the ledger and the stack; the operation is not recorded",

  // ---- the operation begins and ends
  "lease-granted": "the lease, the operation and its plan are recorded; nothing was called",
  "spool-taken-over": "the ledger has a result that an earlier run spooled; its slot still holds it too",
  "spool-cleared": "the ledger has the result, and its slot is empty",
  "operation-ending": "all that was done is recorded; the operation has no end, and holds its lease",
  "operation-ended": "the end is recorded and the lease given back; nobody was told",

  // ---- looking
  "question-due": "a question is about to be asked; nothing of it is recorded",
  "answer-told": "the provider answered; neither the answer nor what it settles is recorded",
  "reading-durable": "the answer is recorded with all that it settles, and with the children it closes",
  "look-waits": "the answers so far settled nothing; those that told something new are recorded",
  "survivor-ended":
    "a provider's process that outlived its asfound was ended by this one; that is not recorded",

  // ---- deciding
  "decision-due": "a decision was made, and is not recorded",
  "decision-durable": "the decision is recorded; nothing that follows from it has begun",
  "removal-due": "a step is found fit to be removed; its destroy is not recorded",
  "replaced-gone": "the old thing is recorded as gone; the create of the new one is not recorded",

  // ---- one call
  "slot-taken": "room for the result is reserved on the disk; the intent is not recorded",
  "intent-durable": "the intent is recorded; nothing was sent",
  "fence-passed": "the intent is recorded and may be sent from here on; nothing was sent",
  "identity-told": "the provider told an id; it is not recorded",
  "identity-durable": "the id is recorded with the outputs that came with it; the outcome is not known",
  "identity-spooled": "the ledger could not take the id, and the slot holds it; the outcome is not known",
  "outcome-told": "the call came back; what it said is not recorded",
  "outcome-durable": "the outcome is recorded; what is there was not observed",
  "outcome-refused": "the ledger could not take the outcome, and the slot does not hold it yet",
  "outcome-spooled": "the ledger could not take the outcome, and the slot holds it",

  // ---- inside a provider's call, or its question
  "exec-spawned": "the command runs, and has not been told what to do",
  "exec-fed": "the command has its whole request",
  "exec-line-read": "the command printed an id or its result; nothing of it was handed over",
  "exec-ended": "the command has ended; what it said was not handed over",
  "http-connected": "the connection stands; not a byte of the request was sent",
  "http-sent": "the whole request was handed to the system; no reply came",
  "http-head": "the reply's status and headers are here; an id in them was not handed over",
  "http-replied": "the whole reply is here; it was not handed over",
  "write-connected": "the connection to the cluster stands; not a byte of the change was sent",
  "write-sent": "the whole change was handed to the system; the cluster did not reply",
  "write-replied": "the cluster's whole reply to a change is here; it was not handed over",
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** Called wherever a point is passed. */
export type Reached = (point: CrashPoint) => void;

/** What it does in every run but those of the proof. */
export const unreached: Reached = () => undefined;
