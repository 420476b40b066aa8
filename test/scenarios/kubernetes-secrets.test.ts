/** E5: what Secrets in manifests hold reaches no sink of ours: not the ledger, not the screen, not the inventory. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { inventories, place } from "../support/kubernetes-step.ts";

const CANARY = "canary-41c7-never-kept";
const ENCODED = Buffer.from(CANARY).toString("base64");

const everyFile = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

const shop = async (secret: object) => {
  const server = await apiServerFor();
  const cwd = folder();
  mkdirSync(join(cwd, "k8s"));
  writeFileSync(join(cwd, "k8s", "all.json"), JSON.stringify(secret));
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const head = ["apiVersion: asfound.dev/v1alpha1", "kind: Stack", "metadata: { name: shop }", "steps:"];
  const step = ["  web:", "    uses: kubernetes", "    settle: 200ms"];
  const inputs = [`    with: { manifests: k8s, namespace: shop, kubeconfig: ${kubeconfig} }`];
  writeFileSync(join(cwd, "asfound.yaml"), [...head, ...step, ...inputs].join("\n"));
  const sinks: string[] = [];
  const run = async (...words: readonly string[]) => {
    const ran = await asfound({ cwd }, ...words);
    sinks.push(ran.out, ran.err);
    return ran;
  };
  return { server, cwd, run, sinks, kept: () => everyFile(join(cwd, ".asfound")) };
};

const secret = (more: object): object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "door" },
  ...more,
});
const APPLY = ["apply", "--yes", "--progress", "plain"];

it("applied, shown, drifted and destroyed, it is nowhere but in the cluster", async () => {
  const { server, run, sinks, kept } = await shop(secret({ data: { code: ENCODED } }));
  expect((await run(...APPLY)).code).toBe(0);
  await run("status", "-o", "json");
  await run("plan");
  const door = { resource: "secrets", namespace: "shop", name: "door" };
  expect(JSON.stringify(server.get(door)), "control: the cluster has it").toContain(ENCODED);
  server.put(door, { ...server.get(door), data: { code: Buffer.from("other").toString("base64") } });
  await run("reconcile", "--yes");
  const inventory = JSON.stringify(server.get(place(inventories(server)[0])));
  await run("destroy", "--yes");
  for (const text of [...sinks, kept(), inventory]) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(ENCODED);
  }
});

it("a webhook that repeats it, plain and encoded, is quoted without it", async () => {
  const { server, run, sinks, kept } = await shop(secret({ stringData: { code: CANARY } }));
  const message = `admission webhook "spy.example.com" denied the request: ${CANARY} (${ENCODED}) is weak`;
  server.setFaults([
    {
      verb: "patch",
      resource: "secrets",
      fault: {
        do: "reply",
        status: 403,
        body: JSON.stringify({
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          reason: "Forbidden",
          message,
          code: 403,
        }),
      },
    },
  ]);
  await run("plan");
  const ran = await run(...APPLY);
  expect(ran.code).toBe(10);
  expect((ran.out + ran.err).replace(/\s+/g, " ")).toMatch(/\[secret\] \(\[secret\]=*\) is weak/);
  for (const text of [...sinks, kept()]) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(ENCODED);
  }
});

it("a value that is no text is refused before a server could repeat it", async () => {
  const { server, run, sinks } = await shop(secret({ stringData: { pin: 48_151_623 } }));
  expect((await run(...APPLY)).code).toBe(23);
  expect(sinks.join("").replace(/\s+/g, " ")).toContain("the stringData of Secret door must be texts");
  expect(sinks.join("")).not.toContain("48151623");
  expect(server.log()).toEqual([]);
});
