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
import type { Epoch, Instant, IntentId, StepName } from "../domain/ids.ts";
import { evidenceId, instant, intentId, iso, key } from "../domain/ids.ts";
import type {
  Decision,
  Declared,
  IdentityRecord,
  IntentRecord,
  JournalRecord,
  OutcomeRecord,
  SettledBy,
} from "../domain/journal.ts";
import type { JsonObject } from "../domain/json.ts";
import { NotSent } from "../domain/not-sent.ts";
import type { Operation } from "../domain/operation.ts";
import { nothingBrought, type Outcome, type Reading } from "../domain/outcome.ts";
import { type Belief, judgeReading } from "../domain/settle.ts";
import { isAlive, type StepState } from "../domain/state.ts";
import { type Action, CALL_BY_MS } from "../domain/step.ts";
import type { SpoolSlot } from "../ports/spool.ts";
import { type CommitRequest, type Current, StoreFault } from "../ports/store.ts";
import { readClock } from "./clock-reading.ts";
import { containedGone, foldOver } from "./contained-gone.ts";
import { type Contained, containedIn } from "./containment.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import type { Runtime } from "./runtime.ts";

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

export interface Seen {
  readonly state: StepState;
  readonly belief: Belief;
}

/** One operation that holds the stack's lease. */
export class Session {
  readonly operation: Operation;
  readonly states: Map<StepName, StepState>;
  readonly #runtime: Runtime;
  readonly #attempts = new Map<string, number>();
  /** Ids the ledger could not take when they were told: they go with the outcome (W7). */
  readonly #unrecorded = new Map<IntentId, readonly IdentityRecord[]>();
  readonly #lost = new AbortController();
  readonly #containedIn: Contained;
  #unfit: string | null = null;
  #spooled = 0;
  #heart: Heartbeat | null = null;

