/**
 * Whatever a saved plan's file holds: it permits what a genuine plan said, or it is refused with a sentence. Nothing
 * that permits anything may be changed in it without being seen.
 */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../../src/domain/ids.ts";
import { digest, stepName } from "../../../src/domain/ids.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import { readSavedPlan, type SavedPlan } from "../../../src/wire/api/plan.ts";
import { type Campaign, caught, holds, isReplay, runs, type Verdict } from "./campaign.ts";
import { diceOf } from "./dice.ts";
import { type PlanText, planText } from "./plan-text.ts";

type Read = (text: string) => SavedPlan | { readonly fault: string };

type GenuineStep = Readonly<Record<"step" | "do", string>> & {
  readonly inputsDigest: string | null;
  readonly gate: JsonObject | null;
};

/** What a genuine plan permits, taken from the value that was saved. */
const permittedBy = (genuine: JsonObject): SavedPlan => {
  const steps = genuine["steps"] as unknown as readonly GenuineStep[];
  const named = (wanted: readonly GenuineStep[]) => wanted.map(({ step }) => stepName(step));
  return {
    stack: String(genuine["stack"]),
    digest: digest(String(genuine["digest"])),
    position: digest(String(genuine["position"])),
    fileDigest: genuine["fileDigest"] === null ? null : digest(String(genuine["fileDigest"])),
    destroys: new Set(named(steps.filter((step) => step.do === "replace" || step.do === "destroy"))),
    inputs: new Map(
      steps.flatMap(({ step, inputsDigest }): [ReturnType<typeof stepName>, Digest][] =>
        inputsDigest === null ? [] : [[stepName(step), digest(inputsDigest)]],
      ),
    ),
    gated: new Map(
      steps.flatMap(({ step, gate, do: what }) => (gate === null ? [] : [[stepName(step), what]])),
    ),
  };
};

const judge = (read: Read, { text, genuine, unchanged }: PlanText): Verdict => {
  const saved = read(text);
  if ("fault" in saved) {
    if (unchanged)
      return { as: "refused", fault: `a plan that says what it said is refused: ${saved.fault}` };
    return /^(is|has|was) .{5,}/.test(saved.fault)
      ? { as: "refused" }
      : { as: "refused", fault: "refused without a reason" };
  }
  if (genuine.some((one) => isDeepStrictEqual(saved, permittedBy(one)))) return { as: "accepted" };
  return {
    as: "accepted",
    fault: `it was changed, and permits now ${JSON.stringify(saved, (_, v) => (v instanceof Map || v instanceof Set ? [...v] : v))}`,
  };
};

const plans = (read: Read): Campaign<PlanText> => ({
  name: "saved plans",
  make: planText,
  judge: (input) => judge(read, input),
  show: ({ text }) => text,
});

describe("fuzz: a saved plan", () => {
  it("permits what a genuine plan said, or is refused", async () => {
    const told = await holds(plans(readSavedPlan), runs({ ci: 10_000, soak: 250_000 }));
    if (!isReplay) for (const kind of ["accepted", "refused"]) expect(told.as[kind]).toBeGreaterThan(500);
  });
});

describe.skipIf(isReplay)("who has to approve is covered by the digest", () => {
  const first = (
    wanted: (step: JsonObject) => boolean,
    input = 0,
  ): { readonly plan: JsonObject; readonly steps: readonly JsonObject[] } => {
    const [plan] = planText(diceOf(1, input)).genuine as [JsonObject];
    const steps = plan["steps"] as unknown as readonly JsonObject[];
    return steps[0] !== undefined && wanted(steps[0]) ? { plan, steps } : first(wanted, input + 1);
  };
  const edited = ({ plan, steps }: ReturnType<typeof first>, change: JsonObject) =>
    readSavedPlan(JSON.stringify({ ...plan, steps: [{ ...steps[0], ...change }, ...steps.slice(1)] }));

  it("an approval that is edited in where no rule asks for one is seen", () => {
    const free = first((step) => step["gate"] === null);
    expect(edited(free, { needsApproval: "edited in" })).toHaveProperty("fault");
    expect(edited(free, { gate: { before: "any", by: ["mallory"] } })).toHaveProperty("fault");
  });
  it("a rule that is edited out is seen; what is missing at the moment says nothing of what is permitted", () => {
    const ruled = first((step) => step["needsApproval"] !== null);
    expect(edited(ruled, { gate: null, needsApproval: null })).toHaveProperty("fault");
    expect(edited(ruled, { needsApproval: null })).toEqual(edited(ruled, {}));
  });
});

describe.skipIf(isReplay)("control: a careless reader is caught", () => {
  const genuineIn = (text: string): JsonObject | undefined => {
    try {
      const value: JsonObject = JSON.parse(text);
      return Array.isArray(value["steps"]) &&
        value["steps"].every((step) => typeof step === "object" && step !== null)
        ? value
        : undefined;
    } catch {
      return undefined;
    }
  };
  const MUTANTS: Readonly<Record<string, readonly [read: Read, says: RegExp]>> = {
    "the digest is skipped": [
      (text) => {
        const value = genuineIn(text);
        return value === undefined ? { fault: "is not JSON" } : permittedBy(value);
      },
      /it was changed, and permits now/,
    ],
    "what is destroyed is read from a field that no digest covers": [
      (text) => {
        const saved = readSavedPlan(text);
        const value = genuineIn(text);
        if ("fault" in saved || value === undefined) return saved;
        const steps = value["steps"] as unknown as readonly JsonObject[];
        return {
          ...saved,
          destroys: new Set(
            steps.filter((step) => step["destroys"] !== false).map((step) => stepName(String(step["step"]))),
          ),
        };
      },
      /it was changed, and permits now/,
    ],
    "who has to approve is read from a field that no digest covers": [
      (text) => {
        const saved = readSavedPlan(text);
        const value = genuineIn(text);
        if ("fault" in saved || value === undefined) return saved;
        const steps = value["steps"] as unknown as readonly JsonObject[];
        const waiting = steps.filter((step) => step["needsApproval"] !== null);
        return {
          ...saved,
          gated: new Map(waiting.map((step) => [stepName(String(step["step"])), String(step["do"])])),
        };
      },
      /it was changed, and permits now/,
    ],
    "what cannot be read permits nothing, and that is a plan": [
      (text) => {
        const saved = readSavedPlan(text);
        if (!("fault" in saved)) return saved;
        const none = digest("");
        return {
          stack: "shop",
          digest: none,
          position: none,
          fileDigest: null,
          destroys: new Set(),
          inputs: new Map(),
          gated: new Map(),
        };
      },
      /it was changed, and permits now/,
    ],
    "every plan is refused": [() => ({ fault: "is not a saved plan" }), /says what it said is refused/],
  };
  for (const [what, [read, says]] of Object.entries(MUTANTS))
    it(what, async () => expect(await caught(plans(read), 3_000, says)).toMatch(says));
});
