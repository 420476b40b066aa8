/** `verify -l, --all, -A`: many targets judged by one LIST a resource, from files and from a fake API server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { crowdFiles, type Member } from "../support/kubernetes/crowd.ts";
import type { Files, World } from "../support/kubernetes/deployment.ts";
import { list } from "../support/kubernetes/object.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { serve, serverWith } from "../support/kubernetes/served.ts";

const crashing: World = {
  replicas: 2,
  fresh: { version: "v2", pods: ["crash-loop"] },
  old: [{ version: "v1", pods: ["ready", "ready"] }],
};
const slow: World = { ...good, fresh: { version: "v2", pods: ["ready", "not-ready"] } };
const zero: World = { replicas: 0, fresh: { version: "v2", pods: [] }, old: [] };

const member = (name: string, namespace: string, world: World): Member => ({ name, namespace, world });
const ALL_GOOD = [member("api", "shop", good), member("web", "shop", good), member("web", "other", good)];
const MIXED = [...ALL_GOOD, member("cart", "shop", crashing), member("old", "other", zero)];

/** Kinds of which there is none: asked for, and empty. */
const NONE: Files = Object.fromEntries(
  ["statefulsets", "daemonsets", "jobs", "cronjobs"].map((name) => [`${name}.json`, list([])]),
);

const fromFiles = (files: Files, ...words: readonly string[]): Promise<Ran> => {
  const cwd = folder();
  for (const [name, value] of Object.entries(files)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return asfound({ cwd }, "verify", ...words, "--from", ".");
};

const fromServer = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "verify",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Report {
  readonly verdict: string;
  readonly statement: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly items: readonly {
    readonly verdict: string;
    readonly statement: string;
    readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
    readonly findings: readonly { readonly sentence: string; readonly reason: string }[];
    readonly trust: { readonly limits: readonly string[] };
  }[];
  readonly scaledToZero: readonly { readonly name: string }[];
  readonly unread: readonly string[];
  readonly trust: { readonly limits: readonly string[] };
}
const reportOf = ({ out, err }: Ran): Report => {
  expect(out, err).not.toBe("");
  const report: Report = JSON.parse(out);
  expect(API_SCHEMAS["verdict-list"]?.safeParse(report).error).toBe(undefined);
  return report;
};
const namesOf = ({ items }: Report): readonly string[] =>
  items.map(({ verdict, target }) => `${verdict} ${target.kind} ${target.namespace}/${target.name}`);

const requests = (server: ApiServer): readonly string[] =>
  server.log().map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);

