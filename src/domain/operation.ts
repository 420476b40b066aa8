/** One run over a stack. */

import type { ExitCode } from "./exit.ts";
import type { Digest, Epoch, Instant, OperationId, StackName } from "./ids.ts";
import type { Holder } from "./lease.ts";

export const VERBS = [
  "apply",
  "destroy",
  "reconcile",
  "compensate",
  "resolve",
  "retain",
  "forget",
  "import",
  "approve",
] as const;
export type Verb = (typeof VERBS)[number];

/** What was permitted and asked for; `resume` repeats it (with today's file). */
export interface OperationOptions {
  /** Empty: all steps. */
  readonly only: readonly string[];
  readonly allowDestroy: boolean;
  readonly failFast: boolean;
  readonly parallelism: number;
}

export interface Operation {
  readonly id: OperationId;
  readonly stack: StackName;
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string | null;
  readonly options: OperationOptions;
  readonly epoch: Epoch;
  readonly holder: Holder;
  readonly startedAt: Instant;
  /** null while it runs, or when its process died. */
  readonly endedAt: Instant | null;
  readonly exit: ExitCode | null;
  /** One sentence of what came of it. */
  readonly summary: string | null;
  /** Of the stack file with its variables, to say later what changed since. */
  readonly fileDigest: Digest | null;
}
