/**
 * A real Argo CD and a real Git server: what an Application aims at, synced and says, kept apart from what serves. The states are
 * those that are recorded (delivered-states.ts), judged here while they live.
 */
import { beforeAll, describe, expect } from "vitest";
import { ARGOCD_NAMESPACE } from "../../testbed/place.ts";
import { STATES } from "../scenarios/recorded-states.ts";
import { type Delivery, delivery, web } from "./application.ts";
import { expectVerdict, storyWith, type Verified, verify } from "./asfound.ts";
import { DELIVERED } from "./delivered-states.ts";
import { eventually } from "./eventually.ts";
import { has } from "./lack.ts";
import { startGitServer } from "./own-git-server.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("testbed");

beforeAll(async () => {
  if (has("testbed")) await testbed("start", "argocd");
});

/** The Application alone. */
const asked = ({ name }: Delivery, commit: string): Promise<Verified> =>
  verify(`application/${name}`, "-n", ARGOCD_NAMESPACE, "--commit", commit);

/** The Deployment that it declares, and what its Service answers. */
const askedWhole = ({ name }: Delivery, commit: string): Promise<Verified> =>
  verify(
    ...["deployment/web", "-n", name, "--application", `${ARGOCD_NAMESPACE}/${name}`, "--commit", commit],
    ...["--via", "service/web", "--expect", "status=200"],
  );

describe("on a real Argo CD", () => {
  for (const [name, make] of Object.entries(DELIVERED)) {
    const { done, verdict, findings, says } = STATES[name]!;
    story(`${name}: ${done}`, async () => {
      await using shop = await delivery();
      const { commit, whole = false } = await make(shop);
      expectVerdict(await (whole ? askedWhole : asked)(shop, commit), { verdict, findings, says });
    });
  }

  story("git revert makes another commit of an equal tree, and that one is proven", async () => {
    await using shop = await delivery();
    const { repository } = shop;
    const normal = await repository.commit("two", { "deploy/web.yaml": web() });
    await shop.declare();
    await shop.becomes({ sync: "Synced", health: "Healthy", revision: normal });
    const failure = await repository.commit("three", { "deploy/web.yaml": web({ replicas: 3 }) });
    await shop.refresh();
    await shop.becomes({ sync: "Synced", health: "Healthy", revision: failure });
    const recovery = await repository.revert();
    await shop.refresh();
    await shop.becomes({ sync: "Synced", health: "Healthy", revision: recovery });
    await shop.looksAfterSync();
    expect(recovery).not.toBe(normal);
    expect(await repository.treeOf(recovery)).toBe(await repository.treeOf(normal));
    expectVerdict(await asked(shop, recovery), { verdict: "proven" });
    // It is not the first commit that is asked for, however equal its tree is.
    expectVerdict(await asked(shop, normal), { verdict: "progressing" });
  });

  story("selfHeal undoes a live edit, and what is then there is proven", async () => {
    await using shop = await delivery();
    const commit = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare({ automated: { selfHeal: true } });
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: commit });
    const before = await shop.namespace.get("deployment", "web");
    const path = "/spec/template/spec/containers/0/readinessProbe/httpGet/path";
    const edit = [{ op: "replace", path, value: "/index.html" }];
    await shop.namespace.run("patch", "deployment/web", "--type=json", "-p", JSON.stringify(edit));
    await eventually(async () => {
      const { metadata, spec } = await shop.namespace.get("deployment", "web");
      expect(metadata.generation).toBeGreaterThan(Number(before.metadata.generation) + 1);
      expect(spec.template).toEqual(before.spec.template);
    });
    await shop.namespace.run("rollout", "status", "deployment/web", "--timeout=170s");
    await eventually(async () => expect(await shop.namespace.list("pods")).toHaveLength(2));
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: commit });
    await shop.looksAfterSync();
    expectVerdict(await askedWhole(shop, commit), { verdict: "proven" });
  });

  story(
    "what is added by hand to a declared object is no difference to Argo CD, and that is said",
    async () => {
      await using shop = await delivery();
      const commit = await shop.repository.commit("web", { "deploy/web.yaml": web() });
      await shop.declare({ automated: { selfHeal: true } });
      await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: commit });
      const edit = { spec: { template: { metadata: { labels: { edited: "by-hand" } } } } };
      await shop.namespace.run("patch", "deployment/web", "--type=merge", "-p", JSON.stringify(edit));
      await shop.namespace.run("rollout", "status", "deployment/web", "--timeout=170s");
      await shop.looksAfterSync();
      await shop.becomes({ sync: "Synced", health: "Healthy", revision: commit });
      const { spec } = await shop.namespace.get("deployment", "web");
      expect(spec.template.metadata.labels).toMatchObject({ edited: "by-hand" });
      const { report } = await asked(shop, commit);
      const synced = report.findings.find(({ claim }) => claim === "synced-revision");
      expect([synced?.finding, synced?.limits.join()]).toEqual([
        "proven",
        expect.stringMatching(/not declared/),
      ]);
    },
  );

  story("a Git server that is gone leaves all open, what was synced before included", async () => {
    await using server = await startGitServer();
    await using shop = await delivery(server.url);
    const commit = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare();
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: commit });
    await server[Symbol.asyncDispose]();
    await shop.refresh();
    await shop.becomes({ sync: "Unknown" });
    const verified = await asked(shop, commit);
    expectVerdict(verified, {
      verdict: "undetermined",
      findings: {
        "intended-commit": ["undetermined", "comparison-failed"],
        "synced-revision": ["undetermined", "comparison-failed"],
        "controller-health": ["undetermined", "comparison-failed"],
      },
    });
  });
});
