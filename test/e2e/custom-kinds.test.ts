/**
 * A kind that nobody knows, on a real cluster: its CustomResourceDefinition is made here, and this test is its controller.
 * Its Pods are made by a real ReplicaSet that it owns, as those of an Argo Rollout are.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment } from "./app.ts";
import { seenBoth, startVerify, storyWith, verify, type Wanted } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK } from "./lack.ts";

/** What is at the cluster scope has a name of its own. */
const GROUP = `e2e-${crypto.randomUUID().slice(0, 8)}.example.com`;
const CRD = `parcels.${GROUP}`;

const story = storyWith();
const podStory = storyWith("images");

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: CRD },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { kind: "Parcel", plural: "parcels", singular: "parcel", shortNames: ["pcl"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: KindRules\nrules:\n";
const rule = (generation: string, more = ""): string => `${HEAD}  - group: ${GROUP}
    kind: Parcel
    plural: parcels
    generation: ${generation}
    ready: [{ condition: Ready }]
    failed: [{ condition: Stalled }]
    progressing: [{ condition: Ready, is: ["False", Unknown] }]
${more}`;
const PODS = `    pods:
      owners: [ReplicaSet]
      total: status.replicas
      updated: status.updatedReplicas
      available: status.availableReplicas
      version: { field: status.currentHash, label: parcel-hash }
`;

let own: Namespace;
let files: Readonly<Record<"plain" | "conditions" | "none" | "pods", string>>;
beforeAll(async () => {
  if (LACK !== null) return;
  own = await ownNamespace();
  await kubectl(["apply", "-f", "-"], JSON.stringify(definition));
  await kubectl(["wait", "--for=condition=Established", `crd/${CRD}`, "--timeout=240s"]);
  // It is established before it is served.
  await eventually(() => own.run("get", CRD));
  const folder = tempFolder("e2e-rules");
  const written = (name: string, text: string): string => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    return file;
  };
  files = {
    plain: written("plain", rule("{ field: status.observedGeneration }")),
    conditions: written("conditions", rule("conditions")),
    none: written("none", rule("none")),
    pods: written("pods", rule("{ field: status.observedGeneration }", PODS)),
  };
});
afterAll(async () => {
  await own?.[Symbol.asyncDispose]();
  if (own !== undefined) await kubectl(["delete", "crd", CRD, "--wait=false"]);
});

const parcel = (name: string, spec: object = {}): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Parcel",
  metadata: { name },
  spec: { size: 1, ...spec },
});

/** As its controller: through the status subresource, which leaves the generation as it is. */
const report = (name: string, status: object): Promise<string> =>
  own.run("patch", CRD, name, "--subresource=status", "--type=merge", "-p", JSON.stringify({ status }));

const condition = (type: string, status: string, more: object = {}): JsonObject => ({
  type,
  status,
  reason: "Said",
  message: "by its controller",
  lastTransitionTime: new Date().toISOString(),
  ...more,
});

const seen = (name: string, by: keyof typeof files, wanted: Wanted): Promise<void> =>
  seenBoth([`${CRD}/${name}`, "-n", own.name, "--rules", files[by]], wanted);

