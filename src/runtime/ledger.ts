/**
 * The ledger's logic over a dumb store: who may write, what is written before a call, what after it.
 *
 *   W1 the only place that mints `CommittedIntent`, and only after its record is durable.
 *   W2 a record or a spool slot that cannot be had: no call, nothing more is started.
 *   W6 an outcome the store cannot take goes to the slot that was allocated before the call.
 *   W7 an id is committed the moment it is known.
 *   N1 lease with heartbeat. N2 the epoch is checked at the commit and again right before sending. N5 call-by.
 */
import { type CommittedIntent, claimMint } from "../domain/committed-intent.ts";
import type { ExitCode } from "../domain/exit.ts";
import { advance } from "../domain/fold.ts";
import type { Digest, Epoch, IntentId, StackId, StackName, StepName } from "../domain/ids.ts";
import { epoch, evidenceId, instant, intentId, iso, key, operationId, stackId } from "../domain/ids.ts";
import type {
  Decision,
  Declared,
  IdentityRecord,
  IntentRecord,
  JournalRecord,
  OutcomeRecord,
  PlannedStep,
  SettledBy,
} from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import {
  describeHolder,
  HEARTBEAT_MS,
  LEASE_MS,
  type Lease,
  type LeaseState,
  leaseState,
} from "../domain/lease.ts";
import { NotSent } from "../domain/not-sent.ts";
import type { Operation } from "../domain/operation.ts";
import type { Outcome, Reading } from "../domain/outcome.ts";
import { type Belief, judgeReading } from "../domain/settle.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import { type Action, CALL_BY_MS } from "../domain/step.ts";
import type { SpoolSlot } from "../ports/spool.ts";
import { type Current, StoreFault, type Write } from "../ports/store.ts";
import { positionOf } from "./position.ts";
import { type Refused, type Runtime, refused } from "./runtime.ts";

const mint = claimMint();

/** Nothing was called, and nothing more is started in this operation. */
export interface NotCommitted {
  readonly kind: "not-committed";
  readonly exit: 22 | 23;
  readonly why: string;
}

export interface Committed<A extends Action> {
  readonly kind: "committed";
  readonly intent: CommittedIntent<A>;
  readonly record: IntentRecord;
  readonly slot: SpoolSlot;
}

export interface IntentRequest<A extends Action> {
  readonly step: StepName;
  readonly action: A;
  readonly declared: Declared;
  /** Resolved; goes to the provider, never into the record. */
  readonly inputs: JsonObject;
  readonly previousInputs: JsonObject | null;
  /** Replaces the step's own identity as the target: a second object to be destroyed. */
  readonly target?: string;
  readonly absenceSeen?: boolean;
}

export interface BeginRequest {
  readonly stack: StackName;
  /** From `asfound.lock`; null: not known yet. */
  readonly stackId: StackId | null;
  readonly verb: Operation["verb"];
  readonly reason: string | null;
  readonly options: Operation["options"];
  readonly fileDigest: Operation["fileDigest"];
  /** Steps whose plan begins now. */
  readonly planned: readonly PlannedStep[];
  readonly renamed: readonly { readonly from: StepName; readonly to: StepName }[];
  /** From a saved plan: the ledger must still stand where it stood (compared in the transaction that grants the lease). */
  readonly expectPosition: Digest | null;
  /** May make the stack's row. */
  readonly create: boolean;
  /** How long to wait for another operation to end. */
  readonly leaseWaitMs: number;
}

export interface Seen {
  readonly state: StepState;
  readonly belief: Belief;
}

/** Takes the stack's lease, replays what was spooled, and lays down the plan; or says why not (N1, W6). */
export const begin = async (runtime: Runtime, request: BeginRequest): Promise<Session | Refused> => {
  const giveUpAt = runtime.clock.monotonicMs() + request.leaseWaitMs;
  for (;;) {
    const answer = await acquire(runtime, request);
    if (answer.kind === "session") return answer.session;
    if (answer.kind === "refused") return answer;
    const left = giveUpAt - runtime.clock.monotonicMs();
    if (left <= 0 || runtime.interrupt.drain.aborted)
      return refused(
        23,
        `another operation holds the stack ${request.stack}: ${describeHolder(answer.lease)}; nothing was called`,
      );
    runtime.reporter.report({
      kind: "waiting",
      step: null,
      why: `for ${describeHolder(answer.lease)} to end`,
      untilMs: left,
    });
    await runtime.clock.sleep(Math.min(500, left), runtime.interrupt.drain);
  }
};

