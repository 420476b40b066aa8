/** How a call begins: its intent opened, its inputs read, and until when its requests may leave (N2, N5). */
import type { Call, CommittedIntent } from "../../domain/committed-intent.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { CALL_BY_SLACK_MS } from "../../domain/step.ts";
import type { Clock } from "../../ports/clock.ts";
import { markOf } from "./inventory.ts";
import { type KubernetesSpec, parse } from "./spec.ts";

/** The last byte leaves this long before others may believe in absence. */
const MARGIN_MS = 1_000;

export interface Fence {
  /** A sentence once it is too late for the first byte (N5). */
  readonly late: () => string | undefined;
  /** How long something may still be sent. */
  readonly leftMs: () => number;
}

export const fenceOf = (clock: Clock, call: Call): Fence => {
  const openedAt = clock.monotonicMs();
  const slack = CALL_BY_SLACK_MS - MARGIN_MS;
  const allowedMs = call.callBy - clock.now() + slack;
  const leftMs = (): number =>
    Math.max(0, Math.min(call.callBy + slack - clock.now(), allowedMs - (clock.monotonicMs() - openedAt)));
  return {
    leftMs,
    late: () =>
      leftMs() === 0
        ? "its call-by passed before it could be sent; the next apply or destroy goes on with it"
        : undefined,
  };
};

/** An outcome: it may not be sent any more. */
export const opened = async (
  intent: CommittedIntent<"create" | "update" | "destroy">,
): Promise<Call | Outcome> => {
  try {
    return await intent.open();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ASFOUND_NOT_SENT")
      return { kind: "refused", reason: error.message };
    throw error;
  }
};

export interface Begun {
  readonly call: Call;
  readonly fence: Fence;
  readonly spec: KubernetesSpec;
  /** Of what is made, or was made, by this step. */
  readonly mark: string;
}

/** An outcome: it ended before anything was read or sent. `refused`: how that is told. */
export const begin = async (
  clock: Clock,
  intent: CommittedIntent<"create" | "update" | "destroy">,
  refused: (reason: string) => Outcome,
): Promise<Begun | Outcome> => {
  const call = await opened(intent);
  if (!("intent" in call)) return call;
  const fence = fenceOf(clock, call);
  const parsed = parse(call.inputs, false);
  if ("faults" in parsed)
    return refused(`'with' cannot be used: ${parsed.faults.map(({ message }) => message).join("; ")}`);
  const mark = call.identity === null ? markOf(call.key) : call.identity.id;
  return { call, fence, spec: parsed.spec, mark };
};
