import { CALLS, FAMILIES } from "./calls.ts";
import { DECISIONS, RECOVERIES, SENDERS, SPOOLS } from "./doubts.ts";
import type { Scenario } from "./scenario.ts";

export const CALLING: readonly Scenario[] = [...CALLS, ...FAMILIES];
export const DOUBTING: readonly Scenario[] = [...DECISIONS, ...RECOVERIES, ...SPOOLS, ...SENDERS];
export const SCENARIOS: readonly Scenario[] = [...CALLING, ...DOUBTING];
