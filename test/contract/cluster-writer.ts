/** Changing a cluster: the writer's laws, over the fake API server and over a real one in the same words. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ObjectRef } from "../../src/ports/cluster.ts";
import type {
  ClusterWriter,
  Patching,
  Preconditions,
  WritableCluster,
} from "../../src/ports/cluster-writer.ts";
import { type Writer, written } from "../support/cluster-writer.ts";
import type { ClusterHarness } from "./cluster.ts";

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
const PODS = { ...CONFIG_MAPS, resource: "pods", kind: "Pod" };
const DEPLOYMENTS = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
};
const NO_UID = "11111111-1111-4111-8111-111111111111";
const always = (): undefined => undefined;
const limits = { deadlineMs: 20_000, stop: new AbortController().signal };

export const clusterWriterContract = (name: string, makeHarness: () => Promise<ClusterHarness>): void => {
  describe(`what changes a cluster, over ${name}`, () => {
    let harness: ClusterHarness;
    let opened: WritableCluster;
    let other: Writer;
    let ours: ClusterWriter;
    beforeAll(async () => {
      harness = await makeHarness();
      opened = await harness.openWritable();
      ours = opened.writer;
      other = harness.writer;
    });
    afterAll(() => harness.dispose());

    const path = (rest: string): string => `/api/v1/namespaces/${harness.namespace}/configmaps${rest}`;
    const refOf = (named: string): ObjectRef => ({
      resource: CONFIG_MAPS,
      namespace: harness.namespace,
      name: named,
    });
    const configMap = (named: string, data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: named, namespace: harness.namespace, ...metadata },
      data,
    });
    const apply = (named: string, data: JsonObject, metadata: JsonObject = {}, force = false) =>
      ours.apply({ ref: refOf(named), object: configMap(named, data, metadata), force }, limits, always);
    const made = async (named: string, data: JsonObject, metadata: JsonObject = {}) => {
      const applied = await apply(named, data, metadata);
      if (applied.kind !== "applied") throw new Error(applied.sentence);
      return applied;
    };
    const there = async (named: string): Promise<JsonObject | null> => {
      const { status, text } = await other.raw("GET", path(`/${named}`));
      return status === 200 ? JSON.parse(text) : null;
    };
    const versionOf = async (named: string): Promise<string> => {
      const { metadata } = (await there(named)) ?? {};
      return String((metadata as JsonObject)["resourceVersion"]);
    };

    it("an apply makes what is not there, under our name; again, it is the same object and nothing was written", async () => {
      const first = await made("twice", { key: "value" });
      const again = await made("twice", { key: "value" });
      expect([again.uid, again.resourceVersion]).toEqual([first.uid, first.resourceVersion]);
      expect(first.object["metadata"]).toMatchObject({
        managedFields: [
          {
            manager: "asfound",
            operation: "Apply",
            apiVersion: "v1",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { "f:key": {} } },
          },
        ],
      });
    });

    it("what we applied alone and apply no more is removed; what another made stays", async () => {
      await made("fewer", { a: "1", b: "2" });
      await written(other.send("PATCH", `${path("/fewer")}?fieldManager=somebody`, { data: { c: "3" } }));
      await made("fewer", { a: "1" });
      expect(await there("fewer")).toMatchObject({ data: { a: "1", c: "3" } });
      expect((await there("fewer"))?.["data"]).not.toHaveProperty("b");
    });

    it("a field that another manager owns with another value is refused, with its manager and field; force takes it", async () => {
      await made("fought", { key: "ours" });
      await written(
        other.send("PATCH", `${path("/fought")}?fieldManager=somebody`, { data: { key: "theirs" } }),
      );
      expect(await apply("fought", { key: "ours" })).toMatchObject({
        kind: "refused",
        status: 409,
        conflicts: [{ manager: expect.stringMatching(/^"somebody" using v1/), field: ".data.key" }],
      });
      expect(await there("fought")).toMatchObject({ data: { key: "theirs" } });
      expect(await apply("fought", { key: "ours" }, {}, true)).toMatchObject({ kind: "applied" });
      expect(await there("fought")).toMatchObject({ data: { key: "ours" } });
    });

    it("items of a list are fields of their own: what another adds to a container stays", async () => {
      const ref: ObjectRef = { resource: DEPLOYMENTS, namespace: harness.namespace, name: "web" };
      const deployment = (image: string): JsonObject => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web", namespace: harness.namespace },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: "web" } },
          template: {
            metadata: { labels: { app: "web" } },
            spec: { containers: [{ name: "web", image }] },
          },
        },
      });
      const write = (image: string) =>
        ours.apply({ ref, object: deployment(image), force: false }, limits, always);
      const first = await write("web:1");
      if (first.kind !== "applied") throw new Error(first.sentence);
      const whole = first.object as { spec: { template: { spec: { containers: JsonObject[] } } } };
      const [container] = whole.spec.template.spec.containers;
      const env = [{ name: "COLOUR", value: "blue" }];
      await written(
        other.send(
          "PATCH",
          `/apis/apps/v1/namespaces/${harness.namespace}/deployments/web?fieldManager=somebody`,
          {
            spec: { template: { spec: { containers: [{ ...container, env }] } } },
          },
        ),
      );
      const second = await write("web:2");
      expect(second).toMatchObject({
        kind: "applied",
        object: { spec: { template: { spec: { containers: [{ name: "web", image: "web:2", env }] } } } },
      });
    });

    it("a rehearsal shows what an apply would give, and changes nothing", async () => {
      const application = (data: JsonObject) => ({
        ref: refOf("rehearsed"),
        object: configMap("rehearsed", data),
        force: false,
      });
      expect(await ours.rehearse(application({ key: "1" }), limits)).toMatchObject({
        kind: "applied",
        object: { data: { key: "1" } },
      });
      expect(await there("rehearsed")).toBeNull();
      const first = await made("rehearsed", { key: "1" });
      expect(await ours.rehearse(application({ key: "2" }), limits)).toMatchObject({
        kind: "applied",
        uid: first.uid,
        object: { data: { key: "2" } },
      });
      expect(await there("rehearsed")).toMatchObject({ data: { key: "1" } });
    });

    it("D4: a uid pins the incarnation: nothing is made anew, and another's object is left alone", async () => {
      expect(await apply("pinned", { key: "1" }, { uid: NO_UID })).toMatchObject({
        kind: "refused",
        status: 409,
      });
      expect(await there("pinned")).toBeNull();
      await made("pinned", { key: "1" });
      expect(await apply("pinned", { key: "2" }, { uid: NO_UID })).toMatchObject({
        kind: "refused",
        status: 422,
        sentence: expect.stringContaining(
          `ConfigMap "pinned" is invalid: metadata.uid: Invalid value: "${NO_UID}": field is immutable`,
        ),
      });
      expect(await there("pinned")).toMatchObject({ data: { key: "1" } });
    });

    it("D4: a delete names uid and resourceVersion, and does nothing where one is another's", async () => {
      const { uid, resourceVersion } = await made("doomed", { key: "1" });
      const remove = (preconditions: { uid: string; resourceVersion: string }) =>
        ours.remove(refOf("doomed"), preconditions, limits, always);
      expect(await remove({ uid: NO_UID, resourceVersion })).toMatchObject({ kind: "refused", status: 409 });
      await made("doomed", { key: "2" });
      expect(await remove({ uid, resourceVersion })).toMatchObject({ kind: "refused", status: 409 });
      const now = (await there("doomed"))?.["metadata"] as JsonObject;
      expect(await remove({ uid, resourceVersion: String(now["resourceVersion"]) })).toEqual({
        kind: "taken",
      });
      await expect.poll(() => there("doomed"), { timeout: 20_000 }).toBeNull();
      expect(await remove({ uid, resourceVersion })).toEqual({ kind: "absent" });
    });

    it("a patch changes the object as it was read, under our name; one changed since is left alone", async () => {
      const { uid, resourceVersion } = await made("patched", { key: "1" });
      const patch = (body: JsonObject, preconditions: Preconditions) =>
        ours.patch({ ref: refOf("patched"), preconditions, patch: { kind: "merge", body } }, limits, always);
      const first = await patch({ data: { more: "2" } }, { uid, resourceVersion });
      expect(first).toMatchObject({ kind: "applied", uid, object: { data: { key: "1", more: "2" } } });
      expect(JSON.stringify(first)).toContain('"manager":"asfound","operation":"Update"');
      expect(await patch({ data: { more: "3" } }, { uid, resourceVersion })).toMatchObject({
        kind: "refused",
        status: 409,
      });
      const now = await versionOf("patched");
      expect(await patch({ data: { more: "3" } }, { uid: NO_UID, resourceVersion: now })).toMatchObject({
        kind: "refused",
      });
      expect(await there("patched")).toMatchObject({ data: { more: "2" } });
    });

    it("a JSON patch keeps the same preconditions; a rehearsal of it changes nothing", async () => {
      const { uid, resourceVersion } = await made("listed", { key: "1" });
      const patching = (value: string, preconditions: Preconditions): Patching => ({
        ref: refOf("listed"),
        preconditions,
        patch: { kind: "json", operations: [{ op: "replace", path: "/data/key", value }] },
      });
      const as = { uid, resourceVersion };
      expect(await ours.rehearsePatch(patching("2", as), limits)).toMatchObject({
        kind: "applied",
        object: { data: { key: "2" } },
      });
      expect(await ours.patch(patching("3", { ...as, uid: NO_UID }), limits, always)).toMatchObject({
        kind: "refused",
        status: 422,
      });
      expect(await there("listed")).toMatchObject({ data: { key: "1" } });
      expect(await ours.patch(patching("4", as), limits, always)).toMatchObject({ kind: "applied" });
      expect(await ours.patch(patching("5", as), limits, always)).toMatchObject({
        kind: "refused",
        status: 422,
      });
      expect(await there("listed")).toMatchObject({ data: { key: "4" } });
      const gone = { ...patching("6", as), ref: refOf("never") };
      expect(await ours.patch(gone, limits, always)).toMatchObject({ kind: "refused", status: 404 });
    });

    it("D4: an eviction names uid and resourceVersion, and does nothing where one is another's; a rehearsal does nothing", async () => {
      const pods = `/api/v1/namespaces/${harness.namespace}/pods`;
      const ref: ObjectRef = { resource: PODS, namespace: harness.namespace, name: "leaving" };
      // Nobody schedules it, so that nobody but this test changes it.
      const pod = await written(
        other.send("POST", pods, {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "leaving", namespace: harness.namespace },
          spec: { schedulerName: "nobody", containers: [{ name: "app", image: "app:1" }] },
        }),
      );
      const { uid, resourceVersion } = pod["metadata"] as { uid: string; resourceVersion: string };
      const evict = (preconditions: Preconditions) => ours.evict(ref, preconditions, limits, always);
      expect(await evict({ uid: NO_UID, resourceVersion })).toMatchObject({ kind: "refused", status: 409 });
      expect(await evict({ uid, resourceVersion: "1" })).toMatchObject({ kind: "refused", status: 409 });
      expect(await ours.rehearseEviction(ref, { uid, resourceVersion }, limits)).toEqual({ kind: "taken" });
      expect(await ours.rehearseRemoval(ref, { uid, resourceVersion: "1" }, limits)).toMatchObject({
        kind: "refused",
        status: 409,
      });
      expect(await ours.rehearseRemoval(ref, { uid, resourceVersion }, limits)).toEqual({ kind: "taken" });
      const still = await other.raw("GET", `${pods}/leaving`);
      expect([still.status, still.text.includes("deletionTimestamp")]).toEqual([200, false]);
      expect(await evict({ uid, resourceVersion })).toEqual({ kind: "taken" });
      await expect
        .poll(async () => (await other.raw("GET", `${pods}/leaving`)).status, { timeout: 20_000 })
        .toBe(404);
      expect(await evict({ uid, resourceVersion })).toEqual({ kind: "absent" });
    });

    it("what is at fault is refused, and nothing is made", async () => {
      const object = { ...configMap("faulty", {}), metadata: { name: "faulty", managedFields: [{}] } };
      expect(await ours.apply({ ref: refOf("faulty"), object, force: false }, limits, always)).toMatchObject({
        kind: "refused",
      });
      expect(await there("faulty")).toBeNull();
    });

    it("R2: a resource that is not served is refused, and never absent", async () => {
      const resource = { ...CONFIG_MAPS, group: "no.such.group", resource: "things", kind: "Thing" };
      const ref = { ...refOf("x"), resource };
      const removed = await ours.remove(ref, { uid: NO_UID, resourceVersion: "1" }, limits, always);
      expect(removed.kind).not.toBe("absent");
      expect(removed.kind).not.toBe("taken");
    });

    it("N5: once it may not be sent any more, not a byte of it leaves", async () => {
      const object = configMap("late", {});
      const late = () => "its call-by passed before it could be sent";
      expect(await ours.apply({ ref: refOf("late"), object, force: false }, limits, late)).toMatchObject({
        kind: "not-sent",
        sentence: expect.stringContaining("its call-by passed"),
      });
      expect(await there("late")).toBeNull();
    });
  });
};