describe("by its conditions", () => {
  story("nothing reported, ready, changed, and ready again, each of its own generation", async () => {
    await own.apply(parcel("one"));
    await seen("one", "plain", {
      verdict: "undetermined",
      findings: { "spec-observed": ["undetermined", "not-reported"] },
    });
    await report("one", { observedGeneration: 1, conditions: [condition("Ready", "True")] });
    await seen("one", "plain", {
      verdict: "proven",
      findings: { "spec-observed": ["proven", "observed"], "reported-ready": ["proven", "reported-ready"] },
    });
    await own.apply(parcel("one", { size: 2 }));
    await seen("one", "plain", {
      verdict: "progressing",
      findings: { "spec-observed": ["progressing", "generation-behind"] },
    });
    await report("one", {
      observedGeneration: 2,
      conditions: [condition("Ready", "True"), condition("Stalled", "True")],
    });
    await seen("one", "plain", {
      verdict: "refuted",
      findings: { "reported-ready": ["refuted", "reported-failed"] },
      says: /Stalled is True \(Said: by its controller\)/,
    });
  });

  story("each says its generation itself, or none does", async () => {
    await own.apply(parcel("each"));
    await report("each", { conditions: [condition("Ready", "True", { observedGeneration: 1 })] });
    await seen("each", "conditions", { verdict: "proven" });
    await seen("each", "none", { verdict: "proven" });
    await own.apply(parcel("each", { size: 2 }));
    await seen("each", "conditions", {
      verdict: "progressing",
      findings: { "spec-observed": ["progressing", "generation-behind"] },
    });
    // The condition itself says that it is of the generation before; `none` could not even be told that.
    await seen("each", "none", {
      verdict: "undetermined",
      findings: { "reported-ready": ["undetermined", "generation-unknown"] },
    });
  });

  story("without a rule it is undetermined, and says how to write one", async () => {
    await own.apply(parcel("bare"));
    await report("bare", { observedGeneration: 1, conditions: [condition("Ready", "True")] });
    const { exit, report: told } = await verify(`${CRD}/bare`, "-n", own.name);
    expect(exit).toBe(20);
    expect(told.statement).toContain("name the file with --rules (docs/guide/custom-kinds.md)");
  });

  story("a watch ends proven when its controller reports it ready", async () => {
    await own.apply(parcel("watched"));
    await report("watched", { observedGeneration: 1, conditions: [condition("Ready", "False")] });
    const { child, ended } = startVerify([
      `${CRD}/watched`,
      "-n",
      own.name,
      "--rules",
      files.plain,
      "--watch",
      "--window",
      "300s",
    ]);
    const waits = new Promise<void>((resolve) => {
      let text = "";
      child.stderr.on("data", (part: string) => {
        text += part;
        if (text.includes("reported-ready: progressing")) resolve();
      });
    });
    await Promise.race([waits, ended]);
    await report("watched", { observedGeneration: 1, conditions: [condition("Ready", "True")] });
    expect(await ended).toMatchObject({ exit: 0, report: { verdict: "proven", window: { ended: false } } });
  });
});

describe("with Pods", () => {
  podStory("found through the ReplicaSet that it owns, old ones told by the version's label", async () => {
    const name = "packed";
    await own.apply(parcel(name, { replicas: 1, selector: { matchLabels: { app: name } } }));
    const { metadata } = await own.get(CRD, name);
    const setOf = (hash: string, tag: string): object => {
      // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
      const { template } = (deployment(name, { image: appReference(tag) }) as any).spec;
      const labels = { app: name, "parcel-hash": hash };
      return {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: {
          name: `${name}-${hash}`,
          labels,
          ownerReferences: [
            { apiVersion: `${GROUP}/v1`, kind: "Parcel", name, uid: metadata.uid, controller: true },
          ],
        },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
      };
    };
    const available = (hash: string) =>
      eventually(async () =>
        expect((await own.get("replicaset", `${name}-${hash}`)).status.availableReplicas).toBe(1),
      );
    const counters = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const reported = (hash: string, counts: object = counters) =>
      report(name, {
        observedGeneration: 1,
        conditions: [condition("Ready", "True")],
        currentHash: hash,
        ...counts,
      });

    await own.apply(setOf("a1", ":1.0.0"));
    await available("a1");
    await reported("a1");
    await seen(name, "pods", {
      verdict: "proven",
      findings: {
        "rollout-complete": ["proven", "complete"],
        "old-gone": ["proven", "gone"],
        capacity: ["proven", "available"],
      },
      says: /^1 new replica runs 1\.0\.0 and is ready\.$/,
    });

    // Its controller says that the new version is done, and the old one's Pod still runs.
    await own.apply(setOf("b2", ":2.0.0"));
    await available("b2");
    await reported("b2");
    await seen(name, "pods", {
      verdict: "undetermined",
      findings: { "old-gone": ["undetermined", "contradiction"], "rollout-complete": ["proven", "complete"] },
    });
    await reported("b2", { replicas: 2, updatedReplicas: 1, availableReplicas: 2 });
    await seen(name, "pods", {
      verdict: "progressing",
      findings: { "rollout-complete": ["progressing", "old-pending-termination"] },
      says: /1 replica of 1\.0\.0 is ready/,
    });
    await own.run("delete", "replicaset", `${name}-a1`);
    await eventually(async () => expect(await own.list("pods", "parcel-hash=a1")).toHaveLength(0));
    await reported("b2");
    await seen(name, "pods", { verdict: "proven", says: /^1 new replica runs 2\.0\.0 and is ready\.$/ });
  });
});
