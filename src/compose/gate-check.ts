/** gate check: what is on record, and what is there now. Reads only. */
import { systemClock } from "../adapters/system/clock.ts";
import { EXIT } from "../domain/exit.ts";
import type { GateLive } from "../domain/gate-decision.ts";
import type { Question } from "../domain/question.ts";
import type { Look } from "../runtime/collect.ts";
import { liveEvidence } from "../runtime/collect.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import type { GateAsked } from "../runtime/gate/asked.ts";
import { checkedOf, type GateChecked, type GateReport, gateReport } from "../runtime/gate/check.ts";
import { gateJudged } from "../runtime/gate/judged.ts";
import { onRecord, type Records } from "../runtime/gate/on-record.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import type { OpenedGate } from "./gate.ts";
import { asking, type Live } from "./verify-cluster.ts";

/** `run`: null for the newest of each target. */
export const checkGate = async (
  live: Live,
  opened: OpenedGate,
  records: Records,
  run: string | null,
): Promise<GateReport | Refused> => {
  if (run !== null && opened.asked.length > 1)
    return refused(EXIT.usage, "--run names one run, and this gate has several verifications; leave it out");
  const items: GateChecked[] = [];
  for (const asked of opened.asked) {
    const looked = await lookFor(live, asked);
    if (isRefused(looked)) return looked;
    const record = await onRecord(records, looked.question, run);
    if ("fault" in record)
      return refused(record.reason === "unreadable" ? EXIT.broken : EXIT.usage, record.fault);
    items.push(checkedOf({ asked, record, live: looked.live, report: looked.report }, systemClock.now()));
  }
  return gateReport(opened.file, items, opened.asked, systemClock.now());
};

export interface LookedFor {
  readonly kind: "looked-for";
  /** With the namespace that was asked. */
  readonly question: Question;
  readonly live: GateLive;
  readonly report: VerdictReport;
  readonly look: Look;
}

/** E4: one look at what is there now. */
export const lookFor = (live: Live, { question }: GateAsked): Promise<LookedFor | Refused> =>
  asking(namespaced(live, question), question, async (options) => {
    const look = await liveEvidence({ ...options, comparison: NO_COMPARISON }).collect();
    const { report, verdict } = gateJudged(look, options.question);
    const isRead = look.subject !== null || look.unread === null;
    return {
      kind: "looked-for",
      question: options.question,
      live:
        isRead || report.verdict === "refuted"
          ? { kind: "looked", at: report.judgedAt, judged: verdict }
          : { kind: "not-looked", why: `what is there now could not be read: ${report.statement}` },
      report,
      look,
    };
  });

/** The file's word for where it is comes first; then what the person says, then the context. */
const namespaced = (live: Live, { namespace }: Question): Live =>
  namespace === null ? live : { ...live, namespace };
