/**
 * `plan -o json`: kind `Plan`, which is also what `plan --out FILE` saves and `apply --plan FILE` reads again.
 * A saved plan is believed only if its digest is the one of what it says.
 */
import { digest as asDigest, type Digest, type StepName, stepName } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { digestOf } from "../digest.ts";
import { API_VERSION, document } from "./document.ts";

/** Who may approve, and before which call. */
export interface Gate {
  readonly before: string;
  readonly by: readonly string[];
}

/** What would be done to one thing of a step, by the word of its tool at that moment. */
export interface PreviewInput {
  readonly what: string;
  readonly of: string;
  readonly lines: readonly string[];
}

export interface PlannedInput {
  readonly step: string;
  readonly uses: string;
  readonly do: string;
  readonly why: string;
  /** JSON pointers into `with`. */
  readonly changed: readonly string[];
  readonly cannotKnow: readonly string[];
  readonly retained: string | null;
  /** The rule by which what is planned here needs a person's approval; null when none has a say in it. */
  readonly gate: Gate | null;
  /** Why that approval is missing at this moment; null when none is. */
  readonly needsApproval: string | null;
  /** Needs `--allow-destroy`, or an approved saved plan. */
  readonly destroys: boolean;
  readonly inputsDigest: string | null;
  /** Left out: nothing was asked. No part of the digest: it is a look, and no permission. */
  readonly preview?: readonly PreviewInput[];
}

export interface PlanInput {
  readonly stack: string;
  readonly verb: string;
  readonly steps: readonly PlannedInput[];
  /** How many of them change anything. */
  readonly changes: number;
  readonly digest: string;
  readonly position: string;
  readonly fileDigest: string | null;
  readonly notes: readonly string[];
}

export const plan = (report: PlanInput): JsonObject =>
  document("Plan", {
    stack: report.stack,
    verb: report.verb,
    changes: report.changes,
    steps: report.steps.map(plannedStep),
    notes: [...report.notes],
    digest: report.digest,
    position: report.position,
    fileDigest: report.fileDigest,
  });

/** One step, as it also stands on a line of `-o jsonl`. */
export const plannedStep = (planned: PlannedInput): JsonObject => ({
  step: planned.step,
  provider: planned.uses,
  do: planned.do,
  why: planned.why,
  changed: [...planned.changed],
  cannotKnow: [...planned.cannotKnow],
  retained: planned.retained,
  gate: gateJson(planned.gate),
  needsApproval: planned.needsApproval,
  destroys: planned.destroys,
  inputsDigest: planned.inputsDigest,
  preview:
    planned.preview === undefined
      ? null
      : planned.preview.map(({ what, of, lines }) => ({ what, of, lines: [...lines] })),
});

const gateJson = (gate: Gate | null): JsonObject | null =>
  gate === null ? null : { before: gate.before, by: [...gate.by] };

/**
 * What a plan permits, and under which rules, as one digest. An approval that is given later changes `needsApproval`, and
 * not the rule, so a plan that was approved is still the one that was saved.
 */
export const planDigest = (
  plan: Pick<PlanInput, "verb" | "stack" | "position" | "fileDigest"> & {
    readonly steps: readonly Pick<PlannedInput, "step" | "do" | "inputsDigest" | "gate">[];
  },
): Digest =>
  digestOf({
    verb: plan.verb,
    stack: plan.stack,
    position: plan.position,
    fileDigest: plan.fileDigest,
    steps: plan.steps.map((step) => ({
      step: step.step,
      do: step.do,
      inputsDigest: step.inputsDigest,
      gate: gateJson(step.gate),
    })),
  });

/** What a saved plan permits, and where it was made. */
export interface SavedPlan {
  readonly stack: string;
  readonly digest: Digest;
  readonly position: Digest;
  readonly fileDigest: Digest | null;
  readonly destroys: ReadonlySet<StepName>;
  readonly inputs: ReadonlyMap<StepName, Digest>;
  /** What is done to the steps of which something needs an approval, whether it was given by then or not. */
  readonly gated: ReadonlyMap<StepName, string>;
}

/** Reads what `plan --out` wrote; the fault is one clause. */
export const readSavedPlan = (text: string): SavedPlan | { readonly fault: string } => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "is not JSON; write it with asfound plan --out FILE" };
  }
  if (!isJsonObject(value) || value["kind"] !== "Plan") return { fault: "is not a saved plan" };
  if (value["apiVersion"] !== API_VERSION)
    return { fault: `is not of ${API_VERSION}: another asfound wrote it; plan again with this one` };
  if (value["verb"] !== "apply") return { fault: "is not a plan of apply" };
  const { stack, position, fileDigest = null, steps } = value;
  if (!Array.isArray(steps) || !steps.every(isStep))
    return { fault: "has steps that cannot be read; plan again with this asfound" };
  const said =
    typeof stack === "string" && typeof position === "string" && textOrNull(fileDigest)
      ? { verb: "apply", stack, position, fileDigest, steps }
      : null;
  if (said === null || digestIn(said) !== value["digest"] || steps.some(contradictsItself))
    return { fault: "was changed after it was saved: its digest is not that of what it says" };
  const inputs = steps.flatMap((step): [StepName, Digest][] =>
    step.inputsDigest === null ? [] : [[stepName(step.step), asDigest(step.inputsDigest)]],
  );
  return {
    stack: said.stack,
    digest: asDigest(String(value["digest"])),
    position: asDigest(said.position),
    fileDigest: said.fileDigest === null ? null : asDigest(said.fileDigest),
    destroys: new Set(steps.filter(removes).map((step) => stepName(step.step))),
    inputs: new Map(inputs),
    gated: new Map(steps.flatMap((step) => (step.gate === null ? [] : [[stepName(step.step), step.do]]))),
  };
};

/** null: it holds what no plan of ours can (half a surrogate pair). */
const digestIn = (said: Parameters<typeof planDigest>[0]): Digest | null => {
  try {
    return planDigest(said);
  } catch {
    return null;
  }
};

type SavedStep = JsonObject & {
  readonly step: string;
  readonly do: string;
  readonly inputsDigest: string | null;
  readonly gate: (JsonObject & Gate) | null;
  readonly needsApproval: string | null;
};

const isStep = (value: JsonValue): value is SavedStep =>
  isJsonObject(value) &&
  typeof value["step"] === "string" &&
  typeof value["do"] === "string" &&
  textOrNull(value["inputsDigest"]) &&
  textOrNull(value["needsApproval"]) &&
  (value["gate"] === null || isGate(value["gate"]));

const isGate = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value["before"] === "string" &&
  Array.isArray(value["by"]) &&
  value["by"].every((name) => typeof name === "string");

const textOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** No rule asks for an approval, and one is missing. */
const contradictsItself = (step: SavedStep): boolean => step.gate === null && step.needsApproval !== null;

/** By what the digest covers: a step marked `replace` or `destroy` is what the plan permits to be removed. */
const removes = (step: SavedStep): boolean => step.do === "replace" || step.do === "destroy";
