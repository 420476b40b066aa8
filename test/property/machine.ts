/**
 * Whole runs of the real runtime in this process: a ledger in memory that outlives its processes, a cloud per step,
 * time that moves when all wait, and processes that die between any two things they do.
 */
import { memoryDisk, openMemoryStore } from "../../src/adapters/store-memory/memory.ts";
import type { CommittedIntent } from "../../src/domain/committed-intent.ts";
import { unreached } from "../../src/domain/crash-point.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import {
  digest,
  type IntentId,
  instant,
  ledgerId,
  type StackName,
  type StepName,
  stackName,
} from "../../src/domain/ids.ts";
import { known, unreadable } from "../../src/domain/known.ts";
import type { Holder } from "../../src/domain/lease.ts";
import type { OperationOptions } from "../../src/domain/operation.ts";
import { nothingBrought, type Outcome } from "../../src/domain/outcome.ts";
import type { Action, RetryClass, Stack, Step } from "../../src/domain/step.ts";
import type { Survivor } from "../../src/ports/host.ts";
import type { CallIo, Provider } from "../../src/ports/provider.ts";
import type { Spooled } from "../../src/ports/spool.ts";
import type { Store } from "../../src/ports/store.ts";
import type { Verifier } from "../../src/ports/verifier.ts";
import { apply } from "../../src/runtime/apply.ts";
import { describeStack } from "../../src/runtime/describe.ts";
import { destroy } from "../../src/runtime/destroy.ts";
import type { Done } from "../../src/runtime/operation.ts";
import { reconcile } from "../../src/runtime/reconcile.ts";
import type { Refused, Runtime } from "../../src/runtime/runtime.ts";
import { Scrubber } from "../../src/wire/redact.ts";
import { START } from "../support/step-history.ts";
import type { Fate, Look } from "./operator.ts";
import { TrueCloud } from "./true-cloud.ts";
import { VirtualTime } from "./virtual-time.ts";

const SETTLE_MS = 20_000;
const HERE = "here";
export const SHOP: StackName = stackName("shop");

export interface PlannedNode {
  readonly name: StepName;
  readonly needs: readonly StepName[];
  readonly partOf: StepName | null;
  readonly retry: RetryClass;
  readonly update: boolean;
  readonly onChange: "replace" | null;
  readonly tellsDeclared: boolean;
  /** Whether it has something to be confirmed by. */
  readonly confirm?: boolean;
}

export type CallFate = Pick<Fate, "tellsId" | "tellsEarly" | "callMs"> & {
  /** `at-end`: by the provider's own process when the call is over, whatever became of asfound (N6). */
  readonly effect: Fate["effect"] | "at-end";
  readonly ends: "done" | "refused" | "failed" | "unknown" | "throws";
};

/** One command, and what goes wrong while it runs. */
export interface Command {
  readonly verb: "apply" | "destroy" | "reconcile";
  /** The body that today's file has, for apply. */
  readonly version: number;
  /** How many of the steps, from the last, are not in today's file. */
  readonly leftOut: number;
  readonly allowDestroy: boolean;
  readonly waits: boolean;
  readonly fates: readonly CallFate[];
  readonly looks: readonly Look[];
  /** What is found when a step's confirm is asked, one after another; then proven. */
  readonly judgements?: readonly Judgement[];
  /** The process dies before the n-th thing it does; null: it lives. */
  readonly diesAt: number | null;
  /** The disk under the ledger is full from the n-th thing on. */
  readonly fullAt: number | null;
  /** The process is suspended before the n-th thing it does, until `wake`. */
  readonly freezesAt?: number | null;
  /** Where its process runs; the usual place when absent. */
  readonly host?: string;
}

/** A process that was begun: it goes on whenever its gate lets it. */
export interface Begun {
  readonly pid: number;
  readonly host: string;
  readonly life: Life;
  readonly work: Promise<Done | Refused>;
}

export interface Sent {
  readonly call: string;
  readonly intent: IntentId;
  readonly epoch: number;
  /** After its call-by, by the sender's wall clock. */
  readonly lateMs: number;
  readonly at: number;
}

/** What was found when somebody asked what a step has to be confirmed by. */
export interface Judged {
  readonly step: StepName;
  readonly finding: Judgement;
  /** How many calls of that step had been sent by then. */
  readonly sentBefore: number;
  readonly by: Command;
}

/** Between any two things that a process does; one that never resolves is its death. */
export type Gate = (pid: number) => Promise<void>;

