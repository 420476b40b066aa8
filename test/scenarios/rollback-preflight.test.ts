/** The preflight of a rollback, state by state: each check that stands against one, beside the state in which it does not. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Release } from "../../src/domain/release.ts";
import type { Check, CheckName } from "../../src/domain/rollback.ts";
import type { Means } from "../../src/judge/preflight/given.ts";
import type { Wanted } from "../../src/judge/preflight/target.ts";
import {
  digestsWith,
  type RollbackPlan,
  rollbackPlanOf,
  rollbackQuestion,
} from "../../src/runtime/rollback-plan.ts";
import { type Files, READ_AT } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import {
  configMap,
  DATA_V1,
  DATA_V2,
  managedBy,
  recorded,
  releaseOfV1,
  rollbackFiles,
  withItems,
} from "../support/kubernetes/rollback.ts";

const NO_MEANS: Means = { restoreConfig: false, accepted: new Set() };
const TO_V1: Wanted = { kind: "release", release: releaseOfV1() };

const planned = (files: Files, wanted: Wanted = TO_V1, means: Partial<Means> = {}): RollbackPlan => {
  const evidence = evidenceOf(files, READ_AT);
  return rollbackPlanOf(
    { evidence, from: evidence.at, to: evidence.at, meant: null, server: null },
    rollbackQuestion({ kind: "deployment", namespace: "shop", name: "web" }),
    wanted,
    digestsWith(null),
    { ...NO_MEANS, ...means },
  );
};

const to = (more: Partial<Release>): Wanted => ({ kind: "release", release: releaseOfV1(more) });
const of = (plan: RollbackPlan, name: CheckName): Check =>
  plan.checks.find(({ check }) => check === name) as Check;
const without = (files: Files, file: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== file));

const live = (
  files: Files,
  path: readonly (string | number)[],
  value: JsonObject[string] | undefined,
): Files => withItems(files, "deployments.json", ([web]) => [changed(web as JsonObject, path, value)]);

describe("a rollback that nothing stands against", () => {
  it("to a recorded release: the ReplicaSet of the same digest gives the template", () => {
    const plan = planned(rollbackFiles());
    expect(plan).toMatchObject({ decision: "proven", exit: 0, templateIsThere: false });
    expect(plan.to).toMatchObject({ text: `release v1 (${releaseOfV1().id})`, revision: { number: 1 } });
    expect(plan.checks.filter(({ finding }) => finding !== "proven").map(({ check }) => check)).toEqual([
      "images",
    ]);
    expect(plan.changes?.items.map(({ path }) => path)).toEqual([
      "spec.template.spec.containers[name=web].image",
      "spec.template.spec.containers[name=web].env[name=MODE].valueFrom.configMapKeyRef.name",
      "spec.template.spec.volumes[name=config].configMap.name",
    ]);
    expect(plan.config).toMatchObject([{ kind: "ConfigMap", name: "settings-v1", do: "leave", sharers: [] }]);
  });

  it("to a revision: that nothing was written since it was made is shown by times", () => {
    const plan = planned(rollbackFiles(), { kind: "revision", number: 1 });
    expect(plan).toMatchObject({ decision: "proven", exit: 0 });
    expect(of(plan, "content").sentence).toMatch(/settings-v1/);
  });
});

type Refusal = readonly [check: CheckName, reason: string, files: Files, wanted?: Wanted, says?: RegExp];

const BUDGET = (allowed: number): JsonObject => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: metadata("PodDisruptionBudget", { name: "web", created: 80, generation: 1 }),
  spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
  status: {
    observedGeneration: 1,
    disruptionsAllowed: allowed,
    currentHealthy: 2,
    desiredHealthy: 2,
    expectedPods: 2,
  },
});
const SIDE = { name: "debug", image: "debug:1" };

const REFUSALS: Readonly<Record<string, Refusal>> = {
  "k8s-25: the ConfigMap was pruned": [
    "references",
    "reference-missing",
    withItems(rollbackFiles(), "configmaps.json", (items) => items.slice(1)),
    TO_V1,
    /there is no ConfigMap settings-v1/,
  ],
  "a key of it was taken away": [
    "references",
    "reference-missing",
    withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
      configMap("settings-v1", { "app.conf": DATA_V1["app.conf"] }),
      v2 as JsonObject,
    ]),
    TO_V1,
    /has no key MODE/,
  ],
  "it holds something else": [
    "content",
    "digest-differs",
    withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
      configMap("settings-v1", { ...DATA_V1, "app.conf": "limit=11\n" }, { immutable: false }),
      v2 as JsonObject,
    ]),
    TO_V1,
    /app\.conf changed.*mutable/,
  ],
  "it was made again, with the same bytes": [
    "identity",
    "recreated-object",
    withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
      configMap("settings-v1", DATA_V1, { life: 2, created: 650 }),
      v2 as JsonObject,
    ]),
    TO_V1,
    /a node may still keep the earlier object/,
  ],
  "Argo CD manages it": [
    "owner",
    "self-heal",
    live(
      rollbackFiles(),
      ["metadata", "annotations", "argocd.argoproj.io/tracking-id"],
      "shop:apps/Deployment:shop/web",
    ),
    to({ source: { commit: "9b1e2c3d", tree: null } }),
    /Argo CD \(shop\)/,
  ],
  "Flux manages it": [
    "owner",
    "self-heal",
    live(rollbackFiles(), ["metadata", "labels", "kustomize.toolkit.fluxcd.io/name"], "shop"),
    TO_V1,
    /kustomize-controller/,
  ],
  "k8s-26: a surplus container, that nobody applies": [
    "surplus",
    "surplus-container",
    live(rollbackFiles(), ["spec", "template", "spec", "containers", 1], SIDE),
    TO_V1,
    /container debug/,
  ],
  "a PodDisruptionBudget at zero": [
    "disruption-budget",
    "no-disruption-allowed",
    { ...rollbackFiles(), "poddisruptionbudgets.json": list([BUDGET(0)]) },
    TO_V1,
    /the drill that confirms it would be refused/,
  ],
  "it is paused": ["rollout", "paused", live(rollbackFiles(), ["spec", "paused"], true)],
  "the release declared effects": [
    "irreversible",
    "declared",
    rollbackFiles(),
    to({ irreversible: ["the table orders lost a column"] }),
    /orders lost a column/,
  ],
  "k8s-27: the target itself is broken": [
    "target-health",
    "target-broken",
    rollbackFiles({
      replicas: 2,
      fresh: { version: "v2", pods: ["ready", "ready"] },
      old: [{ version: "v1", pods: ["crash-loop"] }],
    }),
    TO_V1,
    /what serves now would be taken away|none of 1 Pod of it is ready/,
  ],
  "a release of another workload": [
    "target",
    "other-workload",
    rollbackFiles(),
    to({ target: { ...releaseOfV1().target, name: "api" } }),
  ],
  "a release of an earlier incarnation": [
    "target",
    "other-incarnation",
    rollbackFiles(),
    to({ target: { ...releaseOfV1().target, uid: uidOf("Deployment", "web", 2) } }),
  ],
  "a template of which a value was not kept, and no ReplicaSet holds it": [
    "target",
    "template-not-whole",
    withItems(rollbackFiles(), "replicasets.json", (items) => items.slice(1)),
    to({ removed: new Map([["/spec/containers/0/env/1/value", "hmac-sha256:00"]]) }),
  ],
  "a record that was changed": [
    "target",
    "record-damaged",
    withItems(rollbackFiles(), "replicasets.json", (items) => items.slice(1)),
    to({ templateDigest: "0".repeat(64) }),
  ],
  "no such revision": [
    "target",
    "no-such-revision",
    rollbackFiles(),
    { kind: "revision", number: 7 },
    /it keeps 2, 1/,
  ],
};

describe("a rollback that is refused", () => {
  it.each(Object.entries(REFUSALS))("%s", (_, [check, reason, files, wanted = TO_V1, says = /./]) => {
    const plan = planned(files, wanted);
    expect(of(plan, check)).toMatchObject({ finding: "refuted", reason });
    expect(`${of(plan, check).sentence} ${of(plan, check).todo}`).toMatch(says);
    expect(plan).toMatchObject({ decision: "refuted", exit: 23 });
  });
});

describe("the healthy twins", () => {
  const proven = (files: Files, check: CheckName, reason: string, wanted: Wanted = TO_V1) => {
    const plan = planned(files, wanted);
    expect(of(plan, check)).toMatchObject({ finding: "proven", reason });
    expect(plan.decision).toBe("proven");
  };

  it("a budget that allows a disruption; one of other Pods", () => {
    proven(
      { ...rollbackFiles(), "poddisruptionbudgets.json": list([BUDGET(1)]) },
      "disruption-budget",
      "allowed",
    );
    const other = changed(BUDGET(0), ["spec", "selector", "matchLabels"], { app: "api" });
    proven({ ...rollbackFiles(), "poddisruptionbudgets.json": list([other]) }, "disruption-budget", "none");
  });

  it("an Application that does not heal itself: said, with the way through Git", () => {
    const tracked = live(
      rollbackFiles(),
      ["metadata", "annotations", "argocd.argoproj.io/tracking-id"],
      "shop:apps/Deployment:shop/web",
    );
    const application = (selfHeal: boolean): JsonObject => ({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Application",
      metadata: { ...metadata("Application", { name: "shop" }), namespace: "argocd" },
      spec: { syncPolicy: { automated: { selfHeal } } },
    });
    const files = (heals: boolean): Files => ({
      ...tracked,
      "applications.argoproj.io.json": list([application(heals)]),
    });
    proven(files(false), "owner", "no-self-heal");
    expect(of(planned(files(true)), "owner").reason).toBe("self-heal");
    expect(of(planned(tracked, to({ source: { commit: "9b1e2c3d", tree: null } })), "owner").todo).toContain(
      "git revert --no-edit 9b1e2c3d..HEAD",
    );
  });

  it("a second container that is applied is no surplus; one that an undo brought back and no apply names is told", () => {
    const applied = live(
      live(rollbackFiles(), ["spec", "template", "spec", "containers", 1], SIDE),
      ["metadata", "managedFields", 0],
      managedBy("kustomize", "Apply", ["web", "debug"], ["config"]),
    );
    proven(applied, "surplus", "none");
    const notApplied = live(
      rollbackFiles(),
      ["metadata", "managedFields", 0],
      managedBy("ci", "Apply", ["other"], ["config"]),
    );
    const renamed = live(notApplied, ["spec", "template", "spec", "containers", 0, "name"], "other");
    expect(of(planned(renamed), "surplus").limits.join(" ")).toMatch(/container web would come back/);
  });

  it("nobody applies it: what it holds is replaced as a whole", () => {
    proven(
      live(
        live(rollbackFiles(), ["spec", "template", "spec", "containers", 1], SIDE),
        ["metadata", "managedFields", 0],
        managedBy("kubectl-create", "Update", ["web"], ["config"]),
      ),
      "surplus",
      "nobody-applies",
    );
  });

  it("another key than the target takes was changed: it is said, and is no difference of the target", () => {
    const onlyEnv = (object: JsonObject): JsonObject => {
      const bare = changed(object, ["spec", "template", "spec", "volumes"], undefined);
      return changed(bare, ["spec", "template", "spec", "containers", 0, "volumeMounts"], undefined);
    };
    const files = withItems(
      withItems(rollbackFiles(), "replicasets.json", (items) => items.map(onlyEnv)),
      "configmaps.json",
      ([, v2]) => [
        configMap("settings-v1", { ...DATA_V1, "app.conf": "limit=11\n" }, { immutable: false }),
        v2 as JsonObject,
      ],
    );
    const template = changed(
      changed(releaseOfV1().template, ["spec", "volumes"], undefined),
      ["spec", "containers", 0, "volumeMounts"],
      undefined,
    );
    const plan = planned(
      files,
      to({
        template,
        removed: new Map([["/x", "y"]]),
        templateDigest: String(digestsWith(null).template(template)),
      }),
    );
    expect(of(plan, "content")).toMatchObject({ finding: "proven" });
    expect(of(plan, "content").limits.join(" ")).toMatch(/other keys of ConfigMap settings-v1/);
  });
});

describe("what is not known", () => {
  it("R2: ConfigMaps that nobody asked for leave it undecided, and exit 20", () => {
    const plan = planned(without(rollbackFiles(), "configmaps.json"));
    expect(of(plan, "references")).toMatchObject({ finding: "undetermined", reason: "missing" });
    expect(plan).toMatchObject({ decision: "undetermined", exit: 20 });
  });

  it("a Secret is asked for with --secrets alone: undecided, and accepted by name", () => {
    const secret = (object: JsonObject): JsonObject =>
      changed(
        object,
        ["spec", "template", "spec", "containers", 0, "envFrom"],
        [{ secretRef: { name: "keys" } }],
      );
    const files = withItems(rollbackFiles(), "replicasets.json", (items) => items.map(secret));
    const plan = planned(files, { kind: "revision", number: 1 });
    expect(of(plan, "references")).toMatchObject({
      finding: "undetermined",
      todo: expect.stringContaining("--secrets"),
    });
    expect(plan.exit).toBe(20);
    const accepted = planned(
      files,
      { kind: "revision", number: 1 },
      {
        accepted: new Set<CheckName>(["references", "content"]),
      },
    );
    expect(accepted).toMatchObject({ decision: "proven", exit: 0 });
    expect(accepted.statement).toMatch(/you have accepted references and content/);
  });

  it("a mutable ConfigMap that may have been written since the revision was made", () => {
    const files = withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
      configMap("settings-v1", DATA_V2, { immutable: false, created: 300 }),
      v2 as JsonObject,
    ]);
    const plan = planned(files, { kind: "revision", number: 1 });
    expect(of(plan, "content")).toMatchObject({ finding: "undetermined", reason: "not-recorded" });
    expect(plan.exit).toBe(20);
  });

  it("Roles that may not be listed do not stand against it", () => {
    const denied = {
      ...rollbackFiles(),
      "roles.rbac.authorization.k8s.io.json": {
        apiVersion: "v1",
        kind: "Status",
        status: "Failure",
        reason: "Forbidden",
        message: "roles is forbidden",
        code: 403,
      },
    };
    const plan = planned(denied);
    expect(of(plan, "guard")).toMatchObject({ finding: "undetermined", required: false });
    expect(plan.decision).toBe("proven");
  });

  it("a controller revision list that was not saved", () => {
    const plan = planned(without(rollbackFiles(), "replicasets.json"), { kind: "revision", number: 1 });
    expect(of(plan, "target")).toMatchObject({ finding: "undetermined" });
    expect(plan.exit).toBe(20);
  });
});

describe("what a person takes upon themself", () => {
  const missing = withItems(rollbackFiles(), "configmaps.json", (items) => items.slice(1));

  it("--restore-config: the release's bytes stand in for what is gone", () => {
    const plan = planned(missing, TO_V1, { restoreConfig: true });
    expect(plan).toMatchObject({ decision: "proven", exit: 0 });
    expect(plan.config).toMatchObject([{ name: "settings-v1", do: "make", immutable: true }]);
  });

  it("... but not a release that holds no bytes, or bytes that an immutable object stands in the way of", () => {
    const kept = to({ config: [{ ...recorded("settings-v1", DATA_V1), content: null }] });
    expect(planned(missing, kept, { restoreConfig: true }).exit).toBe(23);
    const blocked = withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
      configMap("settings-v1", DATA_V2, { life: 2, created: 650 }),
      v2 as JsonObject,
    ]);
    const plan = planned(blocked, TO_V1, { restoreConfig: true, accepted: new Set(["identity"]) });
    expect(of(plan, "content")).toMatchObject({ finding: "refuted", reason: "digest-differs" });
    expect(plan.exit).toBe(23);
  });

  it("a mutable one is written back, and who shares it is named", () => {
    const other = changed(
      changed(
        (
          (rollbackFiles()["deployments.json"] as JsonObject)["items"] as readonly JsonObject[]
        )[0] as JsonObject,
        ["metadata", "name"],
        "other",
      ),
      ["metadata", "uid"],
      uidOf("Deployment", "other"),
    );
    const sharing = changed(
      other,
      ["spec", "template", "spec", "volumes", 0, "configMap", "name"],
      "settings-v1",
    );
    const files = withItems(
      withItems(rollbackFiles(), "configmaps.json", ([, v2]) => [
        configMap("settings-v1", DATA_V2, { immutable: false }),
        v2 as JsonObject,
      ]),
      "deployments.json",
      (items) => [...items, sharing],
    );
    const plan = planned(files, TO_V1, { restoreConfig: true });
    expect(plan).toMatchObject({ decision: "proven", bystanders: ["Deployment other"] });
    expect(plan.config).toMatchObject([{ do: "write-back", sharers: ["Deployment other"] }]);
  });

  it("missing references cannot be accepted; effects can", () => {
    const all = new Set<CheckName>(["references", "content", "identity"]);
    expect(planned(missing, TO_V1, { accepted: all }).exit).toBe(23);
    const effects = to({ irreversible: ["mail was sent"] });
    expect(planned(rollbackFiles(), effects, { accepted: new Set(["irreversible"]) }).exit).toBe(0);
  });
});

describe("a quota", () => {
  it("a quota that is full, with maxUnavailable 0", () => {
    const quota = (used: string): JsonObject => ({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: metadata("ResourceQuota", { name: "most" }),
      spec: { hard: { pods: "3" } },
      status: { hard: { pods: "3" }, used: { pods: used } },
    });
    const files = (used: string): Files => ({
      ...rollbackFiles(),
      "resourcequotas.json": list([quota(used)]),
    });
    expect(of(planned(files("3")), "quota")).toMatchObject({ finding: "refuted", reason: "quota-full" });
    expect(of(planned(files("2")), "quota")).toMatchObject({ finding: "proven", reason: "room" });
  });
});
