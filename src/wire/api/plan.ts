/**
 * `plan -o json`: kind `Plan`, which is also what `plan --out FILE` saves and `apply --plan FILE` reads again.
 * A saved plan is believed only if its digest is the one of what it says.
 */
import { digest as asDigest, type Digest, type StepName, stepName } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { digestOf } from "../digest.ts";
import { API_VERSION, document } from "./document.ts";

export interface PlannedInput {
  readonly step: string;
  readonly uses: string;
  readonly do: string;
  readonly why: string;
  /** JSON pointers into `with`. */
  readonly changed: readonly string[];
  readonly cannotKnow: readonly string[];
  readonly retained: string | null;
  /** Why a person's approval is missing; null when none is. */
  readonly needsApproval: string | null;
  /** Needs `--allow-destroy`, or an approved saved plan. */
  readonly destroys: boolean;
  readonly inputsDigest: string | null;
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
  needsApproval: planned.needsApproval,
  destroys: planned.destroys,
  inputsDigest: planned.inputsDigest,
});

/** What a saved plan permits, and where it was made. */
export interface SavedPlan {
  readonly stack: string;
  readonly digest: Digest;
  readonly position: Digest;
  readonly fileDigest: Digest | null;
  readonly destroys: ReadonlySet<StepName>;
  readonly inputs: ReadonlyMap<StepName, Digest>;
  readonly needApproval: readonly StepName[];
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
  const steps = value["steps"];
  if (!Array.isArray(steps) || !steps.every(isStep)) return { fault: "has steps that cannot be read" };
  if (digestIn(value, steps) !== value["digest"])
    return { fault: "was changed after it was saved: its digest is not that of what it says" };
  const inputs = steps.flatMap((step): [StepName, Digest][] =>
    step.inputsDigest === null ? [] : [[stepName(step.step), asDigest(step.inputsDigest)]],
  );
  const fileDigest = value["fileDigest"];
  return {
    stack: String(value["stack"]),
    digest: asDigest(String(value["digest"])),
    position: asDigest(String(value["position"])),
    fileDigest: typeof fileDigest === "string" ? asDigest(fileDigest) : null,
    destroys: new Set(steps.filter(removes).map((step) => stepName(step.step))),
    inputs: new Map(inputs),
    needApproval: steps.filter((step) => step.needsApproval !== null).map((step) => stepName(step.step)),
  };
};

/** null: it holds what no plan of ours can (half a surrogate pair, nesting without end). */
const digestIn = (value: JsonObject, steps: readonly SavedStep[]): Digest | null => {
  try {
    return digestOf(bodyOf(value, steps));
  } catch {
    return null;
  }
};

type SavedStep = JsonObject & {
  readonly step: string;
  readonly do: string;
  readonly inputsDigest: string | null;
  readonly needsApproval: string | null;
};

const isStep = (value: JsonValue): value is SavedStep =>
  isJsonObject(value) &&
  typeof value["step"] === "string" &&
  typeof value["do"] === "string" &&
  textOrNull(value["inputsDigest"]) &&
  textOrNull(value["needsApproval"]);

const textOrNull = (value: unknown): boolean => value === null || typeof value === "string";

/** By what the digest covers: a step marked `replace` or `destroy` is what the plan permits to be removed. */
const removes = (step: SavedStep): boolean => step.do === "replace" || step.do === "destroy";

/** What `runtime/plan.ts` digests. */
const bodyOf = (value: JsonObject, steps: readonly SavedStep[]): JsonObject => ({
  verb: value["verb"] ?? null,
  stack: value["stack"] ?? null,
  position: value["position"] ?? null,
  fileDigest: value["fileDigest"] ?? null,
  steps: steps.map((step) => ({ step: step.step, do: step.do, inputsDigest: step.inputsDigest })),
});
