/**
 * Reconciling: what one reading says about the calls that are in doubt. Pure.
 *
 *   R1 only evidence about that same resource closes doubt. R2 a question without an answer closes nothing.
 *   R3 one "not found" inside the settle window is not absence. R4 several candidates: a person decides.
 *   R5 what may be sent again while in doubt follows the declared class.
 *   N5 a call without an outcome may still happen until call-by plus slack. N6 nor is absence believed while a
 *   provider's process lives.
 */
import { readingAbout } from "./fold.ts";
import type { Instant, IntentId } from "./ids.ts";
import { instant, iso } from "./ids.ts";
import type { Settlement } from "./journal.ts";
import { answered, type Reading } from "./outcome.ts";
import { believableFrom, hasNoEndYet } from "./past.ts";
import type { OpenIntent, StepState } from "./state.ts";
import { type ClockReading, type SteadyTime, steadyNow, steadyThen, steadyTime } from "./steady.ts";

export interface Settling {
  readonly intent: IntentId;
  readonly says: Settlement;
  readonly reason: string;
}

export type Belief =
  /** Nothing was in doubt. */
  | { readonly kind: "no-doubt" }
  /** These may be recorded with the reading. */
  | { readonly kind: "settled"; readonly settlements: readonly Settling[] }
  /** The reading may be the old picture: ask again, at the earliest then. */
  | { readonly kind: "wait"; readonly until: SteadyTime; readonly why: string }
  /** Only a person can tell. */
  | { readonly kind: "ask"; readonly why: string }
  /** The question had no answer (R2). */
  | { readonly kind: "no-answer"; readonly why: string };

export interface Asking {
  /** When the question was sent: what it shows is not newer than that. By the wall clock, to be shown. */
  readonly askedAt: Instant;
  /** The same by `clock`, to count from. */
  readonly askedMs: number;
  /** What the asker's clock reads now. */
  readonly clock: ClockReading;
  /** A process with one of the step's keys lives (N6). */
  readonly senderAlive: boolean;
  /**
   * Asked by the operation that made the call, right after it. What contradicts the call's own answer (nothing there
   * after a create, still there after a destroy) is then left in doubt for a later look.
   */
  readonly justCalled: boolean;
  /** Of the inputs that `asDeclared` speaks of; null or absent: those of the call itself. */
  readonly inputsDigest?: string | null;
}

/** An asking on the step's own scale. */
type Dated = Asking & { readonly asked: SteadyTime };

const dated = (state: StepState, asking: Asking): Dated => {
  const { clock, askedAt, askedMs } = asking;
  const wallNow = instant(askedAt + clock.ms - askedMs);
  const now = { clock, steady: steadyNow(state.anchor, wallNow, clock) };
  return { ...asking, asked: steadyThen(now, { id: clock.id, ms: askedMs }) };
};

/** What the asker's wall clock will say then. */
const wall = ({ asked, askedAt }: Dated, then: SteadyTime): Instant => instant(askedAt + then - asked);

const latest = (opens: readonly OpenIntent[]): OpenIntent | undefined => opens.at(-1);

export const judgeReading = (state: StepState, raw: Reading, how: Asking): Belief => {
  const asking = dated(state, how);
  // What an `owed` or a `compensate` did cannot be read off the thing.
  const readable = state.open.filter(
    (o) => o.action !== "owed" && o.action !== "compensate" && !aimedElsewhere(state, o),
  );
  if (readable.length === 0) {
    const unreadable = latest(state.open);
    // R2: an unanswered question is said even where nothing was in doubt: what is recorded was not seen now.
    if (unreadable === undefined)
      return answered(raw) ? { kind: "no-doubt" } : { kind: "no-answer", why: raw.reason };
    return {
      kind: "ask",
      why: `no reading can tell what ${unreadable.action} did; decide with resolve, or run it again if it is idempotent`,
    };
  }
  // Who is of another clock holds the stack since the call was recorded, so nothing was asked before it.
  const isOneClock = state.anchor.clock.id === asking.clock.id;
  const older = isOneClock ? readable.find((o) => asking.asked < o.begun) : undefined;
  if (older !== undefined)
    return { kind: "no-answer", why: `it was asked before the ${older.action} that is in doubt was begun` };
  const reading = readingAbout(state, raw);
  // `settle` counts from the moment the sender is known to be gone, and this look may be what tells it.
  const senderAlive = asking.senderAlive || readable.some((o) => hasNoEndYet(state, o));
  switch (reading.kind) {
    case "observed":
      return there(state, readable, reading, { ...asking, senderAlive });
    case "absent":
      return gone(state, readable, { ...asking, senderAlive });
    case "ambiguous":
      return {
        kind: "ask",
        why: `several things match (${reading.ids.join(", ")}), and none is proven to be this step's`,
      };
    default:
      return { kind: "no-answer", why: reading.reason };
  }
};

