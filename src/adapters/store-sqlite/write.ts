/**
 * What one request makes of the rows, within the transaction that `commit.ts` has begun: read, decided, encoded, and
 * only then written. The rows of steps are written late where the request allows it (`tail.ts`): with the first request
 * that does not, when the lease is given back, or when the tail has grown long.
 */
import type { StackId, StackName, StepName } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { StepState } from "../../domain/state.ts";
import type { CommitRequest, Current, Write } from "../../ports/store.ts";
import { refuseMisfit } from "../../ports/store.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { encodeRecord, GENESIS, link } from "../../wire/chain.ts";
import { checkStepState, encodeStepState } from "../../wire/ledger-rows.ts";
import { readFault, sqliteCode } from "./faults.ts";
import type { Known } from "./known.ts";
import { readHead, readStepRow, readStepRows } from "./read-rows.ts";
import type { NumberedHead } from "./rows.ts";
import { publicHead, rowSum, writeHead } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { placeOf } from "./statements.ts";
import type { Total } from "./sums.ts";
import { NO_ROWS, replacedIn } from "./sums.ts";
import type { Tail } from "./tail.ts";
import { foldTail, isLong } from "./tail.ts";

/**
 * The rows of the stacks within one transaction: read once, and written once at its end for all that was done to them.
 * null: there is no such stack.
 */
export type Heads = Map<StackName, { readonly head: NumberedHead | null; readonly changed: boolean }>;

/** All that one request writes, as texts: made before the first row is touched, so a value that cannot be written fails alone. */
interface Prepared {
  readonly stack: StackName;
  readonly head: NumberedHead | null;
  readonly write: Write;
  readonly bodies: readonly string[];
  /** Of `write.steps`; empty where their rows are written later. */
  readonly states: readonly string[];
  readonly lease: string | null;
  readonly operation: string | null;
}

type Decided = { readonly value: unknown; readonly prepared: Prepared | null } | { readonly error: unknown };

/** Reads, decides and encodes. What goes wrong here is this request's own, but for the database's errors. */
export const decide = (
  statements: Statements,
  known: Known,
  heads: Heads,
  request: CommitRequest<unknown>,
  path: string,
): Decided => {
  let current: Current;
  let head: NumberedHead | null;
  try {
    head = headIn(heads, statements, known, request.stack);
    current = {
      head: head === null ? null : publicHead(head),
      steps: stepsIn(statements, known, head, request.steps),
    };
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    return { error: readFault(error, path) };
  }
  try {
    const { write, value } = request.decide(current);
    if (write === null) return { value, prepared: null };
    // A damaged tail is this request's own trouble too.
    if (head !== null && needsTail(write)) tailOf(statements, known, head);
    return { value, prepared: encode(statements, request.stack, head, write, current.steps) };
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    return { error };
  }
};

/** Where the head moves, and what is known of the tail with it, or where the tail is written. */
const needsTail = (write: Write): boolean => write.records.length > 0 || write.stack?.lease === null;

const headIn = (
  heads: Heads,
  statements: Statements,
  known: Known,
  stack: StackName,
): NumberedHead | null => {
  const found = heads.get(stack);
  if (found !== undefined) return found.head;
  const head = readHead(statements, stack, known.readHeadRow);
  heads.set(stack, { head, changed: false });
  return head;
};

const encode = (
  statements: Statements,
  stack: StackName,
  head: NumberedHead | null,
  write: Write,
  before: Current["steps"],
): Prepared => {
  refuseMisfit(stack, head !== null, write);
  const { operation } = write;
  if (operation !== undefined) {
    if (operation.stack !== stack)
      throw new Error(`operation ${operation.id} belongs to another stack than ${stack}`);
    const row = statements.readOperation.get(operation.id);
    if (row !== undefined && row["stack"] !== head?.number)
      throw new Error(`operation ${operation.id} exists, and belongs to another stack than ${stack}`);
  }
  canonicalJson(stack);
  if (write.folded) for (const state of write.steps) checkStepState(state, before.get(state.step));
  return {
    stack,
    head,
    write,
    bodies: write.records.map(encodeRecord),
    states: write.folded ? [] : write.steps.map(encodeStepState),
    lease: write.stack === undefined || write.stack.lease === null ? null : textOf(write.stack.lease),
    operation: operation === undefined ? null : textOf(operation),
  };
};

const textOf = (value: object): string => canonicalJson(value as JsonObject);

