/** Images are really pulled: by tag, by digest, after a tag was moved; and a pull that fails, fails for real. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appReference, deployment, describeApp, service } from "./app.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";
import { testbed } from "./testbed.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (has("testbed")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("testbed"));

/** Pushes that version of the app; resolves to the manifest's digest. */
const push = async (version: string, tag: string): Promise<string> =>
  (await testbed("push", version, tag)).stdout.trim();

/** The only Pod of a Deployment of one replica, once it is ready. */
const readyPod = (name: string, except?: KubeObject): Promise<KubeObject> =>
  eventually(async () => {
    const pods = (await namespace.list("pods", `app=${name}`)).filter(
      ({ metadata }) => metadata.uid !== except?.metadata.uid,
    );
    expect(pods).toHaveLength(1);
    expect(pods[0]?.status.containerStatuses[0].ready).toBe(true);
    return pods[0] as KubeObject;
  });
const imageOf = (pod: KubeObject): string => pod.status.containerStatuses[0].imageID;

describe("the registry", () => {
  it("is pulled from by tag: a Pod's imageID is the digest that the push told", async () => {
    const digest = await push("4.0.0", "by-tag");
    await namespace.apply(deployment("by-tag", { image: appReference(":by-tag"), replicas: 1 }));
    expect(imageOf(await readyPod("by-tag"))).toBe(appReference(`@${digest}`));
  });

  it("is pulled from by digest", async () => {
    const digest = await push("4.1.0", "by-digest");
    await namespace.apply(deployment("by-digest", { image: appReference(`@${digest}`), replicas: 1 }));
    const pod = await readyPod("by-digest");
    expect(imageOf(pod)).toBe(appReference(`@${digest}`));
    expect((await describeApp(`http://${pod.status.podIP}:8080/`)).version).toBe("4.1.0");
  });

  it("moves a tag: the same template gives a replaced Pod another image", async () => {
    const before = await push("5.0.0", "moving");
    await namespace.apply(
      deployment("moving", { image: appReference(":moving"), replicas: 1 }),
      service("moving"),
    );
    const old = await readyPod("moving");
    expect(imageOf(old)).toBe(appReference(`@${before}`));
    const after = await push("6.0.0", "moving");
    expect(after).not.toBe(before);
    await namespace.run("delete", "pod", old.metadata.name);
    const fresh = await readyPod("moving", old);
    expect(fresh.spec.containers[0].image).toBe(old.spec.containers[0].image);
    expect(imageOf(fresh)).toBe(appReference(`@${after}`));
    expect((await describeApp(`http://${fresh.status.podIP}:8080/`)).version).toBe("6.0.0");
  });

  it("has no such tag: the Pod says so", async () => {
    await namespace.apply(deployment("no-such-tag", { image: appReference(":no-such-tag"), replicas: 1 }));
    await eventually(async () => {
      const [pod] = await namespace.list("pods", "app=no-such-tag");
      const { waiting } = pod?.status.containerStatuses?.[0].state ?? {};
      expect(waiting?.reason).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
      expect(waiting.message).toMatch(/app:no-such-tag.*not found/);
    });
  });
});
