/**
 * `verify` of a live cluster, from the command line to a fake API server that keeps count of what it is asked. The server's
 * clock stands still at the fixtures' time, so ages are the same whenever this runs.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import type { ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import { USUAL_RESOURCES } from "../../src/testing/api-server/resources.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed } from "../support/kubernetes/object.ts";
import { done as good, begun as seed } from "../support/kubernetes/rollouts.ts";
import { serve, serverWith } from "../support/kubernetes/served.ts";

const verify = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "verify",
    ...(words[0]?.includes("/") === true ? words : ["deployment/web", ...words]),
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Report {
  readonly verdict: string;
  readonly statement: string;
  readonly findings: readonly {
    readonly claim: string;
    readonly finding: string;
    readonly reason: string;
    readonly sentence: string;
    readonly missing: readonly string[];
  }[];
  readonly trust: { readonly limits: readonly string[] };
  readonly window: { readonly ended: boolean };
}
const reportOf = ({ out }: Ran): Report => {
  const report: Report = JSON.parse(out);
  expect(API_SCHEMAS["verdict-report"]?.safeParse(report).error).toBe(undefined);
  return report;
};
const json = async (server: ApiServer, ...words: readonly string[]) => {
  const ran = await verify(server, ...words, "-o", "json");
  return { ...ran, report: reportOf(ran) };
};
const findingsOf = ({ findings }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(findings.map(({ claim, finding }) => [claim, finding]));

/** Requests without what pages add to them. */
const requests = (server: ApiServer): readonly string[] =>
  server.log().map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);

/** While a look goes on. */
const whenListed = (server: ApiServer, resource: string, act: () => void): void => {
  onTestFinished(
    server.onAsked((entry) => {
      if (entry.verb === "list" && entry.resource === resource) act();
    }),
  );
};

const APPS = "/apis/apps/v1/namespaces/shop";
const CORE = "/api/v1/namespaces/shop";
const TARGET = `get ${APPS}/deployments/web`;

