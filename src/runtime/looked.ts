/** What one look of a watch shows of what is waited for: what it read, at its time, and nothing of what came since. */
import type { Finding } from "../domain/finding.ts";
import type { Instant } from "../domain/ids.ts";
import type { SweepQuestion } from "../domain/question.ts";
import type { HeldUp } from "../judge/held-up.ts";
import type { Looked, Wait } from "../ports/reporter.ts";
import type { VerdictList } from "./sweep.ts";
import type { VerdictReport } from "./verify.ts";

/** More are counted: nobody reads them, and a sweep has thousands. */
const MOST = 20;

interface When {
  readonly at: Instant;
  readonly windowLeftMs: number;
}

/** `serverAt`: the same moment by the API server's clock, by which its deadline counts. */
export const lookedAt = (
  report: VerdictReport,
  { pods, deadlineAt }: HeldUp,
  { at, windowLeftMs, serverAt }: When & { readonly serverAt: Instant },
): Looked => {
  const claims = report.findings
    .filter(isWaitedFor)
    .sort((a, b) => WORST.indexOf(a.finding) - WORST.indexOf(b.finding))
    .map(({ claim, finding, sentence }): Wait => ({ what: claim, finding, why: sentence }));
  const held = pods.map(
    ({ name, lasting, clause }): Wait => ({
      what: `Pod ${name}`,
      finding: lasting ? "refuted" : "progressing",
      why: clause,
    }),
  );
  return {
    kind: "looked",
    subject: nameOf(report),
    verdict: report.verdict,
    statement: report.statement,
    at,
    windowLeftMs,
    deadlineLeftMs:
      report.verdict === "proven" || deadlineAt === null ? null : Math.max(0, deadlineAt - serverAt),
    ...first(report.verdict === "proven" ? [] : [...claims, ...held]),
  };
};

/** The worst verdicts come first in a list as they are. */
export const sweptAt = (list: VerdictList, at: Instant, windowLeftMs: number): Looked => ({
  kind: "looked",
  subject: list.selection === null ? "all targets" : subjectOf(list.selection),
  verdict: list.verdict,
  statement: list.statement,
  at,
  windowLeftMs,
  deadlineLeftMs: null,
  ...first([
    ...list.unread.map((why): Wait => ({ what: "not read", finding: "undetermined", why })),
    ...list.items
      .filter(({ verdict }) => verdict !== "proven")
      .map((item): Wait => ({ what: nameOf(item), finding: item.verdict, why: item.statement })),
  ]),
});

const WORST = ["refuted", "undetermined", "progressing", "proven"];

/** What is refuted counts, whether the verdict needs it or not. */
const isWaitedFor = ({ finding, required }: Finding): boolean =>
  finding === "refuted" || (required && finding !== "proven");

const first = (waits: readonly Wait[]): Pick<Looked, "waits" | "more"> => ({
  waits: waits.slice(0, MOST),
  more: Math.max(0, waits.length - MOST),
});

/** What a sweep takes in. */
export const subjectOf = ({
  kinds,
  namespace,
  selector,
}: Omit<SweepQuestion, "claims" | "selector"> & {
  readonly selector: string | { readonly text: string } | null;
}): string => {
  const what = kinds === null ? "workloads" : kinds.join(", ");
  const where = namespace === null ? "all namespaces" : `namespace ${namespace}`;
  const having = typeof selector === "string" ? selector : selector?.text;
  return `${what} of ${where}${having === undefined ? "" : ` with ${having}`}`;
};

export const nameOf = ({ target }: VerdictReport): string =>
  `${target.kind} ${target.namespace === null ? "" : `${target.namespace}/`}${target.name}`;
