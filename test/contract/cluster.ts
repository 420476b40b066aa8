/**
 * The contract of every cluster adapter (`src/ports/cluster.ts`), over any API server: the fake one, and a real one. It
 * works in a namespace of its own and writes with the administrator's kubeconfig it is given.
 */

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type {
  Cluster,
  CollectionRef,
  ListReading,
  ObjectReading,
  ObjectRef,
  Resource,
} from "../../src/ports/cluster.ts";
import type { WritableCluster } from "../../src/ports/cluster-writer.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import { CONFIG_MAPS, NODES, PODS, roundWith } from "../support/cluster.ts";
import { type Writer, written } from "../support/cluster-writer.ts";
import { rightsNeeded } from "../support/verify-rights.ts";

export interface Limits {
  readonly rules: readonly PolicyRule[];
  /** `namespace`: they hold in the suite's own one only. */
  readonly scope: "namespace" | "cluster";
}

export interface ClusterHarness {
  readonly writer: Writer;
  /** An existing namespace in which nothing but this suite is at work. */
  readonly namespace: string;
  /** The adapter as an administrator; the caller's test closes it. */
  open(): Promise<Cluster>;
  /** With the half that writes. */
  openWritable(): Promise<WritableCluster>;
  /** As somebody who may do only this. */
  openAs(limits: Limits): Promise<{ readonly cluster: Cluster; readonly writer: Writer }>;
  /** Makes the server forget every moment before now; absent where nobody can. */
  compact?(): void;
  dispose(): Promise<void>;
}

const NOWHERE: Resource = {
  group: "nowhere.example.org",
  version: "v1",
  resource: "things",
  kind: "Thing",
  namespaced: true,
};

/** Kinds that `verify` reads, by the names that people type. */
const WORDS: readonly (readonly [word: string, plural: string, group: string])[] = [
  ["pod", "pods", ""],
  ["Pods", "pods", ""],
  ["po", "pods", ""],
  ["svc", "services", ""],
  ["cm", "configmaps", ""],
  ["secret", "secrets", ""],
  ["no", "nodes", ""],
  ["ev", "events", ""],
  ["deploy", "deployments", "apps"],
  ["Deployment", "deployments", "apps"],
  ["deployments.apps", "deployments", "apps"],
  ["deployments.v1.apps", "deployments", "apps"],
  ["rs", "replicasets", "apps"],
  ["sts", "statefulsets", "apps"],
  ["ds", "daemonsets", "apps"],
  ["job", "jobs", "batch"],
  ["cj", "cronjobs", "batch"],
  ["hpa", "horizontalpodautoscalers", "autoscaling"],
  ["pdb", "poddisruptionbudgets", "policy"],
  ["pvc", "persistentvolumeclaims", ""],
  ["ing", "ingresses", "networking.k8s.io"],
  ["endpointslices", "endpointslices", "discovery.k8s.io"],
];

const observedObject = (reading: ObjectReading) => {
  if (reading.kind !== "observed") throw new Error(`not observed: ${JSON.stringify(reading)}`);
  return reading;
};
const observedList = (reading: ListReading) => {
  if (reading.kind !== "observed") throw new Error(`not observed: ${JSON.stringify(reading)}`);
  return reading;
};

/** The ClusterRole in docs/rbac, as it is given to people. */
const verifyOnly = async (): Promise<{ readonly rules: readonly PolicyRule[] }> => {
  const text = await readFile(new URL("../../docs/rbac/verify-only.yaml", import.meta.url), "utf8");
  return parse(text);
};

