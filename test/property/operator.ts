/**
 * Somebody who works on one step by the law, as the runtime does, against a cloud that misbehaves as far as it may.
 * Everything that goes wrong is chosen by the caller (`Fate`, `Look`); what is decided, the domain decides.
 */
import { awaitsConfirm } from "../../src/domain/confirm.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import { type IntentId, instant } from "../../src/domain/ids.ts";
import type { Capabilities, Policy } from "../../src/domain/journal.ts";
import { nothingBrought, type Outcome, type Reading } from "../../src/domain/outcome.ts";
import { BETWEEN_CLOCKS_MS } from "../../src/domain/steady.ts";
import { CALL_BY_MS, CALL_BY_SLACK_MS } from "../../src/domain/step.ts";
import {
  type End,
  type HistoryOptions,
  type Host,
  LAWS,
  type Laws,
  SETTLE_MS,
  StepHistory,
} from "../support/step-history.ts";
import { type CloudTraits, type Moment, type Picture, TrueCloud } from "./true-cloud.ts";

/** What becomes of one call. */
export interface Fate {
  /** `crash` the process died with the call out · `unsent` it died before sending. */
  readonly ends: "done" | "refused" | "failed" | "unknown" | "crash" | "unsent";
  readonly effect: "now" | "late" | "never";
  readonly tellsId: boolean;
  /** The id is committed before the outcome (W7). */
  readonly tellsEarly: boolean;
  /** After a crash: the outcome lies in the spool, and may be replayed any time later. */
  readonly straggles: boolean;
  readonly owes: boolean;
  /** After a crash the provider's process lives on, and does its work at its end (N6). */
  readonly outlives: boolean;
  /** Makes two things, and tells of both (N3). */
  readonly doubles: boolean;
  readonly callMs: number;
}

export interface Look extends Picture {
  readonly fails: boolean;
}

export type Deed =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "apply"; readonly fates: readonly Fate[]; readonly looks: readonly Look[] }
  | { readonly do: "destroy"; readonly fates: readonly Fate[]; readonly looks: readonly Look[] }
  | { readonly do: "reconcile"; readonly looks: readonly Look[]; readonly patient: boolean }
  | { readonly do: "replay"; readonly again: boolean }
  /** Another host goes on, or a host's wall clock is set: as `Setting.clocks` allows. */
  | { readonly do: "clock"; readonly nth: number }
  /** What it has to be confirmed by is asked, where that is due. */
  | { readonly do: "judge"; readonly finding: Judgement }
  /** The file asks for something else to be confirmed by. */
  | { readonly do: "ask-otherwise" }
  | { readonly do: "edit" }
  | { readonly do: "vanish" }
  | { readonly do: "resolve" }
  | { readonly do: "forget" };

export interface Setting extends Omit<CloudTraits, "settleMs"> {
  readonly observe: boolean;
  readonly update: boolean;
  readonly onChange: "replace" | null;
  readonly foreign: boolean;
  /** Whether it has something to be confirmed by. */
  readonly confirm: boolean;
  /** `set`: one host, whose wall clock is set. `two`: two hosts, whose wall clocks are apart as far as they may be. */
  readonly clocks: "set" | "two";
}

interface Straggler {
  readonly intent: IntentId;
  readonly end: End;
  readonly outcome: Outcome;
}

/** A provider's process that outlived its asfound. Whenever it is seen alive, what it does is still to come. */
interface Sender {
  readonly until: number;
  readonly acts: (when: Moment) => void;
}

const SENDER_LIVES_MS = 120_000;

const HONEST: Look = { hideBirths: false, hideDeaths: false, hideBodies: false, blinks: false, fails: false };

export class Operator {
  readonly cloud: TrueCloud;
  readonly history: StepHistory;
  /** Things a person gave up, by id. */
  readonly forgotten = new Set<string>();
  /** Somebody else has deleted something. */
  vanished = false;
  readonly #setting: Setting;
  readonly #laws: Laws;
  readonly #stragglers: Straggler[] = [];
  #sender: Sender | null = null;
  #fates: readonly Fate[] = [];
  #looks: readonly Look[] = [];
  #nextFate = 0;
  #nextLook = 0;

