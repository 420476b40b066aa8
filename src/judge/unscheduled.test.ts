/** Why a Pod has no node, and what autoscalers say of it; that a node comes is never claimed. */
import { describe, expect, it } from "vitest";
import { type Said, said } from "../../test/support/kubernetes/events.ts";
import { about, evidenceOf } from "../../test/support/kubernetes/evidence.ts";
import { changed, list, uidOf } from "../../test/support/kubernetes/object.ts";
import { barePod } from "../../test/support/kubernetes/others.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "./judge.ts";

// Unschedulable since second 100; read at 700.
const told = (events: readonly Said[] | null, pod: JsonObject = barePod("unschedulable")) => {
  const files = {
    "pods.json": list([pod]),
    ...(events === null ? {} : { "events.json": list(events.map(said)) }),
  };
  const [found] = judge(evidenceOf(files, 700), about("pod/alone")).findings;
  return `${found?.finding} ${found?.reason}: ${found?.sentence}`;
};

const triggered: Said = {
  name: "alone",
  component: "cluster-autoscaler",
  reason: "TriggeredScaleUp",
  message: "pod triggered scale-up: [{pool-1 1->2 (max: 10)}]",
};
const notTriggered: Said = {
  name: "alone",
  component: "cluster-autoscaler",
  reason: "NotTriggerScaleUp",
  message: "pod didn't trigger scale-up: 2 max node group size reached",
};

describe("an autoscaler", () => {
  it.each<[string, Said, RegExp]>([
    [
      "that has asked for a node",
      triggered,
      /; an autoscaler says that it has asked for a node; whether one comes is not known \(TriggeredScaleUp, 10s ago: pod triggered scale-up: .*\)$/,
    ],
    [
      "that asks for none",
      notTriggered,
      /; an autoscaler says that it asks for no node \(NotTriggerScaleUp, 10s ago: .*2 max node group size reached\)$/,
    ],
    [
      "Karpenter, which has a node in mind",
      {
        name: "alone",
        component: "karpenter",
        reason: "Nominated",
        message: "Pod should schedule on: nodeclaim/default-x7k2q",
      },
      /whether the Pod comes to run on it is not known \(Nominated, 10s ago: Pod should schedule on: nodeclaim/,
    ],
    [
      "Karpenter, which has no node for it",
      {
        name: "alone",
        component: "karpenter",
        reason: "FailedScheduling",
        message: 'Failed to schedule pod, incompatible with nodepool "default"',
      },
      /; an autoscaler says that no node of its own would do \(FailedScheduling/,
    ],
  ])("%s", (_, event, wanted) => {
    const sentence = told([event]);
    expect(sentence).toMatch(wanted);
    expect(sentence).toMatch(/^progressing unschedulable: /);
  });

  it("the latest word counts", () => {
    expect(told([{ ...notTriggered, last: 650 }, triggered])).toMatch(/has asked for a node/);
    expect(told([{ ...triggered, last: 650 }, notTriggered])).toMatch(/asks for no node/);
  });

  it("twins: none has spoken; of another Pod, of an earlier wait, by the scheduler itself; events that nobody read", () => {
    const silent = /; no autoscaler has spoken of it$/;
    expect(told([])).toMatch(silent);
    expect(told([{ ...triggered, name: "other" }])).toMatch(silent);
    expect(told([{ ...triggered, first: 50, last: 60 }])).toMatch(silent);
    expect(
      told([
        {
          name: "alone",
          component: "default-scheduler",
          reason: "FailedScheduling",
          message: "0/1 nodes are available: 1 Insufficient cpu.",
        },
      ]),
    ).toMatch(silent);
    expect(told(null)).toMatch(/Insufficient cpu\.\)$/);
  });
});

describe("a claim that it names", () => {
  const waits = (volumes: readonly JsonObject[]): JsonObject =>
    changed(
      changed(
        barePod("unschedulable"),
        ["status", "conditions", 0, "message"],
        "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
      ),
      ["spec", "volumes"],
      [...volumes],
    );
  const failed: Said = {
    kind: "PersistentVolumeClaim",
    name: "data",
    component: "persistentvolume-controller",
    reason: "ProvisioningFailed",
    message: 'storageclass.storage.k8s.io "fast" not found',
  };
  const named = waits([{ name: "d", persistentVolumeClaim: { claimName: "data" } }]);

  it("is named with what was last said of it", () => {
    expect(told([failed], named)).toMatch(
      /^progressing volume-unbound: .*of its claim it was last said: ProvisioningFailed \(storageclass\.storage\.k8s\.io "fast" not found\)$/,
    );
    expect(
      told([{ ...failed, name: "alone-d" }], waits([{ name: "d", ephemeral: { volumeClaimTemplate: {} } }])),
    ).toMatch(/ProvisioningFailed/);
  });
  it("twins: another claim's, an earlier one's of its name, a volume of another kind", () => {
    for (const [events, pod] of [
      [[{ ...failed, name: "other" }], named],
      [[{ ...failed, first: 10, last: 20 }], named],
      [[{ ...failed, name: "alone-d" }], waits([{ name: "d", emptyDir: {} }])],
    ] as const)
      expect(told(events, pod)).not.toMatch(/ProvisioningFailed/);
  });
});

it("an event about another incarnation of the Pod says nothing of this one", () => {
  const stranger = changed(said(triggered), ["involvedObject", "uid"], uidOf("Pod", "alone", 2));
  const files = { "pods.json": list([barePod("unschedulable")]), "events.json": list([stranger]) };
  const [found] = judge(evidenceOf(files, 700), about("pod/alone")).findings;
  expect(found?.sentence).toMatch(/no autoscaler has spoken of it$/);
});
