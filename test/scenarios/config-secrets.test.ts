/** `--secrets`: which keys Secrets have is judged, and nothing of what they hold is kept or shown (C6). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { configMap, taking } from "../support/kubernetes/config.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { list } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const rulesIn = (file: string): readonly PolicyRule[] =>
  (
    parse(readFileSync(new URL(`../../docs/rbac/${file}`, import.meta.url), "utf8")) as {
      readonly rules: readonly PolicyRule[];
    }
  ).rules;

const VERIFY_ONLY = rulesIn("verify-only.yaml");
const BOTH = [...VERIFY_ONLY, ...rulesIn("config-secrets.yaml")];

const CANARY = "canary-of-a-secret";
const ENCODED = Buffer.from(CANARY).toString("base64");

/** Like a ConfigMap, with a copy of itself as kubectl keeps one. */
const secret = (key: string, more: JsonObject = {}): JsonObject => {
  const { metadata, ...rest } = configMap("keys", { data: { [key]: ENCODED }, more });
  return {
    ...rest,
    kind: "Secret",
    type: "Opaque",
    metadata: {
      ...(metadata as JsonObject),
      annotations: {
        "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ stringData: { [key]: CANARY } }),
      },
    },
  };
};

const served = async (of: JsonObject, rules: readonly PolicyRule[] = BOTH): Promise<ApiServer> => {
  const server = await apiServerFor({
    clock: clockAt(READ_AT),
    users: [{ name: "verifier", token: "verifier-token", rules: [...rules] }],
  });
  const files = taking(worldFiles(done), () => ({
    container: { env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "keys", key: "TOKEN" } } }] },
  }));
  serve(server, { ...files, "configmaps.json": list([]), "secrets.json": list([of]) });
  return server;
};

const trace = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "config",
    "trace",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

const secretsAsked = (server: ApiServer): number =>
  server.log().filter(({ path }) => path.includes("/secrets")).length;

describe("a Secret", () => {
  it("is not asked for without --secrets, and the flag is named", async () => {
    const server = await served(secret("TOKEN"));
    const ran = await trace(server, "deployment/web");
    expect({ code: ran.code, asked: secretsAsked(server) }).toEqual({ code: 20, asked: 0 });
    expect(ran.out).toContain("Secret keys was not asked for (--secrets asks which keys Secrets have)");
  });

  it.each([
    ["of one workload", ["deployment/web"]],
    ["of many", ["deployments", "--all"]],
    ["by itself", ["secret/keys"]],
  ])("%s is judged like a ConfigMap with it, by one LIST, and with no digest", async (_, words) => {
    const server = await served(secret("TOKEN"));
    const ran = await trace(server, ...words, "--secrets", "-o", "json");
    expect({ code: ran.code, asked: secretsAsked(server) }, ran.out).toEqual({ code: 0, asked: 1 });
    expect(ran.out).toContain('"fresh"');
    expect(ran.out).not.toMatch(/"sha256": "/);
  });

  it("whose key is not there would break the next start", async () => {
    const server = await served(secret("OTHER"));
    const ran = await trace(server, "deployment/web", "--secrets");
    expect(ran.code).toBe(10);
    expect(ran.out).toContain("Secret keys has no key TOKEN");
  });

  it("that is immutable holds what it says", async () => {
    const server = await served(secret("TOKEN", { immutable: true }));
    const ran = await trace(server, "deployment/web", "--secrets");
    expect(ran.out).toContain("config-bound: proven");
  });

  it("R2: is open where the role has no right to it, and the right is named", async () => {
    const server = await served(secret("TOKEN"), VERIFY_ONLY);
    const ran = await trace(server, "deployment/web", "--secrets");
    expect(ran.code).toBe(20);
    expect(ran.out).toMatch(/list secrets|secrets/);
  });

  it.each([["table"], ["wide"], ["json"], ["yaml"], ["jsonl"], ["junit"], ["sarif"], ["markdown"]])(
    "C6: is shown in nothing of what it holds: -o %s",
    async (output) => {
      const server = await served(secret("TOKEN"));
      for (const words of [["deployment/web"], ["-A"]]) {
        const ran = await trace(server, ...words, "--secrets", "-o", output);
        expect(`${ran.out}${ran.err}`).not.toMatch(new RegExp(`${CANARY}|${ENCODED}`));
        expect(ran.out).not.toBe("");
      }
    },
  );

  it("--secrets is about asking a cluster", async () => {
    const ran = await asfound(
      { cwd: folder() },
      "config",
      "trace",
      "deployment/web",
      "--from",
      ".",
      "--secrets",
    );
    expect({ code: ran.code, err: ran.err }).toMatchObject({
      code: 2,
      err: expect.stringContaining("--secrets is about asking a cluster"),
    });
  });
});
