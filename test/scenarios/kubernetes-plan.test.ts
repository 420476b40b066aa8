/** `plan` over steps of manifests: what the server itself says would change, without a secret in it, and nothing written anywhere. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { effects, place, status } from "../support/kubernetes-step.ts";

const CANARY = "canary-9f31-never-shown";

const workload = (image: string, token: string): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    template: { spec: { containers: [{ name: "web", image, env: [{ name: "MODE", value: token }] }] } },
  },
});
const secret = (value: string): object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "door" },
  data: { code: Buffer.from(value).toString("base64") },
});
const config = (name: string, colour: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { colour, ...more },
});

interface Shop {
  readonly server: ApiServer;
  readonly cwd: string;
  write(...objects: readonly object[]): void;
}

const shop = async (): Promise<Shop> => {
  const server = await apiServerFor();
  const cwd = folder();
  mkdirSync(join(cwd, "k8s"));
  writeFileSync(
    join(cwd, "asfound.yaml"),
    [
      "apiVersion: asfound.dev/v1alpha1",
      "kind: Stack",
      "metadata: { name: shop }",
      "steps:",
      "  web:",
      "    uses: kubernetes",
      `    with: { manifests: k8s, namespace: shop, kubeconfig: ${JSON.stringify(kubeconfigFile(server.kubeconfig()))} }`,
    ].join("\n"),
  );
  return {
    server,
    cwd,
    write: (...items) =>
      writeFileSync(join(cwd, "k8s", "all.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items })),
  };
};

const PLAN = ["plan"];
const APPLY = ["apply", "--yes", "--progress", "quiet"];

it("before the first apply: all would be created; nothing is, and no ledger comes of it", async () => {
  const { server, cwd, write } = await shop();
  write(config("settings", "blue"), workload("web:1", "a"));
  const ran = await asfound({ cwd }, ...PLAN);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("ConfigMap shop/settings: would be created");
  expect(ran.out).toContain("Deployment shop/web: would be created");
  expect(effects(server)).toEqual([]);
  expect(existsSync(join(cwd, ".asfound"))).toBe(false);
});

it("an update: each place with what it is and would be, what would be pruned, and no secret of any kind", async () => {
  const { server, cwd, write } = await shop();
  write(
    config("settings", "blue"),
    config("old", "blue"),
    workload("web:1", `${CANARY}-1`),
    secret(`${CANARY}-1`),
  );
  expect((await asfound({ cwd }, ...APPLY)).code).toBe(0);
  const before = effects(server);
  write(
    config("settings", "green", { apiToken: CANARY }),
    workload("web:2", `${CANARY}-2`),
    secret(`${CANARY}-2`),
  );
  const ran = await asfound({ cwd }, ...PLAN);
  expect(ran.out).toContain('.data.colour: "blue" → "green"');
  expect(ran.out).toContain(".data.apiToken: nothing → [secret]");
  expect(ran.out).toContain(".spec.template.spec.containers");
  expect(ran.out).toContain("ConfigMap shop/old: would be removed");
  expect(ran.out).toContain(".data.code: [secret] → another one");
  for (const text of [ran.out, ran.err]) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(Buffer.from(CANARY).toString("base64").slice(0, 16));
  }
  expect(effects(server)).toEqual(before);
});

it("control: the values that are not shown are in what the server holds", async () => {
  const { server, cwd, write } = await shop();
  write(secret(CANARY));
  expect((await asfound({ cwd }, ...APPLY)).code).toBe(0);
  const held = JSON.stringify(server.get({ resource: "secrets", namespace: "shop", name: "door" }));
  expect(held).toContain(Buffer.from(CANARY).toString("base64"));
});

it("what would be refused is said with its reason, and the plan is one all the same", async () => {
  const { server, cwd, write } = await shop();
  server.put(place("taken"), { data: {} });
  server.setFaults([
    {
      verb: "patch",
      path: "/api/v1/namespaces/shop/configmaps/denied",
      fault: status(403, "Forbidden", 'admission webhook "policy.example.com" denied the request: no'),
    },
  ]);
  write(config("taken", "blue"), config("denied", "blue"));
  const ran = await asfound({ cwd }, ...PLAN);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("ConfigMap shop/taken: would be refused");
  expect(ran.out).toContain("nobody's mark is on it");
  expect(ran.out).toContain('admission webhook "policy.example.com" denied');
});

it("a cluster that is out of reach: not known, with the reason; exit 0", async () => {
  const { server, cwd, write } = await shop();
  write(config("settings", "blue"));
  await server.refuse();
  const ran = await asfound({ cwd }, ...PLAN);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("not known");
});

it("as JSON it keeps its schema, and a saved plan with a look in it is carried out although the look is older", async () => {
  const { cwd, write } = await shop();
  write(config("settings", "blue"));
  const ran = await asfound({ cwd }, ...PLAN, "-o", "json", "--out", "saved.json");
  const report = JSON.parse(ran.out);
  expect(
    API_SCHEMAS["plan"]?.safeParse(JSON.parse(readFileSync(join(cwd, "saved.json"), "utf8"))).success,
  ).toBe(true);
  expect(report.steps[0].preview).toEqual([{ what: "create", of: "ConfigMap shop/settings", lines: [] }]);
  expect((await asfound({ cwd }, "apply", "--plan", "saved.json", "--yes", "--progress", "quiet")).code).toBe(
    0,
  );
});
