/** Routes, Gateways and Ingresses of a live cluster: what they name elsewhere is read by name, once, and kept in a snapshot. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import {
  ACCEPTED,
  gateway,
  gatewayClass,
  ingress,
  ingressClass,
  route,
} from "../support/kubernetes/gateway.ts";
import { changed, list } from "../support/kubernetes/object.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const BEHIND = worldFiles({ replicas: 1, fresh: { version: "v2", pods: ["ready"] } });

/** The same Service with all behind it, in another namespace. */
const inNamespace = (files: Files, namespace: string): Files =>
  JSON.parse(JSON.stringify(files).replaceAll('"namespace":"shop"', `"namespace":"${namespace}"`));

const INFRA: Files = {
  "gateways.json": list([gateway({ namespace: "infra" })]),
  "gatewayclasses.json": list([gatewayClass("traefik")]),
};
const ACROSS = route({
  parents: [{ name: "front", namespace: "infra", says: ACCEPTED }],
  backends: [{ name: "web", namespace: "back", port: 80 }],
});

const serverWith = async (
  rules: readonly PolicyRule[] | null,
  ...all: readonly Files[]
): Promise<ApiServer> => {
  const server = await apiServerFor({
    clock: clockAt(READ_AT),
    ...(rules === null ? {} : { users: [{ name: "verifier", token: "verifier-token", rules }] }),
  });
  for (const files of all) serve(server, files);
  return server;
};

const look = async (server: ApiServer, ...words: readonly string[]) => {
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const said = await asfound({ cwd: folder() }, "verify", ...words, "--kubeconfig", kubeconfig, "-o", "json");
  return { code: said.code, report: JSON.parse(said.out) };
};
const found = (report: { findings: readonly JsonObject[] }, claim: string) => {
  const one = report.findings.find((finding) => finding["claim"] === claim);
  return [one?.["finding"], one?.["reason"]];
};

describe("a route whose parent and backend are in other namespaces", () => {
  const routes = { "httproutes.json": list([ACROSS]) };

  it("is proven by what is read there by name, each once, and by no list of Gateways", async () => {
    const server = await serverWith(null, routes, INFRA, inNamespace(BEHIND, "back"));
    const { code, report } = await look(server, "httproute/way", "-n", "shop");
    expect([code, report.verdict], JSON.stringify(report.findings)).toEqual([0, "proven"]);
    const asked = server.log().map(({ verb, resource }) => `${verb} ${resource}`);
    const of = (resource: string) =>
      asked.filter((one) => one.includes(`${resource}.`) || one.endsWith(` ${resource}`));
    expect(of("gateways")).toHaveLength(1);
    expect(of("gateways")[0]).toMatch(/^get /);
    expect(of("gatewayclasses")).toHaveLength(1);
    expect(report.findings.flatMap(({ limits }: { limits: readonly string[] }) => limits).join("\n")).toMatch(
      /ReferenceGrant/,
    );
  });

  it("is refuted where the parent is not there: twin of the one above", async () => {
    const { "gatewayclasses.json": classes } = INFRA;
    const server = await serverWith(
      null,
      routes,
      { "gatewayclasses.json": classes as JsonObject },
      inNamespace(BEHIND, "back"),
    );
    const { code, report } = await look(server, "httproute/way", "-n", "shop");
    expect([code, found(report, "reported-ready"), found(report, "spec-observed")]).toEqual([
      10,
      ["refuted", "no-parent"],
      ["undetermined", "no-parent"],
    ]);
  });

  it("R2: is undetermined where the parent may not be read, and the right is named", async () => {
    const rules: readonly PolicyRule[] = [
      {
        apiGroups: ["gateway.networking.k8s.io"],
        resources: ["httproutes", "gatewayclasses"],
        verbs: ["get", "list", "watch"],
      },
      {
        apiGroups: ["", "discovery.k8s.io"],
        resources: ["services", "endpointslices", "pods"],
        verbs: ["get", "list"],
      },
    ];
    const server = await serverWith(rules, routes, INFRA, inNamespace(BEHIND, "back"));
    const { code, report } = await look(server, "httproute/way", "-n", "shop");
    expect([code, found(report, "reported-ready")]).toEqual([20, ["undetermined", "missing"]]);
    expect(JSON.stringify(report.findings)).toMatch(/gateways.*front.*(?:forbidden|not allowed|may not)/);
  });

  it("a snapshot of it is judged to the same findings, wherever it was read", async () => {
    for (const all of [
      [routes, INFRA, inNamespace(BEHIND, "back")],
      [routes, { "gatewayclasses.json": INFRA["gatewayclasses.json"] as JsonObject }],
    ]) {
      const server = await serverWith(null, ...all);
      const kubeconfig = kubeconfigFile(server.kubeconfig());
      const cwd = folder();
      const words = ["httproute/way", "-n", "shop"];
      const live = await asfound({ cwd }, "verify", ...words, "--kubeconfig", kubeconfig, "-o", "json");
      await asfound({ cwd }, "snapshot", "kept", ...words, "--kubeconfig", kubeconfig);
      const judged = await asfound({ cwd }, "verify", ...words, "--from", "kept", "-o", "json");
      const plain = (out: string) =>
        JSON.parse(out).findings.map(({ claim, finding, reason }: JsonObject) => [claim, finding, reason]);
      expect(plain(judged.out)).toEqual(plain(live.out));
      expect(judged.code).toBe(live.code);
      const { followed } = JSON.parse(readFileSync(join(cwd, "kept/snapshot.json"), "utf8"));
      expect(followed.map(({ resource }: JsonObject) => resource)).toContain("gateways");
    }
  });
});

describe("a sweep", () => {
  it("judges routes, Gateways and Ingresses where they are named, and asks once for what several of them name", async () => {
    const other = changed(ACROSS, ["metadata", "name"], "another");
    const server = await serverWith(
      null,
      {
        "httproutes.json": list([
          ACROSS,
          changed(other, ["metadata", "uid"], "7c7c7c7c-0000-4000-8000-000000000000"),
        ]),
      },
      INFRA,
      { "ingresses.json": list([ingress()]), "ingressclasses.json": list([ingressClass("traefik")]) },
      BEHIND,
      inNamespace(BEHIND, "back"),
    );
    const { code, report } = await look(server, "httproutes,ing", "--all", "-n", "shop");
    expect([code, report.counts], JSON.stringify(report.items)).toEqual([
      0,
      { proven: 3, refuted: 0, undetermined: 0, progressing: 0 },
    ]);
    const gets = server
      .log()
      .filter(({ verb, resource }) => verb === "get" && resource?.startsWith("gateways") === true);
    expect(gets).toHaveLength(1);
    expect((await look(server, "gateways", "-A")).code).toBe(0);
  });
});

it("hostile: names that nobody can ask for are questions without an answer, and no exception", async () => {
  const server = await serverWith(
    null,
    {
      "httproutes.json": list([
        route({
          parents: [{ name: "../../secrets", namespace: "infra", says: ACCEPTED }],
          backends: [{ name: "__proto__", namespace: "..", port: 80 }],
        }),
      ]),
    },
    INFRA,
  );
  const { code, report } = await look(server, "httproute/way", "-n", "shop");
  expect([code, report.verdict]).toEqual([20, "undetermined"]);
  expect(server.log().filter(({ resource }) => resource?.includes("secrets") === true)).toEqual([]);
});
