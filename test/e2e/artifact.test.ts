/** A tag that was moved on the cluster's registry: one template, two imageIDs, told although nobody expects a digest. */
import { afterAll, beforeAll, expect } from "vitest";
import { appReference, deployment } from "./app.ts";
import { storyWith, verify } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("testbed");

let namespace: Namespace;
beforeAll(async () => {
  if (has("testbed")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

const push = async (version: string, tag: string): Promise<string> =>
  (await testbed("push", version, tag)).stdout.trim();

/** Both Pods, once they are ready and no other is there. */
const bothReady = (except?: string): Promise<readonly KubeObject[]> =>
  eventually(async () => {
    const pods = await namespace.list("pods", "app=mixed");
    expect(pods.filter(({ metadata }) => metadata.uid === except)).toEqual([]);
    expect(pods.map(({ status }) => status.containerStatuses?.[0].ready)).toEqual([true, true]);
    return pods;
  });

story("a tag moved, one Pod replaced: the rollout is complete, and it is not one artifact", async () => {
  const before = await push("7.0.0", "mixed");
  await namespace.apply(deployment("mixed", { image: appReference(":mixed"), replicas: 2 }));
  const [first] = await bothReady();
  const whole = await verify("deployment/mixed", "-n", namespace.name);
  expect(whole.report.findings.filter(({ claim }) => claim === "artifact")).toEqual([]);

  const after = await push("8.0.0", "mixed");
  await namespace.run("delete", "pod", String(first?.metadata.name));
  await bothReady(first?.metadata.uid);
  const { exit, report } = await verify("deployment/mixed", "-n", namespace.name);
  const found = report.findings.find(({ claim }) => claim === "artifact");
  expect(found, JSON.stringify(report.findings)).toMatchObject({
    finding: "refuted",
    reason: "mixed-images",
  });
  expect(found?.sentence).toMatch(/^one template, two imageIDs: /);
  for (const digest of [before, after]) expect(found?.sentence).toContain(digest.slice(0, 19));
  expect([exit, report.verdict]).toEqual([10, "refuted"]);
  expect(report.findings.find(({ claim }) => claim === "rollout-complete")?.finding).toBe("proven");
});