export const clusterContract = (name: string, makeHarness: () => Promise<ClusterHarness>): void => {
  describe(`the cluster's contract, kept by ${name}`, () => {
    let harness: ClusterHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(() => harness.dispose());

    const path = (rest = ""): string => `/api/v1/namespaces/${harness.namespace}/configmaps${rest}`;
    const body = (label: string, data: JsonObject): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: label, labels: { app: label } },
      data,
    });
    const create = (named: string, data: JsonObject = { key: "value" }): Promise<JsonObject> =>
      written(harness.writer.send("POST", path(), body(named, data)));
    const remove = (named: string): Promise<JsonObject> =>
      written(harness.writer.send("DELETE", path(`/${named}`)));
    const ref = (named: string): ObjectRef => ({
      resource: CONFIG_MAPS,
      namespace: harness.namespace,
      name: named,
    });
    const all = (more: Partial<CollectionRef> = {}): CollectionRef => ({
      resource: CONFIG_MAPS,
      namespace: harness.namespace,
      labelSelector: null,
      fieldSelector: null,
      ...more,
    });

    it("an object is observed as the bytes that came, with its identity and the server's own time", async () => {
      const made = await create("seen", { text: "ümläut \u2603 </script>", __proto__: "kept" });
      const reading = observedObject(await roundWith(await harness.open()).get(ref("seen")));
      const [exchange] = reading.exchanges;
      expect(reading.exchanges).toHaveLength(1);
      expect(exchange).toMatchObject({ request: `GET ${path("/seen")}`, status: 200, whole: true });
      expect(JSON.parse(Buffer.from(exchange?.body ?? []).toString("utf8"))).toEqual(reading.object);
      expect(reading.uid).toBe((made["metadata"] as JsonObject)["uid"]);
      expect(reading.resourceVersion).toBe((made["metadata"] as JsonObject)["resourceVersion"]);
      expect(Object.entries(reading.object["data"] ?? {})).toContainEqual([
        "text",
        "ümläut \u2603 </script>",
      ]);
      expect(Math.abs(Date.parse(exchange?.serverDate ?? "") - (exchange?.askedAt ?? 0))).toBeLessThan(
        60_000,
      );
      expect((exchange?.answeredAt ?? 0) >= (exchange?.askedAt ?? 0)).toBe(true);
    });

    it("an object that is not there is absent, by the server's word about exactly it", async () => {
      const reading = await roundWith(await harness.open()).get(ref("never-made"));
      expect(reading).toMatchObject({ kind: "absent", exchanges: [{ status: 404, whole: true }] });
    });

    it("R2: a kind that the server does not serve is no absence of an object", async () => {
      const round = roundWith(await harness.open());
      const reading = await round.get({ resource: NOWHERE, namespace: harness.namespace, name: "x" });
      expect(reading).toMatchObject({ kind: "failed", reason: "no-such-resource" });
      const list = await round.list({ ...all(), resource: NOWHERE });
      expect(list).toMatchObject({ kind: "failed", reason: "no-such-resource" });
    });

    it("an object made again under its name is another", async () => {
      await create("twice");
      const before = observedObject(await roundWith(await harness.open()).get(ref("twice")));
      await remove("twice");
      expect(await roundWith(await harness.open()).get(ref("twice"))).toMatchObject({ kind: "absent" });
      await create("twice");
      const after = observedObject(await roundWith(await harness.open()).get(ref("twice")));
      expect(after.uid).not.toBe(before.uid);
    });

    it("V5: a selection of nothing is an observed nothing, at one resourceVersion", async () => {
      const list = observedList(
        await roundWith(await harness.open()).list(all({ labelSelector: "app=nobody" })),
      );
      expect(list.items).toEqual([]);
      expect(list.resourceVersion).toMatch(/^\d+$/);
      expect(list.pages).toHaveLength(1);
    });

    it.each([
      ["app=chosen", ["chosen"]],
      ["app in (chosen, other)", ["chosen", "other"]],
      ["app!=chosen,app in (chosen,other)", ["other"]],
    ])("selects by labels: %s", async (labelSelector, names) => {
      for (const named of ["chosen", "other"]) await harness.writer.send("POST", path(), body(named, {}));
      const list = observedList(await roundWith(await harness.open()).list(all({ labelSelector })));
      expect(list.items.map((item) => (item["metadata"] as JsonObject)["name"]).sort()).toEqual(names);
    });

    it("selects by a field", async () => {
      for (const named of ["chosen", "other"]) await harness.writer.send("POST", path(), body(named, {}));
      const list = observedList(
        await roundWith(await harness.open()).list(all({ fieldSelector: "metadata.name=other" })),
      );
      expect(list.items).toHaveLength(1);
    });

    it("metadata alone: the same objects at the same versions, and nothing of what they hold", async () => {
      const made = await create("alone", { secret: "never sent" });
      const items: JsonObject[] = [];
      const reading = await roundWith(await harness.open()).stream(
        all({ fieldSelector: "metadata.name=alone" }),
        { begin: async () => void items.splice(0), page: async (page) => void items.push(...page) },
        "metadata",
      );
      expect(reading).toMatchObject({ kind: "observed", resourceVersion: expect.stringMatching(/^\d+$/) });
      expect(reading.exchanges[0]?.serverDate).not.toBe(null);
      expect(items).toMatchObject([{ metadata: { name: "alone", namespace: harness.namespace } }]);
      const { uid, resourceVersion } = made["metadata"] as JsonObject;
      expect(items[0]?.["metadata"]).toMatchObject({ uid, resourceVersion });
      expect(JSON.stringify(items)).not.toContain("never sent");
    });

    it("a long list comes in pages of one moment, whole and each object once", async () => {
      const many = Array.from({ length: 510 }, (_, index) => `many-${index}`);
      for (let at = 0; at < many.length; at += 30)
        await Promise.all(
          many.slice(at, at + 30).map((named) =>
            written(
              harness.writer.send("POST", path(), {
                ...body(named, {}),
                metadata: { name: named, labels: { set: "many" } },
              }),
            ),
          ),
        );
      const list = observedList(
        await roundWith(await harness.open(), 60_000).list(all({ labelSelector: "set=many" })),
      );
      expect(new Set(list.items.map((item) => (item["metadata"] as JsonObject)["name"]))).toEqual(
        new Set(many),
      );
      expect(list.items).toHaveLength(many.length);
      expect(list.pages).toHaveLength(2);
      const versions = list.pages.map(
        ({ exchange }) => JSON.parse(Buffer.from(exchange.body).toString("utf8")).metadata,
      );
      expect(versions.map(({ resourceVersion }) => resourceVersion)).toEqual([
        list.resourceVersion,
        list.resourceVersion,
      ]);
    });

    it("the same question is sent once in a round, and again in the next", async () => {
      await create("once");
      const cluster = await harness.open();
      const round = roundWith(cluster);
      const [first, second] = await Promise.all([round.get(ref("once")), round.get(ref("once"))]);
      expect(second).toBe(first);
      expect(await round.get(ref("once"))).toBe(first);
      expect(await round.list(all())).toBe(await round.list(all()));
      await remove("once");
      expect(await round.get(ref("once"))).toBe(first);
      expect(await roundWith(cluster).get(ref("once"))).toMatchObject({ kind: "absent" });
    });

    it("a watch says that something changed after a moment, and nothing else", async () => {
      const made = await create("watched");
      const cluster = await harness.open();
      const since = String((made["metadata"] as JsonObject)["resourceVersion"]);
      const only = all({ fieldSelector: "metadata.name=watched" });
      const waiting = roundWith(cluster).untilChanged(only, since);
      await create("unwatched");
      await remove("watched");
      expect(await waiting).toMatchObject({ kind: "changed" });
    });

    it("a watch on which nothing happens ends, or the time for it is over: never a change", async () => {
      const made = await create("quiet");
      const since = String((made["metadata"] as JsonObject)["resourceVersion"]);
      const round = roundWith(await harness.open(), 1_500);
      const hint = await round.untilChanged(all({ fieldSelector: "metadata.name=quiet" }), since);
      expect(hint.kind).toMatch(/^(ended|timed-out)$/);
    });

    it.each(WORDS)("finds %s, and lists it", async (word, resource, group) => {
      const round = roundWith(await harness.open());
      const found = await round.find(word);
      expect(found).toMatchObject({ kind: "found", resource: { resource, group } });
      if (found.kind !== "found") return;
      const namespace = found.resource.namespaced ? harness.namespace : null;
      const list = observedList(await round.list({ ...all(), resource: found.resource, namespace }));
      const page = JSON.parse(Buffer.from(list.pages[0]?.exchange.body ?? []).toString("utf8"));
      expect(page.kind).toBe(`${found.resource.kind}List`);
    });

    it("what the server does not serve is unknown, or undecided while a part of it cannot be reached", async () => {
      const found = await roundWith(await harness.open()).find("flibbertigibbets");
      expect(found.kind === "failed" ? found.reason : found.kind).toMatch(/^(unknown|unavailable)$/);
    });

    it("a right that is missing is named, and says nothing about what is there", async () => {
      await create("hidden");
      const limited = await harness.openAs({
        scope: "namespace",
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }],
      });
      const round = roundWith(limited.cluster);
      const { namespace } = harness;
      const denied = { kind: "denied", reason: "forbidden" };
      const right = { group: "", resource: "configmaps", namespace };
      expect(await round.get(ref("hidden"))).toMatchObject({
        ...denied,
        missing: { ...right, verb: "get", name: "hidden" },
      });
      expect(await round.get(ref("never-made"))).toMatchObject(denied);
      expect(await round.list(all())).toMatchObject({
        ...denied,
        missing: { ...right, verb: "list", name: null },
      });
      expect(await round.untilChanged(all(), "1")).toMatchObject({ ...denied, missing: { verb: "watch" } });
      expect(observedList(await round.list({ ...all(), resource: PODS })).items).toEqual([]);
      const cold = await round.list({ ...all(), resource: NODES, namespace: null });
      expect(cold).toMatchObject({ ...denied, missing: { resource: "nodes", namespace: null } });
    });

    it("verify-only.yaml is enough for every read, shows no Secret, and every write is refused", async () => {
      const role = await verifyOnly();
      const { cluster, writer } = await harness.openAs({ scope: "cluster", rules: role.rules });
      const round = roundWith(cluster);
      const needed = rightsNeeded();
      const denied = new Set<string>();
      for (const [word, plural, group] of WORDS) {
        const found = await round.find(word);
        if (found.kind !== "found") throw new Error(`${word} was not found`);
        const { resource } = found;
        const namespace = resource.namespaced ? harness.namespace : null;
        const one = await round.get({ resource, namespace, name: "no-such-object" });
        const list = await round.list({ ...all(), resource, namespace });
        if (one.kind === "denied") denied.add(`${group}/${plural} get`);
        if (list.kind === "denied") denied.add(`${group}/${plural} list`);
      }
      expect(needed.filter((right) => denied.has(right))).toEqual([]);
      for (const right of ["/secrets get", "/secrets list", "/configmaps get", "/nodes list"])
        expect(denied).toContain(right);
      await create("protected");
      const patch = { data: { key: "changed" } };
      const writes = [
        await writer.send("POST", path(), body("intruder", {})),
        await writer.send("PATCH", path("/protected"), patch),
        await writer.send("PUT", path("/protected"), body("protected", {})),
        await writer.send("DELETE", path("/protected")),
      ];
      expect(writes.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      const after = observedObject(await roundWith(await harness.open()).get(ref("protected")));
      expect(after.object["data"]).toEqual({ key: "value" });
    });

    it.each(["", ".", "..", "a/b", "%2e%2e"])(
      "asks nothing for a name that no object can have: '%s'",
      async (bad) => {
        const reading = await roundWith(await harness.open()).get(ref(bad));
        expect(reading).toMatchObject({ kind: "failed", reason: "invalid-name", exchanges: [] });
      },
    );
  });
};
