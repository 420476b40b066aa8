/**
 * rollback plan: what a rollback would meet and would change, from one reading. Changes nothing anywhere. The checks are
 * the judge's (`judge/preflight`); here their digests are computed, and what they come to is said.
 */
import type { Changes } from "../domain/difference.ts";
import type { Seen } from "../domain/evidence.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Judgement } from "../domain/finding.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Question } from "../domain/question.ts";
import type { Check, ConfigStep } from "../domain/rollback.ts";
import { changesSince } from "../judge/changes.ts";
import { Collection } from "../judge/collection.ts";
import { objectText } from "../judge/config/lack.ts";
import { Checking } from "../judge/preflight/checking.ts";
import type { Digests, Means, RollbackTarget } from "../judge/preflight/given.ts";
import { configStepsOf, decisionOf, preflight, withConsent } from "../judge/preflight/preflight.ts";
import { resolveTarget, type Wanted } from "../judge/preflight/target.ts";
import { hint, OBJECT } from "../judge/read.ts";
import { sameTemplate } from "../judge/template.ts";
import { counted, listed, nameOf } from "../judge/words.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { ReleaseKey } from "../ports/releases.ts";
import type { RollbackPlanInput } from "../wire/api/rollback-plan.ts";
import { canonicalJson } from "../wire/canonical.ts";
import { sha256Hex } from "../wire/digest.ts";
import { withoutSecrets } from "../wire/objects/without-secrets.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { heldConfigMap, heldSecret } from "./release-objects.ts";
import { reportIn, type VerdictReport } from "./verify.ts";

export interface RollbackPlan extends RollbackPlanInput {
  readonly decision: Judgement;
  readonly checks: readonly Check[];
  readonly exit: ExitCode;
  /** Of the workload as it is now. */
  readonly report: VerdictReport;
  /** For whoever carries it out; null: there is nothing to go to. */
  readonly target: RollbackTarget | null;
}

/** What is asked of the workload beside the preflight: the usual claims, so that its layers are told apart. */
export const rollbackQuestion = (target: Pick<Question, "kind" | "namespace" | "name">): Question => ({
  ...target,
  expected: NOTHING_EXPECTED,
  claims: null,
});

/** As releases compute them; `key`: of the store, for what is kept as keyed digests only; null: it is not here. */
export const digestsWith = (key: ReleaseKey | null): Digests => ({
  config: (object) => {
    if (object.kind !== "Secret") return heldConfigMap(object);
    return key === null ? null : heldSecret(object, key);
  },
  template: (template) => {
    const kept = key === null ? template : withoutSecrets(template, false, key.bytes).object;
    try {
      return sha256Hex(canonicalJson(kept));
    } catch {
      // It came as JSON, and yet something in it has no canonical form (a lone surrogate): it equals nothing.
      return null;
    }
  },
});

export const rollbackPlanOf = (
  collected: Collected,
  question: Question,
  wanted: Wanted,
  digests: Digests,
  means: Means,
): RollbackPlan => {
  const collection = new Collection(collected.evidence);
  const report = reportIn(collection, collected, question, NO_COMPARISON);
  const { subject: live } = report;
  if (live === null) return unplanned(report, [withConsent(notThere(report), means)]);
  const { target, check } = resolveTarget(live, wanted, collection, digests);
  if (target === null) return unplanned(report, [check]);
  const given = { live, target, collection, at: collected.evidence.at, digests, means };
  const checks = preflight(given, check);
  const config = configStepsOf(given);
  const decision = decisionOf(checks);
  const template = hint(live.raw, ["spec", "template"], OBJECT);
  const isThere = template !== undefined && sameTemplate(template, target.template);
  return {
    report,
    target,
    to: {
      text: target.text,
      release: target.release === null ? null : target.release.id,
      revision:
        target.revision === null
          ? null
          : {
              kind: target.revision.object.kind,
              name: target.revision.object.name,
              uid: target.revision.object.uid,
              number: target.revision.number,
            },
    },
    decision,
    checks,
    changes: changesTo(live, target),
    templateIsThere: isThere,
    config,
    bystanders: [...new Set(config.flatMap((one) => (one.do === "leave" ? [] : one.sharers)))].sort(),
    statement: statementOf(live, target, decision, checks, config, isThere),
    exit: EXIT_OF[decision],
  };
};

const EXIT_OF: Readonly<Record<Judgement, ExitCode>> = {
  proven: EXIT.proven,
  refuted: EXIT.refused,
  undetermined: EXIT.undetermined,
  progressing: EXIT.undetermined,
};

/** Without the workload there is nothing to judge the target by. */
const notThere = (report: VerdictReport): Check => {
  const checking = new Checking("target");
  return report.verdict === "refuted"
    ? checking.refuted("no-target", report.statement, "name a workload that is there")
    : checking.undetermined("no-target", report.statement);
};

const unplanned = (report: VerdictReport, checks: readonly Check[]): RollbackPlan => {
  const decision = decisionOf(checks.map((one) => ({ ...one, accepted: false })));
  return {
    report,
    target: null,
    to: null,
    decision,
    checks,
    changes: null,
    templateIsThere: false,
    config: [],
    bystanders: [],
    statement: `Not planned: ${checks.map(({ sentence }) => sentence).join("; ")}.`,
    exit: EXIT_OF[decision],
  };
};

/** Of each field what it would become (`was`: in the target) and what it is, with who wrote that. */
const changesTo = (live: Seen, target: RollbackTarget): Changes =>
  changesSince(
    {
      since: { kind: "previous-revision", verdict: null, at: null, name: target.text },
      says: `from ${target.text} to what is there now`,
      object: { spec: { template: target.template } } as JsonObject,
      uid: null,
      generation: null,
      only: ["spec", "template"],
      limits: [],
    },
    live,
  );

const statementOf = (
  live: Seen,
  target: RollbackTarget,
  decision: Judgement,
  checks: readonly Check[],
  config: readonly ConfigStep[],
  isThere: boolean,
): string => {
  const where = `${nameOf(live)} to ${target.text}`;
  const open = checks.filter(
    ({ finding, required, accepted }) =>
      !accepted && (finding === "refuted" || (required && finding !== "proven")),
  );
  if (decision !== "proven") {
    const word = decision === "refuted" ? "Refused" : "Not decided";
    const why = open.filter(({ finding }) => decision !== "refuted" || finding === "refuted");
    return `${word}: a rollback of ${where}: ${counted(why.length, "check")} of ${checks.length} ${why.length === 1 ? "stands" : "stand"} against it (${listed(why.map(({ check }) => check))}).`;
  }
  const written = config.filter((one) => one.do !== "leave");
  const does = [
    ...(written.length === 0 ? [] : [`writes ${listed(written.map(objectText))} from the release`]),
    isThere ? "leaves the template, which is the target's already" : "gives it the target's template",
  ];
  const accepted = checks.filter((one) => one.accepted).map(({ check }) => check);
  return `A rollback of ${where} ${does.join(", then ")}${accepted.length === 0 ? "" : `; you have accepted ${listed(accepted)}`}.`;
};
