/** What a changing request proves when things go wrong: never more than what the API server itself said. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openWritableCluster } from "../../src/adapters/cluster-https/write/open.ts";
import type { ClusterWriter } from "../../src/ports/cluster-writer.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import type { ApiFault } from "../../src/testing/api-server/fault.ts";
import { apiServerFor, kubeconfigFile, optionsFor } from "../support/cluster.ts";

const REF = {
  resource: { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true },
  namespace: "shop",
  name: "settings",
};
const PLACE = { resource: "configmaps", namespace: "shop", name: "settings" };
const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { a: "1" } };
const SECRET = "admin-token";

interface World {
  readonly server: ApiServer;
  readonly writer: ClusterWriter;
  apply(deadlineMs?: number): ReturnType<ClusterWriter["apply"]>;
  remove(): ReturnType<ClusterWriter["remove"]>;
  sent(): number;
}

const world = async (options: ApiServerOptions = {}, user = "admin"): Promise<World> => {
  const server = await apiServerFor(options);
  const opened = await openWritableCluster(optionsFor(kubeconfigFile(server.kubeconfig({ user }))));
  if (opened.kind === "refused") throw new Error(opened.sentence);
  onTestFinished(() => opened.cluster.close());
  const { writer } = opened;
  const limits = (deadlineMs: number) => ({ deadlineMs, stop: new AbortController().signal });
  return {
    server,
    writer,
    apply: (deadlineMs = 10_000) =>
      writer.apply({ ref: REF, object: OBJECT, force: false }, limits(deadlineMs), () => undefined),
    remove: () => {
      const { uid, resourceVersion } = server.put(PLACE, OBJECT)["metadata"] as Record<string, string>;
      const preconditions = { uid: String(uid), resourceVersion: String(resourceVersion) };
      return writer.remove(REF, preconditions, limits(10_000), () => undefined);
    },
    sent: () => server.log().filter(({ method }) => method === "PATCH" || method === "DELETE").length,
  };
};

const status = (code: number, reason: string): string =>
  JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "no",
    reason,
    code,
  });
const replies = (code: number, reason: string): ApiFault => ({
  do: "reply",
  status: code,
  body: status(code, reason),
});
const page = (code: number): ApiFault => ({
  do: "reply",
  status: code,
  body: "<html>",
  contentType: "text/html",
});

describe("an apply is in doubt unless the API server's own word ends the doubt", () => {
  it.each<[string, ApiFault, string]>([
    ["the connection is cut after the effect", { do: "cut", at: "after" }, "unknown"],
    [
      "the connection is cut before it: nobody can tell that from the other",
      { do: "cut", at: "before" },
      "unknown",
    ],
    ["half of the reply comes", { do: "cut", at: "middle" }, "unknown"],
    ["half of the JSON comes, as whole HTTP", { do: "half" }, "unknown"],
    ["another object is in the reply", { do: "twist", patch: { metadata: { name: "other" } } }, "unknown"],
    ["the reply has no uid", { do: "twist", patch: { metadata: { uid: null } } }, "unknown"],
    ["a login page comes with 200", page(200), "unknown"],
    ["a redirect comes", { do: "redirect", to: "https://127.0.0.1/" }, "unknown"],
    ["a proxy's page says 403", page(403), "unknown"],
    ["a proxy's page says 504", page(504), "unknown"],
    ["the server says 403", replies(403, "Forbidden"), "refused"],
    ["a webhook or the schema says 422", replies(422, "Invalid"), "refused"],
    ["the server says 500", replies(500, "InternalError"), "failed"],
    ["the server says 504", replies(504, "Timeout"), "failed"],
    ["the server says 408", replies(408, "Timeout"), "unknown"],
    ["the server is too busy and does not say until when", { do: "throttle", retryAfter: null }, "refused"],
  ])("%s", async (_, fault, kind) => {
    const at = await world({ faults: [{ verb: "patch", fault }] });
    expect((await at.apply()).kind).toBe(kind);
    expect(at.sent()).toBe(1);
  });

  it("control: without a fault it is applied", async () => {
    const at = await world();
    expect(await at.apply()).toMatchObject({ kind: "applied", uid: expect.stringMatching(/^0{8}-/) });
    expect(at.server.get(PLACE)).toMatchObject({ data: { a: "1" } });
  });

  it("no answer by the deadline: unknown, and it is there", async () => {
    const at = await world({ faults: [{ verb: "patch", fault: { do: "hang", after: true } }] });
    expect(await at.apply(300)).toMatchObject({ kind: "unknown" });
    expect(at.server.get(PLACE)).toBeDefined();
  });

  it("nothing listens: not a byte was sent, and that is said", async () => {
    const at = await world();
    await at.server.refuse();
    expect(await at.apply()).toMatchObject({
      kind: "not-sent",
      sentence: expect.stringContaining("nothing listens there"),
    });
  });

  it("a 429 that says when is waited out: sent again, since the server did nothing", async () => {
    const fault: ApiFault = { do: "throttle", retryAfter: "0" };
    const at = await world({ faults: [{ verb: "patch", nth: [1, 2], fault }] });
    expect(await at.apply()).toMatchObject({ kind: "applied" });
    expect(at.sent()).toBe(3);
  });

  it("who may not is refused, by the server's word; a credential that it sends back is hidden", async () => {
    const fault: ApiFault = { do: "reply", status: 500, body: `no: ${SECRET}`, contentType: "text/plain" };
    const at = await world({ faults: [{ verb: "patch", fault }] });
    const answer = await at.apply();
    expect(answer).toMatchObject({ kind: "unknown", sentence: expect.stringContaining("(hidden)") });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    const reader = { name: "reader", token: "reader-token", rules: [] };
    const other = await world({ users: [reader] }, "reader");
    expect(await other.apply()).toMatchObject({ kind: "refused", status: 403 });
    expect(other.server.get(PLACE)).toBeUndefined();
  });
});

describe("a delete is in doubt unless the API server's own word ends the doubt", () => {
  it.each<[string, ApiFault, string]>([
    ["the connection is cut after the effect", { do: "cut", at: "after" }, "unknown"],
    ["a login page comes with 200", page(200), "unknown"],
    ["a page says 404, which is no absence (R2)", page(404), "unknown"],
    ["a 404 that names nothing is no absence (R2)", replies(404, "NotFound"), "refused"],
    ["the server says 409", replies(409, "Conflict"), "refused"],
    ["the server says 500", replies(500, "InternalError"), "failed"],
  ])("%s", async (_, fault, kind) => {
    const at = await world({ faults: [{ verb: "delete", fault }] });
    expect((await at.remove()).kind).toBe(kind);
    expect(at.sent()).toBe(1);
  });

  it("D3: a finalizer holds it: taken, and still there", async () => {
    const at = await world();
    const held = { ...OBJECT, metadata: { name: "settings", finalizers: ["example.com/hold"] } };
    const { uid, resourceVersion } = at.server.put(PLACE, held)["metadata"] as Record<string, string>;
    const limits = { deadlineMs: 10_000, stop: new AbortController().signal };
    const preconditions = { uid: String(uid), resourceVersion: String(resourceVersion) };
    expect(await at.writer.remove(REF, preconditions, limits, () => undefined)).toEqual({ kind: "taken" });
    expect(at.server.get(PLACE)?.["metadata"]).toHaveProperty("deletionTimestamp");
  });
});

const POD = {
  resource: { ...REF.resource, resource: "pods", kind: "Pod" },
  namespace: "shop",
  name: "web-1",
};
const budget = (name: string, disruptionsAllowed: number, observedGeneration = 1) => ({
  metadata: { name },
  spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
  status: { disruptionsAllowed, observedGeneration, desiredHealthy: 2, currentHealthy: 2, expectedPods: 2 },
});

describe("an eviction is in doubt unless the API server's own word ends the doubt", () => {
  const evicting = async (options: ApiServerOptions, budgets: readonly ReturnType<typeof budget>[] = []) => {
    const at = await world(options);
    const made = at.server.put(
      { resource: "pods", namespace: "shop", name: "web-1" },
      { metadata: { name: "web-1", labels: { app: "web" } }, status: { phase: "Running" } },
    );
    for (const one of budgets)
      at.server.put(
        { resource: "poddisruptionbudgets.policy", namespace: "shop", name: one.metadata.name },
        one,
      );
    const { uid, resourceVersion } = made["metadata"] as { uid: string; resourceVersion: string };
    const limits = { deadlineMs: 10_000, stop: new AbortController().signal };
    const isThere = () => at.server.get({ resource: "pods", namespace: "shop", name: "web-1" }) !== undefined;
    const sent = () => at.server.log().filter(({ resource }) => resource === "pods/eviction").length;
    return {
      evict: () => at.writer.evict(POD, { uid, resourceVersion }, limits, () => undefined),
      rehearse: () => at.writer.rehearseEviction(POD, { uid, resourceVersion }, limits),
      server: at.server,
      isThere,
      sent,
    };
  };

  it.each<[string, ApiFault, string]>([
    ["the connection is cut after the effect", { do: "cut", at: "after" }, "unknown"],
    ["a login page comes with 200", page(200), "unknown"],
    ["a page says 404, which is no absence (R2)", page(404), "unknown"],
    ["the server says 409", replies(409, "Conflict"), "refused"],
    ["the server says 403", replies(403, "Forbidden"), "refused"],
    ["the server says 500", replies(500, "InternalError"), "failed"],
  ])("%s", async (_, fault, kind) => {
    const at = await evicting({ faults: [{ resource: "pods/eviction", fault }] });
    expect((await at.evict()).kind).toBe(kind);
    expect(at.sent()).toBe(1);
  });

  it("control: without a budget it is taken; with one that allows it, counted down", async () => {
    const plain = await evicting({});
    expect(await plain.evict()).toEqual({ kind: "taken" });
    expect(plain.isThere()).toBe(false);
    const counted = await evicting({}, [budget("web", 1)]);
    expect(await counted.rehearse()).toEqual({ kind: "taken" });
    expect(counted.isThere()).toBe(true);
    expect(await counted.evict()).toEqual({ kind: "taken" });
    const place = { resource: "poddisruptionbudgets.policy", namespace: "shop", name: "web" };
    expect(counted.server.get(place)).toMatchObject({ status: { disruptionsAllowed: 0 } });
  });

  it.each([
    [
      "a budget at zero",
      budget("web", 0),
      "The disruption budget web needs 2 healthy pods and has 2 currently",
    ],
    // Its 429 says when to come again, and it is a decision all the same.
    ["a budget that is not worked off yet", budget("web", 5, 0), "is still being processed by the server"],
  ])("%s refuses it, in the server's words; it is asked once, and the Pod stays", async (_, one, words) => {
    const at = await evicting({}, [one]);
    for (const ask of [at.rehearse, at.evict])
      expect(await ask()).toMatchObject({
        kind: "refused",
        status: 429,
        sentence: expect.stringContaining(words),
      });
    expect([at.sent(), at.isThere()]).toEqual([2, true]);
  });

  it("two budgets of one Pod are a fault of the server's: an effect is not excluded by that word", async () => {
    const at = await evicting({}, [budget("web", 1), budget("all", 1)]);
    expect(await at.evict()).toMatchObject({
      kind: "failed",
      sentence: expect.stringContaining("more than one PodDisruptionBudget"),
    });
    expect(at.isThere()).toBe(true);
  });

  it("a busy server's 429 is waited out, as of every other request", async () => {
    const fault: ApiFault = { do: "throttle", retryAfter: "0" };
    const at = await evicting({ faults: [{ resource: "pods/eviction", nth: 1, fault }] });
    expect(await at.evict()).toEqual({ kind: "taken" });
    expect(at.sent()).toBe(2);
  });
});