  constructor(runtime: Runtime, operation: Operation, states: ReadonlyMap<StepName, StepState>) {
    this.#runtime = runtime;
    this.operation = operation;
    this.states = new Map(states);
    this.#containedIn = containedIn(states);
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

  // ---- beginning and ending --------------------------------------------------------------------------------------

  startHeartbeat(): void {
    this.#heart = startHeartbeat(this.#runtime, this.operation, () => this.#lost.abort());
  }

  /** Ends the operation's row and gives the lease back, if it is still ours. Faults are told, not thrown: all else is recorded. */
  async end(exit: ExitCode, summary: string): Promise<void> {
    this.#runtime.reached("operation-ending");
    await this.#heart?.stop();
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
      this.#runtime.reached("operation-ended");
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
    const { value, states } = await this.#commit({
      stack: this.operation.stack,
      steps,
      decide: (current: Current) => {
        const { records, value } = build(current);
        const states = foldOver(current.steps, records);
        if (records.length === 0) return { write: null, value: { value, states } };
        return { write: { records, steps: [...states.values()] }, value: { value, states } };
      },
    });
    for (const [name, state] of states) this.states.set(name, state);
    return value;
  }

  /** What one step's records make of it, and of what it contains, in one commit (D2): a crash leaves both or neither. */
  async #writeOf(step: StepName, records: () => readonly JournalRecord[]): Promise<void> {
    await this.#write([step, ...this.#containedIn(step)], ({ steps }) => ({
      records: this.#withContained(steps, step, records()),
      value: null,
    }));
  }

  #withContained(
    steps: Current["steps"],
    parent: StepName,
    records: readonly JournalRecord[],
  ): readonly JournalRecord[] {
    const family = { parent, contained: this.#containedIn(parent), evidence: null };
    return [...records, ...containedGone(steps, records, family, this.#sign())];
  }

  /** After a write that failed nothing more is started (W2), whatever it was that could not be written. */
  async #commit<T>(request: CommitRequest<T>): Promise<T> {
    try {
      return await this.#runtime.store.commit(request);
    } catch (error) {
      if (error instanceof StoreFault) this.#becomeUnfit(error.message);
      throw error;
    }
  }

  /** Made in the transaction: by it the records of two clocks are in order (`domain/steady.ts`). */
  #stamp(step: StepName) {
    return { step, operation: this.operation.id, ...this.#time() };
  }

  #sign() {
    return { operation: this.operation.id, ...this.#time(), actor: this.operation.actor };
  }

  #time() {
    const { clock } = this.#runtime;
    return { at: clock.now(), clock: readClock(clock) };
  }

  #becomeUnfit(why: string): void {
    this.#unfit ??= why;
  }

  /** W1: the record first. A refusal has to be looked at before anything can be called: it holds no intent. */
  async intend<A extends Action>(request: IntentRequest<A>): Promise<Committed<A> | NotCommitted> {
    if (this.#unfit !== null) return { kind: "not-committed", exit: 22, why: this.#unfit };
    // N4: after a signal nothing more is started, not even the next call of a step that is under way.
    if (this.#runtime.interrupt.drain.aborted)
      return { kind: "not-committed", exit: 23, why: "a signal came first, so nothing more was started" };
    const decidedOn = this.states.get(request.step);
    const { clock, ids, spool } = this.#runtime;
    let slot: SpoolSlot;
    try {
      slot = await spool.take();
    } catch (error) {
      const why = `no room for the result of a call could be reserved: ${messageOf(error)}`;
      this.#becomeUnfit(why);
      return { kind: "not-committed", exit: 22, why };
    }
    this.#runtime.reached("slot-taken");
    const sentBy = clock.monotonicMs() + CALL_BY_MS;
    const nth = `${request.step}\u0000${request.action}`;
    const attempt = (this.#attempts.get(nth) ?? 0) + 1;
    this.#attempts.set(nth, attempt);
    const fresh = key(`asf-${ids.uuid()}`);
    const intent = intentId(`in_${ids.uuid()}`);
    try {
      let latest: StepState | undefined;
      const record = await this.#write<IntentRecord | "moved" | null>([request.step], ({ head, steps }) => {
        if (head === null || head.epoch !== this.epoch || head.lease?.operation !== this.operation.id)
          return { records: [], value: null };
        const state = steps.get(request.step);
        if (state === undefined) throw new Error(`step ${request.step} was never planned`);
        // What a late outcome brought since was not looked at when this call was decided on (N3, R5).
        latest = state;
        if (decidedOn !== undefined && hasMoved(decidedOn, state)) return { records: [], value: "moved" };
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
      if (record === "moved") {
        slot.release();
        if (latest !== undefined) this.states.set(request.step, latest);
        const why =
          "another process recorded something of this step meanwhile; nothing was called, look again";
        return { kind: "not-committed", exit: 23, why };
      }
      if (record === null) {
        slot.release();
        this.#lost.abort();
        return {
          kind: "not-committed",
          exit: 23,
          why: "another operation has taken the stack over; nothing was called",
        };
      }
      this.#runtime.reached("intent-durable");
      return {
        kind: "committed",
        record,
        slot,
        intent: mint(this.#call(record, request), () => this.#fence(record, sentBy)),
      };
    } catch (error) {
      slot.release();
      if (!(error instanceof StoreFault)) throw error;
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
    if (head === null || head.epoch !== record.epoch) this.#lost.abort();
    if (this.#lost.signal.aborted)
      throw new NotSent("another operation has taken the stack over, so the call was not sent");
    if (clock.monotonicMs() > sentBy || clock.now() > record.callBy)
      throw new NotSent(`the call was to be sent before ${iso(record.callBy)}, and that time has passed`);
    this.#runtime.reached("fence-passed");
  }

  /** W7. Throws nothing: what the ledger cannot take now goes with the outcome. */
  async identify(committed: Committed<Action>, id: string, outputs: JsonObject): Promise<void> {
    const recordNow = (): IdentityRecord => ({
      kind: "identity",
      ...this.#stamp(committed.record.step),
      intent: committed.record.intent,
      id,
      outputs,
    });
    this.#runtime.reached("identity-told");
    try {
      await this.#write([committed.record.step], () => ({ records: [recordNow()], value: null }));
      this.#runtime.reached("identity-durable");
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      const record = recordNow();
      this.#unrecorded.set(record.intent, [...(this.#unrecorded.get(record.intent) ?? []), record]);
      await committed.slot
        .keep({ stack: this.operation.stack, ledger: this.#runtime.store.ledgerId, record })
        .then(
          () => this.#runtime.reached("identity-spooled"),
          () => undefined,
        );
    }
  }

  /** The outcome is recorded, or spooled (W6). Tells whether the ledger has it. */
  async conclude(committed: Committed<Action>, outcome: Outcome): Promise<boolean> {
    const { step, intent } = committed.record;
    const { at: endedAt, clock: ended } = this.#time();
    const recordOf = (said: Outcome): OutcomeRecord => ({
      kind: "outcome",
      ...this.#stamp(step),
      intent,
      outcome: said,
      source: "call",
      endedAt,
      ended,
    });
    const early = this.#unrecorded.get(intent) ?? [];
    const write = (said: Outcome) =>
      this.#writeOf(step, () => {
        const time = this.#time();
        return [...early.map((record) => ({ ...record, ...time })), recordOf(said)];
      });
    try {
      // An answer that cannot be written as it is must not take the end of its call with it.
      await write(outcome).catch((error: unknown) => {
        if (error instanceof StoreFault) throw error;
        return write(unwritable(outcome, error));
      });
      this.#runtime.reached("outcome-durable");
      committed.slot.release();
      return true;
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#spooled += 1;
      await this.#spoolOutcome(committed, recordOf(outcome), error);
      return false;
    }
  }

  async #spoolOutcome(committed: Committed<Action>, record: OutcomeRecord, cause: StoreFault): Promise<void> {
    const { reached, reporter, store } = this.#runtime;
    reached("outcome-refused");
    try {
      await committed.slot.keep({ stack: this.operation.stack, ledger: store.ledgerId, record });
      reached("outcome-spooled");
      reporter.report({
        kind: "note",
        text: `${record.step}: the ledger could not take the result (${cause.message}); it is kept in this host's spool and replayed at the next start here`,
      });
    } catch (error) {
      const text = `${record.step}: neither the ledger (${cause.message}) nor the spool (${messageOf(error)}) could take the result ${JSON.stringify(record.outcome)}; write it down`;
      reporter.report({ kind: "note", text });
    }
  }

  /** W6: a result of an earlier run that the ledger could not take then. False: no step of this stack knows its intent. */
  async takeOver(record: OutcomeRecord | IdentityRecord): Promise<boolean> {
    const step = this.#stepOf(record.intent);
    if (step === undefined) return this.#hasOutcomeOf(record);
    await this.#writeOf(step, () => {
      const late = { step, ...this.#time() };
      return [record.kind === "outcome" ? { ...record, ...late, source: "spool" } : { ...record, ...late }];
    });
    return true;
  }

  /** Taken over before, by a run that died before it cleared the slot. */
  async #hasOutcomeOf(spooled: OutcomeRecord | IdentityRecord): Promise<boolean> {
    const { stack } = this.operation;
    for await (const { record } of this.#runtime.store.records({ stack, operation: spooled.operation }))
      if (record.kind === "outcome" && record.intent === spooled.intent) return true;
    return false;
  }

  /** By the intent, since the step may have another name by now. */
  #stepOf(intent: IntentId): StepName | undefined {
    for (const state of this.states.values())
      if ([...state.open, ...state.closed].some((open) => open.intent === intent)) return state.step;
    return undefined;
  }

  /** Records a reading together with all that it settles, and with the children that a proven absence closes (D2). */
  async observed(
    step: StepName,
    reading: Reading,
    asked: {
      readonly askedAt: Instant;
      readonly askedMs: number;
      readonly senderAlive: boolean;
      readonly justCalled: boolean;
      readonly inputsDigest: string | null;
      readonly surplusId?: string;
      readonly last: boolean;
      readonly contained: readonly StepName[];
    },
  ): Promise<Seen> {
    const evidence = evidenceId(`ev_${this.#runtime.ids.uuid()}`);
    const belief = await this.#write<Belief>([step, ...asked.contained], ({ head, steps }) => {
      // N2: a look of one that was overtaken is older than what its successors know, and closes nothing.
      if (head === null || head.epoch !== this.epoch) {
        this.#lost.abort();
        return {
          records: [],
          value: { kind: "no-answer", why: "another operation has taken the stack over" },
        };
      }
      const state = steps.get(step);
      if (state === undefined) throw new Error(`step ${step} was never planned`);
      const clock = readClock(this.#runtime.clock);
      const stamp = { step, operation: this.operation.id, at: asked.askedAt, clock };
      const surplusId = asked.surplusId ?? null;
      const belief: Belief =
        surplusId === null ? judgeReading(state, reading, { ...asked, clock }) : { kind: "no-doubt" };
      const records: JournalRecord[] = [
        {
          kind: "observation",
          ...stamp,
          evidence,
          reading: notAdopted(state, reading, belief),
          inputsDigest: asked.inputsDigest,
          surplusId,
          senderAlive: asked.senderAlive,
          last: asked.last && belief.kind !== "settled",
          askedMs: asked.askedMs,
        },
      ];
      const by: SettledBy = { kind: "observation", evidence };
      if (belief.kind === "settled")
        for (const { intent, says, reason } of belief.settlements)
          records.push({ kind: "settlement", ...stamp, intent, says, by, reason });
      records.push(
        ...containedGone(
          steps,
          records,
          { parent: step, contained: asked.contained, evidence },
          this.#sign(),
        ),
      );
      return { records, value: belief };
    });
    this.#runtime.reached("reading-durable");
    return { state: this.#must(step), belief };
  }

  /** A person's decision, or one the operation takes on the file's word. One that lost its lease decides nothing more (N2). */
  async decide(step: StepName, decision: Decision, reason: string): Promise<StepState> {
    this.#runtime.reached("decision-due");
    const text = this.#runtime.scrubber.text(reason);
    const contained = this.#containedIn(step);
    const ours = await this.#write([step, ...contained], ({ head, steps }) => {
      if (head === null || head.epoch !== this.epoch) return { records: [], value: false };
      const record: JournalRecord = { kind: "decision", step, ...this.#sign(), decision, reason: text };
      return { records: this.#withContained(steps, step, [record]), value: true };
    });
    if (!ours) this.#lost.abort();
    this.#runtime.reached("decision-durable");
    return this.#must(step);
  }

  #must(step: StepName): StepState {
    const state = this.states.get(step);
    if (state === undefined) throw new Error(`step ${step} has no state`);
    return state;
  }
}

const hasMoved = (before: StepState, now: StepState): boolean =>
  before.status !== now.status ||
  before.identity?.id !== now.identity?.id ||
  before.surplus.length !== now.surplus.length ||
  before.open.length !== now.open.length ||
  now.open.some(
    (open, i) => open.intent !== before.open[i]?.intent || open.outcome !== before.open[i]?.outcome,
  );

const unwritable = (outcome: Outcome, error: unknown): Outcome => ({
  kind: "unknown",
  reason: `it was answered with ${outcome.kind}, but the answer could not be recorded: ${messageOf(error)}`,
  ...nothingBrought,
  id: outcome.kind === "refused" ? null : outcome.id,
});

/** A new key begins only when every earlier attempt of this incarnation is proven without effect (DESIGN §6). */
const keyFor = (state: StepState, action: Action): StepState["key"] => {
  if (action === "create" && !isAlive(state)) return null;
  if (action === "compensate" && state.open.length === 0) return null;
  return state.key;
};

/** A reading that only a person can place must not hand its id to the step (R4). */
const notAdopted = (state: StepState, reading: Reading, belief: Belief): Reading =>
  belief.kind === "ask" && reading.kind === "observed" && reading.id !== (state.identity?.id ?? null)
    ? { kind: "ambiguous", ids: reading.id === null ? [] : [reading.id] }
    : reading;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