export const apply = (statements: Statements, known: Known, heads: Heads, prepared: Prepared): void => {
  const { stack, write } = prepared;
  const before = prepared.head ?? createStack(statements, prepared);
  const { number } = before;
  let { seq, hash } = before;
  let characters = 0;
  for (const [index, record] of write.records.entries()) {
    const body = prepared.bodies[index] as string;
    seq += 1;
    hash = link(hash, stack, seq, body);
    characters += body.length;
    statements.appendRecord.run(placeOf(number, seq), record.step, record.operation, hash, body);
  }
  known.move(before, hash, characters);
  const { epoch, lease } = write.stack ?? before;
  const leaseText = write.stack === undefined ? before.leaseText : prepared.lease;
  const operations = fileOperation(statements, before, prepared);
  const moved = { ...before, seq, hash, epoch, lease, leaseText, operations };
  const head = replaceSteps(statements, known, moved, prepared);
  heads.set(stack, { head, changed: true });
};

const fileOperation = (statements: Statements, head: NumberedHead, { write, operation }: Prepared): Total => {
  if (write.operation === undefined || operation === null) return head.operations;
  const { id } = write.operation;
  const before = statements.readOperation.get(id)?.["sum"] as number | undefined;
  const sum = rowSum(head.number, id, operation);
  statements.writeOperation.run(id, head.number, sum, operation);
  return replacedIn(head.operations, before, sum);
};

const replaceSteps = (
  statements: Statements,
  known: Known,
  head: NumberedHead,
  { write, states }: Prepared,
): NumberedHead => {
  const isGivenBack = write.stack?.lease === null;
  if (write.folded) {
    for (const state of write.steps) known.defer(head.name, state);
    const isDue = isGivenBack || isLong(head.seq - head.folded, tailOf(statements, known, head).characters);
    return isDue ? writeTail(statements, known, head) : head;
  }
  let steps = head.steps;
  for (const name of write.removedSteps ?? []) {
    steps = replacedIn(steps, stepSum(statements, known, head, name), undefined);
    statements.removeStep.run(head.number, name);
    known.forget(head.name, name);
  }
  for (const [index, state] of write.steps.entries())
    steps = writeStep(statements, known, { ...head, steps }, state, states[index] as string);
  const replaced = { ...head, steps };
  return isGivenBack || write.records.length > 0 ? writeTail(statements, known, replaced) : replaced;
};

const stepSum = (
  statements: Statements,
  known: Known,
  head: NumberedHead,
  step: StepName,
): number | undefined => {
  const sum = known.sum(head, step);
  if (sum !== undefined) return sum;
  return statements.readStepSum.get(head.number, step)?.["sum"] as number | undefined;
};

const writeStep = (
  statements: Statements,
  known: Known,
  head: NumberedHead,
  state: StepState,
  text: string,
): Total => {
  const before = stepSum(statements, known, head, state.step);
  const sum = rowSum(head.number, state.step, text);
  statements.writeStep.run(head.number, state.step, sum, text);
  known.remember(head.name, state, text.length, sum);
  return replacedIn(head.steps, before, sum);
};

const writeTail = (statements: Statements, known: Known, head: NumberedHead): NumberedHead => {
  let { steps } = head;
  for (const state of [...tailOf(statements, known, head).states.values()])
    steps = writeStep(statements, known, { ...head, steps }, state, encodeStepState(state));
  known.endTail(head.name, head.seq);
  return { ...head, steps, folded: head.seq };
};

const tailOf = (statements: Statements, known: Known, head: NumberedHead): Tail => {
  const kept = known.tail(head);
  if (kept !== null) return kept;
  const tail = foldTail(statements, head, (step) => readStepRow(statements, head, step));
  known.setTail(head, tail);
  return tail;
};

const stepsIn = (
  statements: Statements,
  known: Known,
  head: NumberedHead | null,
  wanted: CommitRequest<unknown>["steps"],
): ReadonlyMap<StepName, StepState> => {
  if (head === null || wanted.length === 0) return new Map();
  const tail = tailOf(statements, known, head);
  if (wanted === "all") return new Map([...readStepRows(statements, head), ...tail.states]);
  const found = new Map<StepName, StepState>();
  for (const name of wanted) {
    const state = known.state(head, name) ?? readStepRow(statements, head, name);
    if (state !== undefined) found.set(name, state);
  }
  return found;
};

/** The rows of the stacks that changed, at the end of the transaction. */
export const writeHeads = (statements: Statements, known: Known, heads: Heads): void => {
  for (const { head, changed } of heads.values())
    if (head !== null && changed) known.wroteHead(head, writeHead(statements, head));
};

const createStack = (statements: Statements, { stack, write, lease }: Prepared): NumberedHead => {
  const { create, epoch, lease: granted } = write.stack as NonNullable<Write["stack"]> & { create: StackId };
  const row = statements.createStack.run(stack, create);
  return {
    number: Number(row.lastInsertRowid),
    name: stack,
    id: create,
    seq: 0,
    hash: GENESIS,
    folded: 0,
    epoch,
    lease: granted,
    leaseText: lease,
    steps: NO_ROWS,
    operations: NO_ROWS,
  };
};
