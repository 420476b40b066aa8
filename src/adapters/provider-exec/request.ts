/** What a command is told: one JSON object on stdin (DESIGN §6). */
import type { Call } from "../../domain/committed-intent.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Question } from "../../ports/provider.ts";
import type { ExecAction } from "./with.ts";

export interface ExecRequest {
  readonly protocol: 1;
  readonly action: ExecAction;
  readonly stack: string;
  readonly step: string;
  readonly operation: string;
  readonly attempt: number;
  /** The create's key of this incarnation; null at an observe before anything was sent. */
  readonly key: string | null;
  readonly keys: readonly string[];
  readonly epoch: number;
  /** ISO 8601 in UTC; null at an observe, which sends nothing. */
  readonly callBy: string | null;
  /** The step's `with.inputs`. */
  readonly inputs: JsonObject;
  readonly identity: { readonly id: string } | null;
  readonly outputs: JsonObject;
  /** The `with.inputs` last applied; null before the first. */
  readonly previousInputs: JsonObject | null;
  /** `owed` only: what is owed. */
  readonly owes?: readonly string[];
}

/** The `inputs` of a whole `with`; one that has none passed nothing. */
const inputsOf = (whole: JsonObject): JsonObject => {
  const inputs: JsonValue | undefined = whole["inputs"];
  return isJsonObject(inputs) ? inputs : {};
};

export const requestOfCall = (call: Call): ExecRequest => ({
  protocol: 1,
  action: call.action,
  stack: call.stack,
  step: call.step,
  operation: call.operation,
  attempt: call.attempt,
  key: call.key,
  keys: call.keys,
  epoch: call.epoch,
  callBy: iso(call.callBy),
  inputs: inputsOf(call.inputs),
  identity: call.identity,
  outputs: call.outputs,
  previousInputs: call.previousInputs === null ? null : inputsOf(call.previousInputs),
  ...(call.action === "owed" ? { owes: call.owes } : {}),
});

export const requestOfQuestion = (question: Question): ExecRequest => ({
  protocol: 1,
  action: "observe",
  stack: question.stack,
  step: question.step,
  operation: question.operation,
  attempt: question.attempt,
  key: question.key,
  keys: question.keys,
  epoch: question.epoch,
  callBy: null,
  inputs: inputsOf(question.inputs),
  identity: question.identity,
  outputs: question.outputs,
  previousInputs: question.previousInputs === null ? null : inputsOf(question.previousInputs),
});
