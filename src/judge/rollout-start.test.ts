/** O4: of which rollout a condition speaks. */
import { describe, expect, it } from "vitest";
import { progressing, READ_AT, setName, worldFiles } from "../../test/support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { at, changed } from "../../test/support/kubernetes/object.ts";
import { instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

const timedOut = (message: string, seconds: number) =>
  worldFiles({
    replicas: 2,
    fresh: { version: "v2", pods: ["not-ready"] },
    old: [{ version: "v1", pods: ["ready", "ready"] }],
    progressing: progressing("False", "ProgressDeadlineExceeded", message, seconds),
  });

/** The write of the template, as managedFields dates it. */
const written = (
  files: ReturnType<typeof worldFiles>,
  seconds: number,
  part: JsonObject = { "f:template": {} },
) => ({
  ...files,
  "deployments.json": changed(
    files["deployments.json"] as JsonObject,
    ["items", 0, "metadata", "managedFields"],
    [
      {
        manager: "kubectl",
        operation: "Update",
        apiVersion: "apps/v1",
        time: at(seconds),
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": part },
      },
      {
        manager: "controller",
        operation: "Update",
        subresource: "status",
        time: at(690),
        fieldsV1: { "f:status": {} },
      },
    ],
  ),
});

const rollout = (
  files: ReturnType<typeof worldFiles>,
  since: { at: ReturnType<typeof instant> } | null = null,
) => {
  const found = judge(
    evidenceOf(files, READ_AT),
    about("deployment/web", { expected: { since } }),
  ).findings.find(({ claim }) => claim === "rollout-complete");
  return [found?.finding, found?.reason];
};

const NAMELESS = 'Deployment "web" has timed out progressing.';

describe("a deadline that is over", () => {
  it("counts where it names this rollout's ReplicaSet, however old that is: an undo takes it up again", () => {
    const files = timedOut(`ReplicaSet "${setName("v2")}" has timed out progressing.`, 690);
    const older = changed(
      files["replicasets.json"] as JsonObject,
      ["items", 1, "metadata", "creationTimestamp"],
      at(10),
    );
    expect(rollout({ ...files, "replicasets.json": older })).toEqual([
      "refuted",
      "progress-deadline-exceeded",
    ]);
  });

  it("does not where it names another", () => {
    expect(rollout(timedOut(`ReplicaSet "${setName("v1")}" has timed out progressing.`, 690))[0]).toBe(
      "progressing",
    );
  });

  it("is dated by the last write of the template where it names none", () => {
    expect(rollout(written(timedOut(NAMELESS, 690), 600))).toEqual(["refuted", "progress-deadline-exceeded"]);
    // The time in managedFields is an upper bound: what is older may still be of this rollout.
    expect(rollout(written(timedOut(NAMELESS, 590), 600))).toEqual(["undetermined", "undated-condition"]);
    // A write of something else says nothing of the template.
    expect(rollout(written(timedOut(NAMELESS, 690), 600, { "f:replicas": {} }))).toEqual([
      "undetermined",
      "undated-condition",
    ]);
    expect(rollout(timedOut(NAMELESS, 690))).toEqual(["undetermined", "undated-condition"]);
  });

  it("is dated by --since, which is exact", () => {
    const since = { at: instant(Date.parse(at(600))) };
    expect(rollout(timedOut(NAMELESS, 690), since)).toEqual(["refuted", "progress-deadline-exceeded"]);
    expect(rollout(timedOut(NAMELESS, 590), since)[0]).toBe("progressing");
  });

  it("cannot be told without the ReplicaSets", () => {
    const { "replicasets.json": _, ...files } = timedOut(
      `ReplicaSet "${setName("v2")}" has timed out progressing.`,
      690,
    );
    expect(rollout(files)).toEqual(["undetermined", "undated-condition"]);
  });
});

describe("O7: what completed in this generation", () => {
  const lost = worldFiles({
    replicas: 2,
    fresh: { version: "v2", pods: ["ready", "crash-loop"] },
    old: [{ version: "v1", pods: [] }],
    progressing: progressing(
      "True",
      "NewReplicaSetAvailable",
      `ReplicaSet "${setName("v2")}" has successfully progressed.`,
      650,
    ),
  });

  it("stays complete, by Pods that are older than the record, or by the last write of spec", () => {
    expect(rollout(lost)).toEqual(["proven", "completed-before"]);
    const { "pods.json": _, ...files } = lost;
    expect(rollout(written(files, 640))).toEqual(["proven", "completed-before"]);
  });

  it("is not complete where spec was written since, and the Pods were not read", () => {
    const { "pods.json": _, ...files } = lost;
    expect(rollout(written(files, 660))[0]).toBe("progressing");
    expect(rollout(files)[0]).toBe("progressing");
  });
});
