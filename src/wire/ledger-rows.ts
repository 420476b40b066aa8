/**
 * What a ledger keeps beside the journal, as it is read back: operations, leases, and the states that are the fold of
 * the records. Checked like the records (`journal.ts`), and what is wrong is named.
 */
import type { JsonObject } from "../domain/json.ts";
import type { Holder, Lease } from "../domain/lease.ts";
import type { Operation, OperationOptions } from "../domain/operation.ts";
import { VERBS } from "../domain/operation.ts";
import type { OpenIntent, OutputSource, Previous, StepState, Surplus } from "../domain/state.ts";
import { STATUSES } from "../domain/status.ts";
import type { Anchor, Moment } from "../domain/steady.ts";
import { ACTIONS } from "../domain/step.ts";
import { plainJson } from "./canonical.ts";
import {
  beforeShape,
  clockShape,
  declaredShape,
  policyShape,
  readingKindShape,
  retainShape,
  settledByShape,
} from "./journal.ts";
import type { Shape } from "./shape.ts";
import { anyObject, count, flag, is, listOf, mapOf, name, objectOf, oneOf, orNull, text } from "./shape.ts";

const holder = objectOf<Holder>({
  host: text,
  bootId: text,
  pidNamespace: text,
  pid: count,
  startTicks: text,
  actor: text,
  ciRun: orNull(text),
});

const lease = objectOf<Lease>({
  operation: name,
  epoch: count,
  holder,
  acquiredAt: count,
  expiresAt: count,
});

const operation = objectOf<Operation>({
  id: name,
  stack: name,
  verb: oneOf(...VERBS),
  actor: text,
  reason: orNull(text),
  options: objectOf<OperationOptions>({
    only: listOf(text),
    allowDestroy: flag,
    failFast: flag,
    parallelism: count,
  }),
  epoch: count,
  holder,
  startedAt: count,
  endedAt: orNull(count),
  exit: orNull(count),
  summary: orNull(text),
  fileDigest: orNull(text),
});

const steady = is("a whole number", Number.isSafeInteger);
const moment = objectOf<Moment>({ at: count, steady });

const openIntent = objectOf<OpenIntent>({
  intent: name,
  action: oneOf(...ACTIONS),
  operation: name,
  attempt: count,
  key: name,
  epoch: count,
  at: count,
  callBy: count,
  begun: steady,
  target: orNull(text),
  outcome: orNull(oneOf("done", "refused", "failed", "unknown")),
  ended: orNull(steady),
  absenceSeen: flag,
  inputsDigest: text,
});

/** Stands for the declaration that was written down last: it mostly is the one that was applied, and is not small. */
const AS_DECLARED = "as declared";

const declaredOrSame: Shape = (value, at) => (value === AS_DECLARED ? null : declaredShape(value, at));

const stepRow = objectOf<StepState>({
  step: name,
  uses: name,
  needs: listOf(name),
  partOf: orNull(name),
  policy: policyShape,
  status: oneOf(...STATUSES),
  reason: text,
  provenBy: orNull(settledByShape),
  key: orNull(name),
  keySince: orNull(moment),
  keys: listOf(name),
  identity: orNull(objectOf<{ id: string }>({ id: text })),
  surplus: listOf(objectOf<Surplus>({ id: text, since: moment, operation: name, why: text })),
  present: flag,
  open: listOf(openIntent),
  closed: listOf(openIntent),
  outputs: anyObject,
  outputsFrom: mapOf(
    objectOf<OutputSource>({
      from: oneOf("identity", "outcome", "observation", "import"),
      operation: name,
      at: count,
    }),
  ),
  previous: listOf(
    objectOf<Previous>({ identity: orNull(text), outputs: anyObject, until: moment, endedBy: text }),
  ),
  declared: orNull(declaredShape),
  applied: orNull(declaredOrSame),
  effect: oneOf("none", "known", "possible"),
  failedCommand: orNull(oneOf(...ACTIONS)),
  failedIn: orNull(name),
  lastError: orNull(text),
  owes: listOf(text),
  confirmed: orNull(objectOf<NonNullable<StepState["confirmed"]>>({ finding: text, sentence: text })),
  left: flag,
  retained: orNull(retainShape),
  approvals: listOf(
    objectOf<StepState["approvals"][number]>({
      actor: text,
      before: beforeShape,
      plan: orNull(text),
      at: count,
    }),
  ),
  missingSince: orNull(moment),
  senderSeen: orNull(steady),
  disappeared: flag,
  lastReading: orNull(readingKindShape),
  lastEvidence: orNull(name),
  lastIntent: orNull(name),
  lastOperation: orNull(name),
  attempts: count,
  updatedAt: count,
  anchor: objectOf<Anchor>({ clock: clockShape, wall: count, steady }),
});

type Answer<T> = { readonly value: T } | { readonly fault: string };

const decoder =
  <T>(shape: Shape, what: string) =>
  (body: string): Answer<T> => {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return { fault: `${what} is not JSON` };
    }
    const fault = shape(value, what);
    return fault === null ? { value: value as T } : { fault };
  };

const decodeRow = decoder<StepState>(stepRow, "step");

/** The text of a state's row. Throws `NotCanonical`. */
export const encodeStepState = (state: StepState): string =>
  plainJson({
    ...state,
    applied: state.applied !== null && state.applied === state.declared ? AS_DECLARED : state.applied,
  } as unknown as JsonObject);

const expanded = (row: Answer<StepState>): Answer<StepState> => {
  if ("fault" in row || (row.value.applied as unknown) !== AS_DECLARED) return row;
  if (row.value.declared === null) return { fault: "step.applied is as declared, and nothing is declared" };
  return { value: { ...row.value, applied: row.value.declared } };
};

/** Each reads one row's text, and never throws. */
export const decodeLease = decoder<Lease>(lease, "lease");
export const decodeOperation = decoder<Operation>(operation, "operation");
export const decodeStepState = (body: string): Answer<StepState> => expanded(decodeRow(body));

/** The operation inside an export's line, or what is wrong with it. */
export const checkOperation = (value: JsonObject): Answer<Operation> => {
  const fault = operation(value, "operation");
  return fault === null ? { value: value as unknown as Operation } : { fault };
};
