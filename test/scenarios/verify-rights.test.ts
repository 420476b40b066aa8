/** What `verify` reads: exactly what its table says, exactly what docs/rbac/verify-only.yaml allows, and all of it of use. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { type KnownKind, RESOURCES } from "../../src/domain/resource.ts";
import { judge } from "../../src/judge/judge.ts";
import { KINDS } from "../../src/judge/kinds.ts";
import { READS, readsFor } from "../../src/runtime/reads.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { applicationFiles, COMMIT } from "../support/kubernetes/application.ts";
import { type Files, probeFailed, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { gateway, gatewayClass, ingress, ingressClass, route } from "../support/kubernetes/gateway.ts";
import { at, changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import {
  autoscaler,
  budget,
  daemonFiles,
  jobFiles,
  statefulFiles,
  storageClass,
  volume,
  volumeClaim,
} from "../support/kubernetes/others.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";
import { rightsIn, rightsNeeded } from "../support/verify-rights.ts";

const ROLE: { readonly rules: readonly PolicyRule[] } = parse(
  readFileSync(new URL("../../docs/rbac/verify-only.yaml", import.meta.url), "utf8"),
);

const event = (kind: string, name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: metadata("Event", { name: `${name}.1`, created: 640 }),
  involvedObject: { kind, namespace: "shop", name, uid: uidOf(kind, name) },
  reason: "Unhealthy",
  message: "Readiness probe failed: HTTP probe failed with statuscode: 503",
  type: "Warning",
  count: 3,
  firstTimestamp: at(640),
  lastTimestamp: at(650),
});

/** A Service that selects these labels, and its slice with one ready endpoint. */
const routed = (labels: JsonObject, pod: string): Files => ({
  "services.json": list([
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata("Service", { name: "front" }),
      spec: { selector: labels, ports: [{ port: 80 }] },
    },
  ]),
  "endpointslices.json": list([
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: metadata("EndpointSlice", {
        name: "front-1",
        labels: { "kubernetes.io/service-name": "front" },
        owner: { apiVersion: "v1", kind: "Service", name: "front", uid: uidOf("Service", "front") },
      }),
      endpoints: [
        { conditions: { ready: true }, targetRef: { kind: "Pod", name: pod, uid: uidOf("Pod", pod) } },
      ],
    },
  ]),
});
const scaling = (kind: string, name: string): Files => ({
  "horizontalpodautoscalers.json": list([
    changed(
      autoscaler({ desiredReplicas: 9, conditions: [] }, name),
      ["spec", "scaleTargetRef", "kind"],
      kind,
    ),
  ]),
});

const web = worldFiles({
  replicas: 2,
  fresh: { version: "v2", pods: ["not-ready"] },
  old: [{ version: "v1", pods: ["ready", "ready"] }],
  events: [probeFailed("v2", 0, "Readiness probe failed: HTTP probe failed with statuscode: 503", 12)],
});
const jobs = jobFiles({ startTime: at(101), active: 1 }, ["not-ready"]);
const [migrate] = (jobs["jobs.json"] as { readonly items: readonly JsonObject[] }).items as [JsonObject];

const TO_FRONT = { service: { name: "front", port: { number: 80 } } };
const GATES: Files = {
  "gateways.json": list([gateway()]),
  "gatewayclasses.json": list([gatewayClass("traefik")]),
};

