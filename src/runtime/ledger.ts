/**
 * The ledger's logic over a dumb store: who may write, what is written before a call, what after it.
 *
 *   W1 the only place that mints `CommittedIntent`, and only after its record is durable.
 *   W2 a record or a spool slot that cannot be had: no call, nothing more is started.
 *   W4 an answer that comes after its call was given up is appended, for as long as this process lives.
 *   W6 an outcome the store cannot take goes to the slot that was allocated before the call.
 *   W7 an id is committed the moment it is known.
 *   N1 lease with heartbeat. N2 the epoch is checked at the commit and again right before sending. N5 call-by.
 */
import { type CommittedIntent, claimMint } from "../domain/committed-intent.ts";
import type { ExitCode } from "../domain/exit.ts";
import type { Epoch, EvidenceId, Instant, IntentId, StepName } from "../domain/ids.ts";
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

interface Built<T> {
  readonly records: readonly JournalRecord[];
  readonly value: T;
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
  /** Calls that were given up and are not answered yet (W4). */
  readonly #outstanding = new Set<IntentRecord>();
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
    for (const { step, action } of this.#outstanding)
      this.#runtime.reporter.report({
        kind: "note",
        text: `${step}: its ${action} was given up after its deadline and is not answered yet; what it still answers is recorded only while this process lives`,
      });
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
  async #write<T>(steps: readonly StepName[], build: (current: Current) => Built<T>): Promise<T> {
    const { value, states } = await this.#commit({
      stack: this.operation.stack,
      steps,
      decide: (current: Current) => {
        const { records, value } = build(current);
        const states = foldOver(current.steps, records);
        if (records.length === 0) return { write: null, value: { value, states } };
        return { write: { records, steps: [...states.values()], folded: true }, value: { value, states } };
      },
    });
    for (const [name, state] of states) this.states.set(name, state);
    return value;
  }

  /**
   * What one step's records make of it; where they end it, also of what it contains, in one commit (D2): a crash leaves
   * both or neither. Few records end anything, so the contained rows are asked for only when these do.
   */
  async #writeOf<T>(
    step: StepName,
    build: (current: Current) => Built<T>,
    family: { readonly contained: () => readonly StepName[]; readonly evidence: EvidenceId | null },
  ): Promise<T> {
    const own = await this.#write<{ readonly value: T } | null>([step], (current) => {
      const { records, value } = build(current);
      const ends = foldOver(current.steps, records).get(step)?.status === "destroyed";
      return ends && family.contained().length > 0
        ? { records: [], value: null }
        : { records, value: { value } };
    });
    if (own !== null) return own.value;
    const contained = family.contained();
    return this.#write([step, ...contained], (current) => {
      const { records, value } = build(current);
      const whole = { parent: step, contained, evidence: family.evidence };
      const gone = containedGone(current.steps, records, whole, this.#sign());
      return { records: [...records, ...gone], value };
    });
  }

  /** Gone without an observation: by the provider's own word, or by a decision. */
  #family(step: StepName) {
    return { contained: () => this.#containedIn(step), evidence: null };
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

  /**
   * The outcome is recorded, or spooled (W6). Tells whether the ledger has it. `late`: what a call that was given up may
   * still be answered with; it keeps its slot for that.
   */
  async conclude(
    committed: Committed<Action>,
    outcome: Outcome,
    late: Promise<Outcome> | null = null,
  ): Promise<boolean> {
    const recordNow = this.#outcomeOf(committed.record);
    let fault: StoreFault | null = null;
    try {
      await this.#append(committed.record, outcome, recordNow);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      fault = error;
      await this.#spoolOutcome(committed, recordNow(outcome), error);
    }
    if (late !== null) void this.#takeLate(committed, late, fault === null);
    else if (fault === null) committed.slot.release();
    return fault === null;
  }

  /** N3: appended to the first outcome, whoever holds the stack by then. `slotIsEmpty`: that one is not waiting in it. */
  async #takeLate(committed: Committed<Action>, late: Promise<Outcome>, slotIsEmpty: boolean): Promise<void> {
    this.#outstanding.add(committed.record);
    const outcome = await late;
    this.#outstanding.delete(committed.record);
    const recordNow = this.#outcomeOf(committed.record);
    try {
      await this.#append(committed.record, outcome, recordNow);
    } catch (error) {
      // The ledger may be closed by now, or know the step by another name: the next start here has both (W6).
      return this.#spoolOutcome(committed, recordNow(outcome), error);
    }
    if (slotIsEmpty) committed.slot.release();
  }

  /** Of a call that ends now, whenever it is written. */
  #outcomeOf({ step, intent }: IntentRecord): (outcome: Outcome) => OutcomeRecord {
    const { at: endedAt, clock: ended } = this.#time();
    return (outcome) => ({
      kind: "outcome",
      ...this.#stamp(step),
      intent,
      outcome,
      source: "call",
      endedAt,
      ended,
    });
  }

  async #append(
    { step, intent }: IntentRecord,
    outcome: Outcome,
    recordNow: (outcome: Outcome) => OutcomeRecord,
  ): Promise<void> {
    const early = this.#unrecorded.get(intent) ?? [];
    const write = (said: Outcome) =>
      this.#writeOf(
        step,
        () => {
          const time = this.#time();
          const records = [...early.map((record) => ({ ...record, ...time })), recordNow(said)];
          return { records, value: null };
        },
        this.#family(step),
      );
    // An answer that cannot be written as it is must not take the end of its call with it.
    await write(outcome).catch((error: unknown) => {
      if (error instanceof StoreFault) throw error;
      return write(unwritable(outcome, error));
    });
    this.#unrecorded.delete(intent);
    this.#runtime.reached("outcome-durable");
  }

  async #spoolOutcome(committed: Committed<Action>, record: OutcomeRecord, cause: unknown): Promise<void> {
    const { reached, reporter, store } = this.#runtime;
    this.#spooled += 1;
    reached("outcome-refused");
    try {
      await committed.slot.keep({ stack: this.operation.stack, ledger: store.ledgerId, record });
      reached("outcome-spooled");
      reporter.report({
        kind: "note",
        text: `${record.step}: the ledger could not take the result (${messageOf(cause)}); it is kept in this host's spool and replayed at the next start here`,
      });
    } catch (error) {
      const text = `${record.step}: neither the ledger (${messageOf(cause)}) nor the spool (${messageOf(error)}) could take the result ${JSON.stringify(record.outcome)}; write it down`;
      reporter.report({ kind: "note", text });
    }
  }

  /** W6: a result of an earlier run that the ledger could not take then. False: no step of this stack knows its intent. */
  async takeOver(record: OutcomeRecord | IdentityRecord): Promise<boolean> {
    const step = this.#stepOf(record.intent);
    if (step === undefined) return this.#hasTaken(record);
    const build = (): Built<null> => {
      const late = { step, ...this.#time() };
      const taken: JournalRecord =
        record.kind === "outcome" ? { ...record, ...late, source: "spool" } : { ...record, ...late };
      return { records: [taken], value: null };
    };
    await this.#writeOf(step, build, this.#family(step));
    return true;
  }

  /** By a run that died before it cleared the slot. Another outcome of the same call may have come before it (N3). */
  async #hasTaken(spooled: OutcomeRecord | IdentityRecord): Promise<boolean> {
    const { stack } = this.operation;
    for await (const { record } of this.#runtime.store.records({ stack, operation: spooled.operation })) {
      if (record.kind === "outcome" && spooled.kind === "outcome") {
        if (record.intent === spooled.intent && record.endedAt === spooled.endedAt) return true;
      } else if (record.kind === "identity" && spooled.kind === "identity")
        if (record.intent === spooled.intent && record.id === spooled.id) return true;
    }
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
      readonly contained: () => readonly StepName[];
    },
  ): Promise<Seen> {
    const evidence = evidenceId(`ev_${this.#runtime.ids.uuid()}`);
    const build = ({ head, steps }: Current): Built<Belief> => {
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
      return { records, value: belief };
    };
    const belief = await this.#writeOf(step, build, { contained: asked.contained, evidence });
    this.#runtime.reached("reading-durable");
    return { state: this.#must(step), belief };
  }

  /** A person's decision, or one the operation takes on the file's word. One that lost its lease decides nothing more (N2). */
  async decide(step: StepName, decision: Decision, reason: string): Promise<StepState> {
    this.#runtime.reached("decision-due");
    const text = this.#runtime.scrubber.text(reason);
    const build = ({ head }: Current): Built<boolean> => {
      if (head === null || head.epoch !== this.epoch) return { records: [], value: false };
      const record: JournalRecord = { kind: "decision", step, ...this.#sign(), decision, reason: text };
      return { records: [record], value: true };
    };
    const ours = await this.#writeOf(step, build, this.#family(step));
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
