/**
 * What a process has by subPath, by the file in its container: `config trace --read-files` on a real kubelet, where no time tells.
 * nginx's image has no `cat`; one container is lent the machine's own, the other is not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { imageReference } from "./app.ts";
import { asfound } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

/** Beyond the margin that is given to the clocks. */
const WELL_AFTER_MS = 7_000;
const CONF = "/etc/nginx/nginx.conf";

const answering = (status: number): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "site" },
  data: { "nginx.conf": `events {}\nhttp { server { listen 80; return ${status} "by config"; } }\n` },
});

const LENT = ["bin", "lib", "lib64"];

const nginx = (name: string, lent: readonly string[]): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "nginx",
            image: imageReference("nginx", ":1"),
            env: [{ name: "PATH", value: "/usr/sbin:/bin" }],
            volumeMounts: [
              { name: "site", mountPath: CONF, subPath: "nginx.conf" },
              ...lent.map((path) => ({ name: path, mountPath: `/${path}`, readOnly: true })),
            ],
          },
        ],
        volumes: [
          { name: "site", configMap: { name: "site" } },
          ...lent.map((path) => ({ name: path, hostPath: { path: `/${path}` } })),
        ],
      },
    },
  },
});

interface Trace {
  readonly references: readonly {
    readonly state: string;
    readonly level: string;
    readonly file: string | null;
    readonly serviceAccount: boolean;
  }[];
  readonly trust: { readonly limits: readonly string[] };
}

const trace = async (name: string, ...words: readonly string[]) => {
  const ran = await asfound([
    "config",
    "trace",
    `deployment/${name}`,
    "-n",
    namespace.name,
    "-o",
    "json",
    ...words,
  ]);
  expect(ran.out, ran.err).not.toBe("");
  const { references, trust } = JSON.parse(ran.out) as Trace;
  return {
    exit: ran.exit,
    states: references
      .filter(({ serviceAccount }) => !serviceAccount)
      .map(({ state, level, file }) => `${state} ${level} ${file}`),
    limits: trust.limits.join("\n"),
  };
};

it("source new, file old: stale by its digest; and fresh in the Pod that comes after", async () => {
  await namespace.apply(answering(500), nginx("site", LENT), nginx("bare", []));
  for (const name of ["site", "bare"]) await atRest(namespace, name);
  await sleep(WELL_AFTER_MS);
  await namespace.apply(answering(200));

  expect(await trace("site")).toMatchObject({ exit: 20, states: ["not-knowable L1 as-mounted"] });
  const stale = await trace("site", "--read-files", "--yes");
  expect(stale, stale.limits).toMatchObject({ exit: 10, states: ["stale L4 another"] });
  // The control: nobody can read it there, so nothing is known.
  const bare = await trace("bare", "--read-files", "--yes");
  expect(bare).toMatchObject({ exit: 20, states: ["not-knowable L1 as-mounted"] });
  expect(bare.limits).toContain("there is no `cat` in the container");

  await namespace.run("rollout", "restart", "deployment/site");
  await atRest(namespace, "site");
  const after = await trace("site", "--read-files", "--yes");
  expect(after, after.limits).toMatchObject({ exit: 0, states: ["fresh L4 as-the-object"] });
});