describe("one look", () => {
  it("a good rollout is proven; each list is asked for once, and the target before and after them", async () => {
    const server = await serverWith(worldFiles(good));
    const { code, report, err } = await json(server);
    expect({ code, err, verdict: report.verdict }).toEqual({ code: 0, err: "", verdict: "proven" });
    expect(Object.values(findingsOf(report))).toEqual(Array(5).fill("proven"));
    const [first, ...rest] = requests(server);
    expect([first, rest.at(-1)]).toEqual([TARGET, TARGET]);
    expect(rest.slice(0, -1).toSorted()).toEqual([
      `list ${CORE}/events`,
      `list ${CORE}/pods`,
      `list ${CORE}/services`,
      `list ${APPS}/replicasets`,
      "list /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers",
      "list /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices",
    ]);
  });

  it("readiness that fails while the old release serves: said in one sentence, and progressing", async () => {
    const server = await serverWith(worldFiles(seed));
    const { code, report } = await json(server);
    expect({ code, verdict: report.verdict }).toEqual({ code: 30, verdict: "progressing" });
    expect(report.statement).toBe(
      "1 new replica runs v2 and is not ready since 1m40s: its readiness answers 503 (12 times, for 1m); 2 replicas of v1 serve.",
    );
    const { out } = await verify(server);
    expect(out).toMatch(/asfound verify deployment\/web -n shop --kubeconfig \S+ --watch/);
    expect(out).toContain("deploying the same again");
  });

  it("paused is refuted", async () => {
    const paused: World = { ...seed, spec: { paused: true } };
    const { code, report } = await json(await serverWith(worldFiles(paused)));
    expect({ code, verdict: report.verdict }).toEqual({ code: 10, verdict: "refuted" });
    expect(report.findings.map(({ reason }) => reason)).toContain("paused");
  });

  it("not there is refuted, and nothing else is asked", async () => {
    const server = await serverWith(worldFiles(good));
    const ran = await verify(server, "deploy/other");
    expect(ran).toMatchObject({ code: 10 });
    expect(ran.out).toContain(
      "there is no Deployment shop/other: the API server was asked for it by name, and has none (404)",
    );
    expect(ran.out).not.toContain("listed");
    expect(requests(server)).toEqual([`get ${APPS}/deployments/other`]);
    expect(await verify(server, "deploy/other", "--claims", "absent")).toMatchObject({ code: 0 });
  });

  it("V7: a kind that the server does not serve is undetermined, in the server's words", async () => {
    const ran = await verify(await serverWith(worldFiles(good)), "frobnicator/web");
    expect(ran).toMatchObject({ code: 20 });
    const resources = new Set(USUAL_RESOURCES.map(({ group, resource }) => `${group}/${resource}`));
    expect(ran.out).toContain(
      `the server serves nothing that is called "frobnicator": it is not among the ${resources.size} resources that were listed`,
    );
  });

  it("a kind without rules is undetermined, with its own group and scope; nothing else is asked", async () => {
    const server = await serverWith(worldFiles(good));
    server.put({ resource: "widgets.example.com", namespace: "shop", name: "w" }, { spec: {} });
    server.put({ resource: "sites.example.com", name: "s" }, { spec: {} });
    const { code, out } = await verify(server, "wd/w");
    expect(code).toBe(20);
    expect(out).toContain("asfound has no rule for Widget (example.com/v1)");
    expect((await verify(server, "site/s")).out).toContain("Site s: undetermined");
    expect(requests(server).filter((one) => one.startsWith("list"))).toEqual([]);
    expect((await verify(server, "site/none")).code).toBe(10);
  });

  it.each<[string, readonly string[]]>([
    ["pods", ["old-gone"]],
    ["replicasets", ["old-gone"]],
    ["horizontalpodautoscalers", ["capacity"]],
    ["endpointslices", ["endpoints-ready"]],
    ["services", ["endpoints-ready"]],
  ])(
    "a right to list %s that is missing makes exactly its claims undetermined, and is named",
    async (resource, claims) => {
      const everything = [
        "deployments",
        "replicasets",
        "pods",
        "events",
        "services",
        "endpointslices",
        "horizontalpodautoscalers",
      ];
      const user = (lists: readonly string[]) => ({
        name: "limited",
        token: "limited-token",
        rules: [{ apiGroups: ["*"], resources: lists, verbs: ["get", "list"] }],
      });
      const limited = await serverWith(worldFiles(good), {
        users: [user(everything.filter((one) => one !== resource))],
      });
      const { code, report } = await json(limited);
      expect({ code, verdict: report.verdict }).toEqual({ code: 20, verdict: "undetermined" });
      const open = report.findings.filter(({ finding }) => finding !== "proven");
      expect(open.map(({ claim, finding }) => `${claim} ${finding}`)).toEqual(
        claims.map((claim) => `${claim} undetermined`),
      );
      for (const { claim, missing, sentence } of open)
        if (claim === claims.at(-1))
          expect(`${missing.join("; ")} ${sentence}`).toMatch(
            new RegExp(`the right to list ${resource}\\S* in namespace shop is missing`),
          );
      // Control: with that right, the same server proves all.
      const whole = await serverWith(worldFiles(good), { users: [user(everything)] });
      expect((await json(whole)).report.verdict).toBe("proven");
    },
  );

  it("events that may not be read change no finding, and are said", async () => {
    const server = await serverWith(worldFiles(good), {
      users: [
        {
          name: "limited",
          token: "limited-token",
          rules: [
            { apiGroups: ["apps", "autoscaling", "discovery.k8s.io"], resources: ["*"], verbs: ["*"] },
            { apiGroups: [""], resources: ["pods", "services"], verbs: ["list"] },
          ],
        },
      ],
    });
    const { code, report } = await json(server);
    expect(code).toBe(0);
    expect(report.trust.limits.join("\n")).toContain("the right to list events in namespace shop is missing");
  });

  it("the right to get the target that is missing: undetermined, and no list is asked for", async () => {
    const server = await serverWith(worldFiles(good), {
      users: [{ name: "nobody", token: "nobody-token", rules: [] }],
    });
    const { code, report } = await json(server);
    expect(code).toBe(20);
    expect(report.statement).toContain(
      'the right to get deployments.apps "web" in namespace shop is missing',
    );
    expect(requests(server)).toEqual([TARGET]);
  });

  const html: ApiFaultRule["fault"] = { do: "reply", body: "<html>Sign in</html>", contentType: "text/html" };
  it.each<[string, readonly ApiFaultRule[], RegExp]>([
    [
      "HTML from a proxy in place of the target",
      [{ resource: "deployments", fault: html }],
      /not JSON|text\/html/,
    ],
    [
      "HTML in place of Pods",
      [{ resource: "pods", fault: html }],
      /the list of pods in namespace shop could not be read/,
    ],
    [
      "half a list of Pods",
      [{ resource: "pods", fault: { do: "half" } }],
      /pods in namespace shop could not be read/,
    ],
    ["a server in trouble", [{ resource: "pods", fault: { do: "unavailable", retryAfter: null } }], /503/],
    [
      "the target's second reading failed",
      [{ resource: "deployments", nth: 2, fault: { do: "reply", status: 500, body: "{}" } }],
      /could not be read/,
    ],
  ])("%s: undetermined, never an empty list", async (_, faults, says) => {
    const server = await serverWith(worldFiles(good));
    server.setFaults(faults);
    const { code, report } = await json(server);
    expect({ code, verdict: report.verdict }).toEqual({ code: 20, verdict: "undetermined" });
    expect(JSON.stringify(report)).toMatch(says);
    server.setFaults([]);
    expect((await json(server)).code).toBe(0);
  });

  it("a page that expires in the middle is no shorter list: all is read anew, and proven", async () => {
    const server = await serverWith(worldFiles(good));
    for (let index = 0; index < 501; index += 1)
      server.put({ resource: "events", namespace: "shop", name: `e-${index}` }, { reason: "x" });
    server.setFaults([{ resource: "events", nth: 2, fault: { do: "expire" } }]);
    const { code } = await json(server);
    expect(code).toBe(0);
    const pages = server.log().filter(({ resource }) => resource === "events");
    expect(pages.map(({ status }) => status)).toEqual([200, 410, 200, 200]);
  });

  it("nothing answers: undetermined, with the address", async () => {
    const server = await serverWith(worldFiles(good));
    await server.refuse();
    const { code, report } = await json(server);
    expect(code).toBe(20);
    expect(report.statement).toContain("127.0.0.1");
  });

  it("one deadline holds for all of it", async () => {
    const server = await serverWith(worldFiles(good));
    server.setFaults([{ resource: "pods", fault: { do: "hang" } }]);
    const { code, report } = await json(server, "--timeout", "1s");
    expect(code).toBe(20);
    expect(JSON.stringify(report)).toContain("could not be read");
  });

  it("V3: a target that is made again between the readings is never mixed with the lists of the other", async () => {
    const files = worldFiles(good);
    const server = await serverWith(files);
    const deployment = (files["deployments.json"] as { items: readonly JsonObject[] }).items[0] as JsonObject;
    const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
    const again = (life: number): JsonObject =>
      changed(deployment, ["metadata", "uid"], `00000000-0000-4000-9000-00000000000${life}`);
    let lives = 0;
    whenListed(server, "pods", () => {
      lives += 1;
      server.put(place, again(lives));
    });
    const { code, report } = await json(server);
    expect({ code, verdict: report.verdict }).toEqual({ code: 20, verdict: "undetermined" });
    expect(report.statement).toMatch(/it was deleted and made again while it was read \(UID \S+, then \S+\)/);
  });

  it("O1: a spec that changes between the readings is never mixed: the lists are read anew, at most three times", async () => {
    const server = await serverWith(worldFiles(good));
    const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
    let changes = 0;
    const change = (most: number) => () => {
      if (changes === most) return;
      changes += 1;
      const now = server.get(place) as JsonObject;
      server.put(place, changed(now, ["metadata", "generation"], 2 + changes));
    };
    whenListed(server, "pods", change(1));
    const once = await json(server);
    expect(once.report.verdict).toBe("progressing");
    expect(requests(server).filter((one) => one === TARGET)).toHaveLength(3);
    expect(requests(server).filter((one) => one === `list ${CORE}/pods`)).toHaveLength(2);
    whenListed(server, "pods", change(99));
    const always = await json(server);
    expect({ code: always.code, verdict: always.report.verdict }).toEqual({
      code: 20,
      verdict: "undetermined",
    });
    expect(always.report.statement).toMatch(
      /its spec was changed while it was read \(generation \d, then \d\)/,
    );
  });

  it("a status that goes on is read anew too, and then judged with a word on it", async () => {
    const server = await serverWith(worldFiles(good));
    const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
    let times = 0;
    whenListed(server, "pods", () => {
      times += 1;
      server.put(
        place,
        changed(server.get(place) as JsonObject, ["metadata", "annotations", "n"], `${times}`),
      );
    });
    const { code, report } = await json(server);
    expect({ code, times }).toEqual({ code: 0, times: 3 });
    expect(report.trust.limits.join("\n")).toMatch(
      /it changed while it was read \(resourceVersion \d+, then \d+\), 3 times/,
    );
  });

  it("ages count by the server's clock, and how far it is from ours is said", async () => {
    const { report } = await json(await serverWith(worldFiles(good)));
    expect(report.trust.limits.join("\n")).toMatch(
      /the API server's clock is \S+ (behind|ahead of) this machine's/,
    );
    const near = await apiServerFor();
    serve(near, worldFiles(good));
    expect((await json(near)).report.trust.limits.join("\n")).not.toContain("clock");
  });

  it("text from the cluster is neutral in every output", async () => {
    const evil = "\x1b[2J\x1b]0;owned\x07 a\nFAKE\r \u202egnp.exe \u009b31m\n::error::made up";
    const files = worldFiles({ ...seed, fresh: { version: "v2", pods: ["image-pull"] } });
    const pods = files["pods.json"] as { readonly items: readonly JsonObject[] };
    const at = pods.items.findIndex((one) => JSON.stringify(one).includes("ImagePullBackOff"));
    const status = ["items", at, "status", "containerStatuses", 0];
    let hostile = changed(files["pods.json"] as JsonObject, [...status, "state", "waiting", "message"], evil);
    hostile = changed(hostile, [...status, "image"], evil);
    hostile = changed(hostile, ["items", at, "metadata", "annotations"], { [evil]: "x".repeat(1_000_000) });
    const server = await serverWith({ ...files, "pods.json": hostile });
    for (const output of ["table", "wide", "json", "yaml", "jsonl"]) {
      const { out, code } = await verify(server, "-o", output);
      expect(code).toBe(10);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(out).not.toMatch(/^::error/m);
      expect(out.length).toBeLessThan(60_000);
    }
  });
});