const settleAll = (
  opens: readonly OpenIntent[],
  says: (open: OpenIntent) => Settlement,
  reason: string,
): Belief => ({
  kind: "settled",
  settlements: opens.map((open) => ({ intent: open.intent, says: says(open), reason })),
});

// ---- the thing is there ----------------------------------------------------------------------------------------

const there = (
  state: StepState,
  all: readonly OpenIntent[],
  reading: Extract<Reading, { kind: "observed" }>,
  asking: Dated,
): Belief => {
  // R1: what it looks like tells nothing of a call that may have left another one.
  const opens = all.filter((o) => !o.leftNothing);
  const destroy = latest(opens.filter((o) => o.action === "destroy"));
  if (destroy !== undefined) return stillThere(state, opens, destroy, reading.reason, asking);

  const call = latest(opens);
  if (call === undefined) return mayBeBeside(all);
  const unknownId = state.identity === null && !state.present;
  if (unknownId && state.policy.retry === "named" && !opens.some((o) => o.absenceSeen))
    return {
      kind: "ask",
      why: "a thing of that name is there, but its absence was not seen before the call: it may be somebody else's",
    };

  const told = reading.asDeclared;
  // Said, but not to be understood: other than silence, that is no answer (R2).
  if (told.kind === "unreadable")
    return { kind: "no-answer", why: `it is there, but whether as declared could not be read: ${told.why}` };
  const id = reading.id === null ? "it" : reading.id;
  const until = believableFrom(state, call);
  const isEarly = asking.asked < until || asking.senderAlive;
  // As it was before the call, and as it is wanted now: the old picture says so while the call takes effect.
  if (isEarly && told.kind === "known" && told.value && isAboutOthers(asking, call))
    return {
      kind: "wait",
      until,
      why: `${id} is not yet seen with what the ${call.action} in doubt carried`,
    };
  if (told.kind === "known" && told.value)
    return settleAll(
      opens,
      (o) => (o === call ? "complete" : "superseded"),
      `observed present and as declared: ${id}`,
    );
  const why = reading.reason === null ? "" : `: ${reading.reason}`;
  // N6: whatever it looks like now, who is still at work on it may change it.
  if (asking.senderAlive)
    return {
      kind: "wait",
      until,
      why: `${id} is there, and a provider's process that carries the key still lives`,
    };
  // Of a thing that was there before, presence alone does not tell that a change which may still come is past (N5).
  if (isEarly && told.kind !== "known" && call.action === "update" && call.outcome === null)
    return {
      kind: "wait",
      until,
      why: `${id} is there, but nothing tells what the ${call.action} in doubt did`,
    };
  if (call.outcome === "failed")
    return settleAll(
      opens,
      (o) => (o === call ? "drift" : "superseded"),
      `${id} is there after a ${call.action} that answered it failed${why}`,
    );
  if (told.kind !== "known")
    return settleAll(
      opens,
      (o) => (o === call ? "complete" : "superseded"),
      `observed present: ${id}; the provider does not tell whether it is as declared`,
    );
  if (isEarly) return { kind: "wait", until, why: `${id} is there, but not as declared yet${why}` };
  return settleAll(
    opens,
    (o) => (o === call ? "drift" : "superseded"),
    `${id} is there, but not as declared${why}`,
  );
};

const mayBeBeside = ([create]: readonly OpenIntent[]): Belief =>
  create === undefined
    ? { kind: "no-doubt" }
    : {
        kind: "ask",
        why: `it is there, but an earlier create was answered late with done and may have left another one beside it: look for ${create.key} at the provider, then decide with resolve`,
      };

const isAboutOthers = ({ inputsDigest }: Asking, call: OpenIntent): boolean =>
  inputsDigest !== undefined && inputsDigest !== null && inputsDigest !== call.inputsDigest;

/** A destroy that was aimed at a second object says nothing about the first. */
const aimedElsewhere = (state: StepState, open: OpenIntent): boolean =>
  open.action === "destroy" && open.target !== null && state.surplus.some((s) => s.id === open.target);

/** D3, D5: a destroy that returned is no evidence; the thing that is still there never becomes complete again by it. */
const stillThere = (
  state: StepState,
  opens: readonly OpenIntent[],
  destroy: OpenIntent,
  reason: string | null,
  asking: Dated,
): Belief => {
  const until = believableFrom(state, destroy);
  const how = reason === null ? "" : ` (${reason})`;
  if (asking.asked < until || asking.senderAlive || asking.justCalled)
    return { kind: "wait", until, why: `the thing is still there${how}; its destroy may still take effect` };
  const said = destroy.outcome === null ? "has no outcome" : `was answered with ${destroy.outcome}`;
  return settleAll(
    opens,
    (o) => (o === destroy ? "still-there" : "superseded"),
    `destroy ${said}, and the thing is still there${how}`,
  );
};

