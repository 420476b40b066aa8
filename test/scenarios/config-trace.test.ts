/** config trace over a server that keeps count of what it is asked: what is read, what is told, and how it exits. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { taking } from "../support/kubernetes/config.ts";
import { type Files, worldFiles } from "../support/kubernetes/deployment.ts";
import { at, changed, list, metadata } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const ROLE: { readonly rules: readonly PolicyRule[] } = parse(
  readFileSync(new URL("../../docs/rbac/verify-only.yaml", import.meta.url), "utf8"),
);

const settings = (more: JsonObject = {}, written = 400): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("ConfigMap", {
    name: "settings",
    created: 400,
    more: {
      managedFields: [
        {
          manager: "ci",
          operation: "Apply",
          apiVersion: "v1",
          time: at(written),
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { "f:MODE": {} } },
        },
      ],
    },
  }),
  data: { MODE: "fast" },
  ...more,
});

const STATUS = ["status", "containerStatuses", 0] as const;

const ENV = [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "MODE" } } }];

/** A finished rollout whose containers take MODE from a ConfigMap. */
const filesWith = (configMaps: readonly JsonObject[], env: readonly JsonObject[] = ENV): Files => {
  return {
    ...taking(worldFiles(done), () => ({ container: { env: [...env] } })),
    "configmaps.json": list(configMaps),
  };
};

const trace = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "config",
    "trace",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Trace {
  readonly verdict: string;
  readonly findings: readonly { readonly claim: string; readonly finding: string; readonly reason: string }[];
  readonly references: readonly {
    readonly state: string;
    readonly reason: string;
    readonly source: { readonly sha256: string | null };
  }[];
}

const traced = async (server: ApiServer, target = "deployment/web") => {
  const ran = await trace(server, target, "-o", "json");
  const report: Trace = JSON.parse(ran.out);
  expect(API_SCHEMAS["config-trace"]?.safeParse(report).error).toBe(undefined);
  const states = [...new Set(report.references.map(({ state, reason }) => `${state}: ${reason}`))];
  const findings = Object.fromEntries(report.findings.map(({ claim, reason }) => [claim, reason]));
  return { code: ran.code, states, findings, references: report.references };
};

describe("a workload", () => {
  it("that was started with what is there: exit 0, each list once, and no Secret", async () => {
    const server = await serverWith(filesWith([settings()]));
    expect(await traced(server)).toEqual({
      code: 0,
      states: ["fresh: written-before-the-pod"],
      findings: { "config-loaded": "loaded", "config-bound": "mutable" },
      references: [expect.anything(), expect.anything()],
    });
    const asked = server.log().map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);
    const lists = asked.filter((one) => one.startsWith("list"));
    expect(lists.length).toBe(new Set(lists).size);
    expect(asked.join("\n")).toContain("/configmaps");
    expect(asked.join("\n")).not.toContain("/secrets");
  });

  it("C3: the digest is the one that stock tools print", async () => {
    const server = await serverWith(filesWith([settings()]));
    const { references } = await traced(server);
    // printf fast > MODE; sha256sum MODE | sha256sum
    expect(references[0]?.source.sha256).toBe(
      "2662a2a6421d7ddd49bed321a3b6d31ae69ceb5f01272d8c24e2fc2a66c1bb15",
    );
  });

  it("whose object is immutable is bound", async () => {
    const server = await serverWith(filesWith([settings({ immutable: true })]));
    expect((await traced(server)).findings).toEqual({
      "config-loaded": "loaded",
      "config-bound": "immutable",
    });
  });

  it("whose object may have been edited since: 20, and nothing is called stale by times", async () => {
    const server = await serverWith(filesWith([settings({}, 690)]));
    expect(await traced(server)).toMatchObject({
      code: 20,
      states: ["not-knowable: may-be-written-since"],
      findings: { "config-loaded": "may-be-written-since", "config-bound": "mutable" },
    });
  });

  it("C4: whose object was made again since: 10, a time bomb", async () => {
    const again = changed(settings({}, 690), ["metadata", "creationTimestamp"], at(690));
    const server = await serverWith(filesWith([again]));
    expect(await traced(server)).toMatchObject({
      code: 10,
      states: ["will-change-on-restart: made-again-since"],
      findings: { "config-loaded": "made-again-since", "config-bound": "time-bomb" },
    });
  });

  it("whose object or key is not there: 10, since the next container would not start", async () => {
    const gone = await serverWith(filesWith([]));
    expect(await traced(gone)).toMatchObject({ code: 10, states: ["reference-missing: reference-missing"] });
    const keyless = await serverWith(filesWith([settings({ data: { OTHER: "x" } })]));
    expect(await traced(keyless)).toMatchObject({
      code: 10,
      findings: { "config-bound": "reference-missing" },
    });
  });

  it("whose container waits to be started again is not said never to have started", async () => {
    const files = filesWith([settings()]);
    const pods = (files["pods.json"] as JsonObject)["items"] as readonly JsonObject[];
    const crashed = { terminated: { exitCode: 1, reason: "Error", startedAt: at(610), finishedAt: at(611) } };
    const waiting = pods.map((pod) =>
      changed(
        changed(pod, [...STATUS, "state"], { waiting: { reason: "CrashLoopBackOff" } }),
        [...STATUS, "lastState"],
        crashed,
      ),
    );
    const server = await serverWith({ ...files, "pods.json": list(waiting) });
    expect((await traced(server)).states).toEqual(["not-knowable: not-running"]);
    const fresh = pods.map((pod) =>
      changed(
        changed(pod, [...STATUS, "state"], { waiting: { reason: "ContainerCreating" } }),
        [...STATUS, "lastState"],
        {},
      ),
    );
    const starting = await serverWith({ ...files, "pods.json": list(fresh) });
    expect((await traced(starting)).states).toEqual(["not-knowable: not-started"]);
  });

  it("that takes nothing proves nothing (V5)", async () => {
    const server = await serverWith(filesWith([settings()], []));
    expect(await traced(server)).toMatchObject({
      code: 20,
      states: [],
      findings: { "config-loaded": "takes-none" },
    });
  });

  it("R2: whose ConfigMaps may not be read is open, and the right is named", async () => {
    const rules = ROLE.rules.map((rule) => ({
      ...rule,
      resources: rule.resources?.filter((resource) => resource !== "configmaps") ?? [],
    }));
    const server = await serverWith(filesWith([settings()]), {
      users: [{ name: "verifier", token: "verifier-token", rules }],
    });
    const ran = await trace(server, "deployment/web");
    expect(ran.code).toBe(20);
    expect(ran.out).toMatch(/configmaps/);
  });
});

describe("a command line", () => {
  it.each([
    [["web"], /does not name what to verify: write KIND\/NAME/],
    [["deployment/web", "--at", "2026-11-30T03:00:00Z"], /--at is for saved files/],
    [["deployment/web", "--from", ".", "--context", "there"], /--context is about asking a cluster/],
  ])("%j is refused with one sentence, and nothing is asked", async (words, sentence) => {
    const ran = await asfound({ cwd: folder() }, "config", "trace", ...words);
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(sentence);
  });

  it("config alone lists its verbs", async () => {
    const ran = await asfound({ cwd: folder() }, "config");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.out).toContain("trace");
  });
});