  constructor(setting: Setting, options: Pick<HistoryOptions, "watch"> = {}, laws: Laws = LAWS) {
    this.#setting = setting;
    this.#laws = laws;
    this.cloud = new TrueCloud({ ...setting, settleMs: SETTLE_MS });
    const can: Partial<Capabilities> = { observe: setting.observe, update: setting.update };
    const confirm = setting.confirm ? { confirm: { claims: ["rollout-complete"], windowMs: 1_000 } } : {};
    const policy: Partial<Policy> = { retry: setting.retry, ...confirm };
    this.history = new StepHistory({ ...options, laws, can, policy });
    if (setting.foreign) this.cloud.addForeign(this.history.now);
    this.history.planned();
  }

  /** Whether the cloud ever lets anybody find what is there now, after somebody else deleted what was known. */
  get canBeFound(): boolean {
    return this.#setting.observe || !this.vanished;
  }

  carryOut(deed: Deed): void {
    this.history.after(1_000);
    this.#fates = "fates" in deed ? deed.fates : [];
    this.#looks = "looks" in deed ? deed.looks : [];
    this.#nextFate = 0;
    this.#nextLook = 0;
    switch (deed.do) {
      case "wait":
        this.history.after(deed.ms);
        return;
      case "clock":
        this.#clock(deed.nth);
        return;
      case "judge":
        this.#judge(deed.finding);
        return;
      case "ask-otherwise":
        this.#askOtherwise();
        return;
      case "edit":
        this.history.body = `v${Number(this.history.body.slice(1)) + 1}`;
        return;
      case "apply":
        this.#apply();
        return;
      case "destroy":
        this.#destroy();
        return;
      case "reconcile":
        this.#reconcile(deed.patient);
        return;
      case "replay":
        this.#replay(deed.again);
        return;
      case "vanish":
        this.#vanish();
        return;
      case "resolve":
        this.#resolve();
        return;
      case "forget":
        this.#forget();
        return;
    }
  }

  // ---- confirming ------------------------------------------------------------------------------------------------

