/** Saved plans: right ones, and right ones that were edited, damaged, or put together from two. */
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { plan, planDigest } from "../../../src/wire/api/plan.ts";
import { damaged } from "./damage.ts";
import type { Dice } from "./dice.ts";

export interface PlanText {
  readonly text: string;
  /** The genuine plans that it was made of. */
  readonly genuine: readonly JsonObject[];
  /** It says what the first of them says, however it is written. */
  readonly unchanged: boolean;
}

const digestLike = (dice: Dice): string =>
  `sha256:${Array.from({ length: 64 }, () => dice.pick([..."0123456789abcdef"])).join("")}`;

/** A plan as `plan --out` writes it. */
const genuinePlan = (dice: Dice): JsonObject => {
  const stack = dice.pick(["shop", "office", "ü"]);
  const steps = Array.from({ length: dice.below(5) }, (_, at) => {
    const rule = { before: dice.pick(["create", "update", "destroy", "any"]), by: ["alice", "bob"] };
    const gate = dice.once(2) ? rule : null;
    const what = dice.pick(["create", "update", "replace", "destroy", "leave", "observe-first", "decide"]);
    return {
      step: `step-${at}`,
      uses: dice.pick(["exec", "http"]),
      do: what,
      why: dice.pick(["it is not there yet", "its inputs have changed", "nothing has changed"]),
      changed: dice.once(2) ? ["/size"] : [],
      cannotKnow: [],
      retained: null,
      gate,
      needsApproval: gate !== null && dice.once(2) ? "alice or bob has to approve" : null,
      destroys: what === "replace" || what === "destroy",
      inputsDigest: dice.once(4) ? null : digestLike(dice),
    };
  });
  const known = {
    stack,
    verb: "apply",
    position: digestLike(dice),
    fileDigest: dice.once(6) ? null : digestLike(dice),
  };
  const digest = planDigest({ ...known, steps });
  return plan({ ...known, steps, changes: steps.length, digest, notes: [] });
};

const WORDS = [
  '"do":"destroy"',
  '"do": "leave"',
  '"destroy"',
  '"leave"',
  '"needsApproval": null',
  '"gate": null',
  '"before": "any"',
  '"by": ["mallory"]',
  '"inputsDigest": null',
  '"kind": "Plan"',
  '"verb": "destroy"',
  '"steps": []',
  '"__proto__": {"do":"destroy"}',
  "null",
  "[]",
  "{}",
  "1e999",
  '"\\ud800"',
  ",",
  "}",
  "]",
  '"',
  " ",
].map((word) => Buffer.from(word));

/** One value somewhere in it is another one. */
const edited = (dice: Dice, value: JsonValue): JsonValue => {
  if (Array.isArray(value) && value.length > 0 && !dice.once(4)) {
    const at = dice.below(value.length);
    if (dice.once(4)) return value.filter((_, index) => index !== at);
    if (dice.once(4)) return [...value, value[at] as JsonValue];
    return value.map((item, index) => (index === at ? edited(dice, item) : item));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !dice.once(8)) {
    const keys = Object.keys(value);
    const key = dice.pick(keys);
    const kept = Object.entries(value);
    if (dice.once(6)) return Object.fromEntries(kept.filter(([name]) => name !== key));
    if (dice.once(8)) return Object.fromEntries([...kept, ["added", 1]]);
    return Object.fromEntries(kept.map(([name, item]) => [name, name === key ? edited(dice, item) : item]));
  }
  return dice.pick<JsonValue>([
    "destroy",
    "leave",
    "replace",
    "create",
    null,
    true,
    0,
    "",
    [],
    {},
    digestLike(dice),
    "step-0",
    "office",
  ]);
};

/** The same value, written otherwise. */
const rewritten = (dice: Dice, value: JsonObject): string => {
  if (dice.once(2)) return JSON.stringify(value);
  const shuffled = Object.fromEntries(Object.entries(value).toSorted(() => dice.below(3) - 1));
  return JSON.stringify(shuffled, null, dice.pick([0, 1, 2, 7]));
};

export const planText = (dice: Dice): PlanText => {
  const genuine = [genuinePlan(dice), genuinePlan(dice)];
  const [first, second] = genuine as [JsonObject, JsonObject];
  switch (dice.below(6)) {
    case 0:
      return { text: rewritten(dice, first), genuine, unchanged: true };
    case 1: {
      const field = dice.pick(Object.keys(first));
      const mixed = { ...first, [field]: second[field] ?? null };
      return { text: JSON.stringify(mixed), genuine, unchanged: false };
    }
    case 2:
    case 3:
      return {
        text: JSON.stringify(edited(dice, first), null, dice.pick([0, 2])),
        genuine,
        unchanged: false,
      };
    default: {
      const bytes = damaged(dice, Buffer.from(JSON.stringify(first, null, dice.pick([0, 2]))), WORDS);
      return { text: bytes.toString("utf8"), genuine, unchanged: false };
    }
  }
};