type Begun = {
  readonly kind: "begun";
  readonly operation: Operation;
  readonly states: ReadonlyMap<StepName, StepState>;
  readonly tookOver: Extract<LeaseState, { readonly lease: Lease }> | null;
};
type Acquired =
  | { readonly kind: "session"; readonly session: Session }
  | Refused
  | { readonly kind: "held"; readonly lease: Lease };

const acquire = async (runtime: Runtime, request: BeginRequest): Promise<Acquired> => {
  const id = operationId(`op_${runtime.ids.uuid()}`);
  const holder = runtime.host.self(runtime.actor);
  const began = await guarded(() =>
    runtime.store.commit<Begun | Refused | { readonly kind: "held"; readonly lease: Lease }>({
      stack: request.stack,
      steps: "all",
      decide: (current) => {
        const now = runtime.clock.now();
        const { head } = current;
        if (head === null && !request.create)
          return { write: null, value: refused(23, `the ledger knows no stack named ${request.stack}`) };
        if (head !== null && request.stackId !== null && head.id !== request.stackId)
          return {
            write: null,
            value: refused(23, `the ledger's stack ${request.stack} is not the one of asfound.lock`),
          };
        if (request.expectPosition !== null && positionOf(current.steps.values()) !== request.expectPosition)
          return {
            write: null,
            value: refused(
              23,
              "the saved plan does not fit any more: the ledger has moved on since; nothing was called",
            ),
          };
        const lease = head?.lease ?? null;
        const state = leaseState(
          lease,
          lease === null ? { kind: "absent" } : runtime.host.isAlive(lease.holder),
          now,
        );
        if (state.kind === "held")
          return { write: null, value: { kind: "held" as const, lease: state.lease } };
        const granted = epoch((head?.epoch ?? 0) + 1);
        const operation: Operation = {
          id,
          stack: request.stack,
          verb: request.verb,
          actor: runtime.actor,
          reason: request.reason,
          options: request.options,
          epoch: granted,
          holder,
          startedAt: now,
          endedAt: null,
          exit: null,
          summary: null,
          fileDigest: request.fileDigest,
        };
        const next: Lease = {
          operation: id,
          epoch: granted,
          holder,
          acquiredAt: now,
          expiresAt: instant(now + LEASE_MS),
        };
        const laid = layDown(current, request, { operation: id, at: now, actor: runtime.actor });
        const stack =
          head === null
            ? { create: request.stackId ?? stackId(`st_${runtime.ids.uuid()}`), lease: next, epoch: granted }
            : { lease: next, epoch: granted };
        const states = new Map(current.steps);
        for (const gone of laid.removedSteps ?? []) states.delete(gone);
        for (const step of laid.steps) states.set(step.step, step);
        return {
          write: { ...laid, stack, operation },
          value: {
            kind: "begun" as const,
            operation,
            states,
            tookOver: state.kind === "free" ? null : state,
          },
        };
      },
    }),
  );
  if (began.kind !== "begun") return began;
  if (began.tookOver !== null) {
    const why = began.tookOver.kind === "dead" ? "its process is dead" : "its lease expired";
    runtime.reporter.report({
      kind: "note",
      text: `took over from ${describeHolder(began.tookOver.lease)}: ${why}`,
    });
  }
  const session = new Session(runtime, began.operation, began.states);
  session.startHeartbeat();
  const replayed = await session.replaySpool();
  if (replayed !== undefined) {
    await session.end(21, replayed.why);
    return replayed;
  }
  return { kind: "session", session };
};

/** A store fault at the start is a refusal: nothing was called. */
const guarded = async <T>(work: () => Promise<T>): Promise<T | Refused> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const durable = error.code === "not-durable" || error.code === "read-only" || error.code === "busy";
    return refused(durable ? 22 : 1, `${error.message}; nothing was called`);
  }
};

