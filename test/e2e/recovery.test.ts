/**
 * Story (d) of config and recovery, beside config.test.ts: a projected volume follows its object and the process does not, until it
 * reads again; what an init container took stays what it was, whatever the object holds since.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { deployment, describePod } from "./app.ts";
import { storyWith } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { askProxied } from "./proxied.ts";

const story = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

const configMap = (name: string, text: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { text },
});

const running = async (name: string): Promise<KubeObject> => {
  const [pod, ...others] = await atRest(namespace, name);
  expect(others).toEqual([]);
  return pod as KubeObject;
};

story(
  "projected: the file follows the object, the process goes on with what it read, until it reads again",
  async () => {
    const source = { projected: { sources: [{ configMap: { name: "projected" } }] } };
    const app = deployment("projected", {
      replicas: 1,
      env: [{ name: "CONFIG_FROM", value: "file:/etc/app/text" }],
      volumes: [{ name: "config", mountPath: "/etc/app", source }],
    });
    await namespace.apply(configMap("projected", "v1"), app);
    const pod = await running("projected");
    await namespace.apply(configMap("projected", "v2"));
    await eventually(async () => expect((await describePod(pod)).configNow.text).toBe("v2"));
    expect((await describePod(pod)).config.text).toBe("v1");
    expect(await namespace.run("rollout", "status", "deployment/projected", "--watch=false")).toMatch(
      /successfully rolled out/,
    );
    await askProxied("POST", namespace.name, `pods/${pod.metadata.name}:8080`, "/reload");
    expect((await describePod(pod)).config.text).toBe("v2");
    expect((await running("projected")).metadata.uid).toBe(pod.metadata.uid);
  },
);

story("init: what it took when the Pod was set up is not what the next Pod's would take", async () => {
  const base = deployment("init", { replicas: 1 }) as {
    readonly spec: {
      readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
    };
  };
  const spec = base.spec.template.spec as unknown as Record<string, unknown>;
  spec["initContainers"] = [
    {
      name: "copy",
      image: base.spec.template.spec.containers[0]?.image,
      args: ["cat", "/config/text"],
      volumeMounts: [{ name: "config", mountPath: "/config" }],
    },
  ];
  spec["volumes"] = [{ name: "config", configMap: { name: "init" } }];
  await namespace.apply(configMap("init", "v1"), base);
  const pod = await running("init");
  const took = (one: KubeObject) => namespace.run("logs", one.metadata.name, "-c", "copy");
  expect(await took(pod)).toBe("v1");
  await namespace.apply(configMap("init", "v2"));
  expect(await took(pod)).toBe("v1");
  await namespace.run("delete", "pod", pod.metadata.name);
  const next = await running("init");
  expect(next.metadata.uid).not.toBe(pod.metadata.uid);
  expect(await took(next)).toBe("v2");
});