describe("what is selected", () => {
  it("-A: every workload once, Pods and ReplicaSets with what controls them, the worst first", async () => {
    const ran = await fromFiles({ ...NONE, ...crowdFiles(MIXED) }, "-A", "-o", "json");
    const report = reportOf(ran);
    expect(namesOf(report)).toEqual([
      "refuted Deployment shop/cart",
      "proven Deployment other/web",
      "proven Deployment shop/api",
      "proven Deployment shop/web",
    ]);
    expect(report.counts).toEqual({ proven: 3, refuted: 1, undetermined: 0, progressing: 0 });
    expect({ code: ran.code, verdict: report.verdict }).toEqual({ code: 10, verdict: "refuted" });
  });

  it("V5: what is scaled to zero stands apart and is not counted", async () => {
    const ran = await fromFiles(
      { ...NONE, ...crowdFiles([...ALL_GOOD, member("old", "other", zero)]) },
      "-A",
      "-o",
      "json",
    );
    const report = reportOf(ran);
    expect({ code: ran.code, zero: report.scaledToZero.map(({ name }) => name) }).toEqual({
      code: 0,
      zero: ["old"],
    });
    expect(report.statement).toBe("3 of 3 targets are proven; 1 scaled to zero is not counted.");
  });

  it("V5, control: nothing but what is scaled to zero proves nothing", async () => {
    const ran = await fromFiles(
      { ...NONE, ...crowdFiles([member("old", "other", zero)]) },
      "-A",
      "-o",
      "json",
    );
    expect({ code: ran.code, verdict: reportOf(ran).verdict }).toEqual({ code: 20, verdict: "undetermined" });
  });

  it("scaled to zero while a Pod of it still runs is counted", async () => {
    const world: World = { ...zero, old: [{ version: "v1", pods: ["ready"] }] };
    const report = reportOf(
      await fromFiles({ ...NONE, ...crowdFiles([member("old", "other", world)]) }, "-A", "-o", "json"),
    );
    expect(report.scaledToZero).toEqual([]);
    expect(report.items).toHaveLength(1);
    expect(report.verdict).not.toBe("proven");
  });

  it.each([
    [
      ["deployments", "-n", "shop", "--all"],
      ["shop/api", "shop/cart", "shop/web"],
    ],
    [["deploy", "-n", "shop", "-l", "app=web"], ["shop/web"]],
    [
      ["deploy,sts", "-A", "-l", "app in (web, api)"],
      ["other/web", "shop/api", "shop/web"],
    ],
    [
      ["deploy", "-A", "-l", "app!=web"],
      ["shop/api", "shop/cart"],
    ],
    [["deploy", "-A", "-l", "!app"], []],
  ])("%j", async (words, names) => {
    const report = reportOf(await fromFiles({ ...NONE, ...crowdFiles(MIXED) }, ...words, "-o", "json"));
    expect(report.items.map(({ target }) => `${target.namespace}/${target.name}`).sort()).toEqual(names);
  });

  it("k8s-10: a selector that matches nothing is undetermined, with no target", async () => {
    const files = { ...NONE, ...crowdFiles(ALL_GOOD) };
    const ran = await fromFiles(files, "deployments", "-A", "-l", "app=nobody");
    expect(ran.code).toBe(20);
    expect(ran.out).toContain("no target: nothing was selected that could be judged");
    expect((await fromFiles(files, "deployments", "-A", "-l", "app=web")).code).toBe(0);
  });

  it("k8s-32: a sweep over zero Deployments is undetermined, never ready", async () => {
    const none = {
      ...NONE,
      ...crowdFiles(ALL_GOOD),
      "deployments.json": list([]),
      "replicasets.json": list([]),
      "pods.json": list([]),
    };
    expect((await fromFiles(none, "-A")).code).toBe(20);
    expect((await fromFiles({ ...NONE, ...crowdFiles(ALL_GOOD) }, "-A")).code).toBe(0);
  });

  it("R2: a kind that was not asked for leaves the sweep open, by its name", async () => {
    const ran = await fromFiles(crowdFiles(ALL_GOOD), "-A", "-o", "json");
    const report = reportOf(ran);
    expect({ code: ran.code, verdict: report.verdict }).toEqual({ code: 20, verdict: "undetermined" });
    expect(report.unread).toContain("daemonsets of all namespaces were not asked for");
    expect((await fromFiles(crowdFiles(ALL_GOOD), "deployments", "-A")).code).toBe(0);
  });
});