// ---- nothing is there ------------------------------------------------------------------------------------------

const gone = (state: StepState, all: readonly OpenIntent[], asking: Dated): Belief => {
  // Looked for by its id, it says nothing of what stands beside it; that is looked for once this one is gone.
  const own = state.identity === null ? all : all.filter((o) => !o.leftNothing);
  const opens = own.length === 0 ? all : own;
  const destroy = latest(opens.filter((o) => o.action === "destroy"));
  const creates = opens.filter((o) => o.action === "create");
  const call = latest(opens);
  if (call === undefined) return { kind: "no-doubt" };
  const at = iso(asking.askedAt);

  // A create that is not past may still happen or still show, whatever its answer told: before that, no absence counts.
  const until = steadyTime(Math.max(0, ...creates.map((o) => believableFrom(state, o))));
  const contradicts = asking.justCalled && destroy === undefined;
  if (creates.length > 0 && (asking.senderAlive || contradicts || asking.asked < until))
    return {
      kind: "wait",
      until,
      why: senderOr(
        asking,
        `nothing was found, but the ${call.action} may still show before ${iso(wall(asking, until))}`,
      ),
    };

  if (destroy !== undefined) {
    const says = (o: OpenIntent): Settlement => (o === destroy ? "gone" : "superseded");
    return settleAll(byLast(opens, destroy), says, `its absence was observed at ${at}`);
  }
  if (!state.present && creates.length > 0)
    return settleAll(
      opens,
      () => "no-effect",
      `the ${call.action} left nothing: its absence was observed at ${at}`,
    );
  return wasThere(state, opens, call, asking);
};

const senderOr = (asking: Asking, why: string): string =>
  asking.senderAlive
    ? "nothing was found, but a provider's process that carries the key lives, or lived until now"
    : why;

/** The settlement that ends the incarnation has to be the last of the batch. */
const byLast = (opens: readonly OpenIntent[], last: OpenIntent): readonly OpenIntent[] => [
  ...opens.filter((o) => o !== last),
  last,
];

/** R3: it was known to exist, so it is gone only on two readings that are `settle` apart, and after every call is past. */
const wasThere = (
  state: StepState,
  opens: readonly OpenIntent[],
  call: OpenIntent,
  asking: Dated,
): Belief => {
  const past = Math.max(...opens.map((o) => believableFrom(state, o)));
  const first = state.missingSince;
  const since = first === null ? asking.asked : first.steady;
  const until = steadyTime(Math.max(past, since + state.policy.settleMs));
  if (asking.senderAlive || asking.justCalled || first === null || asking.asked < until)
    return {
      kind: "wait",
      until,
      why: senderOr(asking, "nothing was found once; it is looked for a second time"),
    };
  const says = (o: OpenIntent): Settlement => (o === call ? "gone" : "superseded");
  return settleAll(
    byLast(opens, call),
    says,
    `nothing was found at ${iso(first.at)} and at ${iso(asking.askedAt)}`,
  );
};

// ---- sending again ---------------------------------------------------------------------------------------------

/**
 * Whether the provider still knows the key. Here steady time alone would be too little, as a machine that slept does not
 * count on, and the wall clock alone may have been set back: the older of the two ages counts.
 */
const isFresh = ({ keySince, anchor, policy }: StepState, now: Instant, clock: ClockReading): boolean => {
  if (keySince === null || now < keySince.at) return false;
  const age = Math.max(now - keySince.at, steadyNow(anchor, now, clock) - keySince.steady);
  return age < policy.keyLifetimeMs;
};

/** Why the call in doubt may not be sent again; undefined when its class allows it (R5). */
export const resendFault = (
  state: StepState,
  today: {
    readonly inputsDigest: string;
    readonly now: Instant;
    readonly clock: ClockReading;
    readonly senderAlive: boolean;
  },
): string | undefined => {
  const call = latest(state.open);
  if (call === undefined) return undefined;
  if (state.open.some((o) => o.leftNothing))
    return "an earlier create was answered late with done, so there may be one already that nobody knows";
  if (today.senderAlive) return "a provider's process that carries the key still lives and may still act";
  switch (state.policy.retry) {
    case "idempotent":
      return undefined;
    case "keyed": {
      if (call.inputsDigest !== today.inputsDigest)
        return "its key may be sent again only with the same body, and the inputs have changed since";
      return isFresh(state, today.now, today.clock)
        ? undefined
        : "the lifetime of its key is over, so the provider may have forgotten it";
    }
    case "named":
      return state.open.some((o) => o.absenceSeen)
        ? undefined
        : "its absence was not observed before the first attempt";
    case "once":
      return "it is declared retry: once, and its absence is not proven";
  }
};
