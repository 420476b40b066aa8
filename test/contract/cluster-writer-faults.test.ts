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
