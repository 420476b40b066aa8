/** `config trace -l, --all, -A`: who needs a restart, who would break on one, from files and from a fake API server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { byEnv, configMap, type Taken, taking } from "../support/kubernetes/config.ts";
import { crowdFiles, type Member } from "../support/kubernetes/crowd.ts";
import type { Files, World } from "../support/kubernetes/deployment.ts";
import { at, list, metadata } from "../support/kubernetes/object.ts";
import { jobCondition, jobFiles } from "../support/kubernetes/others.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const zero: World = { replicas: 0, fresh: { version: "v2", pods: [] }, old: [] };
const unborn: World = { replicas: 2, fresh: { version: "v2", pods: [] }, old: [] };

const member = (name: string, world: World = done, namespace = "shop"): Member => ({
  name,
  namespace,
  world,
});

/** Kinds of which there is none: asked for, and empty. */
const NONE: Files = Object.fromEntries(
  ["statefulsets", "daemonsets", "jobs", "cronjobs"].map((name) => [`${name}.json`, list([])]),
);

/** Of the Pods of a new rollout, which were made at 600. */
const MAPS: readonly JsonObject[] = [
  configMap("settings"),
  configMap("edited", { written: 690 }),
  configMap("again", { created: 690 }),
  configMap("renamed", { data: { OTHER: "1" } }),
];

const TAKES: Readonly<Record<string, string>> = {
  "shop/web": "settings",
  "shop/edited": "edited",
  "shop/bomb": "again",
  "shop/gone": "not-there",
  "shop/renamed": "renamed",
  "shop/asleep": "settings",
  "shop/unborn": "settings",
};

const takes = (place: string): Taken | null => {
  const name = TAKES[place];
  return name === undefined ? null : byEnv(name);
};

const filesOf = (members: readonly Member[], maps: readonly JsonObject[] = MAPS): Files => ({
  ...NONE,
  ...taking(crowdFiles(members), takes),
  "configmaps.json": list(maps),
});

const MIXED = ["web", "edited", "bomb", "gone", "renamed", "plain"].map((name) => member(name));

const cron = (name: string): JsonObject => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: metadata("CronJob", { name, created: 100, generation: 1 }),
  spec: {
    schedule: "0 3 * * *",
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name, image: "db:2" }] } } },
    },
  },
  status: {},
});

