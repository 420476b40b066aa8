/**
 * A verdict that is kept: judged from the very files that are kept, and made durable before it is told. Where it cannot be
 * made durable the verdict stands and is told, and that it was not kept is told with it (exit 22, ADR 0053).
 */
import type { EvidenceQuestion } from "../domain/evidence-question.ts";
import { EXIT, type ExitCode, worstExit } from "../domain/exit.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { KeptAs } from "../wire/api/kept-as.ts";
import type { Comparison } from "./comparison.ts";
import type { Verdict } from "./evidence-run.ts";
import { keyOf, reportOfSaved, savedSweep, sweepOf } from "./sweep.ts";

/** `collected`: what the kept files say, read as `verify --from` reads them. `window`: as the clock of this host had it. */
export const judgedFrom = (
  collected: Collected,
  { asked, limits }: EvidenceQuestion,
  window: { readonly from: Collected["from"]; readonly to: Collected["to"] },
  comparison: Comparison,
): Verdict => {
  const kept: Collected = {
    ...collected,
    ...window,
    evidence: { ...collected.evidence, limits },
  };
  if (asked.kind === "one") return { kind: "one", report: reportOfSaved(kept, asked.question, comparison) };
  const pins = new Map(asked.pins.map((pin) => [keyOf(pin), pin.uid]));
  const evidence = { ...savedSweep(kept), nameless: asked.nameless };
  return { kind: "sweep", list: sweepOf(evidence, asked.question, comparison, pins) };
};

/** What a watch has to say of it besides: how long it looked, and what it saw on the way. */
export const seenBy = <T extends Watched>(verdict: T, watched: T): T => {
  const { limits } = verdict.trust;
  const more = watched.trust.limits.filter((limit) => !limits.includes(limit));
  return {
    ...verdict,
    window: watched.window,
    trust: { ...verdict.trust, limits: [...limits, ...more] },
  };
};

interface Watched {
  readonly window: unknown;
  readonly trust: { readonly limits: readonly string[] };
}

export const withKept = <T extends { readonly exit: ExitCode }>(verdict: T, kept: KeptAs): T => ({
  ...verdict,
  kept,
  exit: kept.kind === "recorded" ? verdict.exit : worstExit([verdict.exit, EXIT.notDurable]),
});