describe("a cluster", () => {
  it("is asked for each resource once, and for what is judged once more, whatever the number of targets", async () => {
    const server = await serverWith(crowdFiles(MIXED));
    const ran = await fromServer(server, "deployments", "-A", "-o", "json");
    expect(namesOf(reportOf(ran))[0]).toBe("refuted Deployment shop/cart");
    expect(requests(server).toSorted()).toEqual([
      "list /api/v1/events",
      "list /api/v1/pods",
      "list /api/v1/services",
      "list /apis/apps/v1/deployments",
      "list /apis/apps/v1/deployments",
      "list /apis/apps/v1/replicasets",
      "list /apis/autoscaling/v2/horizontalpodautoscalers",
      "list /apis/discovery.k8s.io/v1/endpointslices",
    ]);
  });

  it("-l without -A stays in the namespace", async () => {
    const server = await serverWith(crowdFiles(MIXED));
    const ran = await fromServer(server, "-l", "app=web", "-o", "json");
    expect({ code: ran.code, names: namesOf(reportOf(ran)) }).toEqual({
      code: 0,
      names: ["proven Deployment shop/web"],
    });
    expect(requests(server).filter((one) => !one.includes("/namespaces/shop/"))).toEqual([]);
  });

  it("R2: a list that is denied leaves the sweep undetermined, and is named", async () => {
    const denied = JSON.stringify({
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      reason: "Forbidden",
      message: 'daemonsets.apps is forbidden: User "eve" cannot list resource "daemonsets"',
      code: 403,
    });
    const server = await serverWith(crowdFiles(ALL_GOOD), {
      faults: [{ verb: "list", resource: "daemonsets", fault: { do: "reply", status: 403, body: denied } }],
    });
    const ran = await fromServer(server, "-A", "-o", "json");
    const report = reportOf(ran);
    expect({ code: ran.code, proven: report.counts["proven"] }).toEqual({ code: 20, proven: 3 });
    expect(report.unread.join()).toContain("daemonsets");
    expect((await fromServer(server, "deployments", "-A")).code).toBe(0);
  });

  it("V3, O1: what was made anew while the sweep read is not judged of a mixture", async () => {
    const server = await serverWith(crowdFiles(ALL_GOOD));
    let done = false;
    onTestFinished(
      server.onAsked((entry) => {
        if (entry.verb !== "list" || entry.resource !== "pods" || done) return;
        done = true;
        const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
        const there = server.get(place) as JsonObject;
        server.put(place, { ...there, metadata: { ...(there["metadata"] as JsonObject), generation: 9 } });
      }),
    );
    const ran = await fromServer(server, "deployments", "-A", "-o", "json");
    const report = reportOf(ran);
    const torn = report.items.find(({ target }) => target.namespace === "shop" && target.name === "web");
    expect({ code: ran.code, verdict: torn?.verdict, reason: torn?.findings[0]?.reason }).toEqual({
      code: 20,
      verdict: "undetermined",
      reason: "not-read",
    });
    expect(torn?.statement).toContain("its spec was changed while the sweep read");
    expect(report.counts["proven"]).toBe(2);
  });

  it("--watch ends when all are proven", async () => {
    const before = crowdFiles([...ALL_GOOD, member("cart", "shop", slow)]);
    const server = await serverWith(before);
    let lists = 0;
    onTestFinished(
      server.onAsked((entry) => {
        if (entry.verb !== "list" || entry.resource !== "deployments") return;
        lists += 1;
        if (lists === 3) serve(server, crowdFiles([...ALL_GOOD, member("cart", "shop", good)]), before);
      }),
    );
    const ran = await fromServer(server, "deployments", "-A", "--watch", "--window", "60s");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain("4 of 4 targets are proven");
    expect(ran.err).toContain("Deployment shop/cart: progressing");
  }, 30_000);

  it("V4: a window that ended is progressing, exit 30", async () => {
    const server = await serverWith(crowdFiles([member("cart", "shop", slow)]));
    const ran = await fromServer(server, "deployments", "-A", "--watch", "--window", "300ms", "-o", "json");
    expect(ran.code).toBe(30);
  });
});

describe("2: words that do not fit", () => {
  it.each([
    [["deployment/web", "-A"], "-A takes all of a kind"],
    [["deployments"], "does not name what to verify"],
    [[], "say what to verify"],
    [["-A", "-n", "shop"], "-n names one namespace and -A"],
    [["-A", "--uid", "x"], "--uid is about one target"],
    [["-A", "--claims", "absent"], "the claim absent is about one named object"],
    [["-l", "app=(web", "deployments"], "that a label can have"],
    [["-l", "a b c", "deployments"], "cannot be read at"],
    [["-l", "app=w w", "deployments"], "cannot be read at"],
  ])("%j", async (words, says) => {
    const ran = await fromFiles(crowdFiles(ALL_GOOD), ...words);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
    expect(ran.err).toContain(says);
  });
});