const fromFiles = (files: Files, ...words: readonly string[]): Promise<Ran> => {
  const cwd = folder();
  for (const [name, value] of Object.entries(files)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return asfound({ cwd }, "config", "trace", ...words, "--from", ".");
};

const fromServer = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "config",
    "trace",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Listed {
  readonly verdict: string;
  readonly statement: string;
  readonly outlooks: Readonly<Record<string, number>>;
  readonly items: readonly {
    readonly verdict: string;
    readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
    readonly references: readonly { readonly state: string }[];
    readonly next: { readonly outlook: string; readonly timeBomb: boolean; readonly why: string };
  }[];
  readonly scaledToZero: readonly { readonly name: string }[];
  readonly idle: readonly { readonly name: string }[];
  readonly unread: readonly string[];
}

const listOf = ({ out, err }: Ran): Listed => {
  expect(out, err).not.toBe("");
  const listed: Listed = JSON.parse(out);
  expect(API_SCHEMAS["config-trace-list"]?.safeParse(listed).error).toBe(undefined);
  return listed;
};

const outlooks = ({ items }: Listed): readonly string[] =>
  items.map(({ next, target }) => `${next.outlook} ${target.name}${next.timeBomb ? " (time bomb)" : ""}`);

describe("a sweep", () => {
  it("tells who would break on a restart, who would be given other config, and who is open", async () => {
    const ran = await fromFiles(filesOf(MIXED), "--all", "-n", "shop", "-o", "json");
    const listed = listOf(ran);
    expect(outlooks(listed)).toEqual([
      "breaks gone",
      "breaks renamed",
      "changes bomb (time bomb)",
      "not-knowable edited",
      "same web",
    ]);
    expect({ code: ran.code, verdict: listed.verdict }).toEqual({ code: 10, verdict: "refuted" });
    expect(listed.idle.map(({ name }) => name)).toEqual(["plain"]);
    expect(listed.statement).toBe(
      "2 of 5 workloads would break on a restart; 1 would be given other config by a restart; 1 not knowable; 1 given what is there now; 1 takes nothing from a ConfigMap or Secret, or runs nothing now.",
    );
    expect(listed.items[0]?.next.why).toContain("there is no ConfigMap not-there");
    expect(listed.items[1]?.next.why).toContain("ConfigMap renamed has no key MODE");
  });

  it("all of whose workloads were given what is there now: 0", async () => {
    const ran = await fromFiles(filesOf([member("web"), member("plain")]), "-A", "-o", "json");
    expect({ code: ran.code, ...listOf(ran).outlooks }).toEqual({
      code: 0,
      breaks: 0,
      changes: 0,
      "not-knowable": 0,
      follows: 0,
      same: 1,
    });
  });

  it("V5: what is scaled to zero, or takes nothing, stands apart, and by itself proves nothing", async () => {
    const ran = await fromFiles(filesOf([member("asleep", zero), member("plain")]), "-A", "-o", "json");
    const listed = listOf(ran);
    expect(ran.code).toBe(20);
    expect({
      items: listed.items,
      zero: listed.scaledToZero.map(({ name }) => name),
      none: listed.idle.map(({ name }) => name),
    }).toEqual({ items: [], zero: ["asleep"], none: ["plain"] });
    expect(listed.statement).toContain("no target");
  });

  it("V5: what should run and does not is counted: nothing was loaded", async () => {
    const ran = await fromFiles(filesOf([member("web"), member("unborn", unborn)]), "-A", "-o", "json");
    expect({ code: ran.code, outlooks: outlooks(listOf(ran)) }).toEqual({
      code: 20,
      outlooks: ["not-knowable unborn", "same web"],
    });
  });

  it("scaled to zero is counted where its next container would not start", async () => {
    const files = filesOf([member("asleep", zero), member("web")], [configMap("other")]);
    const listed = listOf(await fromFiles(files, "-A", "-o", "json"));
    expect(outlooks(listed)).toEqual(["breaks asleep", "breaks web"]);
    expect(listed.scaledToZero).toEqual([]);
  });

  it("R2: a kind that was not saved leaves it open, by its name", async () => {
    const { "statefulsets.json": _, ...files } = filesOf([member("web")]);
    const ran = await fromFiles(files, "-A", "-o", "json");
    expect({ code: ran.code, unread: listOf(ran).unread }).toEqual({
      code: 20,
      unread: ["statefulsets of all namespaces were not asked for"],
    });
  });

  it("takes in Jobs and CronJobs: while they run, and where the next run would not start", async () => {
    const cronJob = (name: string, takes: Taken): Files =>
      taking({ "cronjobs.json": list([cron(name)]) }, () => takes);
    const running = jobFiles({ active: 1, startTime: at(100) }, ["ready"]);
    const files = (more: Files): Files => ({
      ...filesOf([member("web")], [configMap("settings", { created: 50 })]),
      ...more,
    });
    const crowd = filesOf([member("web")], []);
    const jobs = taking(running, () => byEnv("settings"));
    const both = files({
      ...jobs,
      "pods.json": list([
        ...((crowd["pods.json"] as JsonObject)["items"] as readonly JsonObject[]),
        ...((jobs["pods.json"] as JsonObject)["items"] as readonly JsonObject[]),
      ]),
    });
    expect(outlooks(listOf(await fromFiles(both, "-A", "-o", "json")))).toEqual(["same web", "same migrate"]);
    const broken = listOf(await fromFiles(files(cronJob("nightly", byEnv("not-there"))), "-A", "-o", "json"));
    expect(outlooks(broken)).toEqual(["breaks nightly", "same web"]);
    const idle = listOf(await fromFiles(files(cronJob("nightly", byEnv("settings"))), "-A", "-o", "json"));
    expect({ items: outlooks(idle), idle: idle.idle.map(({ name }) => name) }).toEqual({
      items: ["same web"],
      idle: ["nightly"],
    });
    const ended = files(
      taking(jobFiles({ conditions: [jobCondition("Complete", "", "")] }), () => byEnv("gone")),
    );
    expect(listOf(await fromFiles(ended, "jobs", "-A", "-o", "json")).idle).toHaveLength(1);
  });

  it.each([
    [
      ["deployments", "-n", "shop", "--all"],
      ["breaks gone", "same web"],
    ],
    [["deploy", "-n", "shop", "-l", "app=web"], ["same web"]],
    [["deploy", "-n", "other", "--all"], []],
  ])("%j selects as verify does", async (words, expected) => {
    const listed = listOf(await fromFiles(filesOf([member("web"), member("gone")]), ...words, "-o", "json"));
    expect(outlooks(listed)).toEqual(expected);
  });
});

describe("a sweep of a live cluster", () => {
  it("says the same, lists ConfigMaps and Pods once, asks for no Secret and changes nothing", async () => {
    const server = await serverWith(filesOf(MIXED));
    const ran = await fromServer(server, "-A", "-o", "json");
    expect(outlooks(listOf(ran))).toEqual([
      "breaks gone",
      "breaks renamed",
      "changes bomb (time bomb)",
      "not-knowable edited",
      "same web",
    ]);
    const asked = server.log().map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);
    const times = (path: string): number => asked.filter((one) => one === path).length;
    expect(times("list /api/v1/configmaps")).toBe(1);
    expect(times("list /api/v1/pods")).toBeLessThanOrEqual(2);
    expect(asked.filter((one) => !/^(list|get) /.test(one))).toEqual([]);
    expect(asked.join("\n")).not.toContain("secrets");
  });

  it("R2: ConfigMaps that may not be listed leave every workload open, and the right is named", async () => {
    const server = await serverWith(filesOf([member("web")]), {
      users: [
        {
          name: "verifier",
          token: "verifier-token",
          rules: [
            { apiGroups: ["", "apps"], resources: ["pods", "deployments", "replicasets"], verbs: ["list"] },
          ],
        },
      ],
    });
    const ran = await fromServer(server, "deployments", "-A", "-o", "json");
    const listed = listOf(ran);
    expect({ code: ran.code, outlooks: outlooks(listed) }).toEqual({
      code: 20,
      outlooks: ["not-knowable web"],
    });
    expect(listed.items[0]?.next.why).toContain("configmaps");
  });
});

