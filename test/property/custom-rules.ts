/**
 * Declared rules and objects of their kind, both generated, and what is so of them: told from how they were made, not from
 * how they are judged.
 */
import fc from "fast-check";
import type { ConditionStatus, CustomRule, Sign } from "../../src/domain/custom-rule.ts";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { list, metadata } from "../support/kubernetes/object.ts";

const TYPES = ["Ready", "Synced", "Stalled", "Reconciling"] as const;
type Type = (typeof TYPES)[number];

/** Of which generation a condition says that it speaks. */
type Speaks = "this" | "earlier" | "later" | "nothing";

interface Said {
  readonly status: ConditionStatus;
  readonly speaks: Speaks;
}

export interface Declared {
  readonly generation: CustomRule["generation"]["kind"];
  readonly ready: readonly Type[];
  readonly failed: readonly Type[];
  readonly undetermined: readonly Type[];
  readonly progressing: readonly Type[];
  /** What the phase has to be as well; null: it is not asked for. */
  readonly phase: "Done" | null;
}

export interface Widget {
  readonly generation: number;
  /** null: status does not say it. */
  readonly observed: number | null;
  readonly conditions: Readonly<Partial<Record<Type, Said>>>;
  readonly phase: "Done" | "Busy" | null;
}

export interface Made {
  readonly declared: Declared;
  readonly widget: Widget;
}

const said: fc.Arbitrary<Said> = fc.record({
  status: fc.constantFrom("True", "True", "True", "False", "False", "Unknown"),
  speaks: fc.constantFrom("this", "this", "this", "this", "nothing", "earlier", "later"),
});
const types = (minLength: number): fc.Arbitrary<Type[]> =>
  fc.uniqueArray(fc.constantFrom(...TYPES), { minLength, maxLength: 2 });

const signs = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: types(0) });

const declared: fc.Arbitrary<Declared> = fc
  .record({
    generation: fc.constantFrom("field" as const, "field" as const, "conditions" as const, "none" as const),
    ready: types(1),
    failed: signs,
    undetermined: signs,
    progressing: signs,
    phase: fc.constantFrom("Done" as const, null),
  })
  .map((one) => ({ ...one, phase: one.generation === "conditions" ? null : one.phase }));

const widget: fc.Arbitrary<Widget> = fc
  .record({
    generation: fc.integer({ min: 1, max: 4 }),
    behind: fc.constantFrom(0, 0, 0, 1, -1, null),
    conditions: fc.record(
      { Ready: said, Synced: said, Stalled: said, Reconciling: said },
      { requiredKeys: [] },
    ),
    phase: fc.constantFrom("Done" as const, "Done" as const, "Busy" as const, null),
  })
  .map(({ generation, behind, conditions, phase }) => ({
    generation,
    observed: behind === null ? null : Math.max(0, generation - behind),
    conditions,
    phase,
  }));

export const made: fc.Arbitrary<Made> = fc.record({ declared, widget });

const ruleOf = ({ generation, ready, failed, undetermined, progressing, phase }: Declared): CustomRule => {
  const test = (type: Type) => ({ kind: "condition" as const, type, is: ["True" as const], reasons: null });
  const signs = (of: readonly Type[]): readonly Sign[] =>
    of.map((type) => ({ tests: [test(type)], says: null }));
  const [first = "Ready", ...rest] = ready;
  return {
    group: "example.com",
    kind: "Widget",
    plural: "widgets",
    short: [],
    source: "rules.yaml",
    generation:
      generation === "field"
        ? { kind: "field", path: ["status", "observedGeneration"], as: "number" }
        : { kind: generation },
    ready: [
      test(first),
      ...rest.map(test),
      ...(phase === null ? [] : [{ kind: "is" as const, path: ["status", "phase"], values: [phase] }]),
    ],
    failed: signs(failed),
    undetermined: signs(undetermined),
    progressing: signs(progressing),
    message: null,
    pods: null,
    children: [],
  };
};

const speaksOf = (speaks: Speaks, generation: number): JsonObject =>
  speaks === "nothing"
    ? {}
    : { observedGeneration: generation + (speaks === "earlier" ? -1 : speaks === "later" ? 1 : 0) };

const objectOf = ({ generation, observed, conditions, phase }: Widget): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: metadata("Widget", { name: "one", generation }),
  spec: { size: 3 },
  status: {
    ...(observed === null ? {} : { observedGeneration: observed }),
    ...(phase === null ? {} : { phase }),
    conditions: Object.entries(conditions).map(([type, { status, speaks }]) => ({
      type,
      status,
      reason: "Said",
      message: "so it is",
      ...speaksOf(speaks, generation),
    })),
  },
});

export const evidenceFor = (widget: Widget): Evidence =>
  evidenceOf({ "widgets.example.com.json": list([objectOf(widget)]) }, READ_AT);

export const questionFor = (declared: Declared): Question =>
  about("widget/one", { rules: [ruleOf(declared)] });

/** Whether it is done: by the law, from what was made. */
export const isDone = ({ declared, widget }: Made): boolean => {
  const { generation, observed, conditions, phase } = widget;
  // O1: status of this generation, whoever says so.
  if (declared.generation === "field" && observed !== generation) return false;
  if (declared.generation === "none" && generation !== 1) return false;
  const names = declared.generation === "conditions";
  const holds = (type: Type): boolean => {
    const said = conditions[type];
    return (
      said !== undefined &&
      said.status === "True" &&
      (said.speaks === "this" || (!names && said.speaks === "nothing"))
    );
  };
  // V7: what is there and cannot be told leaves it open; what is out of date counts as missing (O4).
  const speaksAgainst = (type: Type): boolean => {
    const said = conditions[type];
    if (said === undefined || said.speaks === "earlier") return false;
    if (said.speaks === "later" || (names && said.speaks === "nothing")) return true;
    return said.status !== "False";
  };
  const against = [...declared.failed, ...declared.undetermined, ...declared.progressing];
  return (
    declared.ready.every(holds) &&
    !against.some(speaksAgainst) &&
    (declared.phase === null || declared.phase === phase)
  );
};

/** What a proof of it rests on, as pointers into its file. */
export const restsOn = ({ declared, widget }: Made): readonly string[] => {
  const there = Object.keys(widget.conditions);
  const fields = ["type", "status", ...(declared.generation === "conditions" ? ["observedGeneration"] : [])];
  return [
    "/items/0/metadata/uid",
    "/items/0/metadata/generation",
    ...(declared.generation === "field" ? ["/items/0/status/observedGeneration"] : []),
    ...(declared.phase === null ? [] : ["/items/0/status/phase"]),
    ...declared.ready.flatMap((type) =>
      fields.map((field) => `/items/0/status/conditions/${there.indexOf(type)}/${field}`),
    ),
  ];
};

/** Whether a sign of failure holds, of this generation. */
export const isFailed = ({ declared, widget }: Made): boolean => {
  const { generation, observed, conditions } = widget;
  if (declared.generation === "field" && observed !== generation) return false;
  if (declared.generation === "none" && generation !== 1) return false;
  return declared.failed.some((type) => {
    const said = conditions[type];
    const isNow =
      said?.speaks === "this" || (declared.generation !== "conditions" && said?.speaks === "nothing");
    return isNow && said?.status === "True";
  });
};
