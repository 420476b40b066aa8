/**
 * Intents for provider tests. In production only `runtime/ledger.ts` may claim the mint; every vitest file has its own
 * module instances, so here it is free. Never import this beside the ledger.
 */
import type { Call, CommittedIntent, Fence } from "../../src/domain/committed-intent.ts";
import { claimMint } from "../../src/domain/committed-intent.ts";
import { epoch, instant, intentId, key, operationId, stackName, stepName } from "../../src/domain/ids.ts";
import type { Action } from "../../src/domain/step.ts";

const mint = claimMint();

/** 2026-01-02T03:04:05.006Z: a call-by that a test can recognise. */
export const CALL_BY = instant(Date.UTC(2026, 0, 2, 3, 4, 5, 6));

const open: Fence = async () => {};

/** A committed intent whose fences are open, unless another `fence` is given. */
export const testIntent = <A extends Action>(
  action: A,
  partial: Partial<Omit<Call<A>, "action">> = {},
  fence: Fence = open,
): CommittedIntent<A> =>
  mint(
    {
      intent: intentId("in_0197a000-0000-7000-8000-000000000001"),
      action,
      stack: stackName("shop"),
      step: stepName("web"),
      operation: operationId("op_0197a000-0000-7000-8000-000000000002"),
      attempt: 1,
      key: key("asf-0197a000-0000-7000-8000-000000000003"),
      keys: [key("asf-0197a000-0000-7000-8000-000000000003")],
      epoch: epoch(7),
      callBy: CALL_BY,
      inputs: {},
      identity: null,
      outputs: {},
      previousInputs: null,
      owes: [],
      ...partial,
    },
    fence,
  );
