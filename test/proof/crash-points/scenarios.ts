import { CALLS, FAMILIES } from "./calls.ts";
import { DECISIONS, RECOVERIES, SENDERS, SPOOLS } from "./doubts.ts";
import type { Scenario } from "./scenario.ts";

export const SCENARIOS: readonly Scenario[] = [
  ...CALLS,
  ...FAMILIES,
  ...DECISIONS,
  ...RECOVERIES,
  ...SPOOLS,
  ...SENDERS,
];
