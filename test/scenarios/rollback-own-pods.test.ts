/** What is particular to StatefulSets and DaemonSets before a rollback: their revisions, and how they replace their Pods. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Check, CheckName } from "../../src/domain/rollback.ts";
import type { Means } from "../../src/judge/preflight/given.ts";
import {
  digestsWith,
  type RollbackPlan,
  rollbackPlanOf,
  rollbackQuestion,
} from "../../src/runtime/rollback-plan.ts";
import { type Files, READ_AT } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { managedBy } from "../support/kubernetes/rollback.ts";

const NO_MEANS: Means = { restoreConfig: false, accepted: new Set() };
const of = (plan: RollbackPlan, name: CheckName): Check =>
  plan.checks.find(({ check }) => check === name) as Check;

describe("StatefulSets and DaemonSets", () => {
  const labels = { app: "db" };
  const owner = (kind: string) => ({
    apiVersion: "apps/v1",
    kind,
    name: "db",
    uid: uidOf(kind, "db"),
  });
  const template = (version: string): JsonObject => ({
    metadata: { labels },
    spec: { containers: [{ name: "db", image: `db:${version}` }] },
  });
  const revision = (kind: string, number: number): JsonObject => ({
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: metadata("ControllerRevision", {
      name: `db-${number}`,
      created: number * 100,
      labels,
      owner: owner(kind),
    }),
    revision: number,
    data: { spec: { template: { ...template(`v${number}`), $patch: "replace" } } },
  });
  const pod = (kind: string, ordinal: number, version: string, ready: boolean): JsonObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata("Pod", {
      name: `db-${ordinal}`,
      created: 300,
      labels: { ...labels, "controller-revision-hash": `db-${version === "v1" ? 1 : 2}` },
      owner: owner(kind),
    }),
    spec: (template(version)["spec"] as JsonObject) ?? {},
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: [
        ready
          ? { name: "db", restartCount: 0, state: { running: {} } }
          : {
              name: "db",
              restartCount: 4,
              state: { waiting: { reason: "CrashLoopBackOff" } },
              lastState: { terminated: { exitCode: 1 } },
            },
      ],
    },
  });
  const files = (kind: "StatefulSet" | "DaemonSet", spec: JsonObject, broken: boolean): Files => ({
    [`${kind.toLowerCase()}s.json`]: list([
      {
        apiVersion: "apps/v1",
        kind,
        metadata: metadata(kind, {
          name: "db",
          generation: 2,
          labels,
          more: { managedFields: [managedBy("ci", "Apply", ["db"], [])] },
        }),
        spec: { replicas: 2, selector: { matchLabels: labels }, template: template("v2"), ...spec },
        status: { observedGeneration: 2 },
      },
    ]),
    "controllerrevisions.json": list([revision(kind, 1), revision(kind, 2)]),
    "pods.json": list([pod(kind, 0, "v1", true), pod(kind, 1, "v2", !broken)]),
    "configmaps.json": list([]),
    "poddisruptionbudgets.json": list([]),
    "resourcequotas.json": list([]),
    "roles.rbac.authorization.k8s.io.json": list([]),
    "rolebindings.rbac.authorization.k8s.io.json": list([]),
  });
  const plannedOf = (kind: "StatefulSet" | "DaemonSet", spec: JsonObject, broken = false): RollbackPlan => {
    const evidence = evidenceOf(files(kind, spec, broken), READ_AT);
    return rollbackPlanOf(
      { evidence, from: evidence.at, to: evidence.at, meant: null, server: null },
      rollbackQuestion({ kind: kind.toLowerCase(), namespace: "shop", name: "db" }),
      { kind: "revision", number: 1 },
      digestsWith(null),
      NO_MEANS,
    );
  };
  const rolling = { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } } };

  it("kubernetes#67250: in order it would wait for the broken Pod for ever; in parallel, or with none broken, not", () => {
    const waits = plannedOf("StatefulSet", rolling, true);
    expect(of(waits, "rollout")).toMatchObject({ finding: "refuted", reason: "waits-for-broken-pod" });
    expect(of(waits, "rollout").sentence).toMatch(/db-1/);
    expect(waits.exit).toBe(23);
    const parallel = plannedOf("StatefulSet", { ...rolling, podManagementPolicy: "Parallel" }, true);
    expect(of(parallel, "rollout")).toMatchObject({ finding: "proven" });
    const well = plannedOf("StatefulSet", rolling);
    expect(well).toMatchObject({
      decision: "proven",
      to: { revision: { kind: "ControllerRevision", number: 1 } },
    });
    expect(of(well, "rollout").limits.join(" ")).toMatch(/volumeClaimTemplates cannot be changed/);
    expect(well.changes?.items.map(({ path }) => path)).toEqual([
      "spec.template.spec.containers[name=db].image",
    ]);
  });

  it.each([
    ["OnDelete", "on-delete", { updateStrategy: { type: "OnDelete" } }],
    [
      "a partition",
      "partition",
      { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } },
    ],
  ])("%s", (_, reason, spec) => {
    expect(of(plannedOf("StatefulSet", spec), "rollout")).toMatchObject({ finding: "refuted", reason });
  });

  it("a DaemonSet that replaces on delete; one that rolls; a strategy that nobody knows", () => {
    const by = (type: string) => of(plannedOf("DaemonSet", { updateStrategy: { type } }), "rollout");
    expect(by("OnDelete")).toMatchObject({ finding: "refuted", reason: "on-delete" });
    expect(by("RollingUpdate")).toMatchObject({ finding: "proven" });
    expect(by("Surprise")).toMatchObject({ finding: "undetermined", reason: "unknown-strategy" });
  });

  it("the target's own Pods are told by their revision", () => {
    expect(of(plannedOf("StatefulSet", rolling), "target-health")).toMatchObject({
      finding: "proven",
      reason: "ready",
    });
  });
});
