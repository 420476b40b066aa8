/** `verify --application` over a fake API server: what is asked for it, and what is said where that has no answer. */
import { describe, expect, it } from "vitest";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { application, COMMIT } from "../support/kubernetes/application.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { done as good } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const PLACE = { resource: "applications.argoproj.io", namespace: "shop", name: "shop" } as const;
const SYNCED = {
  aims: COMMIT.v2,
  compared: COMMIT.v2,
  operation: { phase: "Succeeded", revision: COMMIT.v2, finished: 5 },
};

const cluster = async (): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, worldFiles(good));
  return server;
};

const verify = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "verify",
    "deployment/web",
    "--commit",
    COMMIT.v2,
    ...words,
    "-o",
    "json",
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

const found = ({ out }: Ran, claim: string): readonly string[] => {
  const { findings } = JSON.parse(out) as {
    readonly findings: readonly {
      readonly claim: string;
      readonly finding: string;
      readonly reason: string;
    }[];
  };
  const one = findings.find((finding) => finding.claim === claim);
  return one === undefined ? [] : [one.finding, one.reason];
};

describe("verify --application", () => {
  it("reads it by one GET, and judges both", async () => {
    const server = await cluster();
    server.put(PLACE, application(SYNCED));
    const ran = await verify(server, "--application", "shop/shop");
    expect(found(ran, "intended-commit")).toEqual(["proven", "pinned"]);
    expect(found(ran, "synced-revision")).toEqual(["proven", "synced"]);
    expect(found(ran, "controller-health")).toEqual(["proven", "healthy"]);
    expect(ran.code).toBe(0);
    const asked = server.log().filter(({ path }) => path.includes("/applications"));
    expect(asked.map(({ verb }) => verb)).toEqual(["get"]);
  });

  it("one that aims elsewhere refutes a rollout that is complete", async () => {
    const server = await cluster();
    server.put(PLACE, application({ ...SYNCED, aims: COMMIT.v1, compared: COMMIT.v1 }));
    const ran = await verify(server, "--application", "shop/shop");
    expect(found(ran, "rollout-complete")).toEqual(["proven", "complete"]);
    expect(found(ran, "intended-commit")).toEqual(["refuted", "other-commit"]);
    expect(ran.code).toBe(10);
  });

  it("one that is not there, or may not be read, is told apart", async () => {
    const server = await cluster();
    const absent = await verify(server, "--application", "shop/shop");
    expect(found(absent, "synced-revision")).toEqual(["refuted", "no-application"]);
    server.put(PLACE, application(SYNCED));
    server.setFaults([{ resource: "applications", fault: { do: "reply", status: 403, body: "{}" } }]);
    const denied = await verify(server, "--application", "shop/shop");
    expect(found(denied, "synced-revision")).toEqual(["undetermined", "missing"]);
    expect(denied.code).toBe(20);
  });

  it("a commit without the Application that brings it about is not said to be there", async () => {
    const ran = await verify(await cluster());
    expect(found(ran, "synced-revision")).toEqual(["undetermined", "not-asked"]);
    expect(ran.code).toBe(20);
  });

  it.each([
    [["--commit", "abc"], "must be a whole commit"],
    [["--commit", COMMIT.v1, "--application", "shop"], "must be NAMESPACE/NAME"],
    [["--repository", "https://git.example/shop.git"], "needs --commit"],
  ])("%j is refused with a reason", async (words, why) => {
    const ran = await asfound({ cwd: folder() }, "verify", "deployment/web", ...words);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain(why);
  });
});
