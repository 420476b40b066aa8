/** A Pod in the fake API server, and a drill of it by the runtime alone: without the verb's choice and judgement. */

import type { StackFaults, Where } from "../../src/compose/place.ts";
import { type Ran, type Recovery, runRecovery, stackOf } from "../../src/compose/recovery.ts";
import type { Io } from "../../src/compose.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Refused } from "../../src/runtime/runtime.ts";
import { type StatusReport, statusOf } from "../../src/runtime/status.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";

export const TARGET = { cluster: "c", group: "apps", kind: "Deployment", namespace: "shop", name: "web" };
export const STACK = stackOf(TARGET);

const never = new AbortController().signal;
export const quietIo: Io = {
  reporter: { report: () => undefined },
  interrupt: { drain: never, kill: never, first: () => null },
};

export const whereIn = (cwd: string): Omit<Where, "file" | "stack" | "needsFile"> => ({
  ledger: null,
  vars: new Map(),
  actor: "tester",
  cwd,
  environment: { PATH: process.env["PATH"] ?? "" },
});

const podPlace = (name: string) => ({ resource: "pods", namespace: "shop", name });

export const putPod = (server: ApiServer, name: string, metadata: JsonObject = {}): JsonObject =>
  server.put(podPlace(name), { metadata: { name, ...metadata }, status: { phase: "Running" } });

const metadataOf = (object: JsonObject | undefined): JsonObject => (object?.["metadata"] ?? {}) as JsonObject;

export const drillInputs = (
  server: ApiServer,
  kubeconfig: string,
  name: string,
  more: JsonObject = {},
): JsonObject => {
  const { uid, resourceVersion } = metadataOf(server.get(podPlace(name)));
  return {
    workload: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      resource: "deployments",
      namespace: "shop",
      name: "web",
      uid: "workload-uid",
    },
    pod: { name, uid: uid ?? "none", resourceVersion: resourceVersion ?? "0" },
    by: "evict",
    allowNamespaces: ["shop"],
    cluster: null,
    kubeconfig,
    context: null,
    ...more,
  };
};

export interface Came {
  readonly exit: number;
  readonly step: StatusReport["steps"][number] | undefined;
  readonly ending: string;
}

const cameOf = async ({ project, done }: Ran): Promise<Came> => {
  const status = await statusOf(project.runtime, project.stackName);
  const ending = [...done.endings.values()].map((one) => ("why" in one ? one.why : "")).join("; ");
  return { exit: done.exit, step: status?.steps.find(({ step }) => step === "drill"), ending };
};

export const drillOnce = async (
  cwd: string,
  inputs: JsonObject,
  more: Partial<Recovery> = {},
  settleMs = 200,
): Promise<Came | Refused | StackFaults> =>
  runRecovery(
    whereIn(cwd),
    quietIo,
    {
      target: TARGET,
      steps: [{ name: "drill", uses: "kubernetes-drill", with: inputs, settleMs, deadlineMs: 10_000 }],
      reason: "drill of Deployment shop/web",
      leaseWaitMs: 0,
      ...more,
    },
    cameOf,
  );

/** Pods that the server really removed, in order. */
export const removedPods = (server: ApiServer): readonly string[] =>
  server
    .log()
    .flatMap(({ effect }) => (effect?.resource === "pods" && effect.what === "deleted" ? [effect.uid] : []));
