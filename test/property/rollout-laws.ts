/** The laws of rollouts (O1 to O7, V5, V8) over generated states of a Deployment, against what is true of each. */
import type { Finding } from "../../src/domain/finding.ts";
import type { Judged } from "../../src/judge/judge.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import type { Judge, Law } from "./judge-laws.ts";
import { filesOf, JUDGED_AT, type Shape, truthOf } from "./judge-worlds.ts";

const QUESTION = about("deployment/web");

const of = (judged: Judged, claim: Finding["claim"]): Finding | undefined =>
  judged.findings.find((one) => one.claim === claim);

export const rolloutLaws = (law: Law, judgeIt: Judge, made: Shape): void => {
  const judged = judgeIt(evidenceOf(filesOf(made), JUDGED_AT), QUESTION);
  const truth = truthOf(made);
  const observed = of(judged, "spec-observed")?.finding;
  const rollout = of(judged, "rollout-complete");
  const old = of(judged, "old-gone");
  const capacity = of(judged, "capacity");

  if (made.observed === "absent") {
    law(
      "O1",
      observed === "undetermined" && rollout?.finding === "undetermined",
      "status is judged that speaks of no generation",
    );
    law("V8", capacity?.finding === "undetermined", "a counter is believed that speaks of no generation");
  }
  if (made.observed === "behind")
    law(
      "O1",
      observed === "progressing" && rollout?.finding === "progressing",
      "status of an earlier generation is judged",
    );
  oldLaws(law, judged, made, old);
  if (made.observed !== "this") return;

  if (made.replicas === 0) law("V5", rollout?.reason === "vacuous", `0 of 0 is ${rollout?.finding}`);
  else if (truth.complete)
    law(
      "V8",
      rollout?.finding === (made.condition === "deadline" ? "undetermined" : "proven"),
      `complete, and judged ${rollout?.finding} (${rollout?.reason})`,
    );
  else if (truth.completedBefore) {
    law("O7", rollout?.finding === "proven", `it completed, and is ${rollout?.finding} (${rollout?.reason})`);
    law("O7", capacity?.finding !== "proven", "what was lost since is not seen as lost");
  } else law("V8", rollout?.finding !== "proven", `not complete, and judged proven (${rollout?.reason})`);

  if (made.replicas > 0 && !truth.complete && !truth.completedBefore) {
    const contradicted =
      truth.freshBroken ||
      (made.condition === "deadline" && made.fresh !== null) ||
      (made.paused && !(truth.freshCounted === made.replicas && truth.oldRunning === 0));
    law(
      "O3",
      (rollout?.finding === "refuted") === contradicted,
      `${rollout?.finding} (${rollout?.reason}), by ${JSON.stringify(truth)}`,
    );
    if (made.condition === "deadline of another" && !contradicted)
      law("O4", rollout?.finding === "progressing", `an older reason makes it ${rollout?.finding}`);
  }
  if (made.replicas > 0 && capacity?.finding === "proven")
    law(
      "O2",
      truth.available >= made.replicas,
      `capacity is proven with ${truth.available} of ${made.replicas}`,
    );
  endpointLaws(law, judged, made);
};

const oldLaws = (law: Law, judged: Judged, made: Shape, old: Finding | undefined): void => {
  const truth = truthOf(made);
  const left = truth.oldRunning + truth.oldTerminating;
  law(
    "O2",
    (old?.finding === "proven") === (left === 0),
    `${left} old Pods are left, and old-gone is ${old?.finding}`,
  );
  if (truth.oldRunning === 0 && truth.oldTerminating > 0)
    law("O2", old?.finding === "progressing", `terminating Pods make old-gone ${old?.finding}`);
  statementLaws(law, judged, made);
};

/** O6: counts, versions, reason, and who serves. */
const statementLaws = (law: Law, { statement, findings }: Judged, made: Shape): void => {
  const truth = truthOf(made);
  const says = (count: number, what: RegExp) =>
    law("O6", count === 0 || what.test(statement), `${statement} does not say ${what}`);
  says(truth.freshCounted, new RegExp(`\\b${truth.freshCounted} new replicas? runs? `));
  says(
    truth.oldReady,
    new RegExp(`\\b${truth.oldReady} (?:old )?replicas?(?: of [^;]*)? (?:serves?|is ready|are ready)`),
  );
  says(truth.oldTerminating, new RegExp(`\\b${truth.oldTerminating} replicas?[^;]* terminating`));
  if (truth.freshBroken)
    law(
      "O6",
      /crashes again|cannot pull|cannot start/.test(statement),
      `${statement} does not say what is broken`,
    );
  const serving = findings.some(({ claim, finding }) => claim === "endpoints-ready" && finding === "proven");
  law("O6", serving || !/\bserves?\b/.test(statement), `${statement}, and no endpoint is known to be ready`);
};

/** O5: whose the ready endpoints are. */
const endpointLaws = (law: Law, judged: Judged, made: Shape): void => {
  const route = of(judged, "endpoints-ready");
  const truth = truthOf(made);
  if (route?.finding !== "proven") {
    law(
      "O5",
      truth.available === 0,
      `${truth.available} are ready, and endpoints-ready is ${route?.finding}`,
    );
    return;
  }
  const count = (text: string) =>
    Number(new RegExp(`(\\d+) of ${text} template`).exec(route.sentence)?.[1] ?? 0);
  law("O5", count("the new") === truth.freshReady, `${route.sentence}: ${truth.freshReady} are new`);
  law("O5", count("another") === truth.oldReady, `${route.sentence}: ${truth.oldReady} are old`);
};
