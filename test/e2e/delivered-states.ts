/**
 * States of Applications on a real Argo CD: each is made by commits and by what somebody does on the cluster, and is there when
 * Argo CD or the API server says so, never asfound. What each has to be is in test/scenarios/recorded-states.ts.
 */
import assert from "node:assert/strict";
import { type Delivery, web } from "./application.ts";
import { eventually } from "./eventually.ts";

/** What is asked of it. */
export interface Delivered {
  /** The commit that is expected. */
  readonly commit: string;
  /** With the Deployment that it declares, and an answer of its Service. */
  readonly whole?: boolean;
}

const AUTOMATED = {};
const NOT_READY = { readiness: "/not-readyz" } as const;
/** Of the Deployment's controller, which comes before Argo CD's word. */
const SOON = 5;
const NEVER = 600;

/** Synced by itself, and healthy. */
const synced = async (shop: Delivery, ...change: Parameters<typeof web>): Promise<string> => {
  const commit = await shop.repository.commit("web", { "deploy/web.yaml": web(...change) });
  await shop.declare({ automated: AUTOMATED });
  await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: commit });
  await shop.looksAfterSync();
  return commit;
};

/** The same with a readiness that never comes, until its health is that. */
const unready = async (
  shop: Delivery,
  strategy: "RollingUpdate" | "Recreate",
  health: "Progressing" | "Degraded",
): Promise<Delivered> => {
  const replicas = strategy === "Recreate" ? 1 : 2;
  await synced(shop, { strategy, replicas });
  const deadline = health === "Degraded" ? SOON : NEVER;
  const commit = await shop.repository.commit("readiness on another path", {
    "deploy/web.yaml": web({ strategy, replicas, deadline, ...NOT_READY }),
  });
  await shop.refresh();
  await shop.becomes({ sync: "Synced", phase: "Succeeded", health, revision: commit });
  await failsProbe(shop);
  await shop.looksAfterSync();
  return { commit, whole: true };
};

/** The new Pod runs and is not ready, and no Pod is going. */
const failsProbe = ({ namespace }: Delivery): Promise<void> =>
  eventually(async () => {
    const pods = await namespace.list("pods");
    assert(!pods.some(({ metadata }) => "deletionTimestamp" in metadata));
    const unready = pods.filter(({ status }) => status.containerStatuses?.[0]?.ready === false);
    assert.equal(unready.length, 1);
    assert(unready.every(({ status }) => "running" in status.containerStatuses[0].state));
    const events = await namespace.run("get", "events", "--field-selector=reason=Unhealthy", "-o=name");
    assert.notEqual(events, "");
  });

const scaled = async ({ namespace }: Delivery, replicas: number): Promise<void> => {
  await namespace.run("scale", "deployment/web", `--replicas=${replicas}`);
};

export const DELIVERED: Readonly<Record<string, (shop: Delivery) => Promise<Delivered>>> = {
  "app-synced": async (shop) => ({ commit: await synced(shop), whole: true }),
  "app-unready-rolling": (shop) => unready(shop, "RollingUpdate", "Progressing"),
  "app-degraded-rolling": (shop) => unready(shop, "RollingUpdate", "Degraded"),
  "app-degraded-recreate": (shop) => unready(shop, "Recreate", "Degraded"),
  "app-reverted": async (shop) => {
    await unready(shop, "RollingUpdate", "Degraded");
    const commit = await shop.repository.revert();
    await shop.refresh();
    await shop.becomes({ sync: "Synced", phase: "Succeeded", health: "Healthy", revision: commit });
    await shop.looksAfterSync();
    await shop.namespace.run("rollout", "status", "deployment/web", "--timeout=90s");
    await eventually(async () => assert.equal((await shop.namespace.list("pods")).length, 2));
    return { commit, whole: true };
  },
  "app-pinned-behind": async (shop) => {
    const first = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare({ automated: AUTOMATED, revision: first });
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: first });
    const commit = await shop.repository.commit("three of them", { "deploy/web.yaml": web({ replicas: 3 }) });
    await shop.looksAfterSync();
    return { commit };
  },
  "app-sync-failed": async (shop) => {
    await synced(shop);
    const commit = await broken(shop);
    await shop.looksAfterSync();
    return { commit };
  },
  "app-fixed-without-sync": async (shop) => {
    await synced(shop);
    await broken(shop);
    const commit = await shop.repository.commit("without it", { "deploy/settings.yaml": null });
    await shop.refresh();
    // What is there is what is declared, so that nothing has to be synced.
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Failed", revision: commit });
    await shop.looksAfterSync();
    return { commit };
  },
  "app-drifted": async (shop) => {
    const commit = await synced(shop);
    await scaled(shop, 1);
    await shop.becomes({ sync: "OutOfSync", phase: "Succeeded", revision: commit });
    await shop.looksAfterSync();
    return { commit };
  },
  "app-never-synced": async (shop) => {
    const commit = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare({ automated: null });
    await shop.becomes({ sync: "OutOfSync", health: "Missing", phase: null, revision: commit });
    return { commit };
  },
  "app-without-branch": async (shop) => {
    const commit = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare({ automated: AUTOMATED, revision: "release" });
    await shop.becomes({ sync: "Unknown" });
    return { commit };
  },
};

/** A ConfigMap that no API server takes. */
const broken = async (shop: Delivery): Promise<string> => {
  const settings = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data: { list: [1] },
  };
  const commit = await shop.repository.commit("settings", {
    "deploy/settings.yaml": JSON.stringify(settings),
  });
  await shop.refresh();
  await shop.becomes({ sync: "OutOfSync", phase: "Failed", revision: commit });
  return commit;
};
