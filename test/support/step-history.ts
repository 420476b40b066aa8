/**
 * One step's journal, written record by record as the ledger writes it, for the tests of the domain.
 * Time is a number that the test moves. `Laws` are the domain's functions, so that a mutant can stand in for one.
 */
import { changeFor } from "../../src/domain/change.ts";
import { advance, DEFAULT_POLICY } from "../../src/domain/fold.ts";
import {
  digest,
  epoch,
  evidenceId,
  type Instant,
  type IntentId,
  instant,
  intentId,
  type Key,
  key,
  operationId,
  type StepName,
  stepName,
} from "../../src/domain/ids.ts";
import type {
  Capabilities,
  Decision,
  Declared,
  JournalRecord,
  PlannedStep,
  Policy,
  SettledBy,
  Settlement,
} from "../../src/domain/journal.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { type Known, known, notAsked } from "../../src/domain/known.ts";
import { nothingBrought, type Outcome, type Reading } from "../../src/domain/outcome.ts";
import { type Belief, judgeReading, resendFault } from "../../src/domain/settle.ts";
import { shown } from "../../src/domain/shown.ts";
import { isAlive, type StepState } from "../../src/domain/state.ts";
import { type ClockReading, type SteadyTime, steadyNow } from "../../src/domain/steady.ts";
import { type Action, CALL_BY_MS } from "../../src/domain/step.ts";
import { reading } from "./clock.ts";

export const LAWS = { advance, judgeReading, resendFault, changeFor, isAlive, shown };
export type Laws = typeof LAWS;

/** An arbitrary Thursday; every time in these tests is counted from it. */
export const START = Date.UTC(2026, 0, 1);
export const SETTLE_MS = 30_000;
/** Call-by, its slack and `settle`: from then on a call without an outcome is past. */
export const PAST_MS = CALL_BY_MS + 10_000 + SETTLE_MS;

const EVERYTHING: Capabilities = {
  observe: true,
  create: true,
  update: true,
  destroy: true,
  compensate: true,
  owed: true,
};

export const seen = (
  id: string | null = "id-1",
  more: { readonly asDeclared?: Known<boolean>; readonly outputs?: JsonObject } = {},
): Reading => ({
  kind: "observed",
  id,
  outputs: {},
  asDeclared: known(true),
  reason: null,
  ...more,
});
export const present = (id: string | null = "id-1"): Reading => seen(id, { asDeclared: notAsked });
export const differs = (id: string | null = "id-1"): Reading => seen(id, { asDeclared: known(false) });
export const nothing: Reading = { kind: "absent" };
export const silent = (kind: "denied" | "failed" | "timed-out" = "denied"): Reading => ({
  kind,
  reason: "no answer came",
});

export const done = (id: string | null = "id-1", outputs: JsonObject = {}): Outcome => ({
  kind: "done",
  ...nothingBrought,
  id,
  outputs,
});
export const failed = (id: string | null = null, outputs: JsonObject = {}): Outcome => ({
  kind: "failed",
  reason: "it broke",
  ...nothingBrought,
  id,
  outputs,
});
export const unknown = (id: string | null = null, outputs: JsonObject = {}): Outcome => ({
  kind: "unknown",
  reason: "the reply was lost",
  ...nothingBrought,
  id,
  outputs,
});
export const refused: Outcome = { kind: "refused", reason: "the input is not valid" };

export type Host = "host-a" | "host-b";

/** Of a call: when, what the wall clock of its host said, and which that was. */
export interface End {
  readonly at: Instant;
  readonly wall: Instant;
  readonly host: Host;
}

export interface HistoryOptions {
  readonly step?: string;
  readonly policy?: Partial<Policy>;
  readonly can?: Partial<Capabilities>;
  readonly partOf?: string;
  readonly laws?: Laws;
  /** Called after every record, with the states before and after it. */
  readonly watch?: (record: JournalRecord, before: StepState | undefined, after: StepState) => void;
}

export class StepHistory {
  readonly step: StepName;
  readonly policy: Policy;
  readonly can: Capabilities;
  readonly records: JournalRecord[] = [];
  body = "v1";
  operation = "op_1";
  readonly #options: HistoryOptions;
  readonly #laws: Laws;
  #state: StepState | undefined;
  /** Where this is told from: the host's clock, and how far its wall clock is off. */
  host: Host = "host-a";
  #wallOffMs = 0;
  #now = START;
  #ids = 0;

  constructor(options: HistoryOptions = {}) {
    this.#options = options;
    this.#laws = options.laws ?? LAWS;
    this.step = stepName(options.step ?? "web");
    this.policy = { ...DEFAULT_POLICY, settleMs: SETTLE_MS, ...options.policy };
    this.can = { ...EVERYTHING, ...options.can };
  }