export type Came = Done | Refused | "died" | "frozen";

/** Put between the runtime and its ports: a mutant. */
export interface Tampering {
  readonly store?: (store: Store) => Store;
  /** What a process believes to be in the file. */
  readonly stack?: (stack: Stack) => Stack;
  readonly spool?: (spool: Runtime["spool"]) => Runtime["spool"];
  readonly runtime?: (runtime: Runtime) => Runtime;
}

export class Machine {
  readonly time = new VirtualTime(START);
  readonly clouds = new Map<StepName, TrueCloud>();
  readonly disk = memoryDisk(ledgerId("lg_memory"));
  /** Calls that were really sent, with how long after their call-by. */
  readonly sent: Sent[] = [];
  readonly judged: Judged[] = [];
  /** Calls that make or change something, sent while what they need was not confirmed. */
  readonly hasty: string[] = [];
  /** How far each host's wall clock is off. */
  readonly clockOff = new Map<string, number>();
  /** Outputs that a provider told to a process which lived on: none may be lost (W4, W6). */
  readonly told: { readonly step: StepName; readonly output: string }[] = [];
  readonly #nodes: readonly PlannedNode[];
  readonly #spooled: Spooled[] = [];
  readonly #alive = new Map<number, string>();
  readonly #senders: { readonly survivor: Survivor; readonly host: string; readonly until: number }[] = [];
  #asleep: { readonly life: Life; readonly work: Promise<Done | Refused> } | null = null;
  readonly #tampering: Tampering;
  readonly #gate: Gate;
  #pids = 0;
  #uuids = 0;

  constructor(
    nodes: readonly PlannedNode[],
    tampering: Tampering = {},
    gate: Gate = () => Promise.resolve(),
  ) {
    this.#nodes = nodes;
    this.#tampering = tampering;
    this.#gate = gate;
    for (const node of nodes)
      this.clouds.set(
        node.name,
        new TrueCloud({
          retry: node.retry,
          hasIds: true,
          tellsDeclared: node.tellsDeclared,
          settleMs: SETTLE_MS,
        }),
      );
  }

  cloud(step: StepName): TrueCloud {
    const found = this.clouds.get(step);
    if (found === undefined) throw new Error(`there is no cloud for ${step}`);
    return found;
  }

  async run(command: Command): Promise<Came> {
    const { pid, life, work } = this.begin(command);
    const came = await this.time.run(Promise.race([work, life.died, life.frozen]));
    if (came === "frozen") this.#asleep = { life, work };
    else this.gone(pid);
    if (came !== "died" && came !== "frozen") this.told.push(...life.told);
    return came;
  }