const layDown = (
  current: Current,
  request: BeginRequest,
  stamp: { readonly operation: Operation["id"]; readonly at: Operation["startedAt"]; readonly actor: string },
): Write => {
  const records: JournalRecord[] = [];
  const steps = new Map<StepName, StepState>();
  const removedSteps: StepName[] = [];
  const decide = (step: StepName, decision: Decision, reason: string, from: StepState | undefined) => {
    const record: JournalRecord = {
      kind: "decision",
      step,
      operation: stamp.operation,
      at: stamp.at,
      decision,
      actor: stamp.actor,
      reason,
    };
    records.push(record);
    steps.set(step, advance(from, record));
  };
  for (const { from, to } of request.renamed) {
    const old = current.steps.get(from);
    if (old === undefined || current.steps.has(to)) continue;
    decide(to, { what: "renamed", from }, `the file renames ${from} to ${to}`, old);
    removedSteps.push(from);
  }
  for (const planned of request.planned) {
    const state = steps.get(planned.step) ?? current.steps.get(planned.step);
    if (state !== undefined && state.status !== "destroyed" && samePlan(state, planned)) continue;
    decide(planned.step, { what: "planned", steps: [planned] }, `planned by ${request.verb}`, state);
  }
  return { records, steps: [...steps.values()], removedSteps };
};

const samePlan = (state: StepState, planned: PlannedStep): boolean =>
  state.partOf === planned.partOf &&
  state.needs.length === planned.needs.length &&
  state.needs.every((need, i) => need === planned.needs[i]) &&
  JSON.stringify(state.policy) === JSON.stringify(planned.policy);

/** One operation that holds the stack's lease. */
export class Session {
  readonly operation: Operation;
  readonly states: Map<StepName, StepState>;
  readonly #runtime: Runtime;
  readonly #attempts = new Map<string, number>();
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  #unfit: string | null = null;
  #spooled = 0;
  #heart: Promise<void> = Promise.resolve();

  constructor(runtime: Runtime, operation: Operation, states: ReadonlyMap<StepName, StepState>) {
    this.#runtime = runtime;
    this.operation = operation;
    this.states = new Map(states);
  }

