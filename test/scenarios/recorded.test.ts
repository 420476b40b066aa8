/** Each state that a real cluster was in is judged as what was done to it demands, and the laws hold for it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { savedEvidence } from "../../src/adapters/system/saved-evidence.ts";
import { verifySaved } from "../../src/compose/verify.ts";
import type { Question } from "../../src/domain/question.ts";
import { expectedReply, type ResponseExpectation } from "../../src/domain/response.ts";
import { judge } from "../../src/judge/judge.ts";
import { DELIVERED } from "../e2e/delivered-states.ts";
import { MADE } from "../e2e/recorded-states.ts";
import * as laws from "../property/judge-laws.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { type Recorded, STATES } from "./recorded-states.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/kubernetes/recorded/", import.meta.url));

const questionOf = ({ target = "deployment/web", images = {}, commit }: Recorded): Question => {
  const expected = { images: new Map(Object.entries(images)) };
  if (commit === undefined) return about(target, { expected });
  const of = { commit: { sha: commit, tree: null, repository: null, source: null } };
  if (target !== "deployment/web") return about(target, { namespace: "argocd", expected: of });
  const shop = { namespace: "argocd", name: "shop" };
  return about(target, { expected: { ...of, application: shop, response: ANSWERED } });
};

/** Status 200 by the Service. */
const ANSWERED: ResponseExpectation = {
  via: { kind: "service", name: "web" },
  path: "/",
  host: null,
  port: null,
  ca: null,
  expect: expectedReply([]),
  pod: null,
  samples: 3,
};

describe.each(Object.entries(STATES))("%s", (name, state) => {
  const { done, verdict, findings, says } = state;
  it(done, async () => {
    const report = await verifySaved(
      { from: `${FOLDER}${name}`, at: null, baseline: null, cwd: "/" },
      questionOf(state),
    );
    if ("kind" in report) throw new Error(JSON.stringify(report));
    const found = report.findings.map((one) => [one.claim, one.finding, one.reason]);
    for (const [claim, [finding, reason]] of Object.entries(findings))
      expect(found).toContainEqual([claim, finding, reason]);
    expect(report.verdict).toBe(verdict);
    expect(report.statement).toMatch(says);
  });
});

describe.each(Object.entries(STATES))("the laws hold for it: %s", (name, state) => {
  it("V1, V2, V3, V4, V5, V7, V9", async () => {
    const collected = await savedEvidence({ path: `${FOLDER}${name}`, named: name, at: null }).collect();
    if ("faults" in collected) throw new Error(JSON.stringify(collected.faults));
    const { evidence } = collected;
    const question = questionOf(state);
    const broken = laws.brokenBy((law) => {
      laws.removingAnyCitedField(law, judge, evidence, question);
      laws.removingProvesNothing(law, judge, evidence, question);
      laws.wrongTypes(law, judge, evidence, question);
      laws.anyOrder(law, judge, evidence, question, laws.shuffled([3, 1, 4, 1, 5, 9, 2, 6]));
      laws.otherIncarnation(law, judge, evidence, question);
      laws.timeAlone(law, judge, evidence, question);
      laws.notAsked(law, judge, evidence, question);
      laws.limitsTold(law, judge, evidence, question);
    });
    expect(broken).toEqual([]);
  });
});

const RECORDED = [...Object.keys(MADE), ...Object.keys(DELIVERED)];

it("every recorded state is judged, and nothing that can be recorded is missing", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(STATES).sort());
  expect(Object.keys(STATES)).toEqual(expect.arrayContaining(RECORDED));
});

it("what is recorded names no namespace, registry or folder of the machine that made it", () => {
  for (const name of RECORDED)
    for (const file of readdirSync(join(FOLDER, name)))
      expect(readFileSync(join(FOLDER, name, file), "utf8"), `${name}/${file}`).not.toMatch(
        /asfound-e2e-|registry\.test|10\.77\.0\.10:|testbed-(?!node)|"\/(root|home|tmp)\//,
      );
});

/** Takes what is missing for good. */
const hopeful: laws.Judge = (evidence, question) => {
  const judged = judge(evidence, question);
  const findings = judged.findings.map((one) =>
    one.finding === "undetermined" && one.missing.length > 0 ? { ...one, finding: "proven" as const } : one,
  );
  return { ...judged, findings };
};

describe.each(Object.entries(STATES))("control: %s", (name, state) => {
  it("a judge that takes what is missing for good is caught by V1", async () => {
    const collected = await savedEvidence({ path: `${FOLDER}${name}`, named: name, at: null }).collect();
    if ("faults" in collected) throw new Error(JSON.stringify(collected.faults));
    const { evidence } = collected;
    const broken = laws.brokenBy((law) => {
      if (state.verdict === "proven") laws.removingAnyCitedField(law, hopeful, evidence, questionOf(state));
      else laws.removingProvesNothing(law, hopeful, evidence, questionOf(state));
    });
    expect(broken.filter((one) => one.startsWith("V1"))).not.toEqual([]);
  });
});