  /** After an apply, or again by reconcile. */
  #judge(finding: Judgement): void {
    const { state } = this.history;
    if (state.policy.confirm === undefined) return;
    if (!awaitsConfirm(state) && state.status !== "complete") return;
    this.history.decide({ what: "confirmed", finding, sentence: `it is ${finding}` });
  }

  #askOtherwise(): void {
    const { policy } = this.history.state;
    if (policy.confirm === undefined) return;
    const claims = [...policy.confirm.claims, "old-gone"];
    const step = { step: this.history.step, uses: "exec", needs: [], partOf: null };
    this.history.decide({
      what: "planned",
      steps: [{ ...step, policy: { ...policy, confirm: { ...policy.confirm, claims } } }],
    });
  }

  // ---- looking ---------------------------------------------------------------------------------------------------

  #read(surplusId?: string, about = this.history.body): Reading {
    const look = this.#looks[this.#nextLook++ % Math.max(1, this.#looks.length)] ?? HONEST;
    if (look.fails) return { kind: "timed-out", reason: "no answer came" };
    const { state, now } = this.history;
    if (surplusId !== undefined) return this.cloud.readById(now, surplusId, look);
    const busy = state.open.some((o) => o.action === "create" || o.action === "destroy");
    if (look.blinks && !busy && this.#laws.isAlive(state) && this.cloud.blink(now)) return { kind: "absent" };
    const id = state.identity === null ? null : state.identity.id;
    return this.cloud.read(now, { id, keys: state.keys, body: about }, look);
  }

  #look(how: { readonly justCalled?: boolean; readonly last?: boolean; readonly about?: string } = {}) {
    const about = how.about ?? this.history.body;
    const senderAlive = this.#senderAlive();
    if (senderAlive) {
      const at = this.history.now + 1_000;
      this.#sender?.acts({ at, shownBy: at + this.history.policy.settleMs });
    }
    return this.history.look(this.#read(undefined, about), { ...how, about, senderAlive });
  }

  #senderAlive(): boolean {
    return this.#sender !== null && this.history.now < this.#sender.until;
  }

  #lookAtSurplus(): void {
    for (const { id } of this.history.state.surplus) this.history.look(this.#read(id), { surplusId: id });
  }

  /** The body that a record describes: the last called with while in doubt, else the last applied. */
  #recorded(): string {
    const { state } = this.history;
    const declared = state.open.length > 0 || state.applied === null ? state.declared : state.applied;
    return declared === null ? this.history.body : String(declared.inputs["body"]);
  }

  /** R3: twice at what seems gone. */
  #lookTwice(about: string): void {
    this.#look({ about });
    const { state } = this.history;
    if (state.open.length > 0 || state.missingSince === null || !this.#laws.isAlive(state)) return;
    this.history.after(state.policy.settleMs);
    this.#look({ about });
  }

  #reconcile(patient: boolean): void {
    const { history } = this;
    if (!this.#laws.isAlive(history.state) && history.state.open.length === 0) return;
    if (!this.#setting.observe) return;
    this.#lookAtSurplus();
    const about = this.#recorded();
    if (history.state.open.length === 0) {
      this.#lookTwice(about);
      return;
    }
    for (let asked = 0; ; asked++) {
      const belief = this.#look({ about, last: !patient || asked === 6 });
      if (belief.kind !== "wait" || !patient || asked === 6) return;
      history.after(Math.max(1_000, belief.until - history.steady));
    }
  }

  // ---- calling ---------------------------------------------------------------------------------------------------

  #call(
    action: "create" | "update" | "destroy" | "owed",
    more: { target?: string; absenceSeen?: boolean },
  ): void {
    const { history } = this;
    const fate = this.#fates[this.#nextFate++ % Math.max(1, this.#fates.length)] ?? GOOD;
    const sentAt = history.now;
    const intent = history.intend(action, more);
    if (fate.ends === "unsent") return;
    const endedAt = sentAt + fate.callMs;
    const shownBy =
      fate.ends === "crash" && !fate.straggles
        ? sentAt + CALL_BY_MS + CALL_BY_SLACK_MS + history.policy.settleMs
        : endedAt + history.policy.settleMs;
    const at = fate.effect === "now" ? sentAt : endedAt + (fate.ends === "crash" ? 5_000 : 20_000);
    const outcome = this.#outcome(fate, action, intent, { at, shownBy });
    const early = fate.tellsEarly && "id" in outcome ? this.#firstOf(outcome.id) : null;
    if (early !== null && action === "create") history.identify(intent, early, { [`early-${early}`]: 1 });
    if (fate.ends === "crash") {
      if (fate.straggles) this.#stragglers.push({ intent, end: this.#end(endedAt), outcome });
      history.after(fate.callMs);
      return;
    }
    history.after(fate.callMs);
    history.conclude(intent, outcome);
    if (!this.#setting.observe || outcome.kind !== "done" || action === "owed") return;
    for (const last of [false, false, true]) {
      const belief = this.#look({ justCalled: true, last, about: this.#recorded() });
      if (belief.kind !== "wait" && belief.kind !== "no-answer") return;
      history.after(12_000);
    }
  }

  /** Of two things that one call made, the one it told of first. */
  #firstOf(id: string | null): string | null {
    const thing = this.cloud.things.find((t) => t.id === id);
    return thing === undefined || thing.twinOf === null ? id : thing.twinOf;
  }

  /** Does what the fate says to the world, and tells what would come back. */
  #outcome(
    fate: Fate,
    action: "create" | "update" | "destroy" | "owed",
    intent: IntentId,
    when: { at: number; shownBy: number },
  ): Outcome {
    const { history, cloud } = this;
    const state = history.state;
    const kind = fate.ends === "crash" ? "done" : fate.ends === "unsent" ? "unknown" : fate.ends;
    if (kind === "refused") return { kind, reason: "it is not valid" };
    // `done` is the one outcome that says that the effect is there, or comes.
    const happens = fate.effect !== "never" || kind === "done";
    // Where nothing can be observed, a `done` has to be true when it comes: it is all there will ever be.
    const atOnce = fate.effect === "never" || (kind === "done" && !this.#setting.observe);
    const outlives = fate.outlives && fate.ends === "crash" && !fate.straggles && fate.effect === "late";
    const effective = atOnce ? { ...when, at: history.now } : when;
    let id: string | null = null;
    if (happens && action === "create") {
      const thing = cloud.create(state.key ?? "no key", history.body, effective);
      if (thing === "conflict") return { kind: "refused", reason: "the name is taken" };
      // Given up before, and taken up again by this call.
      this.forgotten.delete(thing.id);
      if (this.#setting.hasIds && (fate.tellsId || fate.tellsEarly)) id = thing.id;
      const tellsBoth = this.#setting.hasIds && fate.tellsEarly && fate.ends !== "crash";
      if (fate.doubles && tellsBoth) id = cloud.double(thing, when).id;
      if (outlives)
        this.#sender = {
          until: history.now + SENDER_LIVES_MS,
          acts: (later) => {
            if (!thing.wasSeen) thing.born = later;
          },
        };
    }
    const target = state.open.find((o) => o.intent === intent)?.target ?? null;
    const alive = cloud.alive(history.now);
    if (action === "update" && !alive.some((t) => target === null || t.id === target))
      return { kind: "refused", reason: "there is nothing to update" };
    if (happens && action === "update") {
      if (target !== null) cloud.update(target, history.body, effective);
      else for (const thing of alive) cloud.update(thing.id, history.body, effective);
    }
    if (happens && action === "destroy") {
      const dying = cloud.destroy(target, state.keys, effective);
      if (outlives)
        this.#sender = {
          until: history.now + SENDER_LIVES_MS,
          acts: (later) => {
            for (const thing of dying) if (thing.died !== null && !thing.wasMissed) thing.died = later;
          },
        };
    }
    const owes = fate.owes && action !== "destroy" && kind === "done" ? ["restart"] : [];
    const brought = { ...nothingBrought, id, owes, outputs: { [`from-${intent}`]: 1 } };
    return kind === "done" ? { kind, ...brought } : { kind, reason: "something broke", ...brought };
  }

  #apply(): void {
    const { history } = this;
    const { observe, retry } = this.#setting;
    if (history.status === "destroyed") history.planned();
    const alive = this.#laws.isAlive(history.state);
    if (observe && (alive || history.state.open.length > 0 || retry === "named")) {
      this.#lookAtSurplus();
      this.#lookTwice(history.body);
    }
    if (history.state.open.some((o) => o.action !== "owed")) {
      this.#resend();
      return;
    }
    if (history.state.owes.length > 0) {
      const doubtful = history.state.open.some((o) => o.action === "owed");
      if (!doubtful || retry === "idempotent") this.#call("owed", {});
      return;
    }
    this.#change();
  }

  #change(): void {
    const { history } = this;
    const { observe, retry } = this.#setting;
    const nothing = history.state.lastReading === "absent";
    const today = {
      can: history.can,
      onChange: this.#setting.onChange,
      inputsDigest: history.declared().inputsDigest,
    };
    const change = this.#laws.changeFor(history.known, today);
    if (change.do === "create" && retry === "named" && observe && !nothing) return;
    if (change.do === "create") this.#call("create", { absenceSeen: nothing });
    if (change.do === "update") this.#call("update", {});
    if (change.do === "replace") {
      this.#destroy();
      if (history.status === "destroyed") this.#call("create", { absenceSeen: true });
    }
  }

  #resend(): void {
    const { history } = this;
    const doubt = history.state.open.at(-1);
    const { observe, retry } = this.#setting;
    if (doubt === undefined || (observe && history.state.lastReading !== "absent")) return;
    if (!observe && retry !== "idempotent") return;
    const inputsDigest = history.declared().inputsDigest.digest;
    if (
      this.#laws.resendFault(history.state, {
        inputsDigest,
        now: history.wall,
        clock: history.clock,
        senderAlive: this.#senderAlive(),
      }) !== undefined
    )
      return;
    if (doubt.action !== "create" && doubt.action !== "update") return;
    this.#call(doubt.action, { absenceSeen: doubt.absenceSeen });
  }

  #destroy(): void {
    const { history } = this;
    const { observe, retry } = this.#setting;
    if (!this.#laws.isAlive(history.state) && history.state.open.length === 0) return;
    if (history.state.open.length > 0) {
      if (observe) this.#look({ about: this.#recorded() });
      const { state } = history;
      if (!this.#laws.isAlive(state)) return;
      const before = state.open.findLast((o) => o.action === "destroy");
      const answered =
        before?.outcome === "failed" && state.lastReading === "observed" && state.identity !== null;
      if (before !== undefined && !answered && retry !== "idempotent") return;
      if (before !== undefined && this.#senderAlive()) return;
      if (!state.present && observe) return;
    }
    for (const { id } of history.state.surplus) {
      this.#lookAtSurplus();
      if (!history.state.surplus.some((s) => s.id === id)) continue;
      this.#call("destroy", { target: id });
      history.after(history.policy.settleMs);
      this.#lookAtSurplus();
      if (history.state.surplus.some((s) => s.id === id)) return;
    }
    if (this.#laws.isAlive(history.state) || history.state.open.length > 0) this.#call("destroy", {});
  }

  #end(at: number): End {
    const { now, wall, host } = this.history;
    return { at: instant(at), wall: instant(at + wall - now), host };
  }

  // ---- what else happens -----------------------------------------------------------------------------------------

  #replay(again: boolean): void {
    const [straggler] = this.#stragglers;
    if (straggler === undefined || straggler.end.at > this.history.now) return;
    if (!again) this.#stragglers.shift();
    const { intent, outcome, end } = straggler;
    this.history.conclude(intent, outcome, end);
  }

  #clock(nth: number): void {
    const choices = CLOCKS[this.#setting.clocks];
    const [host, offMs] = choices[nth % choices.length] ?? ["host-a", 0];
    this.history.on(host, offMs);
  }

  /** Somebody else deletes it, and every reading shows that at once. */
  #vanish(): void {
    const { now } = this.history;
    this.vanished = true;
    for (const thing of this.cloud.alive(now)) thing.died = { at: now, shownBy: now };
  }

  /** A person who looked long after every call was past, and tells the truth. */
  #resolve(): void {
    const { history } = this;
    const { state } = history;
    if (state.open.length === 0 && state.status !== "unresolved" && state.status !== "error") return;
    history.after(200_000);
    const [thing, ...others] = this.#ours();
    if (others.length > 0) return;
    if (thing === undefined) history.decide({ what: "resolve", as: "absent", id: null, owed: null });
    else
      history.decide({
        what: "resolve",
        as: "present",
        id: this.#setting.hasIds ? thing.id : null,
        owed: "done",
      });
  }

  #ours() {
    return this.cloud.expected(this.history.now).filter((t) => !this.forgotten.has(t.id));
  }

  #forget(): void {
    const { history } = this;
    const [surplus] = history.state.surplus;
    if (surplus !== undefined) {
      this.forgotten.add(surplus.id);
      history.decide({ what: "forget", id: surplus.id });
      return;
    }
    if (history.state.status === "pending" && history.state.open.length === 0) return;
    history.after(200_000);
    for (const thing of this.#ours()) this.forgotten.add(thing.id);
    history.decide({ what: "forget", id: history.state.identity?.id ?? null });
  }
}

const HOUR_MS = 3_600_000;
const CLOCKS: Readonly<Record<Setting["clocks"], readonly (readonly [Host, number])[]>> = {
  set: [
    ["host-a", 0],
    ["host-a", HOUR_MS],
    ["host-a", -HOUR_MS],
    ["host-a", 40_000],
  ],
  two: [
    ["host-a", 0],
    ["host-b", BETWEEN_CLOCKS_MS],
    ["host-b", 0],
  ],
};

const GOOD: Fate = {
  ends: "done",
  effect: "now",
  tellsId: true,
  tellsEarly: false,
  straggles: false,
  owes: false,
  outlives: false,
  doubles: false,
  callMs: 500,
};