  get epoch(): Epoch {
    return this.operation.epoch;
  }
  /** Why nothing more may be started (W2); null while all is well. */
  get unfit(): string | null {
    return this.#unfit;
  }
  /** How many results wait in this host's spool. */
  get spooled(): number {
    return this.#spooled;
  }
  /** Aborted when another operation took the stack over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  state(step: StepName): StepState | undefined {
    return this.states.get(step);
  }

  // ---- lease -----------------------------------------------------------------------------------------------------

  startHeartbeat(): void {
    this.#heart = this.#beat();
  }

  async #beat(): Promise<void> {
    const { clock } = this.#runtime;
    while (!this.#ended.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      try {
        if (!(await this.#renew())) this.#lost.abort();
      } catch (error) {
        if (!(error instanceof StoreFault)) throw error;
        this.#runtime.reporter.report({
          kind: "note",
          text: `the lease could not be renewed: ${error.message}`,
        });
      }
    }
  }

  #renew(): Promise<boolean> {
    return this.#runtime.store.commit({
      stack: this.operation.stack,
      steps: [],
      decide: ({ head }) => {
        if (head?.lease == null || head.epoch !== this.epoch) return { write: null, value: false };
        const expiresAt = instant(this.#runtime.clock.now() + LEASE_MS);
        return {
          write: {
            records: [],
            steps: [],
            stack: { lease: { ...head.lease, expiresAt }, epoch: head.epoch },
          },
          value: true,
        };
      },
    });
  }

  /** Ends the operation's row and gives the lease back, if it is still ours. Faults are told, not thrown: all else is recorded. */
  async end(exit: ExitCode, summary: string): Promise<void> {
    this.#ended.abort();
    await this.#heart;
    try {
      await this.#runtime.store.commit({
        stack: this.operation.stack,
        steps: [],
        decide: ({ head }) => {
          const operation: Operation = {
            ...this.operation,
            endedAt: this.#runtime.clock.now(),
            exit,
            summary: this.#runtime.scrubber.text(summary),
          };
          const ours =
            head !== null && head.epoch === this.epoch && head.lease?.operation === this.operation.id;
          const stack = ours ? { stack: { lease: null, epoch: head.epoch } } : {};
          return { write: { records: [], steps: [], operation, ...stack }, value: null };
        },
      });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#runtime.reporter.report({
        kind: "note",
        text: `the end of the operation could not be recorded: ${error.message}`,
      });
    }
  }

  // ---- writing ---------------------------------------------------------------------------------------------------

  /** Commits what `build` makes of the rows as they are, folded; keeps the new states. */
  async #write<T>(
    steps: readonly StepName[],
    build: (current: Current) => { readonly records: readonly JournalRecord[]; readonly value: T },
  ): Promise<T> {
    const { value, states } = await this.#runtime.store.commit({
      stack: this.operation.stack,
      steps,
      decide: (current) => {
        const { records, value } = build(current);
        const states = foldOver(current.steps, records);
        if (records.length === 0) return { write: null, value: { value, states } };
        return { write: { records, steps: [...states.values()] }, value: { value, states } };
      },
    });
    for (const [name, state] of states) this.states.set(name, state);
    return value;
  }

  #stamp(step: StepName) {
    return { step, operation: this.operation.id, at: this.#runtime.clock.now() };
  }

  #becomeUnfit(why: string): void {
    this.#unfit ??= why;
  }

  /** W1: the record first. A refusal has to be looked at before anything can be called: it holds no intent. */
  async intend<A extends Action>(request: IntentRequest<A>): Promise<Committed<A> | NotCommitted> {
    if (this.#unfit !== null) return { kind: "not-committed", exit: 22, why: this.#unfit };
    const { clock, ids, spool } = this.#runtime;
    let slot: SpoolSlot;
    try {
      slot = await spool.take();
    } catch (error) {
      const why = `no room for the result of a call could be reserved: ${messageOf(error)}`;
      this.#becomeUnfit(why);
      return { kind: "not-committed", exit: 22, why };
    }
    const sentBy = clock.monotonicMs() + CALL_BY_MS;
    const nth = `${request.step}\u0000${request.action}`;
    const attempt = (this.#attempts.get(nth) ?? 0) + 1;
    this.#attempts.set(nth, attempt);
    const fresh = key(`asf-${ids.uuid()}`);
    const intent = intentId(`in_${ids.uuid()}`);
    try {
      const record = await this.#write([request.step], ({ head, steps }) => {
        if (head === null || head.epoch !== this.epoch || head.lease?.operation !== this.operation.id)
          return { records: [], value: null };
        const state = steps.get(request.step);
        if (state === undefined) throw new Error(`step ${request.step} was never planned`);
        const stamp = this.#stamp(request.step);
        const record: IntentRecord = {
          kind: "intent",
          ...stamp,
          intent,
          action: request.action,
          attempt,
          key: keyFor(state, request.action) ?? fresh,
          epoch: this.epoch,
          callBy: instant(stamp.at + CALL_BY_MS),
          declared: request.declared,
          target: request.target ?? state.identity?.id ?? null,
          priorOutputs: state.outputs,
          absenceSeen: request.absenceSeen ?? false,
        };
        return { records: [record], value: record };
      });
      if (record === null) {
        slot.release();
        this.#lost.abort();
        return {
          kind: "not-committed",
          exit: 23,
          why: "another operation has taken the stack over; nothing was called",
        };
      }
      return {
        kind: "committed",
        record,
        slot,
        intent: mint(this.#call(record, request), () => this.#fence(record, sentBy)),
      };
    } catch (error) {
      slot.release();
      if (!(error instanceof StoreFault)) throw error;
      this.#becomeUnfit(error.message);
      return { kind: "not-committed", exit: 22, why: error.message };
    }
  }

  #call<A extends Action>(record: IntentRecord, request: IntentRequest<A>) {
    const state = this.states.get(record.step);
    return {
      intent: record.intent,
      action: request.action,
      stack: this.operation.stack,
      step: record.step,
      operation: record.operation,
      attempt: record.attempt,
      key: record.key,
      keys: state?.keys ?? [record.key],
      epoch: record.epoch,
      callBy: record.callBy,
      inputs: request.inputs,
      identity: record.target === null ? null : { id: record.target },
      outputs: record.priorOutputs,
      previousInputs: request.previousInputs,
      owes: state?.owes ?? [],
    };
  }

  /** N2, N5: the last look before sending. */
  async #fence(record: IntentRecord, sentBy: number): Promise<void> {
    const { clock, store } = this.#runtime;
    let head: Awaited<ReturnType<typeof store.head>>;
    try {
      head = await store.head(this.operation.stack);
    } catch (error) {
      throw new NotSent(`the ledger could not be read right before the call: ${messageOf(error)}`, {
        cause: error,
      });
    }
    if (head === null || head.epoch !== record.epoch || this.#lost.signal.aborted)
      throw new NotSent("another operation has taken the stack over, so the call was not sent");
    if (clock.monotonicMs() > sentBy || clock.now() > record.callBy)
      throw new NotSent(`the call was to be sent before ${iso(record.callBy)}, and that time has passed`);
  }

  /** W7. Throws nothing: what the ledger cannot take now goes with the outcome. */
  async identify(committed: Committed<Action>, id: string, outputs: JsonObject): Promise<void> {
    const record: IdentityRecord = {
      kind: "identity",
      ...this.#stamp(committed.record.step),
      intent: committed.record.intent,
      id,
      outputs,
    };
    try {
      await this.#write([record.step], () => ({ records: [record], value: null }));
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#becomeUnfit(error.message);
      await committed.slot
        .keep({ stack: this.operation.stack, ledger: this.#runtime.store.ledgerId, record })
        .catch(() => undefined);
    }
  }

  /** The outcome is recorded, or spooled (W6). Tells whether the ledger has it. */
  async conclude(committed: Committed<Action>, outcome: Outcome): Promise<boolean> {
    const stamp = this.#stamp(committed.record.step);
    const record: OutcomeRecord = {
      kind: "outcome",
      ...stamp,
      intent: committed.record.intent,
      outcome,
      source: "call",
      endedAt: stamp.at,
    };
    try {
      await this.#write([record.step], () => ({ records: [record], value: null }));
      committed.slot.release();
      return true;
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#becomeUnfit(error.message);
      this.#spooled += 1;
      await this.#spoolOutcome(committed, record, error);
      return false;
    }
  }

  async #spoolOutcome(committed: Committed<Action>, record: OutcomeRecord, cause: StoreFault): Promise<void> {
    const { reporter, store } = this.#runtime;
    try {
      await committed.slot.keep({ stack: this.operation.stack, ledger: store.ledgerId, record });
      reporter.report({
        kind: "note",
        text: `${record.step}: the ledger could not take the result (${cause.message}); it is kept in this host's spool and replayed at the next start here`,
      });
    } catch (error) {
      const text = `${record.step}: neither the ledger (${cause.message}) nor the spool (${messageOf(error)}) could take the result ${JSON.stringify(record.outcome)}; write it down`;
      reporter.report({ kind: "note", text });
    }
  }

  /** W6: what earlier runs on this host could not record. undefined: done; else why the operation cannot go on. */
  async replaySpool(): Promise<Refused | undefined> {
    const { spool, store, reporter } = this.#runtime;
    for (const { spooled, clear } of await spool.pending()) {
      if (spooled.ledger !== store.ledgerId || spooled.stack !== this.operation.stack) continue;
      const { record } = spooled;
      const replayed: JournalRecord =
        record.kind === "outcome" ? { ...record, at: this.#runtime.clock.now(), source: "spool" } : record;
      try {
        await this.#write([record.step], ({ steps }) => ({
          records: steps.has(record.step) ? [replayed] : [],
          value: null,
        }));
      } catch (error) {
        if (!(error instanceof StoreFault)) throw error;
        return refused(21, `a result in this host's spool could not be recorded: ${error.message}`);
      }
      await clear();
      reporter.report({
        kind: "note",
        text: `${record.step}: the result of an earlier run was taken over from this host's spool`,
      });
    }
    return undefined;
  }

  /** Records a reading together with all that it settles, and with the children that a proven absence closes (D2). */
  async observed(
    step: StepName,
    reading: Reading,
    asked: {
      readonly askedAt: Operation["startedAt"];
      readonly senderAlive: boolean;
      readonly justCalled: boolean;
      readonly inputsDigest: string | null;
      readonly surplusId?: string;
      readonly last: boolean;
      readonly contained: readonly StepName[];
    },
  ): Promise<Seen> {
    const evidence = evidenceId(`ev_${this.#runtime.ids.uuid()}`);
    const belief = await this.#write([step, ...asked.contained], ({ steps }) => {
      const state = steps.get(step);
      if (state === undefined) throw new Error(`step ${step} was never planned`);
      const stamp = { step, operation: this.operation.id, at: asked.askedAt };
      const surplusId = asked.surplusId ?? null;
      const belief: Belief = surplusId === null ? judgeReading(state, reading, asked) : { kind: "no-doubt" };
      const records: JournalRecord[] = [
        {
          kind: "observation",
          ...stamp,
          evidence,
          reading: notAdopted(reading, belief),
          inputsDigest: asked.inputsDigest,
          surplusId,
          senderAlive: asked.senderAlive,
          last: asked.last && belief.kind !== "settled",
        },
      ];
      const by: SettledBy = { kind: "observation", evidence };
      if (belief.kind === "settled")
        for (const { intent, says, reason } of belief.settlements)
          records.push({ kind: "settlement", ...stamp, intent, says, by, reason });
      records.push(...this.#containedGone(steps, records, step, asked.contained, evidence));
      return { records, value: belief };
    });
    return { state: this.#must(step), belief };
  }

  #containedGone(
    steps: ReadonlyMap<StepName, StepState>,
    records: readonly JournalRecord[],
    parent: StepName,
    contained: readonly StepName[],
    evidence: ReturnType<typeof evidenceId> | null,
  ): JournalRecord[] {
    if (contained.length === 0 || foldOver(steps, records).get(parent)?.status !== "destroyed") return [];
    const by: SettledBy = { kind: "parent", step: parent, evidence };
    return contained.flatMap((child) => {
      const state = steps.get(child);
      if (state === undefined || (!isAlive(state) && state.open.length === 0)) return [];
      const reason = `it was contained in ${parent}, whose absence was ${evidence === null ? "stated by its own word" : "observed"}`;
      return [
        {
          kind: "decision",
          ...this.#stamp(child),
          decision: { what: "contained-gone", parent, by },
          actor: this.operation.actor,
          reason,
        },
      ];
    });
  }

  /** Closes the children of a parent that was destroyed by its own word: all that can be said of them is the same. */
  async closeContained(parent: StepName, contained: readonly StepName[]): Promise<void> {
    await this.#write([parent, ...contained], ({ steps }) => ({
      records: this.#containedGone(steps, [], parent, contained, null),
      value: null,
    }));
  }

  /** A person's decision, or one the operation takes on the file's word. */
  async decide(step: StepName, decision: Decision, reason: string): Promise<StepState> {
    const text = this.#runtime.scrubber.text(reason);
    await this.#write([step], () => ({
      records: [
        { kind: "decision", ...this.#stamp(step), decision, actor: this.operation.actor, reason: text },
      ],
      value: null,
    }));
    return this.#must(step);
  }

  #must(step: StepName): StepState {
    const state = this.states.get(step);
    if (state === undefined) throw new Error(`step ${step} has no state`);
    return state;
  }
}

const foldOver = (
  current: ReadonlyMap<StepName, StepState>,
  records: readonly JournalRecord[],
): Map<StepName, StepState> => {
  const states = new Map<StepName, StepState>();
  for (const record of records)
    states.set(record.step, advance(states.get(record.step) ?? current.get(record.step), record));
  return states;
};

/** A new key begins only when every earlier attempt of this incarnation is proven without effect (DESIGN §6). */
const keyFor = (state: StepState, action: Action): StepState["key"] => {
  if (action === "create" && !isAlive(state)) return null;
  if (action === "compensate" && state.open.length === 0) return null;
  return state.key;
};

/** A reading that only a person can place must not hand its id to the step (R4). */
const notAdopted = (reading: Reading, belief: Belief): Reading =>
  belief.kind === "ask" && reading.kind === "observed"
    ? { kind: "ambiguous", ids: reading.id === null ? [] : [reading.id] }
    : reading;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type { IntentId };
