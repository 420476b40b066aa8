/**
 * `verify --via … --pod port:PORT/PATH`: where the app does not tell which Pod it is, a port of each Pod does, if exactly the id
 * of this request is told there. Over a fake API server, which holds what Pods tell, and a real HTTP server, which is the app.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import type { World } from "../support/kubernetes/deployment.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import {
  byPort,
  first,
  found,
  type Given,
  given,
  type Line,
  nameOf,
  PORT,
  podsOf,
  replacedWhenAsked,
  verify,
} from "../support/tied.ts";

const TOLD = ["--pod", `port:${PORT}/requests?last=100`];

const telling = (
  world: World,
  who: (pod: JsonObject) => boolean,
  line?: Line,
  options: ApiServerOptions = {},
): Promise<Given> => given(world, { know: byPort, who, line, options });

const paths = ({ server }: Given): readonly string[] =>
  server.log().flatMap(({ path }) => (path.includes("/proxy") ? [path] : []));

describe("a reply is tied to a Pod by what it tells at a port of its own", () => {
  it("of a new Pod: proven; each Pod is asked once, at that port and path, through the API server", async () => {
    const app = await telling(done, first(done, true));
    const ran = await verify(app, TOLD);
    expect(found(ran)).toEqual(["proven", "new-pods-answered"]);
    expect(ran.code).toBe(0);
    expect(new Set(app.ids).size).toBe(3);
    expect([...paths(app)].sort()).toEqual(
      podsOf(done)
        .map((pod) => `/api/v1/namespaces/shop/pods/${nameOf(pod)}:${PORT}/proxy/requests?last=100`)
        .sort(),
    );
    expect(ran.out).toContain("at a port of its own, asked through the API server's proxy");
  });

  it("O5: of an old Pod, it proves nothing of the new ones", async () => {
    expect(found(await verify(await telling(begun, first(begun, false)), TOLD))).toEqual([
      "progressing",
      "waiting-for",
    ]);
  });

  it.each<[string, (pod: JsonObject) => boolean, Line | undefined, RegExp]>([
    ["nobody's", () => false, undefined, /no Pod of this workload tells its id at that port/],
    ["two Pods'", () => true, undefined, /2 Pods tell its id at that port/],
    ["a longer id's", () => true, ({ id }) => `${id}0 x-${id}\n`, /no Pod of this workload tells its id/],
  ])("%s is undetermined", async (_, who, line, why) => {
    const ran = await verify(await telling(done, who, line), TOLD);
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(why);
    // The reply itself is what it is.
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
  });

  it.each<[string, { readonly status: number; readonly body: string } | null, RegExp]>([
    ["does not listen", null, /port 9901 of Pod web-\S+: .*connection refused/],
    ["answers 404", { status: 404, body: "no such page" }, /port 9901 of Pod web-\S+: it answers 404/],
  ])("one Pod that %s leaves all open: it may have answered as well", async (_, reply, why) => {
    const app = await telling(done, first(done, true));
    const other = podsOf(done).find((pod) => !first(done, true)(pod)) ?? {};
    app.server.setPodPort({ namespace: "shop", name: nameOf(other), port: PORT }, reply);
    const ran = await verify(app, TOLD);
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(why);
  });

  it("V3: a Pod that bears the name now, with another UID, is not the one that told it", async () => {
    const app = await telling(done, first(done, true));
    const isReplaced = replacedWhenAsked(app.server, done, "/proxy");
    const ran = await verify(app, TOLD);
    expect(isReplaced()).toBe(true);
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(/another one bears that name now/);
  });

  it("a right that is missing is named", async () => {
    const all = { name: "all", token: "a", rules: "all" as const };
    const kinds = ["pods", "services", "events", "deployments", "replicasets", "endpointslices"];
    const rule = (resources: readonly string[]) => ({ apiGroups: ["*"], resources, verbs: ["get", "list"] });
    const reads = [...kinds, "horizontalpodautoscalers"];
    const users = [
      all,
      { name: "lacking", token: "l", rules: [rule(reads)] },
      { name: "able", token: "b", rules: [rule([...reads, "pods/proxy"])] },
    ];
    const app = await telling(done, first(done, true), undefined, { users });
    // The control: with it, it is proven.
    expect(found(await verify(app, TOLD, "able"))[0]).toBe("proven");
    const ran = await verify(app, TOLD, "lacking");
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(/get pods\/proxy.*is missing/);
  });

  it("E5: what stands there besides is written and printed nowhere, and what is kept is judged again", async () => {
    const hostile = "\u001b[31m::error::password=hunter2 <script>";
    const app = await telling(done, first(done, true), ({ id }) => `${hostile} ${id}\n`);
    const ran = await verify(app, TOLD);
    expect(found(ran)[0]).toBe("proven");
    const cwd = folder();
    const saved = await asfound(
      { cwd },
      ...["snapshot", "saved", "deployment/web", "--via", app.url, ...TOLD],
      ...["--kubeconfig", kubeconfigFile(app.server.kubeconfig({ namespace: "shop" }))],
    );
    expect(saved.code, saved.err).toBe(0);
    const kept = readFileSync(join(cwd, "saved", "answers.json"), "utf8");
    for (const text of [ran.out, ran.err, saved.out, saved.err, kept])
      expect(text).not.toMatch(/hunter2|script/);
    const words = ["verify", "deployment/web", "-n", "shop", "--from", "saved", "--via", app.url, ...TOLD];
    expect(found(await asfound({ cwd }, ...words, "-o", "json"))).toEqual(["proven", "new-pods-answered"]);
  });

  it.each([
    ["port:9901", /must name a Pod's port and a path/],
    ["port:0/x", /must name a Pod's port and a path/],
    ["port:65536/x", /must name a Pod's port and a path/],
    ["port:9901/a b", /no spaces/],
    ["port:Authorization@9901/x", /has a meaning of its own/],
    ["port:@9901/x", /must name a header/],
  ])("--pod %s is refused with a reason, and nothing is asked", async (pod, why) => {
    const app = await telling(done, () => true);
    const ran = await verify(app, ["--pod", pod]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(why)]);
    expect([app.ids, app.server.log()]).toEqual([[], []]);
  });
});
