/** A real server that was not written for tests, with a configuration by subPath: the kubelet never updates it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { imageReference } from "./app.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";
import { askProxied } from "./proxied.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

const answering = (status: number): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "site" },
  data: { "nginx.conf": `events {}\nhttp { server { listen 80; return ${status} "by config"; } }\n` },
});

const nginx = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "nginx" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "nginx" } },
    template: {
      metadata: { labels: { app: "nginx" } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "nginx",
            image: imageReference("nginx", ":1"),
            volumeMounts: [
              { name: "site", mountPath: "/etc/nginx/nginx.conf", subPath: "nginx.conf" },
              { name: "site", mountPath: "/whole" },
            ],
          },
        ],
        volumes: [{ name: "site", configMap: { name: "site" } }],
      },
    },
  },
};

/** The one Pod that runs and is not about to go. */
const pod = () =>
  eventually(async () => {
    const pods = (await namespace.list("pods", "app=nginx")).filter(
      ({ metadata, status }) => !("deletionTimestamp" in metadata) && status.phase === "Running",
    );
    expect(pods).toHaveLength(1);
    return pods[0]!;
  });
const statusOf = async ({ metadata }: KubeObject): Promise<number> =>
  (await askProxied("GET", namespace.name, `pods/${metadata.name}:80`, "/")).status;

it("keeps the configuration that its Pod began with, until the Pod is replaced", async () => {
  await namespace.apply(answering(500), nginx);
  const old = await pod();
  await eventually(async () => expect(await statusOf(old)).toBe(500));

  await namespace.apply(answering(200));
  const at = (path: string) =>
    namespace.run("exec", old.metadata.name, "--", "/usr/sbin/nginx", "-T", "-c", path);
  // The whole volume has it, so the kubelet has seen the change; the file by subPath does not.
  await eventually(async () => expect(await at("/whole/nginx.conf")).toContain("return 200"));
  expect(await at("/etc/nginx/nginx.conf")).toContain("return 500");
  await namespace.run("exec", old.metadata.name, "--", "/usr/sbin/nginx", "-s", "reload");
  // 502 to 504 are the proxy's own: a worker that ends takes a kept connection with it.
  const reloaded = await eventually(async () => {
    const status = await statusOf(old);
    expect(status).toBeLessThan(502);
    return status;
  });
  expect(reloaded).toBe(500);

  await namespace.run("rollout", "restart", "deployment/nginx");
  const fresh = await eventually(async () => {
    const now = await pod();
    expect(now.metadata.uid).not.toBe(old.metadata.uid);
    return now;
  });
  await eventually(async () => expect(await statusOf(fresh)).toBe(200));
});