describe("what is printed", () => {
  it("a table for each outlook; who was given what is there now is counted", async () => {
    const { out } = await fromFiles(filesOf(MIXED), "--all", "-n", "shop");
    expect(out).toMatch(
      /Would break on a restart:\nTARGET +REFERENCES +WHY\nDeployment shop\/gone +2 in 2 Pods/,
    );
    expect(out).toMatch(/other config than they run with:\nTARGET.*\nDeployment shop\/bomb .*time bomb: /);
    expect(out).toContain("Given what is there now:\n  1 workload (-o wide names them)");
    expect(out).toContain("asfound config trace deployment.apps/gone -n shop --from .");
    expect(out).toContain("Not offered:");
  });

  it("-o wide names them all; -o name and -o jsonl go the worst first", async () => {
    const files = filesOf(MIXED);
    const wide = await fromFiles(files, "--all", "-n", "shop", "-o", "wide");
    expect(wide.out).toMatch(/Deployment shop\/web +2 in 2 Pods +proven/);
    expect(wide.out).toContain("Deployment shop/plain");
    const names = await fromFiles(files, "--all", "-n", "shop", "-o", "name");
    expect(names.out.trim().split("\n")).toEqual([
      "deployment/gone",
      "deployment/renamed",
      "deployment/bomb",
      "deployment/edited",
      "deployment/web",
    ]);
    const lines = (await fromFiles(files, "--all", "-n", "shop", "-o", "jsonl")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual([
      "ConfigTraceListStream",
      ...Array.from({ length: 5 }, () => "ConfigTrace"),
    ]);
  });

  it("-o junit: what is not proven is never passed", async () => {
    const { out } = await fromFiles(filesOf(MIXED), "--all", "-n", "shop", "-o", "junit");
    const suite = (name: string): string => out.split("<testsuite ").find((one) => one.includes(name)) ?? "";
    expect(suite("shop/gone")).toContain("<failure");
    expect(suite("shop/edited")).toContain("<error");
    expect(suite("shop/web")).not.toMatch(/<failure|<error/);
  });

  it.each([
    [["-A", "-n", "shop"], "-n names one namespace and -A is for all of them"],
    [["deployment/web", "-A"], "-A takes all of a kind"],
    [["deployments"], "write KIND/NAME, or say which of that kind"],
    [[], "say what to trace"],
  ])("%j is refused in a sentence", async (words, sentence) => {
    const ran = await fromFiles(filesOf([member("web")]), ...words);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
    expect(ran.err).toContain(sentence);
  });
});
