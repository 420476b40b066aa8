/** Everything that may be chosen in a run over one step. */
import fc from "fast-check";
import type { Judgement } from "../../src/domain/finding.ts";
import type { RetryClass } from "../../src/domain/step.ts";
import type { Deed, Fate, Look, Setting } from "./operator.ts";

const often = { maxLength: 3, minLength: 1 };

const fate: fc.Arbitrary<Fate> = fc.record({
  ends: fc.constantFrom("done", "failed", "unknown", "crash", "refused", "unsent"),
  effect: fc.constantFrom("now", "late", "never"),
  tellsId: fc.boolean(),
  tellsEarly: fc.boolean(),
  straggles: fc.boolean(),
  owes: fc.boolean(),
  outlives: fc.boolean(),
  doubles: fc.boolean(),
  callMs: fc.constantFrom(500, 5_000),
});

export const look: fc.Arbitrary<Look> = fc.record({
  fails: fc.boolean(),
  hideBirths: fc.boolean(),
  hideDeaths: fc.boolean(),
  hideBodies: fc.boolean(),
  blinks: fc.boolean(),
});

const calling = { fates: fc.array(fate, often), looks: fc.array(look, often) };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("apply" as const), ...calling }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("destroy" as const), ...calling }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("reconcile" as const),
      looks: fc.array(look, often),
      patient: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(5_000, 30_000, 80_000, 330_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("replay" as const), again: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("clock" as const), nth: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Deed>({ do: "edit" }, { do: "vanish" }, { do: "resolve" }, { do: "forget" }),
  },
);

export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(deed, {
  minLength: 1,
  maxLength: 12,
  size: "max",
});

const judging: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("judge" as const),
      finding: fc.constantFrom<Judgement>("proven", "proven", "refuted", "progressing", "undetermined"),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Deed>({ do: "ask-otherwise" }) },
);

/** Of a step that has something to be confirmed by. */
export const judgedDeeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: deed }, { weight: 1, arbitrary: judging }),
  { minLength: 1, maxLength: 14, size: "max" },
);

/** A create whose answer was lost, and nothing of it is left when somebody looks. */
const LOST: Fate = {
  ends: "crash",
  effect: "now",
  tellsId: false,
  tellsEarly: false,
  straggles: true,
  owes: false,
  outlives: false,
  doubles: false,
  callMs: 500,
};

/** What is drawn too rarely: then another is made, and only now the answer comes, and tells no id. */
export const besideAnother: fc.Arbitrary<readonly Deed[]> = deeds.map((script) => [
  { do: "apply", fates: [LOST], looks: [] },
  { do: "vanish" },
  { do: "wait", ms: 80_000 },
  { do: "reconcile", looks: [], patient: true },
  { do: "apply", fates: [], looks: [] },
  { do: "replay", again: false },
  ...script,
]);

export const setting: fc.Arbitrary<Setting> = fc
  .record({
    retry: fc.constantFrom<RetryClass>("once", "keyed", "named", "idempotent"),
    hasIds: fc.boolean(),
    tellsDeclared: fc.boolean(),
    observe: fc.boolean(),
    update: fc.boolean(),
    onChange: fc.constantFrom("replace" as const, null),
    foreign: fc.boolean(),
    clocks: fc.constantFrom("set" as const, "two" as const),
  })
  .map((s) => ({ ...s, confirm: false, foreign: s.foreign && s.retry === "named" && s.hasIds && s.observe }));

export const judgedSetting: fc.Arbitrary<Setting> = setting.map((s) => ({ ...s, confirm: true }));
