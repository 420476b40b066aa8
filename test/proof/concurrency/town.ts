/**
 * Several processes of the real runtime at work on one stack at once, over one ledger and clouds that keep their own
 * truth. Who does the next thing is drawn by fast-check's scheduler; whoever is paused does none, whoever is killed never
 * again. Between the last check before a call and its send nothing comes (DESIGN §2, 7).
 *
 * After every single thing these must hold, by the clouds and by the journal, not by what the runtime thinks:
 *
 *   N1  nobody takes the stack over while its holder lives within its lease
 *   N2  an intent, and a call, belongs to the epoch that holds the stack at that moment
 *   N5  no call is sent later than 30 s after its intent, whatever the wall clock says
 *   R5  no call is decided on a picture that another process has changed since
 *   and at most one object of a step lives or is yet to come, and none that the ledger does not call alive
 */
import type fc from "fast-check";
import { openMemoryStore } from "../../../src/adapters/store-memory/memory.ts";
import { advance } from "../../../src/domain/fold.ts";
import type { StepName } from "../../../src/domain/ids.ts";
import type { IntentRecord } from "../../../src/domain/journal.ts";
import type { Lease } from "../../../src/domain/lease.ts";
import type { StepState } from "../../../src/domain/state.ts";
import {
  type Begun,
  type Came,
  type Command,
  Machine,
  type PlannedNode,
  SHOP,
  type Tampering,
} from "../../property/machine.ts";
import { Broken } from "../../property/step-invariants.ts";
import { atMostOneAndNoneLost, check, windUp } from "../../property/whole-run.ts";

const CALL_BY_MS = 30_000;
const LEASE_MS = 30_000;
/** More than any run takes that does not wait for a clock that was set back. */
const MOST_THINGS = 1_500;

export const HOSTS = ["here", "there"] as const;

/** Wall clocks are set: from where they are, or to that far from the true time. */
export type Jump = { readonly hosts: readonly (typeof HOSTS)[number][] } & (
  | { readonly byMs: number }
  | { readonly toMs: number }
);

interface Process extends Begun {
  readonly command: Command;
  came: Came | null;
  isPaused: boolean;
  wake: () => void;
  woken: Promise<void>;
}

const must = (law: string, holds: boolean, what: () => string): void => {
  if (!holds) throw new Broken(law, what());
};

export class Town {
  readonly machine: Machine;
  readonly #nodes: readonly PlannedNode[];
  readonly #scheduler: fc.Scheduler;
  readonly #processes = new Map<number, Process>();
  readonly #committedAt = new Map<string, number>();
  readonly #journal: { readonly step: StepName; readonly operation: string; readonly state: StepState }[] =
    [];
  /** How long the journal was when an operation got the lease. */
  readonly #begunAt = new Map<string, number>();
  #records = 0;
  #sent = 0;
  #lease: Lease | null = null;
  #isFree = false;

