/**
 * `verify --via … --pod log`: where the app does not tell which Pod it is, a line of its log does, if exactly the id of this
 * request is in it. Over a fake API server, which holds the logs, and a real HTTP server, which writes them.
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
  byLog,
  first,
  found,
  type Given,
  given as givenBy,
  type Line,
  replacedWhenAsked,
  verify as verifyBy,
} from "../support/tied.ts";

const given = (
  world: World,
  who: (pod: JsonObject) => boolean,
  line?: Line,
  options: ApiServerOptions = {},
): Promise<Given> => givenBy(world, { know: byLog, who, line, options });
const verify = (app: Given, words: readonly string[] = ["--pod", "log"], user?: string) =>
  verifyBy(app, words, user);

describe("a reply is tied to a Pod by the line in its log", () => {
  it("of a new Pod: proven, each request with an id of its own that nobody could guess", async () => {
    const app = await given(done, first(done, true));
    const ran = await verify(app);
    expect(found(ran)).toEqual(["proven", "new-pods-answered"]);
    expect(ran.code).toBe(0);
    expect(new Set(app.ids).size).toBe(3);
    for (const id of app.ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(ran.out).toContain("whatever else sees the requests");
  });

  it("O5: of an old Pod, it proves nothing of the new ones", async () => {
    expect(found(await verify(await given(begun, first(begun, false))))).toEqual([
      "progressing",
      "waiting-for",
    ]);
  });

  it.each<[string, (pod: JsonObject) => boolean, Line | undefined, RegExp]>([
    ["nobody's", () => false, undefined, /no Pod of this workload has its id in its log/],
    ["two Pods'", () => true, undefined, /2 Pods have its id in their logs/],
    ["a longer id's", () => true, ({ id }) => `${id}0 x-${id}\n`, /no Pod of this workload has its id/],
    ["half an id's", () => true, ({ id }) => `${id.slice(0, 30)}\n`, /no Pod of this workload has its id/],
    [
      "another id's",
      () => true,
      () => "00000000-0000-4000-8000-000000000000\n",
      /no Pod of this workload has its id/,
    ],
    [
      "a log without end",
      first(done, true),
      ({ id }) => `${id}${" ".repeat(600_000)}\n`,
      /more than 1048576 bytes/,
    ],
  ])("%s is undetermined", async (_, logging, line, why) => {
    const ran = await verify(await given(done, logging, line));
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(why);
    // The reply itself is what it is.
    expect(found(ran, "response")).toEqual(["proven", "as-expected"]);
  });

  it("V3: a Pod that bears the name now, with another UID, is not the one that logged it", async () => {
    const app = await given(done, first(done, true));
    const isReplaced = replacedWhenAsked(app.server, done, "/log?");
    const ran = await verify(app);
    expect(isReplaced()).toBe(true);
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(/another one bears that name now/);
  });

  it("a right that is missing is named", async () => {
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] }];
    const reader = { name: "reader", token: "r", rules };
    const all = { name: "all", token: "a", rules: "all" as const };
    // The control: with it, it is proven.
    const able = await given(done, first(done, true), undefined, { users: [all, reader] });
    expect(found(await verify(able, ["--pod", "log"], "reader"))[0]).toBe("proven");
    const kinds = [
      "pods",
      "services",
      "events",
      "deployments",
      "replicasets",
      "endpointslices",
      "horizontalpodautoscalers",
    ];
    const lacking = {
      name: "lacking",
      token: "l",
      rules: [{ apiGroups: ["*"], resources: kinds, verbs: ["get", "list"] }],
    };
    const app = await given(done, first(done, true), undefined, { users: [all, lacking] });
    const ran = await verify(app, ["--pod", "log"], "lacking");
    expect(found(ran)[0]).toBe("undetermined");
    expect(ran.out).toMatch(/get pods\/log.*is missing/);
  });

  it("E5: what a log says besides is written and printed nowhere", async () => {
    const hostile = "\u001b[31m::error::password=hunter2 <script>";
    const app = await given(done, first(done, true), ({ id }) => `${hostile} ${id}\n`);
    const ran = await verify(app);
    expect(found(ran)[0]).toBe("proven");
    const cwd = folder();
    const saved = await asfound(
      { cwd },
      ...["snapshot", "saved", "deployment/web", "--via", app.url, "--pod", "log"],
      ...["--kubeconfig", kubeconfigFile(app.server.kubeconfig({ namespace: "shop" }))],
    );
    expect(saved.code).toBe(0);
    const kept = readFileSync(join(cwd, "saved", "answers.json"), "utf8");
    for (const text of [ran.out, ran.err, saved.out, saved.err, kept])
      expect(text).not.toMatch(/hunter2|script/);
    // And it is judged again from what was kept.
    const again = await asfound(
      { cwd },
      ...[
        "verify",
        "deployment/web",
        "-n",
        "shop",
        "--from",
        "saved",
        "--via",
        app.url,
        "--pod",
        "log",
        "-o",
        "json",
      ],
    );
    expect(found(again)).toEqual(["proven", "new-pods-answered"]);
  });

  it.each([
    ["log:Authorization", /has a meaning of its own/],
    ["log:Impersonate-User", /has a meaning of its own/],
    ["log:Host", /has a meaning of its own/],
    ["log:a b", /must name a header/],
    ["logs", /header:NAME, log or port/],
  ])("--pod %s is refused with a reason, and nothing is asked", async (pod, why) => {
    const app = await given(done, () => true);
    const ran = await verify(app, ["--pod", pod]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(why)]);
    expect([app.ids, app.server.log()]).toEqual([[], []]);
  });
});
