/**
 * What the outputs for CI systems print: the reports of all targets, and what is to be said of the selection as a whole.
 *
 * Law: a verdict that is not proven never looks passed in any of them. Claims that do not count are left out of that, but
 * where nothing else fails, the verdict itself does.
 */
import type { Finding } from "../../../../domain/finding.ts";
import type { VerdictListInput } from "../../../../wire/api/verdict-list.ts";
import type { VerdictReportInput } from "../../../../wire/api/verdict-report.ts";
import { VERDICT } from "../../texts/verdict.ts";

export interface Verdicts {
  readonly items: readonly VerdictReportInput[];
  /** null: one target was named. */
  readonly list: VerdictListInput | null;
  readonly verdict: string;
  readonly statement: string;
}

export const verdictsOf = (given: VerdictReportInput | VerdictListInput): Verdicts => {
  const { verdict, statement } = given;
  return "items" in given
    ? { items: given.items, list: given, verdict, statement }
    : { items: [given], list: null, verdict, statement };
};

/** `shop/Deployment/web`. */
export const placeOf = ({ namespace, kind, name }: VerdictReportInput["target"]): string =>
  [...(namespace === null ? [] : [namespace]), kind, name].join("/");

export type Standing = "passed" | "failed" | "open" | "not-counted";

export interface Told {
  /** A claim's name, or `verdict`, or `selection`. */
  readonly rule: string;
  readonly finding: string;
  readonly reason: string;
  readonly sentence: string;
  readonly standing: Standing;
}

/** One line of each claim of a target. */
export const toldOf = (report: VerdictReportInput): readonly Told[] => {
  const claims = report.findings.map((one) => ({
    rule: one.claim,
    finding: one.finding,
    reason: one.reason,
    sentence: one.sentence,
    standing: standingOf(one),
  }));
  const isTold = claims.some(({ standing }) => standing === "failed" || standing === "open");
  return report.verdict === "proven" || isTold
    ? claims
    : [...claims, asWhole("verdict", report.verdict, report.statement)];
};

/** What is wrong with the selection itself: a kind that was not read, nothing to judge. */
export const toldOfSelection = ({ list, items, verdict, statement }: Verdicts): readonly Told[] => {
  if (list === null) return [];
  const unread = list.unread.map((why) => asWhole("selection", "undetermined", VERDICT.unread(why)));
  if (unread.length > 0) return unread;
  return items.length === 0 ? [asWhole("selection", verdict, statement)] : [];
};

const asWhole = (rule: string, finding: string, sentence: string): Told => ({
  rule,
  finding,
  reason: rule,
  sentence,
  standing: finding === "undetermined" ? "open" : "failed",
});

const standingOf = ({ finding, required }: Finding): Standing => {
  switch (finding) {
    case "proven":
      return "passed";
    case "refuted":
      return "failed";
    case "progressing":
      return required ? "failed" : "not-counted";
    case "undetermined":
      return required ? "open" : "not-counted";
  }
};