  begin(command: Command): Begun {
    this.#pids += 1;
    const pid = this.#pids;
    const host = command.host ?? HERE;
    const life = new Life(this.time, command, () => this.#gate(pid));
    this.#alive.set(pid, host);
    const work = this.#carryOut(this.#runtime(life, pid, command), command);
    return { pid, host, life, work };
  }

  /** Its process is not there any more. */
  gone(pid: number): void {
    this.#alive.delete(pid);
  }

  /** Whether the suspended process had its last check behind it, and its call still before it (promise 7). */
  get asleepBetweenCheckAndCall(): boolean {
    return (this.#asleep?.life.sending ?? 0) > 0;
  }

  /** The suspended process goes on where it was, until it ends. */
  async wake(): Promise<Came> {
    if (this.#asleep === null) throw new Error("nobody sleeps");
    const { life, work } = this.#asleep;
    this.#asleep = null;
    life.thaw();
    const came = await this.time.run(work);
    this.told.push(...life.told);
    return came;
  }

  async #carryOut(runtime: Runtime, command: Command): Promise<Done | Refused> {
    const common = {
      stack: SHOP,
      stackId: null,
      reason: null,
      leaseWaitMs: 0,
      fileDigest: digest("sha256:file"),
    };
    const options: OperationOptions = {
      only: [],
      allowDestroy: command.allowDestroy,
      failFast: false,
      parallelism: 2,
    };
    switch (command.verb) {
      case "reconcile":
        return reconcile(runtime, {
          ...common,
          file: null,
          parallelism: 2,
          wait: command.waits,
          endSurvivors: false,
        });
      case "destroy":
        return destroy(runtime, { ...common, file: null, options });
      case "apply": {
        const { stack: changed = (one: Stack) => one } = this.#tampering;
        const stack = changed(this.#stack(command));
        const described = await describeStack(runtime, stack);
        if ("faults" in described) throw new Error(JSON.stringify(described.faults));
        return apply(runtime, { ...common, stack, described: described.steps, options, plan: null });
      }
    }
  }

  #stack(command: Command): Stack {
    const inFile = this.#nodes.slice(0, Math.max(1, this.#nodes.length - command.leftOut));
    const steps = new Map<StepName, Step>(
      inFile.map((node) => [
        node.name,
        {
          name: node.name,
          uses: "fake",
          with: { body: `v${command.version}`, update: node.update, retry: node.retry },
          needs: node.needs,
          partOf: node.partOf,
          confirm: node.confirm === true ? [{ target: `deployment/${node.name}`, claims: ["capacity"] }] : [],
          retry: node.retry,
          keyLifetimeMs: 3_600_000,
          settleMs: SETTLE_MS,
          deadlineMs: 120_000,
          windowMs: 60_000,
          files: [],
          onChange: node.onChange,
          retain: null,
          approve: null,
          compensate: null,
          public: [],
          keepSecrets: false,
          renamedFrom: null,
        },
      ]),
    );
    return { name: SHOP, directory: null, steps, ledger: null };
  }

  #runtime(life: Life, pid: number, command: Command): Runtime {
    const memory = openMemoryStore(this.disk);
    life.onFull(() => memory.faults.diskFull(true));
    const store: Store = {
      ...memory,
      commit: (request) => life.does(() => memory.commit(request)),
      head: (stack) => life.does(() => memory.head(stack)),
    };
    const host = command.host ?? HERE;
    const holder = (actor: string): Holder => ({
      host,
      bootId: "boot",
      pidNamespace: "pid:[1]",
      pid,
      startTicks: "1",
      actor,
      ciRun: null,
    });
    const never = new AbortController().signal;
    const provider = this.#provider(life, command);
    const {
      store: tampered = (s: Store) => s,
      spool = (s: Runtime["spool"]) => s,
      runtime = (r: Runtime) => r,
    } = this.#tampering;
    return runtime({
      store: tampered(store),
      clock: {
        now: () => instant(this.time.now() + (this.clockOff.get(host) ?? 0)),
        // Each host's began at another time.
        monotonicMs: () => this.time.now() - START + host.length * 10 ** 8,
        id: host,
        sleep: (ms, signal) => life.sleeps(ms, signal),
      },
      ids: { uuid: () => `${++this.#uuids}` },
      host: {
        self: holder,
        isAlive: (who) =>
          who.host === host ? known(this.#alive.has(who.pid)) : unreadable("it runs on another host"),
        survivors: async (keys) =>
          this.#senders
            .filter((one) => one.host === host && one.until > this.time.now() && keys.has(one.survivor.key))
            .map((one) => one.survivor),
        end: async () => undefined,
      },
      spool: spool(this.#spool(life)),
      vault: { keyId: "k", digest: () => "hmac-sha256:0", seal: () => "sealed", open: () => undefined },
      secrets: { env: () => ({ fault: "none" }), file: async () => ({ fault: "none" }) },
      files: { digests: async () => ({ files: new Map() }) },
      runFiles: { write: async () => null, find: () => null },
      provider: async (name) => (name === "fake" ? provider : undefined),
      verifier: async () => this.#verifier(life, command),
      reporter: { report: () => undefined },
      scrubber: new Scrubber(),
      interrupt: { drain: never, kill: never, first: () => null },
      reached: unreached,
      actor: "alice",
      baseDirectory: "/",
    });
  }

  /** Counts calls of a step that may have changed it. */
  #callsOf(step: StepName): number {
    return this.sent.filter(({ call }) => call.endsWith(` ${step}`)).length;
  }

  /** Whether it was found proven after its last call. */
  isConfirmed(step: StepName): boolean {
    const calls = this.#callsOf(step);
    return this.judged.some(
      (one) => one.step === step && one.finding === "proven" && one.sentBefore === calls,
    );
  }

  /** What this command found it to be last, after its last call; null: it did not ask. */
  lastJudged(step: StepName, by: Command): Judgement | null {
    const calls = this.#callsOf(step);
    const last = this.judged.findLast(
      (one) => one.by === by && one.step === step && one.sentBefore === calls,
    );
    return last === undefined ? null : last.finding;
  }

  #verifier(life: Life, command: Command): Verifier {
    const left = [...(command.judgements ?? [])];
    return {
      verify: async ({ name }, { windowMs }) => {
        await life.does(async () => undefined);
        const finding = left.shift() ?? "proven";
        if (finding !== "proven" && windowMs > 0) await life.sleeps(windowMs);
        const step = name as StepName;
        this.judged.push({ step, finding, sentBefore: this.#callsOf(step), by: command });
        await life.does(async () => undefined);
        return { finding, sentence: `it is ${finding}` };
      },
      close: () => undefined,
    };
  }

  #spool(life: Life): Runtime["spool"] {
    return {
      take: async () => {
        let isLent = true;
        return {
          keep: async (spooled) => {
            if (!isLent) throw new Error("a spool slot was used after it was given back");
            await life.does(async () => void this.#spooled.push(spooled));
          },
          release: () => {
            isLent = false;
          },
        };
      },
      pending: async () =>
        [...this.#spooled].map((spooled) => ({
          spooled,
          clear: () => life.does(async () => void this.#spooled.splice(this.#spooled.indexOf(spooled), 1)),
        })),
      close: async () => undefined,
    };
  }

  // ---- the provider ----------------------------------------------------------------------------------------------

  #provider(life: Life, command: Command): Provider {
    let calls = 0;
    let looks = 0;
    const call = async <A extends Action>(intent: CommittedIntent<A>, io: CallIo): Promise<Outcome> => {
      const fate = command.fates[calls++] ?? GOOD;
      return this.#call({ life, host: command.host ?? HERE }, fate, intent, io);
    };
    return {
      name: "fake",
      describe: (inputs) => ({
        can: {
          observe: true,
          create: true,
          update: inputs["update"] === true,
          destroy: true,
          compensate: false,
          owed: false,
        },
        retry: null,
        inputFiles: [],
        cannotKnow: [],
      }),
      observe: (question) =>
        life.does(async () => {
          const look = command.looks[looks++] ?? HONEST;
          if (look.fails) return { kind: "timed-out", reason: "no answer came" };
          const id = question.identity === null ? null : question.identity.id;
          const body = String(question.inputs["body"]);
          const reading = this.cloud(question.step).read(
            this.time.now(),
            { id, keys: question.keys, body },
            look,
          );
          return reading;
        }),
      create: call,
      update: call,
      destroy: call,
      compensate: call,
      owed: call,
    };
  }

  async #call(
    { life, host }: { readonly life: Life; readonly host: string },
    fate: CallFate,
    intent: CommittedIntent<Action>,
    io: CallIo,
  ): Promise<Outcome> {
    const call = await life.unparted(async () => {
      const opened = await intent.open();
      life.sending += 1;
      await life.does(async () => undefined);
      life.sending -= 1;
      return opened;
    });
    const off = this.clockOff.get(host) ?? 0;
    if (call.action === "create" || call.action === "update") this.#noteHaste(call.action, call.step);
    this.sent.push({
      call: `${call.action} ${call.step}`,
      intent: call.intent,
      epoch: call.epoch,
      lateMs: this.time.now() + off - call.callBy,
      at: this.time.now(),
    });
    const sentAt = this.time.now();
    const lateBy = fate.effect === "late" ? fate.callMs + 8_000 : fate.effect === "at-end" ? fate.callMs : 0;
    const when = { at: sentAt + lateBy, shownBy: sentAt + fate.callMs + SETTLE_MS };
    if (fate.effect === "at-end")
      this.#senders.push({
        host,
        until: when.at,
        survivor: { pid: 10_000 + this.#senders.length, startTicks: "1", key: call.key, command: "provider" },
      });
    const ends = fate.ends;
    if (ends === "refused") return { kind: "refused", reason: "it is not valid" };
    const happens = fate.effect !== "never" || ends === "done";
    const id = happens ? this.#effect(call, when) : null;
    if (id === "refused") return { kind: "refused", reason: "the cloud does not allow it" };
    await life.does(async () => undefined);
    const output = { [`from-${call.intent}`]: 1 };
    if (id !== null && fate.tellsEarly && call.action === "create") await io.identity(id, output);
    await life.sleeps(fate.callMs);
    await life.does(async () => undefined);
    if (ends === "throws") throw new Error("the connection broke");
    life.told.push({ step: call.step, output: `from-${call.intent}` });
    const brought = {
      ...nothingBrought,
      id: fate.tellsId && call.action === "create" ? id : null,
      outputs: output,
    };
    return ends === "done" ? { kind: "done", ...brought } : { kind: ends, reason: "it broke", ...brought };
  }

  /** P2: what a step needs is complete before it is called. */
  #noteHaste(action: Action, step: StepName): void {
    const node = this.#nodes.find(({ name }) => name === step);
    if (node === undefined) return;
    for (const name of node.needs)
      if (this.#nodes.some((one) => one.name === name && one.confirm === true) && !this.isConfirmed(name))
        this.hasty.push(`${action} ${step}, while ${name} was not confirmed`);
  }

  #effect(
    call: {
      action: Action;
      step: StepName;
      key: string;
      keys: readonly string[];
      inputs: object;
      identity: { id: string } | null;
    },
    when: { at: number; shownBy: number },
  ): string | null {
    const cloud = this.cloud(call.step);
    const body = String((call.inputs as { body?: unknown }).body);
    if (call.action === "create") {
      const thing = cloud.create(call.key, body, when);
      return thing === "conflict" ? "refused" : thing.id;
    }
    const target = call.identity === null ? null : call.identity.id;
    const there = cloud.alive(this.time.now()).filter((t) => target === null || t.id === target);
    if (call.action === "update") {
      if (there.length === 0) return "refused";
      for (const thing of there) cloud.update(thing.id, body, when);
    }
    if (call.action === "destroy") {
      cloud.destroy(target, call.keys, when);
      this.#takeAlong(call.step, when);
    }
    return null;
  }

  /** What is contained goes with its container. */
  #takeAlong(step: StepName, when: { at: number; shownBy: number }): void {
    for (const node of this.#nodes)
      if (node.partOf === step) {
        const cloud = this.cloud(node.name);
        for (const thing of cloud.things)
          if (thing.died === null || thing.died.at > when.at) thing.died = when;
        this.#takeAlong(node.name, when);
      }
  }
}

