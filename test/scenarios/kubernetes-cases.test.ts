/** Each case from public reports is judged as the API's rules demand, from files, and so is its healthy twin. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifySaved } from "../../src/compose/verify.ts";
import { instant } from "../../src/domain/ids.ts";
import { EXIT_OF_VERDICT } from "../../src/domain/verdict.ts";
import { at } from "../support/kubernetes/object.ts";
import { tempFolder } from "../support/temp-folder.ts";
import type { State } from "./kubernetes-case.ts";
import { CASES, JUDGED_LIVE, NOT_JUDGED, SWEPT } from "./kubernetes-cases.ts";

const judged = async ({ files, question, readAt }: State) => {
  const folder = tempFolder("kubernetes-case");
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  const saved = { from: folder, at: instant(Date.parse(at(readAt))), baseline: null, cwd: "/" };
  const report = await verifySaved(saved, question);
  if ("kind" in report) throw new Error(JSON.stringify(report));
  return report;
};

const holds = async (state: State): Promise<void> => {
  const report = await judged(state);
  const told = JSON.stringify(
    report.findings.map(({ claim, finding, reason, sentence }) => [claim, finding, reason, sentence]),
  );
  for (const [claim, wanted] of Object.entries(state.findings)) {
    const found = report.findings.find((one) => one.claim === claim);
    const [finding, reason] = typeof wanted === "string" ? [wanted, found?.reason] : wanted;
    expect([claim, found?.finding, found?.reason], told).toEqual([claim, finding, reason]);
  }
  expect(report.verdict, told).toBe(state.verdict);
  expect(report.exit).toBe(EXIT_OF_VERDICT[state.verdict]);
  if (state.says !== undefined) expect(report.statement).toMatch(state.says);
};

describe.each(Object.entries(CASES))("%s", (_, { seenIn, states, twin, twins = {} }) => {
  it.each(Object.entries(states))(`${seenIn}: %s`, (_name, state) => holds(state));
  it("its healthy twin", () => holds(twin));
  for (const [name, other] of Object.entries(twins)) it(`a healthy twin: ${name}`, () => holds(other));
});

it("control: a finding or a verdict that is not so is caught", async () => {
  const twin = CASES["k8s-01"]?.twin as State;
  await expect(holds({ ...twin, verdict: "refuted" })).rejects.toThrow("refuted");
  await expect(holds({ ...twin, findings: { capacity: "refuted" } })).rejects.toThrow("capacity");
  await expect(holds({ ...twin, says: /nothing of the kind/ })).rejects.toThrow("nothing of the kind");
});

it("every case is judged, or said not to be yet", () => {
  const all = Array.from({ length: 35 }, (_, at) => `k8s-${String(at + 1).padStart(2, "0")}`);
  expect(
    [...Object.keys(CASES), ...Object.keys(JUDGED_LIVE), ...SWEPT, ...Object.keys(NOT_JUDGED)].sort(),
  ).toEqual(all);
});

it.each(Object.entries(JUDGED_LIVE))("%s is told in %s", (name, file) =>
  expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(`"${name}: `),
);
