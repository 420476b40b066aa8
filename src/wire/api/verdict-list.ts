/** `verify -l, -A, -f -o json`: kind `VerdictList`, a VerdictReport for each target. Pure; every field is always there. */
import { citation } from "../../domain/evidence.ts";
import type { Judgement } from "../../domain/finding.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";
import { type KeptAs, recordedMember } from "./kept-as.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface VerdictListInput {
  /** What was asked for; null: several were named, one by one. */
  readonly selection: {
    /** null: all workload kinds. */
    readonly kinds: readonly string[] | null;
    /** null: all namespaces. */
    readonly namespace: string | null;
    readonly selector: string | null;
  } | null;
  readonly verdict: string;
  readonly window: { readonly from: number; readonly to: number; readonly ended: boolean };
  readonly counts: Readonly<Record<Judgement, number>>;
  /** The worst first. */
  readonly items: readonly VerdictReportInput[];
  /** Not judged, and not counted (V5). */
  readonly scaledToZero: readonly VerdictReportInput["target"][];
  /** Kinds that could not be read, each a sentence: they leave the verdict open. */
  readonly unread: readonly string[];
  /** How many were left to what controls them. */
  readonly left: number;
  readonly statement: string;
  readonly notLookedAt: readonly string[];
  readonly trust: { readonly tier: string; readonly limits: readonly string[] };
  readonly exit: number;
  /** Left out: it was not to be kept. */
  readonly kept?: KeptAs;
}

export const verdictList = (list: VerdictListInput): JsonObject =>
  document("VerdictList", { ...verdictListBody(list), items: list.items.map(verdictReport) });

/** All but the items, which other lists have of their own. */
export const verdictListBody = (list: VerdictListInput): JsonObject => ({
  selection:
    list.selection === null
      ? null
      : {
          kinds: list.selection.kinds === null ? null : [...list.selection.kinds],
          namespace: list.selection.namespace,
          selector: list.selection.selector,
        },
  verdict: list.verdict,
  window: { from: time(list.window.from), to: time(list.window.to), ended: list.window.ended },
  counts: { ...list.counts },
  items: [],
  scaledToZero: list.scaledToZero.map(targetIn),
  unread: [...list.unread],
  leftToControllers: list.left,
  statement: list.statement,
  notLookedAt: [...list.notLookedAt],
  trust: { tier: list.trust.tier, limits: [...list.trust.limits] },
  exit: list.exit,
  ...recordedMember(list.kept),
});

export const targetIn = (target: VerdictReportInput["target"]): JsonObject => ({
  ...target,
  source: target.source === null ? null : citation(target.source),
});