/** For each kind with rules one target, with something in each list that bears on it. */
const WORLDS: Readonly<Record<string, { readonly target: string; readonly files: Files }>> = {
  Deployment: { target: "deployment/web", files: { ...web, ...scaling("Deployment", "web") } },
  ReplicaSet: {
    target: `rs/${nameIn(web, "replicasets.json", 1)}`,
    files: { ...web, ...scaling("ReplicaSet", nameIn(web, "replicasets.json", 1)) },
  },
  StatefulSet: {
    target: "sts/db",
    files: {
      ...statefulFiles({ pods: [{ revision: "new", state: "not-ready" }], replicas: 1, closed: false }),
      ...routed({ app: "db" }, "db-0"),
      ...scaling("StatefulSet", "db"),
      "events.json": list([event("Pod", "db-0")]),
    },
  },
  DaemonSet: {
    target: "ds/agent",
    files: {
      ...daemonFiles({ desired: 1, pods: [{ template: 2, state: "not-ready" }] }),
      ...routed({ app: "agent" }, "agent-0"),
      "events.json": list([event("Pod", "agent-0")]),
    },
  },
  Job: { target: "job/migrate", files: { ...jobs, "events.json": list([event("Pod", "migrate-0")]) } },
  CronJob: {
    target: "cj/backup",
    files: {
      ...jobs,
      "events.json": list([event("Pod", "migrate-0")]),
      "jobs.json": list([
        changed(
          migrate,
          ["metadata", "ownerReferences"],
          [
            {
              apiVersion: "batch/v1",
              kind: "CronJob",
              name: "backup",
              uid: uidOf("CronJob", "backup"),
              controller: true,
            },
          ],
        ),
      ]),
      "cronjobs.json": list([
        {
          apiVersion: "batch/v1",
          kind: "CronJob",
          metadata: metadata("CronJob", { name: "backup" }),
          spec: {
            jobTemplate: { spec: { template: (migrate["spec"] as JsonObject)["template"] as JsonObject } },
          },
          status: { lastScheduleTime: at(100) },
        },
      ]),
    },
  },
  Pod: {
    target: `pod/${nameIn(web, "pods.json", 2)}`,
    files: web,
  },
  // An endpoint of a Pod that is gone does not count, which only the Pods tell.
  Service: {
    target: "svc/front",
    files: { ...routed({ app: "front" }, "gone"), "pods.json": list([]) },
  },
  EndpointSlice: {
    target: "endpointslices/front-1",
    files: { ...routed({ app: "front" }, "gone"), "pods.json": list([]) },
  },
  HorizontalPodAutoscaler: {
    target: "hpa/web",
    files: {
      "horizontalpodautoscalers.json": list([autoscaler({ desiredReplicas: 2, currentReplicas: 2 })]),
    },
  },
  PodDisruptionBudget: {
    target: "pdb/web",
    files: {
      "poddisruptionbudgets.json": list([budget({ expectedPods: 2, currentHealthy: 2, desiredHealthy: 1 })]),
    },
  },
  Application: {
    target: "application/shop",
    files: applicationFiles({ aims: COMMIT.v2, compared: COMMIT.v2 }),
  },
  // Nothing provisions it, and no volume of its class is free.
  PersistentVolumeClaim: {
    target: "pvc/data",
    files: {
      "persistentvolumeclaims.json": list([volumeClaim("Pending", { storageClassName: "slow" })]),
      "storageclasses.json": list([storageClass("slow", { provisioner: "kubernetes.io/no-provisioner" })]),
      "persistentvolumes.json": list([volume("slow", "Available")]),
      "events.json": list([event("PersistentVolumeClaim", "data")]),
    },
  },
  Ingress: {
    target: "ing/door",
    files: {
      ...routed({ app: "front" }, "gone"),
      "pods.json": list([]),
      "ingresses.json": list([ingress({ backends: [TO_FRONT] })]),
      "ingressclasses.json": list([ingressClass("traefik")]),
    },
  },
  Gateway: { target: "gateway/front", files: GATES },
  HTTPRoute: {
    target: "httproute/way",
    files: {
      ...routed({ app: "front" }, "gone"),
      "pods.json": list([]),
      ...GATES,
      "httproutes.json": list([route({ backends: [{ name: "front", port: 80 }] })]),
    },
  },
  GRPCRoute: {
    target: "grpcroute/way",
    files: {
      ...routed({ app: "front" }, "gone"),
      "pods.json": list([]),
      ...GATES,
      "grpcroutes.json": list([route({ kind: "GRPCRoute", backends: [{ name: "front", port: 80 }] })]),
    },
  },
};