/** One process: it does things one after another, and may die or be suspended before any of them. */
class Life {
  readonly died: Promise<"died">;
  readonly frozen: Promise<"frozen">;
  readonly told: { readonly step: StepName; readonly output: string }[] = [];
  sending = 0;
  readonly #time: VirtualTime;
  readonly #command: Command;
  readonly #gate: () => Promise<void>;
  readonly #never = new Promise<never>(() => undefined);
  readonly #thawed: Promise<void>;
  thaw: () => void = () => undefined;
  #die: () => void = () => undefined;
  #freeze: () => void = () => undefined;
  #fill: () => void = () => undefined;
  #isDead = false;
  #isFrozen = false;
  #unparted = 0;
  #done = 0;

  constructor(time: VirtualTime, command: Command, gate: () => Promise<void>) {
    this.#time = time;
    this.#command = command;
    this.#gate = gate;
    this.died = new Promise((resolve) => {
      this.#die = () => resolve("died");
    });
    this.frozen = new Promise((resolve) => {
      this.#freeze = () => resolve("frozen");
    });
    this.#thawed = new Promise((resolve) => {
      this.thaw = () => {
        this.#isFrozen = false;
        resolve();
      };
    });
  }

  onFull(fill: () => void): void {
    this.#fill = fill;
  }

  async does<T>(work: () => Promise<T>): Promise<T> {
    await this.#step();
    const made = await work();
    await this.#step();
    return made;
  }

  async #step(): Promise<void> {
    this.#time.stir();
    this.#done += 1;
    if (this.#done === this.#command.fullAt) this.#fill();
    if (this.#done === this.#command.diesAt) {
      this.#isDead = true;
      this.#die();
    }
    if (this.#done === this.#command.freezesAt) {
      this.#isFrozen = true;
      this.#freeze();
    }
    await this.#goOn();
  }

  /** What happens in one instant, as far as anybody outside can tell: nothing parts the last check from the send (promise 7). */
  async unparted<T>(work: () => Promise<T>): Promise<T> {
    this.#unparted += 1;
    try {
      return await work();
    } finally {
      this.#unparted -= 1;
    }
  }

  async #goOn(): Promise<void> {
    if (this.#unparted === 0) await this.#gate();
    if (this.#isDead) await this.#never;
    if (this.#isFrozen) await this.#thawed;
  }

  async sleeps(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#goOn();
    await this.#time.sleep(ms, signal);
    await this.#goOn();
  }
}

const HONEST: Look = { hideBirths: false, hideDeaths: false, hideBodies: false, blinks: false, fails: false };
const GOOD: CallFate = { ends: "done", effect: "now", tellsId: true, tellsEarly: false, callMs: 500 };
