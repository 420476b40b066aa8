import { instant, intentId, operationId, stackName, stepName } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Spooled } from "../../src/ports/spool.ts";
import { reading } from "./clock.ts";

/** A result for the spool, as the runtime would keep it. */
export const spooledOutcome = (
  id: string,
  outputs: JsonObject = { ip: "10.0.0.1" },
  endedAt = 1000,
): Spooled => ({
  stack: stackName("shop"),
  ledger: "lg_0197a000-0000-7000-8000-000000000009",
  record: {
    kind: "outcome",
    step: stepName("web"),
    operation: operationId("op_0197a000-0000-7000-8000-000000000002"),
    at: instant(endedAt),
    clock: reading(endedAt),
    intent: intentId("in_0197a000-0000-7000-8000-000000000001"),
    outcome: { kind: "done", id, outputs, owes: [] },
    source: "call",
    endedAt: instant(endedAt),
    ended: reading(endedAt),
  },
});

export const spooledIdentity = (id: string): Spooled => ({
  stack: stackName("shop"),
  ledger: "lg_0197a000-0000-7000-8000-000000000009",
  record: {
    kind: "identity",
    step: stepName("web"),
    operation: operationId("op_0197a000-0000-7000-8000-000000000002"),
    at: instant(999),
    clock: reading(999),
    intent: intentId("in_0197a000-0000-7000-8000-000000000001"),
    id,
    outputs: {},
  },
});
