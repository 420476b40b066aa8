/** Conditions that say why Pods or ReplicaSets were not made. */
import { expect, it } from "vitest";
import {
  type Files,
  progressing,
  READ_AT,
  setName,
  worldFiles,
} from "../../test/support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { at, changed } from "../../test/support/kubernetes/object.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

const rollout = (files: Files) => {
  const { findings } = judge(evidenceOf(files, READ_AT), about("deployment/web"));
  const found = findings.find(({ claim }) => claim === "rollout-complete");
  return [found?.finding, found?.reason];
};

const failure = (message: string): JsonObject => ({
  type: "ReplicaFailure",
  status: "True",
  reason: "FailedCreate",
  message,
  lastTransitionTime: at(605),
});
const LIMIT_RANGE = 'pods "web-x" is forbidden: maximum cpu usage per Container is 1, but limit is 2';

const refused = worldFiles({
  replicas: 2,
  fresh: { version: "v2", pods: [] },
  old: [{ version: "v1", pods: ["ready", "ready"] }],
});
const withFailure = (set: number): Files => ({
  ...refused,
  "replicasets.json": changed(
    refused["replicasets.json"] as JsonObject,
    ["items", set, "status", "conditions"],
    [failure(LIMIT_RANGE)],
  ),
});

it("Pods of the new ReplicaSet are refused", () => {
  expect(rollout(withFailure(1))).toEqual(["refuted", "limit-range"]);
});

it("O3: what an old ReplicaSet cannot make says nothing of this rollout", () => {
  expect(rollout(withFailure(0))[0]).toBe("progressing");
});

it("O4: a ReplicaSet that was scaled a moment ago may still show a failure of before", () => {
  const files = withFailure(1);
  const scaled = changed(files["replicasets.json"] as JsonObject, ["items", 1, "metadata", "generation"], 2);
  expect(rollout({ ...files, "replicasets.json": scaled })[0]).toBe("progressing");
});

it("the ReplicaSet itself is refused; with the ReplicaSet there, that was before", () => {
  const error = progressing(
    "False",
    "ReplicaSetCreateError",
    `Failed to create new replica set "${setName("v2")}": exceeded quota: sets`,
    610,
  );
  const old = [{ version: "v1", pods: ["ready", "ready"] as const }];
  expect(rollout(worldFiles({ replicas: 2, fresh: null, next: "v2", old, progressing: error }))).toEqual([
    "refuted",
    "quota",
  ]);
  expect(
    rollout(
      worldFiles({ replicas: 2, fresh: { version: "v2", pods: ["creating"] }, old, progressing: error }),
    )[0],
  ).toBe("progressing");
});

it("a condition that is there twice, or is neither True nor False, is unreadable, and no deadline is ruled out", () => {
  const twice = changed(
    refused["deployments.json"] as JsonObject,
    ["items", 0, "status", "conditions"],
    [
      progressing("True", "ReplicaSetUpdated", "", 610),
      progressing("False", "ProgressDeadlineExceeded", "", 690),
    ],
  );
  expect(rollout({ ...refused, "deployments.json": twice })).toEqual(["undetermined", "missing"]);
});

it("paused with an unfinished template is refuted, with a finished one it is not", () => {
  const paused = { spec: { paused: true } };
  const old = [{ version: "v1", pods: ["ready"] as const }];
  expect(
    rollout(worldFiles({ replicas: 2, fresh: { version: "v2", pods: ["ready"] }, old, ...paused })),
  ).toEqual(["refuted", "paused"]);
  const done = { version: "v2", pods: ["ready", "ready"] as const };
  expect(
    rollout(worldFiles({ replicas: 2, fresh: done, old: [{ version: "v1", pods: [] }], ...paused })),
  ).toEqual(["proven", "complete"]);
});
