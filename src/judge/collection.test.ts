/** What was asked, and two readings that do not agree. */
import { describe, expect, it } from "vitest";
import { worldFiles } from "../../test/support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import { Collection } from "./collection.ts";
import { judge } from "./judge.ts";

const evidence = evidenceOf(
  worldFiles({ replicas: 1, fresh: { version: "v2", pods: ["ready"] }, old: [] }),
  700,
);

describe("a list", () => {
  it("is known where it was asked for, also if it is empty, and not asked elsewhere", () => {
    const collection = new Collection(evidence);
    expect(collection.list(RESOURCES.Pod, "shop")).toMatchObject({ kind: "known" });
    expect(collection.list(RESOURCES.HorizontalPodAutoscaler, "shop")).toMatchObject({
      kind: "known",
      value: { objects: [] },
    });
    expect(collection.list(RESOURCES.Pod, "other")).toEqual({ kind: "not-asked" });
    expect(collection.list(RESOURCES.Job, "shop")).toEqual({ kind: "not-asked" });
  });
});

describe("two readings of one object", () => {
  const [pod] = evidence.objects.filter(({ kind }) => kind === "Pod");
  if (pod === undefined) throw new Error("there is a Pod");
  const again = { ...pod, source: { evidence: "more.json", pointer: "" } };

  it("that agree are one", () => {
    const both = { ...evidence, objects: [...evidence.objects, again] };
    expect(judge(both, about("deployment/web")).verdict).toBe("proven");
  });

  it("that differ are none: which is the newer cannot be told", () => {
    const differing = { ...again, raw: { ...pod.raw, spec: {} } };
    const { verdict, findings } = judge(
      { ...evidence, objects: [...evidence.objects, differing] },
      about("deployment/web"),
    );
    expect(verdict).toBe("undetermined");
    expect(findings.find(({ claim }) => claim === "old-gone")?.missing.join()).toMatch(
      /is there twice and differs \(more\.json and pods\.json\/items\/0\); which reading is the newer cannot be told/,
    );
  });

  it("of the target itself leave it undetermined", () => {
    const [target] = evidence.objects.filter(({ kind }) => kind === "Deployment");
    if (target === undefined) throw new Error("there is a Deployment");
    const differing = {
      ...target,
      raw: { ...target.raw, status: {} },
      source: { evidence: "web.json", pointer: "" },
    };
    const judged = judge({ ...evidence, objects: [...evidence.objects, differing] }, about("deployment/web"));
    expect([judged.verdict, judged.target]).toEqual(["undetermined", null]);
  });
});

it("a namespace that was forgotten is named", () => {
  const { statement } = judge(evidence, { ...about("deployment/web"), namespace: "default" });
  expect(statement).toBe(
    "Deployment default/web is not among what was read; one of this name is in namespace shop.",
  );
});
