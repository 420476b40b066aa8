/** A step that pins an Application, from its file on: `confirm` with the claims of `verify`, and the rights that docs/rbac names. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { type AppWorld, appOf, argoController, patches, type Script, SHOP } from "../support/argo.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { COMMIT } from "../support/kubernetes/application.ts";
import { KUBE_SYSTEM } from "../support/kubernetes-step.ts";
import { makePlace, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

interface Town {
  readonly server: ApiServer;
  readonly script: Script;
}

const town = async (
  confirm: string,
  world: AppWorld = {},
  options: ApiServerOptions = {},
  more = "",
): Promise<Town> => {
  const server = await apiServerFor(options);
  server.put(KUBE_SYSTEM, {});
  server.put(SHOP, appOf(world));
  const script = argoController(server);
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const step = [
    "  web:",
    "    uses: argocd",
    "    settle: 200ms",
    "    deadline: 3s",
    "    window: 300ms",
    `    with: { application: argocd/shop, revision: ${COMMIT.v2}, kubeconfig: ${kubeconfig}${more} }`,
    ...(confirm === "" ? [] : [`    confirm: [${confirm}]`]),
  ];
  await place.writeStack(stackText([step.join("\n")]));
  return { server, script };
};

const GITOPS = "intended-commit, synced-revision, controller-health";

describe("confirm of a pin", () => {
  it("proven: pinned, synced and healthy, by the claims of verify and with the step's own commit", async () => {
    await town(GITOPS);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
  });

  it("pinned without a sync, and nothing syncs it: refuted, with what stands in the way", async () => {
    await town(GITOPS, {}, {}, ", sync: false");
    const { exit } = await place.apply();
    const step = await place.step("web");
    expect([exit, step.status]).not.toEqual([0, "complete"]);
    expect(step.reason).toContain("has not compared what is declared now");
  });

  it("claims of workloads are asked of those that the Application lists", async () => {
    await town(`${GITOPS}, rollout-complete`);
    await place.apply();
    const step = await place.step("web");
    expect(step.status).not.toBe("complete");
    expect(step.reason).toContain("there is no Deployment shop/web");
  });
});

describe("docs/rbac/argocd-provider.yaml", () => {
  const { rules } = parse(
    readFileSync(new URL("../../docs/rbac/argocd-provider.yaml", import.meta.url), "utf8"),
  ) as { readonly rules: readonly PolicyRule[] };
  const pinner = (may: readonly PolicyRule[]): ApiServerOptions => ({
    users: [{ name: "pinner", token: "pinner-token", rules: may }],
  });

  it("is enough to plan, pin, sync and destroy, and each right of it is used", async () => {
    const { server } = await town("", {}, pinner(rules));
    await place.plan();
    expect((await place.apply()).exit).toBe(0);
    expect((await place.destroy()).exit).toBe(0);
    const all = server
      .log()
      .filter(({ verb }) => verb !== "discover")
      .map(({ verb, resource, status }) => `${resource} ${verb} ${status}`);
    expect(all.filter((one) => !one.endsWith(" 200"))).toEqual([]);
    const rights = rules.flatMap(({ resources = [], verbs }) =>
      resources.flatMap((one) => verbs.map((verb) => `${one} ${verb} 200`)),
    );
    expect([...new Set(all)].sort()).toEqual(rights.sort());
  });

  it("control: without the right to patch nothing is changed, and the right is named", async () => {
    const without = rules.map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== "patch") }));
    const { server } = await town("", {}, pinner(without));
    expect((await place.apply()).exit).toBe(10);
    expect((await place.step("web")).lastError).toMatch(/patch.*applications/);
    expect(patches(server)).toBe(0);
  });
});
