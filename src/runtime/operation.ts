/** What every operation does around its own work: begin, end, and the report of it. */
import { EXIT, type ExitCode, worstExit } from "../domain/exit.ts";
import { exitOf } from "../domain/exit-of-step.ts";
import type { StepName } from "../domain/ids.ts";
import type { Operation } from "../domain/operation.ts";
import type { Stack } from "../domain/step.ts";
import { StoreFault } from "../ports/store.ts";
import { type BeginRequest, begin } from "./begin.ts";
import type { Described } from "./describe.ts";
import type { Session } from "./ledger.ts";
import { isRefused, type Refused, type Runtime, refused } from "./runtime.ts";
import { type Ending, newWork, type Work } from "./work.ts";

/** What came of an operation. The steps' states are read from the ledger. */
export interface Done {
  readonly kind: "done";
  readonly operation: Operation;
  readonly exit: ExitCode;
  readonly summary: string;
  readonly endings: ReadonlyMap<StepName, Ending>;
  /** Sentences for the person: what was left, kept or not reached, and why. */
  readonly notes: readonly string[];
}

export interface Part {
  readonly endings: ReadonlyMap<StepName, Ending>;
  readonly notes?: readonly string[];
  /** Exit codes beyond those of the endings. */
  readonly exits?: readonly ExitCode[];
  /** Whose states count towards the exit code. */
  readonly counted: Iterable<StepName>;
  /** How many steps of its scope it did not come to. */
  readonly unreached: number;
  /** Destroying: a step that is gone is a success, however it went. */
  readonly goneIsFine?: boolean;
  readonly summary: string;
}

/** Runs `body` under the stack's lease. Whatever happens in it, the operation's row is ended and the lease given back. */
export const operate = async (
  runtime: Runtime,
  request: BeginRequest,
  stack: Stack | null,
  body: (work: Work) => Promise<Part | Refused>,
  described: ReadonlyMap<StepName, Described> = new Map(),
): Promise<Done | Refused> => {
  const session = await begin(runtime, request, stack);
  if (isRefused(session)) return session;
  const { operation } = session;
  runtime.reporter.report({
    kind: "operation-began",
    operation: operation.id,
    verb: request.verb,
    steps: session.states.size,
  });
  try {
    const part = await body(newWork(runtime, session, stack, described));
    if (isRefused(part)) {
      await session.end(part.exit, part.why);
      return part;
    }
    const exit = exitFor(runtime, session, part);
    await session.end(exit, part.summary);
    runtime.reporter.report({ kind: "operation-ended", operation: operation.id, summary: part.summary });
    return {
      kind: "done",
      operation: { ...operation, endedAt: runtime.clock.now(), exit, summary: part.summary },
      exit,
      summary: part.summary,
      endings: part.endings,
      notes: part.notes ?? [],
    };
  } catch (error) {
    await session.end(EXIT.broken, error instanceof Error ? error.message : String(error));
    if (error instanceof StoreFault)
      return refused(22, `the ledger could not take a record: ${error.message}`);
    throw error;
  }
};

const exitFor = (runtime: Runtime, session: Session, part: Part): ExitCode => {
  const codes: ExitCode[] = [...(part.exits ?? [])];
  for (const ending of part.endings.values()) if (ending.kind === "stopped") codes.push(ending.exit);
  for (const step of part.counted) {
    const state = session.state(step);
    if (state === undefined) continue;
    const code = part.goneIsFine === true && state.status === "destroyed" ? EXIT.proven : exitOf(state);
    codes.push(code);
  }
  if (session.unfit !== null) codes.push(EXIT.notDurable);
  if (session.spooled > 0) codes.push(EXIT.unresolved);
  if (session.lost.aborted) codes.push(EXIT.refused);
  // A signal that came when all was already done changes nothing.
  const signal = runtime.interrupt.first();
  if (signal !== null && (part.unreached > 0 || codes.some((code) => code !== EXIT.proven)))
    codes.push(signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated);
  return worstExit(codes);
};

/** True once nothing more may be started. */
export const haltedBy = (work: Work, failFast: () => boolean) => (): boolean =>
  work.runtime.interrupt.drain.aborted ||
  work.session.unfit !== null ||
  work.session.lost.aborted ||
  failFast();