function nameIn(files: Files, file: string, index: number): string {
  const { items } = files[file] as unknown as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items[index]?.metadata.name ?? "";
}

const RELATED = [...new Set(Object.values(READS).flatMap((reads) => Object.values(reads).flat()))] as const;

describe("the table of reads", () => {
  it("has every kind with rules, and a world for each", () => {
    const kinds = KINDS.map(({ resource }) => resource.kind).sort();
    expect(Object.keys(READS).sort()).toEqual(kinds);
    expect(Object.keys(WORLDS).sort()).toEqual(kinds);
  });

  /** All lists answered, but for one resource: its objects are not there, and its question was denied. */
  const without = (files: Files, gone: KnownKind | null): Evidence => {
    const evidence = evidenceOf(files, READ_AT);
    const source = { evidence: "test", pointer: "" };
    const asked = RELATED.filter((kind) => kind !== gone).map((kind) => {
      const { group, plural } = RESOURCES[kind];
      return {
        group,
        resource: plural,
        namespaces: "all" as const,
        name: null,
        answer: { kind: "observed" as const },
        source,
      };
    });
    return {
      ...evidence,
      objects: evidence.objects.filter(({ kind }) => kind !== gone),
      asked: [
        ...asked,
        ...(gone === null
          ? []
          : [
              {
                group: RESOURCES[gone].group,
                resource: RESOURCES[gone].plural,
                namespaces: "all" as const,
                name: null,
                answer: { kind: "denied" as const, why: "denied" },
                source,
              },
            ]),
      ],
    };
  };

  it.each(Object.entries(WORLDS))(
    "%s: what is read is what its findings rest on, and all of it",
    (kind, { target, files }) => {
      const question = about(target);
      const told = (gone: KnownKind | null): string => {
        const { findings, statement } = judge(without(files, gone), question);
        return JSON.stringify([findings, statement]);
      };
      const whole = told(null);
      const resource = RESOURCES[kind as KnownKind];
      const reads = new Set(readsFor(resource, question).map((one) => one.kind));
      const bears = RELATED.filter((one) => one !== kind && told(one) !== whole);
      expect(bears.toSorted()).toEqual([...reads].toSorted());
    },
  );
});

describe("docs/rbac/verify-only.yaml", () => {
  it("allows what the table needs, and nothing else", () => {
    expect(rightsIn(ROLE.rules)).toEqual(rightsNeeded());
  });

  const look = async (
    server: ApiServer,
    target: string,
    ...words: readonly string[]
  ): Promise<readonly string[]> => {
    const kubeconfig = kubeconfigFile(server.kubeconfig());
    await asfound({ cwd: folder() }, "verify", target, "-n", "shop", "--kubeconfig", kubeconfig, ...words);
    return server.log().map(({ verb, resource, status }) => `${resource} ${verb} ${status}`);
  };
  const serverFor = async (files: Files, rules: readonly PolicyRule[]): Promise<ApiServer> => {
    const server = await apiServerFor({
      clock: clockAt(READ_AT),
      users: [{ name: "verifier", token: "verifier-token", rules }],
    });
    serve(server, files);
    return server;
  };

  it.each(Object.entries(WORLDS))(
    "is enough to look at a %s, and to watch it",
    async (_, { target, files }) => {
      const server = await serverFor(files, ROLE.rules);
      const asked = await look(server, target, "--watch", "--window", "100ms");
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((one) => !one.endsWith(" 200"))).toEqual([]);
    },
  );

  it.each(ROLE.rules.map((rule) => [rule.resources?.join(" "), rule] as const))(
    "control: without the rule for %s something is forbidden",
    async (_, rule) => {
      const fewer = ROLE.rules.filter((one) => one !== rule);
      const asked: string[] = [];
      for (const { target, files } of Object.values(WORLDS))
        asked.push(...(await look(await serverFor(files, fewer), target)));
      expect(asked.some((one) => one.endsWith(" 403"))).toBe(true);
    },
  );
});