  get state(): StepState {
    if (this.#state === undefined) throw new Error("the step has no record yet");
    return this.#state;
  }
  get known(): StepState | undefined {
    return this.#state;
  }
  get status(): StepState["status"] {
    return this.state.status;
  }
  /** What really is the time. */
  get now(): Instant {
    return instant(this.#now);
  }
  /** By the host's wall clock. */
  get wall(): Instant {
    return instant(this.#now + this.#wallOffMs);
  }
  get clock(): ClockReading {
    return this.#clockAt(this.#now, this.host);
  }
  /** On the step's own scale. */
  get steady(): SteadyTime {
    return steadyNow(this.state.anchor, this.wall, this.clock);
  }

  /** Each host's clock began at another time. */
  #clockAt(now: number, host: string): ClockReading {
    return reading(now + (host === "host-a" ? 0 : 10 ** 8), host);
  }

  /** From here on another host goes on, or the same one with a wall clock that was set. */
  on(host: Host, wallOffMs = 0): this {
    this.host = host;
    this.#wallOffMs = wallOffMs;
    return this;
  }

  after(ms: number): this {
    this.#now += ms;
    return this;
  }

  declared(): Declared {
    return {
      uses: "exec",
      inputs: { body: this.body },
      inputsDigest: { digest: digest(`sha256:${this.body}`), keyId: null },
      policy: this.policy,
      can: this.can,
    };
  }

  write(record: JournalRecord): StepState {
    const before = this.#state;
    const after = this.#laws.advance(before, record);
    this.records.push(record);
    this.#state = after;
    this.#options.watch?.(record, before, after);
    return after;
  }

  #stamp() {
    return { step: this.step, operation: operationId(this.operation), at: this.wall, clock: this.clock };
  }
  #id(): number {
    this.#ids += 1;
    return this.#ids;
  }

  planned(): this {
    const planned: PlannedStep = {
      step: this.step,
      uses: "exec",
      needs: [],
      partOf: this.#options.partOf === undefined ? null : stepName(this.#options.partOf),
      policy: this.policy,
    };
    return this.decide({ what: "planned", steps: [planned] });
  }

  decide(decision: Decision, reason = "somebody looked"): this {
    this.write({ kind: "decision", ...this.#stamp(), decision, actor: "alice", reason });
    return this;
  }

  /** Commits an intent as `Session.intend` does; the call itself is the test's. */
  intend(
    action: Action,
    more: { readonly target?: string; readonly absenceSeen?: boolean; readonly key?: Key } = {},
  ): IntentId {
    const state = this.state;
    const fresh = key(`asf-${this.#id()}`);
    const kept = action === "create" && !this.#laws.isAlive(state) ? null : state.key;
    const intent = intentId(`in_${this.#id()}`);
    this.write({
      kind: "intent",
      ...this.#stamp(),
      intent,
      action,
      attempt: state.attempts + 1,
      key: more.key ?? kept ?? fresh,
      epoch: epoch(1),
      callBy: instant(this.wall + CALL_BY_MS),
      declared: this.declared(),
      target: more.target ?? state.identity?.id ?? null,
      priorOutputs: state.outputs,
      absenceSeen: more.absenceSeen ?? false,
    });
    return intent;
  }

  identify(intent: IntentId, id: string, outputs: JsonObject = {}): this {
    this.write({ kind: "identity", ...this.#stamp(), intent, id, outputs });
    return this;
  }

  conclude(
    intent: IntentId,
    outcome: Outcome,
    end: End = { at: this.now, wall: this.wall, host: this.host },
  ): this {
    const { wall: endedAt } = end;
    const ended = this.#clockAt(end.at, end.host);
    this.write({ kind: "outcome", ...this.#stamp(), intent, outcome, source: "call", endedAt, ended });
    return this;
  }

  settle(intent: IntentId, says: Settlement, by?: SettledBy): this {
    const proof: SettledBy = by ?? { kind: "observation", evidence: evidenceId(`ev_${this.#id()}`) };
    this.write({ kind: "settlement", ...this.#stamp(), intent, says, by: proof, reason: `it is ${says}` });
    return this;
  }

  /** Records a reading with all that it settles, as `Session.observed` does. */
  look(
    reading: Reading,
    how: {
      readonly senderAlive?: boolean;
      readonly justCalled?: boolean;
      readonly last?: boolean;
      readonly surplusId?: string;
      /** The body that was asked about; else that of the last call. */
      readonly about?: string;
    } = {},
  ): Belief {
    const senderAlive = how.senderAlive ?? false;
    const about = how.about === undefined ? {} : { inputsDigest: `sha256:${how.about}` };
    const asking = {
      ...{ askedAt: this.wall, askedMs: this.clock.ms, clock: this.clock },
      ...{ senderAlive, justCalled: how.justCalled ?? false },
      ...about,
    };
    const belief: Belief =
      how.surplusId === undefined
        ? this.#laws.judgeReading(this.state, reading, asking)
        : { kind: "no-doubt" };
    const evidence = evidenceId(`ev_${this.#id()}`);
    const notOurs = belief.kind === "ask" && reading.kind === "observed";
    this.write({
      kind: "observation",
      ...this.#stamp(),
      evidence,
      reading: notOurs ? { kind: "ambiguous", ids: reading.id === null ? [] : [reading.id] } : reading,
      inputsDigest:
        how.about === undefined
          ? (this.state.declared?.inputsDigest.digest ?? null)
          : digest(`sha256:${how.about}`),
      surplusId: how.surplusId ?? null,
      senderAlive,
      last: (how.last ?? true) && belief.kind !== "settled",
      askedMs: this.clock.ms,
    });
    if (belief.kind === "settled")
      for (const { intent, says } of belief.settlements)
        this.settle(intent, says, { kind: "observation", evidence });
    return belief;
  }

  /** A create that was answered with done and seen: the usual beginning. */
  created(id: string | null = "id-1", outputs: JsonObject = {}): this {
    this.planned();
    this.conclude(this.intend("create"), done(id, outputs));
    this.look(seen(id), { justCalled: true });
    return this;
  }
}
