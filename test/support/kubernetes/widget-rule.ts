/** A declared rule for the Widgets of these fixtures: ready by a condition of this generation. */
import type { CustomRule } from "../../../src/domain/custom-rule.ts";

export const WIDGET_RULE: CustomRule = {
  group: "example.com",
  kind: "Widget",
  plural: "widgets",
  short: ["wd"],
  source: "widgets.rules.yaml",
  generation: { kind: "field", path: ["status", "observedGeneration"], as: "number" },
  ready: [{ kind: "condition", type: "Ready", is: ["True"], reasons: null }],
  failed: [{ tests: [{ kind: "condition", type: "Stalled", is: ["True"], reasons: null }], says: null }],
  undetermined: [],
  progressing: [
    { tests: [{ kind: "condition", type: "Ready", is: ["Unknown"], reasons: null }], says: null },
  ],
  message: null,
  pods: null,
  children: [],
};
