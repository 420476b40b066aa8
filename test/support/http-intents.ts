/** Intents and questions for driving a provider without a ledger. Takes the mint, so at most one such file per process. */
import { type CommittedIntent, claimMint, type Fence } from "../../src/domain/committed-intent.ts";
import { epoch, instant, intentId, key, operationId, stackName, stepName } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Action } from "../../src/domain/step.ts";
import type { CallIo, Question } from "../../src/ports/provider.ts";

const mint = claimMint();

export const KEY = key("asf-0197c0de-0000-7000-8000-000000000001");
const STACK = stackName("shop");
const STEP = stepName("machine");
const OPERATION = operationId("op_0197c0de-0000-7000-8000-000000000002");

export interface Wanted {
  readonly inputs: JsonObject;
  readonly id?: string;
  readonly key?: typeof KEY;
  /** Default: 30 s from the real now. */
  readonly callBy?: number;
  readonly fence?: Fence;
}

export const httpIntent = <A extends Action>(action: A, wanted: Wanted): CommittedIntent<A> => {
  const ours = wanted.key ?? KEY;
  return mint(
    {
      intent: intentId("in_0197c0de-0000-7000-8000-000000000003"),
      action,
      stack: STACK,
      step: STEP,
      operation: OPERATION,
      attempt: 1,
      key: ours,
      keys: [ours],
      epoch: epoch(1),
      callBy: instant(wanted.callBy ?? Date.now() + 30_000),
      inputs: wanted.inputs,
      identity: wanted.id === undefined ? null : { id: wanted.id },
      outputs: {},
      previousInputs: null,
      owes: [],
    },
    wanted.fence ?? (async () => undefined),
  );
};

export const question = (inputs: JsonObject, more: Partial<Question> = {}): Question => ({
  stack: STACK,
  step: STEP,
  operation: OPERATION,
  attempt: 1,
  key: KEY,
  keys: [KEY],
  epoch: 1,
  inputs,
  identity: null,
  outputs: {},
  previousInputs: null,
  ...more,
});

export interface TestIo extends CallIo {
  readonly ids: { readonly id: string; readonly outputs: JsonObject | undefined }[];
  readonly said: string[];
  readonly stopper: AbortController;
}

export const testIo = (more: Partial<Pick<CallIo, "deadlineMs" | "baseDirectory">> = {}): TestIo => {
  const ids: TestIo["ids"] = [];
  const said: string[] = [];
  const stopper = new AbortController();
  return {
    deadlineMs: 60_000,
    stop: stopper.signal,
    identity: async (id, outputs) => {
      ids.push({ id, outputs });
    },
    progress: (text) => {
      said.push(text);
    },
    baseDirectory: ".",
    ...more,
    ids,
    said,
    stopper,
  };
};
