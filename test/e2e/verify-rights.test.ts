import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deployment, service } from "./app.ts";
import { asfound, expectVerdict, verify } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";
import { type PolicyRule, rulesIn, somebody } from "./somebody.ts";

const rules = rulesIn("verify-only.yaml");

let namespace: Namespace;
beforeAll(async () => {
  if (!has("images")) return;
  namespace = await ownNamespace();
  await namespace.apply(deployment("web"), service("web"));
  await atRest(namespace, "web");
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

const without = (plural: string, verb: string): readonly PolicyRule[] =>
  rules.flatMap((rule) =>
    rule.resources.map((resource) => ({
      ...rule,
      resources: [resource],
      verbs: rule.verbs.filter((one) => resource !== plural || one !== verb),
    })),
  );

describe("with the role for verify alone", () => {
  it("every read works: proven by one look and by a watch", async () => {
    const kubeconfig = await somebody(namespace, "reader", rules);
    const wanted = { verdict: "proven", says: /^2 new replicas run 1\.0\.0 and serve\.$/ };
    expectVerdict(await verify("deployment/web", "--kubeconfig", kubeconfig), wanted);
    const watched = await verify("deployment/web", "--kubeconfig", kubeconfig, "--watch", "--window", "30s");
    expectVerdict(watched, wanted);
  });

  it("every write is refused, of whatever it may read", async () => {
    const kubeconfig = await somebody(namespace, "writer", rules);
    const as = ["--kubeconfig", kubeconfig];
    // What the API server itself says of this person: nothing but reading, and asking about oneself.
    const may = (await kubectl([...as, "auth", "can-i", "--list", "--no-headers"]))
      .split("\n")
      .filter(
        (line) =>
          line.trim() !== "" && !/^selfsubject\w+\.(authorization|authentication)\.k8s\.io /.test(line),
      );
    const verbs = may.flatMap((line) => (/\[([^[\]]*)\]$/.exec(line.trim())?.[1] ?? "none").split(" "));
    expect(may.length).toBeGreaterThan(rules.length);
    expect([...new Set(verbs)].sort(), may.join("\n")).toEqual(["get", "list", "watch"]);
    await expect(kubectl([...as, "annotate", "deployment/web", "asfound.dev/written=yes"])).rejects.toThrow(
      /forbidden/i,
    );
    await expect(kubectl([...as, "delete", "service/web"])).rejects.toThrow(/forbidden/i);
    await expect(kubectl([...as, "get", "secrets"])).rejects.toThrow(/forbidden/i);
    // The control: it may read.
    expect(await kubectl([...as, "get", "deployment/web", "-o", "name"])).toBe("deployment.apps/web\n");
  });
});

describe("with the role for --secrets beside it", () => {
  const canary = "canary-of-a-secret";

  it("which keys a Secret has is judged, nothing of what it holds is shown, and without the role it is open", async () => {
    const env = [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "keys", key: "TOKEN" } } }];
    await namespace.apply(
      { apiVersion: "v1", kind: "Secret", metadata: { name: "keys" }, stringData: { TOKEN: canary } },
      deployment("keyed", { replicas: 1, env }),
    );
    await atRest(namespace, "keyed");
    const trace = (kubeconfig: string) =>
      asfound(["config", "trace", "deployment/keyed", "--secrets", "-o", "json", "--kubeconfig", kubeconfig]);
    const both = await trace(
      await somebody(namespace, "keys", [...rules, ...rulesIn("config-secrets.yaml")]),
    );
    expect(both.out, both.err).toContain('"state": "fresh"');
    expect(both.out).not.toMatch(new RegExp(`${canary}|${Buffer.from(canary).toString("base64")}`));
    expect(both.exit).toBe(0);
    const less = await trace(await somebody(namespace, "no-keys", rules));
    expect(less.exit).toBe(20);
    expect(less.out).toContain("secrets");
  });
});

describe("with a right that is missing", () => {
  it.each([
    ["replicasets", "list", "old-gone", ["spec-observed", "rollout-complete", "capacity"]],
    ["pods", "list", "old-gone", ["spec-observed"]],
    [
      "endpointslices",
      "list",
      "endpoints-ready",
      ["spec-observed", "rollout-complete", "old-gone", "capacity"],
    ],
    ["services", "list", "endpoints-ready", ["spec-observed", "rollout-complete", "old-gone", "capacity"]],
    ["horizontalpodautoscalers", "list", "capacity", ["spec-observed", "rollout-complete", "old-gone"]],
  ] as const)("%s %s: %s is undetermined and names it, the rest holds", async (plural, verb, claim, hold) => {
    const kubeconfig = await somebody(namespace, `no-${plural}`, without(plural, verb));
    const { exit, report } = await verify("deployment/web", "--kubeconfig", kubeconfig);
    const told = JSON.stringify(report.findings, null, 1);
    expect([exit, report.verdict], told).toEqual([20, "undetermined"]);
    const of = (name: string) => report.findings.find((one) => one.claim === name);
    expect(of(claim)?.finding, told).toBe("undetermined");
    expect(JSON.stringify(of(claim)), told).toContain(plural);
    for (const name of hold) expect([name, of(name)?.finding], told).toEqual([name, "proven"]);
  });

  it("on the target itself: nothing is judged, and the right is named", async () => {
    const kubeconfig = await somebody(namespace, "no-target", without("deployments", "get"));
    const { exit, report } = await verify("deployment/web", "--kubeconfig", kubeconfig);
    expect([exit, report.verdict]).toEqual([20, "undetermined"]);
    expect(report.statement).toMatch(/deployments.*forbidden|not allowed|may not/i);
  });
});