  constructor(nodes: readonly PlannedNode[], scheduler: fc.Scheduler, tampering: Tampering = {}) {
    this.#nodes = nodes;
    this.#scheduler = scheduler;
    this.machine = new Machine(nodes, tampering, (pid) => this.#gate(pid));
  }

  /** Those that have not ended and were not killed, in the order of their beginning. */
  get living(): readonly Process[] {
    return [...this.#processes.values()].filter(({ came }) => came === null);
  }

  async #gate(pid: number): Promise<void> {
    const process = this.#processes.get(pid);
    if (process?.came === "died") return new Promise(() => undefined);
    if (this.#isFree) return;
    do {
      if (process?.isPaused === true) await process.woken;
      // One thing at a time: whoever was woken waits for its turn like all others.
      await this.#scheduler.schedule(Promise.resolve(), `process ${pid}`);
    } while (process?.isPaused === true);
    if (process !== undefined && isKilled(process)) return new Promise(() => undefined);
  }

  setClocks(jump: Jump): void {
    const { clockOff } = this.machine;
    for (const host of jump.hosts)
      clockOff.set(host, "toMs" in jump ? jump.toMs : jump.byMs + (clockOff.get(host) ?? 0));
  }

  begin(command: Command): void {
    const begun = this.machine.begin(command);
    const process: Process = {
      ...begun,
      command,
      came: null,
      isPaused: false,
      wake: () => undefined,
      woken: Promise.resolve(),
    };
    this.#processes.set(begun.pid, process);
    void begun.work.then((came) => {
      if (process.came === "died") return;
      process.came = came;
      this.machine.gone(begun.pid);
      this.machine.told.push(...begun.life.told);
    });
  }

  pause(process: Process): void {
    if (process.isPaused) return;
    process.isPaused = true;
    process.woken = new Promise((resolve) => {
      process.wake = () => {
        process.isPaused = false;
        resolve();
      };
    });
  }

  kill(process: Process): void {
    process.came = "died";
    this.machine.gone(process.pid);
    process.wake();
  }

  /** Lets so many things happen, whoever's turn it is; time moves when all wait for it. */
  async things(count: number, isOver: () => boolean = () => false): Promise<void> {
    const { time } = this.machine;
    await time.quiet();
    await this.#laws();
    for (let nth = 0; nth < count && !isOver(); nth += 1) {
      if (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
      else if (!time.skip()) return;
      await time.quiet();
      await this.#laws();
    }
  }

  /** Until that process ends, or cannot go on. */
  async finish(process: Process): Promise<void> {
    await this.things(MOST_THINGS, () => process.came !== null || process.isPaused);
  }

  async checked(): Promise<void> {
    for (const { came, command } of this.#processes.values())
      if (came !== null)
        await check(this.machine, this.#nodes, command, this.#processes.size === 1 ? came : "died");
  }

  /** All that sleep wake, all end; then nothing goes wrong any more, and everything must be settled and removed. */
  async end(): Promise<void> {
    for (const process of this.living) process.wake();
    await this.things(MOST_THINGS, () => this.living.length === 0);
    // A lease of another host that a clock set back made eternal is waited for; a person ends that.
    for (const process of this.living) this.kill(process);
    this.machine.clockOff.clear();
    this.#isFree = true;
    await windUp(this.machine, this.#nodes);
  }

  // ---- after every thing -------------------------------------------------------------------------------------------

  async #laws(): Promise<void> {
    const store = openMemoryStore(this.machine.disk);
    const head = await store.head(SHOP);
    this.#leaseIsRespected(head?.lease ?? null);
    const epoch = head?.epoch ?? 0;
    let nth = 0;
    for await (const { record } of store.records({ stack: SHOP })) {
      nth += 1;
      if (nth <= this.#records) continue;
      const before = this.#stateOf(record.step);
      if (record.kind === "intent") this.#intentIsFresh(record, epoch);
      this.#journal.push({
        step: record.step,
        operation: record.operation,
        state: advance(before, record),
      });
    }
    this.#records = nth;
    for (const sent of this.machine.sent.slice(this.#sent)) {
      must(
        "N2",
        sent.epoch === epoch,
        () => `${sent.call} of epoch ${sent.epoch} was sent in epoch ${epoch}`,
      );
      const ageMs = sent.at - (this.#committedAt.get(sent.intent) ?? Number.NaN);
      must(
        "N5",
        ageMs <= CALL_BY_MS && sent.lateMs <= 0,
        () => `${sent.call} was sent ${ageMs} ms after its intent`,
      );
    }
    this.#sent = this.machine.sent.length;
    atMostOneAndNoneLost(this.machine, this.#nodes, await store.steps(SHOP));
  }

  #stateOf(step: StepName, until = this.#journal.length): StepState | undefined {
    for (let at = until - 1; at >= 0; at -= 1) {
      const entry = this.#journal[at];
      if (entry?.step === step) return entry.state;
    }
    return undefined;
  }

  #leaseIsRespected(lease: Lease | null): void {
    const before = this.#lease;
    this.#lease = lease;
    if (lease === null || before?.operation === lease.operation) return;
    this.#begunAt.set(lease.operation, this.#journal.length);
    if (before === null) return;
    const holder = this.#processes.get(before.holder.pid);
    const { host } = lease.holder;
    const isDead = holder?.came !== null && host === before.holder.host;
    const now = this.machine.time.now() + (this.machine.clockOff.get(host) ?? 0);
    // One that a clock set back made eternal does not bind either.
    const isOver = now >= before.expiresAt || before.expiresAt - now > LEASE_MS * 2;
    must("N1", isDead || isOver, () => `${lease.operation} took over from ${before.operation}, which lives`);
  }

  #intentIsFresh(record: IntentRecord, epoch: number): void {
    this.#committedAt.set(record.intent, this.machine.time.now());
    must(
      "N2",
      record.epoch === epoch,
      () => `an intent of epoch ${record.epoch} was taken in epoch ${epoch}`,
    );
    const own = this.#journal.findLastIndex(
      (e) => e.step === record.step && e.operation === record.operation,
    );
    // What it saw at its beginning, or when it last wrote of the step.
    const begun = this.#begunAt.get(record.operation) ?? 0;
    const seen = own === -1 ? this.#stateOf(record.step, begun) : this.#journal[own]?.state;
    const now = this.#stateOf(record.step);
    if (seen === undefined || now === undefined) return;
    must(
      "R5",
      picture(seen) === picture(now),
      () =>
        `${record.action} of ${record.step} was decided on an older picture: ${picture(seen)}, and now ${picture(now)}`,
    );
  }
}

/** Meanwhile, too. */
const isKilled = ({ came }: Process): boolean => came === "died";

/** What a decision rests on. */
const picture = (state: StepState): string =>
  JSON.stringify([
    state.status,
    state.identity,
    state.surplus.length,
    state.open.map((o) => [o.intent, o.outcome]),
  ]);
