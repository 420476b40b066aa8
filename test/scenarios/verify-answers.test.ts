/**
 * `verify --via` from the command line to a fake API server and a real HTTP server: what is asked, when it is asked again, what is
 * kept of it. Whose a reply is, on a real cluster: test/e2e/answers.test.ts.
 */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const serving = async (
  answer: RequestListener,
): Promise<{ readonly url: string; readonly asked: () => number }> => {
  let asked = 0;
  const server = createServer((request, reply) => {
    asked += 1;
    answer(request, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, asked: () => asked };
};

const files = worldFiles(good);
const firstOf = (file: string): JsonObject => {
  const [first = {}] = (files[file] as { readonly items: readonly JsonObject[] }).items;
  return first;
};
const metadataOf = (object: JsonObject) => object["metadata"] as JsonObject;
const podUid = (): string => String(metadataOf(firstOf("pods.json"))["uid"]);

const cluster = async (): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, files);
  return server;
};
const run = (server: ApiServer, cwd: string, ...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd }, ...words, "--kubeconfig", kubeconfigFile(server.kubeconfig({ namespace: "shop" })));

interface Report {
  readonly verdict: string;
  readonly findings: readonly { readonly claim: string; readonly finding: string; readonly reason: string }[];
}
const found = ({ out }: Ran, claim: string): readonly string[] => {
  const one = (JSON.parse(out) as Report).findings.find((finding) => finding.claim === claim);
  return one === undefined ? [] : [one.finding, one.reason];
};

describe("verify --via URL", () => {
  it("asks as often as it is told, and judges what came and who sent it", async () => {
    const app = await serving((_, reply) => reply.end(JSON.stringify({ version: "v2", pod: podUid() })));
    const words = ["verify", "deployment/web", "--via", app.url, "--pod", "$.pod", "--samples", "4"];
    const server = await cluster();
    const ran = await run(server, folder(), ...words, "-o", "json");
    expect(app.asked()).toBe(4);
    // Asked for twice: what tells who could answer; all else once.
    const lists = server
      .log()
      .flatMap(({ verb, path }) => (verb === "list" ? [path.replace(/^.*\/|\?.*$/g, "")] : []));
    expect(lists.filter((one) => one === "pods")).toHaveLength(2);
    expect(lists.filter((one) => one === "events" || one === "replicasets")).toHaveLength(2);
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
    expect(found(ran, "answered-by-new-pod")).toEqual(["proven", "new-pods-answered"]);
    expect(ran.code).toBe(0);
  });

  it("a reply of somebody who is no Pod of it is proven of nobody", async () => {
    const app = await serving((_, reply) => reply.end(JSON.stringify({ pod: "somebody" })));
    const ran = await run(
      await cluster(),
      folder(),
      "verify",
      "deployment/web",
      "--via",
      app.url,
      "--pod",
      "$.pod",
      "-o",
      "json",
    );
    expect(found(ran, "answered-by-new-pod")).toEqual(["undetermined", "unknown-pod"]);
    expect(ran.code).toBe(20);
  });

  it("V3: replies from before a change of the spec are asked for again", async () => {
    const app = await serving((_, reply) => reply.end("{}"));
    const server = await cluster();
    let changed = false;
    onTestFinished(
      server.onAsked((entry) => {
        if (changed || app.asked() === 0 || entry.verb !== "list") return;
        changed = true;
        const target = firstOf("deployments.json");
        const generation = Number(metadataOf(target)["generation"]) + 1;
        server.put(
          { resource: "deployments.apps", namespace: "shop", name: "web" },
          { ...target, metadata: { ...metadataOf(target), generation } },
        );
      }),
    );
    const ran = await run(server, folder(), "verify", "deployment/web", "--via", app.url, "-o", "json");
    expect([changed, app.asked()]).toEqual([true, 6]);
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
  });

  it("a server that never answers costs no more than the time of the look, and all else is judged", async () => {
    const app = await serving(() => undefined);
    const words = ["verify", "deployment/web", "--via", app.url, "--samples", "50", "--timeout", "2s"];
    const ran = await run(await cluster(), folder(), ...words, "-o", "json");
    expect(found(ran, "response")).toEqual(["undetermined", "no-reply"]);
    expect(found(ran, "rollout-complete")).toEqual(["proven", "complete"]);
    expect(app.asked()).toBeLessThan(50);
    expect(ran.out).toContain("the time for it was over");
    expect(ran.code).toBe(20);
  });

  it("snapshot keeps the replies without cookies, and --from judges them to the same", async () => {
    const app = await serving((_, reply) => {
      reply.setHeader("set-cookie", "session=hidden");
      reply.end(JSON.stringify({ pod: podUid() }));
    });
    const cwd = folder();
    const saved = await run(await cluster(), cwd, "snapshot", "saved", "deployment/web", "--via", app.url);
    expect(saved.code).toBe(0);
    const text = readFileSync(join(cwd, "saved", "answers.json"), "utf8");
    expect(text).not.toContain("hidden");
    const kept = JSON.parse(text);
    expect(kept).toHaveLength(3);
    // Who was there before is written once, and referred to.
    expect(kept[0].podsBefore.map(({ uid }: { uid: string }) => uid)).toContain(podUid());
    expect(kept.slice(1).map(({ podsBefore }: { podsBefore: unknown }) => podsBefore)).toEqual([
      { $ref: "#/0/podsBefore" },
      { $ref: "#/0/podsBefore" },
    ]);
    const words = [
      "verify",
      "deployment/web",
      "-n",
      "shop",
      "--from",
      "saved",
      "--via",
      app.url,
      "--pod",
      "$.pod",
    ];
    const ran = await asfound({ cwd }, ...words, "-o", "json");
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
    expect(found(ran, "answered-by-new-pod")).toEqual(["proven", "new-pods-answered"]);
    expect(app.asked()).toBe(3);
    // The control: what was not saved is not known.
    const other = await asfound(
      { cwd },
      ...words.map((word) => (word === app.url ? "service/web" : word)),
      "-o",
      "json",
    );
    expect(found(other, "response")).toEqual(["undetermined", "not-asked"]);
  });

  it("a flag about replies without --via is refused, and nothing is asked", async () => {
    const server = await cluster();
    const ran = await run(server, folder(), "verify", "deployment/web", "--pod", "$.pod");
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("--pod needs --via")]);
    expect(server.log()).toEqual([]);
  });

  it.each([
    ["ftp://x/", "must be pod, service"],
    ["http://user:secret@x/", "no credentials are sent"],
    ["service/../x", "must be pod, service"],
    ["service/A_B", "names no object"],
  ])("--via %s is refused with a reason", async (via, why) => {
    const ran = await run(await cluster(), folder(), "verify", "deployment/web", "--via", via);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(why)]);
  });

  it.each([
    ["--via", "http://user:s3cret@x/"],
    ["--via", "ftp://user:s3cret@x/"],
    ["--via", "http://user:s3c/ret@x/"],
    ["--via", "http:user:s3cret@x/"],
    ["--via", "http://x/", "--via", "http://user:s3cret@x/"],
    ["http://user:s3cret@x/"],
    ["--vja", "http://user:s3cret@x/"],
  ])("E5: the password in %j is said to nobody", async (...words) => {
    const ran = await run(await cluster(), folder(), "verify", "deployment/web", ...words);
    expect(ran.code).toBe(2);
    expect(ran.out + ran.err).not.toContain("s3c");
  });
});
