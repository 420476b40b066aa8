/** `lab -o json`: kind `LabReport`. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { LabReport, LabStep } from "../../domain/lab.ts";
import { document, time } from "./document.ts";
import { finding } from "./verdict-report.ts";

export const labReport = (report: LabReport): JsonObject =>
  document("LabReport", {
    lab: report.lab,
    about: report.about,
    cluster: { ...report.cluster },
    namespace: report.namespace,
    image: report.image,
    delivery: report.delivery === null ? null : { ...report.delivery },
    window: { from: time(report.from), to: time(report.to) },
    steps: report.steps.map(labStep),
    ended: report.ended,
    removal: { ...report.removal },
    stack: report.stack,
    exit: report.exit,
  });

/** One step, as it also stands on a line of `-o jsonl`. */
export const labStep = (step: LabStep): JsonObject => ({
  title: step.title,
  did: [...step.did],
  saw: step.saw.map(({ what, value }) => ({ what, value })),
  kubectl: step.kubectl === null ? null : { ...step.kubectl },
  asfound:
    step.asfound === null
      ? null
      : {
          verdict: step.asfound.verdict,
          statement: step.asfound.statement,
          findings: step.asfound.findings.map(finding),
        },
  shows: step.shows,
  missed: [...step.missed],
});
