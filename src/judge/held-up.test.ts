/** What a target waits for beside its claims: new Pods with their reasons, and the controller's own deadline. */
import { describe, expect, it } from "vitest";
import {
  progressing,
  READ_AT,
  setName,
  type World,
  worldFiles,
} from "../../test/support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { at, uidOf } from "../../test/support/kubernetes/object.ts";
import { jobFiles } from "../../test/support/kubernetes/others.ts";
import { begun, crashing, done } from "../../test/support/kubernetes/rollouts.ts";
import type { Question } from "../domain/question.ts";
import { Collection } from "./collection.ts";
import { heldUp } from "./held-up.ts";

type Files = Parameters<typeof evidenceOf>[0];

const held = (files: Files, question: Question = about("deployment/web")) => {
  const evidence = evidenceOf(files, READ_AT);
  return heldUp(new Collection(evidence), evidence, question);
};
const ofWorld = (world: World) => held(worldFiles(world));

describe("Pods", () => {
  it("each new one that is not ready, with its reason and since when", () => {
    expect(ofWorld(begun).pods).toEqual([
      {
        name: expect.stringContaining(setName("v2")),
        lasting: false,
        clause: "is not ready since 1m40s: its readiness answers 503 (12 times, for 1m)",
      },
    ]);
    const { pods } = ofWorld({
      ...begun,
      fresh: { version: "v2", pods: ["creating", "image-pull", "ready"] },
    });
    expect(pods.map(({ lasting }) => lasting)).toEqual([true, false]);
    expect(pods[0]?.clause).toMatch(/^cannot pull the image web:v2: .*; not ready since 1m40s$/);
  });

  it("O3: an old one never, whatever is wrong with it", () => {
    expect(ofWorld({ ...done, old: [{ version: "v1", pods: ["crash-loop"] }] }).pods).toEqual([]);
  });

  it("V3: none of another incarnation than the one that is verified, and none of nothing", () => {
    const uid = uidOf("Deployment", "web", 2);
    expect(held(worldFiles(crashing), about("deployment/web", { expected: { uid } })).pods).toEqual([]);
    expect(
      held(worldFiles(crashing), about("deployment/web", { expected: { uid: uidOf("Deployment", "web") } }))
        .pods,
    ).toHaveLength(1);
    expect(held(worldFiles(crashing), about("deployment/other")).pods).toEqual([]);
  });

  it("a Job's own", () => {
    const { pods } = held(jobFiles({ startTime: at(101) }, ["unschedulable"]), about("job/migrate"));
    expect(pods.map(({ clause }) => clause)).toEqual([expect.stringMatching(/^is unschedulable since /)]);
  });
});

/** pkg/controller/deployment/util, DeploymentTimedOut. */
describe("the deadline of a Deployment", () => {
  const message = `ReplicaSet "${setName("v2")}" is progressing.`;
  const condition = progressing("True", "ReplicaSetUpdated", message, 620);
  const deadline = (world: Partial<World>) => {
    const { deadlineAt } = ofWorld({ ...begun, progressing: condition, ...world });
    return deadlineAt === null ? null : new Date(deadlineAt).toISOString();
  };

  it("ends progressDeadlineSeconds after the last progress", () => {
    expect(deadline({})).toBe(new Date(Date.parse(at(620 + 600))).toISOString());
    expect(deadline({ spec: { progressDeadlineSeconds: 30 } })).toBe(
      new Date(Date.parse(at(650))).toISOString(),
    );
  });

  it.each<[string, Partial<World>]>([
    ["paused", { spec: { paused: true } }],
    ["none is set", { spec: { progressDeadlineSeconds: 2_147_483_647 } }],
    ["it is over", { progressing: progressing("False", "ProgressDeadlineExceeded", message, 690) }],
    ["complete", { progressing: progressing("True", "NewReplicaSetAvailable", message, 650) }],
    [
      "O4: the progress of an earlier rollout",
      {
        progressing: progressing(
          "True",
          "ReplicaSetUpdated",
          `ReplicaSet "${setName("v1")}" is progressing.`,
          590,
        ),
      },
    ],
    ["no condition", { progressing: null }],
  ])("none is told: %s", (_, world) => {
    expect(deadline(world)).toBe(null);
  });
});

it("the deadline of a Job ends activeDeadlineSeconds after it started, and stands still while it is suspended", () => {
  const of = (spec: Parameters<typeof jobFiles>[2]) =>
    held(jobFiles({ startTime: at(101) }, [], spec), about("job/migrate")).deadlineAt;
  expect(of({ activeDeadlineSeconds: 60 })).toBe(Date.parse(at(161)));
  expect(of({})).toBe(null);
  expect(of({ activeDeadlineSeconds: 60, suspend: true })).toBe(null);
});
