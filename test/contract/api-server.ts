/**
 * What asfound relies on in an API server's replies, asked of the fake one and of a real one in the same words: so the
 * fake is as true as the tests that stand on it need it to be.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { type Raw, type Writer, written } from "../support/cluster-writer.ts";
import type { ClusterHarness } from "./cluster.ts";

const metadataOf = (object: JsonObject): JsonObject => object["metadata"] as JsonObject;

export const apiServerContract = (name: string, makeHarness: () => Promise<ClusterHarness>): void => {
  describe(`what asfound relies on in ${name}`, () => {
    let harness: ClusterHarness;
    let writer: Writer;
    beforeAll(async () => {
      harness = await makeHarness();
      writer = harness.writer;
    });
    afterAll(() => harness.dispose());

    const path = (rest = ""): string => `/api/v1/namespaces/${harness.namespace}/configmaps${rest}`;
    const configMap = (named: string, more: JsonObject = {}): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: named },
      data: { key: "value" },
      ...more,
    });
    const create = (named: string, more: JsonObject = {}) =>
      written(writer.send("POST", path(), configMap(named, more)));
    const get = (rest: string): Promise<Raw> => writer.raw("GET", rest);
    const bodyOf = ({ text }: Raw): JsonObject => JSON.parse(text);

    it("404 of an object is a Status that names it", async () => {
      const reply = await get(path("/nothing"));
      expect(reply.status).toBe(404);
      expect(reply.contentType).toBe("application/json");
      expect(bodyOf(reply)).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'configmaps "nothing" not found',
        reason: "NotFound",
        details: { name: "nothing", kind: "configmaps" },
        code: 404,
      });
    });

    it("404 of an object in a group names that too; in a namespace that is not there it is the same", async () => {
      const reply = await get("/apis/apps/v1/namespaces/no-such-namespace/deployments/web");
      expect(bodyOf(reply)).toMatchObject({
        message: 'deployments.apps "web" not found',
        details: { name: "web", group: "apps", kind: "deployments" },
      });
    });

    it.each(["/api/v1/namespaces/x/nonsense/y", "/apis/apps/v9/namespaces/x/deployments/y"])(
      "R2: 404 of a resource that a group does not have is a Status NotFound as well, which names nothing: %s",
      async (unserved) => {
        const reply = await get(unserved);
        expect([reply.status, reply.contentType]).toEqual([404, "application/json"]);
        expect(bodyOf(reply)).toEqual({
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message: "the server could not find the requested resource",
          reason: "NotFound",
          details: {},
          code: 404,
        });
      },
    );

    it.each(["/apis/no.such.group/v1/namespaces/x/things/y", "/no/such/path"])(
      "404 of what nobody serves is plain text: %s",
      async (unserved) => {
        const reply = await get(unserved);
        expect([reply.status, reply.text, reply.contentType]).toEqual([
          404,
          "404 page not found\n",
          "text/plain; charset=utf-8",
        ]);
      },
    );

    it("a list in a namespace that is not there is an empty one", async () => {
      const list = bodyOf(await get("/api/v1/namespaces/no-such-namespace/configmaps"));
      expect(list).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1", items: [] });
    });

    it("an object carries its identity; items of a built-in kind carry no kind", async () => {
      const made = await create("identified");
      expect(metadataOf(made)).toMatchObject({
        name: "identified",
        namespace: harness.namespace,
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
      const list = bodyOf(await get(`${path()}?fieldSelector=metadata.name%3Didentified`));
      const [item] = list["items"] as readonly JsonObject[];
      expect(Object.keys(item ?? {}).sort()).toEqual(["data", "metadata"]);
    });

    it("a name that is taken, and an object that has changed since, are conflicts", async () => {
      const made = await create("taken");
      expect(await writer.send("POST", path(), configMap("taken"))).toMatchObject({
        status: 409,
        body: {
          reason: "AlreadyExists",
          message: 'configmaps "taken" already exists',
          details: { name: "taken", kind: "configmaps" },
        },
      });
      await written(writer.send("PATCH", path("/taken"), { data: { key: "new" } }));
      expect(await writer.send("PUT", path("/taken"), made)).toMatchObject({
        status: 409,
        body: {
          reason: "Conflict",
          message:
            'Operation cannot be fulfilled on configmaps "taken": the object has been modified; please apply your changes to the latest version and try again',
        },
      });
    });

    it("D4: a delete with another UID or resourceVersion does nothing; with the right ones it is done", async () => {
      const { uid, resourceVersion } = metadataOf(await create("doomed"));
      const remove = (preconditions: JsonObject) =>
        writer.send("DELETE", path("/doomed"), { kind: "DeleteOptions", apiVersion: "v1", preconditions });
      const other = "00000000-0000-0000-0000-000000000000";
      expect(await remove({ uid: other })).toMatchObject({
        status: 409,
        body: {
          reason: "Conflict",
          message: `Operation cannot be fulfilled on ConfigMap "doomed": the UID in the precondition (${other}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
          details: { name: "doomed", kind: "ConfigMap" },
        },
      });
      expect(await remove({ resourceVersion: "1" })).toMatchObject({
        status: 409,
        body: {
          reason: "Conflict",
          message: `Operation cannot be fulfilled on ConfigMap "doomed": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
        },
      });
      expect((await get(path("/doomed"))).status).toBe(200);
      expect(await remove({ uid: uid ?? "", resourceVersion: resourceVersion ?? "" })).toMatchObject({
        status: 200,
        body: { kind: "Status", status: "Success", details: { name: "doomed", kind: "configmaps", uid } },
      });
      expect((await get(path("/doomed"))).status).toBe(404);
    });

    it("D3: a delete that returned leaves an object that has a finalizer, until that is gone", async () => {
      await create("kept", { metadata: { name: "kept", finalizers: ["example.com/hold"] } });
      const answer = await writer.send("DELETE", path("/kept"));
      expect(answer.status).toBe(200);
      const left = bodyOf(await get(path("/kept")));
      expect(metadataOf(left)["deletionTimestamp"]).toMatch(/Z$/);
      await written(writer.send("PATCH", path("/kept"), { metadata: { finalizers: null } }));
      expect((await get(path("/kept"))).status).toBe(404);
    });

    it("a dry run changes nothing", async () => {
      expect((await writer.send("POST", path("?dryRun=All"), configMap("dry"))).status).toBe(201);
      expect((await get(path("/dry"))).status).toBe(404);
      await create("wet");
      expect((await writer.send("DELETE", path("/wet?dryRun=All"))).status).toBe(200);
      expect((await get(path("/wet"))).status).toBe(200);
      const options = { apiVersion: "v1", kind: "DeleteOptions" };
      const dry = { ...options, dryRun: ["All"] };
      expect((await writer.send("DELETE", path("/wet"), dry)).status).toBe(200);
      expect((await get(path("/wet"))).status).toBe(200);
    });

    it("a delete that carries options takes no dry run from its query: it deletes", async () => {
      await create("optioned");
      const options = { apiVersion: "v1", kind: "DeleteOptions" };
      expect((await writer.send("DELETE", path("/optioned?dryRun=All"), options)).status).toBe(200);
      expect((await get(path("/optioned"))).status).toBe(404);
    });

    it("the generation counts what was asked for, not labels", async () => {
      const deployments = `/apis/apps/v1/namespaces/${harness.namespace}/deployments`;
      const template = {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "example.com/web" }] },
      };
      const spec = { replicas: 1, selector: { matchLabels: { app: "web" } }, template };
      const made = await written(
        writer.send("POST", deployments, {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web" },
          spec,
        }),
      );
      const labelled = await written(
        writer.send("PATCH", `${deployments}/web`, { metadata: { labels: { a: "b" } } }),
      );
      const scaled = await written(writer.send("PATCH", `${deployments}/web`, { spec: { replicas: 2 } }));
      expect([made, labelled, scaled].map((object) => metadataOf(object)["generation"])).toEqual([1, 1, 2]);
    });

    it("403 names who, what and where, once in a namespace and once at the cluster scope", async () => {
      const { writer: limited } = await harness.openAs({
        scope: "namespace",
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }],
      });
      const denied = bodyOf(await limited.raw("GET", "/apis/apps/v1/namespaces/default/deployments/web"));
      expect(denied).toMatchObject({
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "Forbidden",
        details: { name: "web", group: "apps", kind: "deployments" },
        code: 403,
      });
      expect(denied["message"]).toMatch(
        /^deployments\.apps "web" is forbidden: User ".*" cannot get resource "deployments" in API group "apps" in the namespace "default"$/,
      );
      const nodes = bodyOf(await limited.raw("GET", "/api/v1/nodes"));
      expect(nodes["message"]).toMatch(
        /^nodes is forbidden: User ".*" cannot list resource "nodes" in API group "" at the cluster scope$/,
      );
    });

    it("401 is a Status without details", async () => {
      const reply = await writer.raw("GET", path(), { authorization: "Bearer nobody-knows-this" });
      expect(reply.status).toBe(401);
      expect(bodyOf(reply)).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Unauthorized",
        reason: "Unauthorized",
        code: 401,
      });
    });

    it("a page says that more follow, and how many; a selection does not say how many", async () => {
      for (const named of ["page-1", "page-2", "page-3"])
        await create(named, { metadata: { name: named, labels: { set: "pages" } } });
      const first = bodyOf(await get(`${path()}?limit=1`));
      expect(metadataOf(first)).toMatchObject({
        resourceVersion: expect.stringMatching(/^\d+$/),
        continue: expect.any(String),
        remainingItemCount: expect.any(Number),
      });
      const chosen = metadataOf(bodyOf(await get(`${path()}?limit=1&labelSelector=set%3Dpages`)));
      expect(chosen["continue"]).toEqual(expect.any(String));
      expect(chosen["remainingItemCount"]).toBeUndefined();
      const rest = encodeURIComponent(String(chosen["continue"]));
      const second = bodyOf(await get(`${path()}?limit=5&labelSelector=set%3Dpages&continue=${rest}`));
      expect(second["items"]).toHaveLength(2);
      expect(metadataOf(second)).toEqual({ resourceVersion: chosen["resourceVersion"] });
    });

    it("a continue token that is none is a bad request", async () => {
      expect(await get(`${path()}?limit=1&continue=nonsense`)).toMatchObject({ status: 400 });
    });

    it("what is larger than 128 KiB comes as gzip to whoever takes it, and what is smaller does not", async () => {
      await create("small");
      await create("large", { data: { text: "x".repeat(200_000) } });
      const accepts = { "accept-encoding": "gzip" };
      expect((await writer.raw("GET", path("/large"), accepts)).contentEncoding).toBe("gzip");
      expect((await writer.raw("GET", path("/small"), accepts)).contentEncoding).toBeNull();
      expect((await writer.raw("GET", path("/large"))).contentEncoding).toBeNull();
    });

    it("it serves what it says, in both forms of discovery", async () => {
      const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
      const whole = await writer.raw("GET", "/apis", { accept });
      expect(whole.contentType).toBe("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
      expect(bodyOf(whole)).toMatchObject({
        kind: "APIGroupDiscoveryList",
        apiVersion: "apidiscovery.k8s.io/v2",
      });
      const apps = (bodyOf(whole)["items"] as readonly JsonObject[]).find(
        (item) => metadataOf(item)["name"] === "apps",
      );
      const [version] = (apps?.["versions"] ?? []) as readonly JsonObject[];
      expect(version).toMatchObject({ version: "v1", freshness: "Current" });
      const served = (version?.["resources"] ?? []) as readonly JsonObject[];
      const deployment = served.find(({ resource }) => resource === "deployments");
      expect(deployment).toMatchObject({
        responseKind: { group: expect.any(String), version: expect.any(String), kind: "Deployment" },
        scope: "Namespaced",
        singularResource: "deployment",
        shortNames: ["deploy"],
        verbs: expect.arrayContaining(["get", "list", "watch"]),
      });
      expect(bodyOf(await writer.raw("GET", "/api"))).toMatchObject({
        kind: "APIVersions",
        versions: ["v1"],
      });
      expect(bodyOf(await writer.raw("GET", "/apis"))).toMatchObject({ kind: "APIGroupList" });
      const plain = bodyOf(await writer.raw("GET", "/apis/apps/v1"));
      expect(plain).toMatchObject({ kind: "APIResourceList", groupVersion: "apps/v1" });
      const one = (plain["resources"] as readonly JsonObject[]).find(
        ({ name: named }) => named === "deployments",
      );
      expect(one).toMatchObject({
        kind: "Deployment",
        namespaced: true,
        singularName: "deployment",
        shortNames: ["deploy"],
      });
    });

    it("a watch is one JSON object a line; what went is told as it was last", async () => {
      const made = await create("watched");
      const since = metadataOf(made)["resourceVersion"];
      await written(writer.send("PATCH", path("/watched"), { data: { key: "new" } }));
      await written(writer.send("DELETE", path("/watched")));
      const stream = await get(
        `${path()}?watch=1&resourceVersion=${since}&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched`,
      );
      const events = stream.text
        .trim()
        .split("\n")
        .map((line): JsonObject => JSON.parse(line));
      expect(events.map(({ type }) => type)).toEqual(["MODIFIED", "DELETED"]);
      expect(events[1]?.["object"]).toMatchObject({
        kind: "ConfigMap",
        metadata: { name: "watched" },
        data: { key: "new" },
      });
    });

    it("a watch from a moment that is forgotten is one ERROR, with a Status 410 in it", async (context) => {
      if (harness.compact === undefined)
        return context.skip("not run: a real server forgets in its own time");
      await create("before");
      await create("after");
      harness.compact();
      const stream = await get(`${path()}?watch=1&resourceVersion=1&timeoutSeconds=1`);
      expect(stream.status).toBe(200);
      expect(JSON.parse(stream.text)).toMatchObject({
        type: "ERROR",
        object: {
          kind: "Status",
          code: 410,
          reason: "Expired",
          message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
        },
      });
    });
  });
};
