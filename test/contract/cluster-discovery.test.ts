/** What a word means: built-in kinds without a question, everything else by what the server serves. */
import { describe, expect, it } from "vitest";
import { type KnownResource, RESOURCES } from "../../src/domain/resource.ts";
import type { ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { type ServedResource, USUAL_RESOURCES } from "../../src/testing/api-server/resources.ts";
import { fakeCluster, roundWith } from "../support/cluster.ts";

const custom = (
  group: string,
  version: string,
  kind: string,
  more: Partial<ServedResource> = {},
): ServedResource => ({
  group,
  version,
  kind,
  resource: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  shortNames: [],
  namespaced: true,
  ...more,
});
const CROWDED = [
  ...USUAL_RESOURCES,
  custom("serving.knative.dev", "v1", "Service"),
  custom("other.example.com", "v1", "Widget"),
  custom("short.example.com", "v1", "Thing", { shortNames: ["site"] }),
];

const FORMS: readonly (readonly [string, ApiServerOptions])[] = [
  ["aggregated", { resources: CROWDED }],
  ["one document a version", { resources: CROWDED, aggregatedDiscovery: false }],
];

it("the one table of known resources says what a server says of them", () => {
  const told = Object.values<KnownResource>(RESOURCES);
  const shared = USUAL_RESOURCES.flatMap((served) => {
    const known = told.find(({ group, kind }) => group === served.group && kind === served.kind);
    return known === undefined || known.version !== served.version ? [] : [{ served, known }];
  });
  expect(shared.length).toBeGreaterThan(15);
  for (const { served, known } of shared)
    expect(known).toEqual({
      group: served.group,
      version: served.version,
      kind: served.kind,
      plural: served.resource,
      short: served.shortNames,
      namespaced: served.namespaced,
    });
});

describe.each(FORMS)("discovery, %s", (_form, options) => {
  const find = async (word: string) => roundWith((await fakeCluster(options)).cluster).find(word);

  it.each<[string, string, boolean]>([
    ["widgets", "widgets.v1.example.com", true],
    ["widget", "widgets.v1.example.com", true],
    ["WIDGET", "widgets.v1.example.com", true],
    ["wd", "widgets.v1.example.com", true],
    ["widgets.example.com", "widgets.v1.example.com", true],
    ["widgets.v1beta1.example.com", "widgets.v1beta1.example.com", true],
    ["Widget.other.example.com", "widgets.v1.other.example.com", true],
    // A full name goes before another kind's short name.
    ["site", "sites.v1.example.com", false],
    ["app", "applications.v1alpha1.argoproj.io", true],
    ["applications.argoproj.io", "applications.v1alpha1.argoproj.io", true],
    ["service.serving.knative.dev", "services.v1.serving.knative.dev", true],
    ["events.events.k8s.io", "events.v1.events.k8s.io", true],
    ["horizontalpodautoscalers.v1.autoscaling", "horizontalpodautoscalers.v1.autoscaling", true],
  ])("%s is %s", async (word, expected, namespaced) => {
    const found = await find(word);
    if (found.kind !== "found") throw new Error(JSON.stringify(found));
    const { resource, version, group } = found.resource;
    expect(`${resource}.${version}.${group}`).toBe(expected);
    expect(found.resource.namespaced).toBe(namespaced);
  });

  it("what else has that name is told, in the server's order", async () => {
    expect(await find("widgets")).toMatchObject({ others: [{ group: "other.example.com" }] });
  });

  it.each(["gadgets", "widgets.v9.example.com", "widgets.example.org", "", ".", "pods/status"])(
    "'%s' is nothing the server serves",
    async (word) => {
      expect((await find(word)).kind).toBe("unknown");
    },
  );

  it("is asked once in a cluster's life, and a failure is not kept", async () => {
    const { server, cluster } = await fakeCluster(options);
    server.setFaults([{ verb: "discover", nth: 1, fault: { do: "reply", body: "<html>" } }]);
    expect(await roundWith(cluster).find("widgets")).toMatchObject({ kind: "failed", reason: "not-json" });
    const before = server.log().length;
    expect(await roundWith(cluster).find("widgets")).toMatchObject({ kind: "found" });
    const after = server.log().length;
    expect(after).toBeGreaterThan(before);
    await Promise.all([roundWith(cluster).find("sites"), roundWith(cluster).find("gadgets")]);
    expect(server.log().length).toBe(after);
  });

  it("a built-in kind is known without a question", async () => {
    const { server, cluster } = await fakeCluster(options);
    expect(await roundWith(cluster).find("deploy")).toMatchObject({ kind: "found" });
    expect(server.log()).toEqual([]);
  });

  it("R2: a group that cannot be reached leaves a word undecided, not unknown", async () => {
    const { cluster } = await fakeCluster({ ...options, staleGroups: ["other.example.com"] });
    const round = roundWith(cluster);
    expect(await round.find("gadgets")).toMatchObject({ kind: "failed", reason: "unavailable" });
    expect(await round.find("sites")).toMatchObject({ kind: "found" });
  });

  it.each([
    ["<html>", "not-json"],
    ["{}", "wrong-kind"],
    ['{"kind":"Status","apiVersion":"v1"}', "wrong-kind"],
  ])("a server that answers %s is not believed", async (body, reason) => {
    const { server, cluster } = await fakeCluster(options);
    server.setFaults([{ verb: "discover", fault: { do: "reply", body } }]);
    expect(await roundWith(cluster).find("widgets")).toMatchObject({ kind: "failed", reason });
  });

  it("lists that are none hold nothing, and break nothing", async () => {
    const { server, cluster } = await fakeCluster(options);
    server.setFaults([
      {
        verb: "discover",
        path: "/apis",
        fault: { do: "twist", patch: { items: [null, 7, {}], groups: "none" } },
      },
    ]);
    expect((await roundWith(cluster).find("widgets")).kind).toBe("unknown");
  });

  it("who may not ask is told so", async () => {
    const { server, cluster } = await fakeCluster(options);
    server.setFaults([{ verb: "discover", fault: { do: "reply", status: 401, body: "" } }]);
    expect(await roundWith(cluster).find("widgets")).toMatchObject({
      kind: "denied",
      reason: "unauthorized",
    });
  });
});
