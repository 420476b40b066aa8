/** `config trace configmap/NAME`: everybody who takes something from one object, and in which state; from files and a fake API server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { byEnv, byVolume, configMap, type Taken, taking } from "../support/kubernetes/config.ts";
import { crowdFiles } from "../support/kubernetes/crowd.ts";
import { type Files, READ_AT, type World } from "../support/kubernetes/deployment.ts";
import { changed, list } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const NONE: Files = Object.fromEntries(
  ["statefulsets", "daemonsets", "jobs", "cronjobs"].map((name) => [`${name}.json`, list([])]),
);

const zero: World = { replicas: 0, fresh: { version: "v2", pods: [] }, old: [] };

/** web and api by env, pages by its files, asleep by its template alone, plain not at all; and in another namespace web. */
const TAKES: Readonly<Record<string, Taken>> = {
  "shop/web": byEnv("settings"),
  "shop/api": byEnv("settings"),
  "shop/pages": byVolume("settings"),
  "shop/asleep": byEnv("settings"),
  "other/web": byEnv("settings"),
  "shop/lone": byEnv("alone"),
};

const FILES: Files = {
  ...NONE,
  ...taking(
    crowdFiles([
      ...["web", "api", "pages", "plain"].map((name) => ({ name, namespace: "shop", world: done })),
      { name: "asleep", namespace: "shop", world: zero },
      { name: "web", namespace: "other", world: done },
    ]),
    (place) => TAKES[place] ?? null,
  ),
};

const withMaps = (...maps: readonly JsonObject[]): Files => ({ ...FILES, "configmaps.json": list(maps) });

const fromFiles = (files: Files, ...words: readonly string[]): Promise<Ran> => {
  const cwd = folder();
  for (const [name, value] of Object.entries(files)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return asfound({ cwd }, "config", "trace", ...words, "-n", "shop", "--from", ".");
};

interface Consumers {
  readonly object: { readonly found: string; readonly sha256: string | null };
  readonly verdict: string;
  readonly statement: string;
  readonly consumers: readonly {
    readonly target: { readonly name: string; readonly namespace: string };
    readonly references: readonly { readonly state: string; readonly pod: string }[];
    readonly template: readonly { readonly delivery: string }[];
  }[];
  readonly kept: readonly { readonly owner: string; readonly revision: string | null }[];
  readonly unread: readonly string[];
  readonly trust: { readonly limits: readonly string[] };
}

const foundBy = ({ out, err }: Ran): Consumers => {
  expect(out, err).not.toBe("");
  const found: Consumers = JSON.parse(out);
  expect(API_SCHEMAS["config-consumers"]?.safeParse(found).error).toBe(undefined);
  return found;
};

const named = ({ consumers }: Consumers): readonly string[] =>
  consumers.map(
    ({ target, references }) =>
      `${target.namespace}/${target.name}: ${[...new Set(references.map(({ state }) => state))].join(",")}`,
  );

describe("an object", () => {
  it("has all its consumers of its namespace, running or by their template, and no others", async () => {
    const ran = await fromFiles(withMaps(configMap("settings")), "configmap/settings", "-o", "json");
    const found = foundBy(ran);
    expect(named(found)).toEqual([
      "shop/api: fresh",
      "shop/pages: fresh",
      "shop/web: fresh",
      "shop/asleep: ",
    ]);
    expect({ code: ran.code, verdict: found.verdict }).toEqual({ code: 0, verdict: "proven" });
    expect(found.consumers.flatMap(({ references }) => references.map(({ pod }) => pod))).toHaveLength(6);
    // printf fast > MODE; sha256sum MODE | sha256sum
    expect(found.object.sha256).toBe("2662a2a6421d7ddd49bed321a3b6d31ae69ceb5f01272d8c24e2fc2a66c1bb15");
    expect(found.statement).toBe(
      "4 workloads take something from ConfigMap shop/settings; 6 references of 6 Pods: 6 fresh; 3 ReplicaSets of an earlier template name it.",
    );
  });

  it("that was edited: each delivery by its own rule (C2), the worst first, exit 20", async () => {
    const ran = await fromFiles(
      withMaps(configMap("settings", { written: 690 })),
      "cm/settings",
      "-o",
      "json",
    );
    expect(named(foundBy(ran))).toEqual([
      "shop/pages: propagating",
      "shop/api: not-knowable",
      "shop/web: not-knowable",
      "shop/asleep: ",
    ]);
    expect(ran.code).toBe(20);
  });

  it("that is not there: whom the next start would fail for, exit 10", async () => {
    const ran = await fromFiles(withMaps(), "cm/settings", "-o", "json");
    const found = foundBy(ran);
    expect({ code: ran.code, found: found.object.found }).toEqual({ code: 10, found: "absent" });
    expect(found.consumers).toHaveLength(4);
    expect(found.statement).toContain("there is no ConfigMap shop/settings");
  });

  it("V5: that nobody takes anything from proves nothing, and what was looked at is said", async () => {
    const ran = await fromFiles(withMaps(configMap("unused")), "cm/unused", "-o", "json");
    const found = foundBy(ran);
    expect({ code: ran.code, consumers: found.consumers }).toEqual({ code: 20, consumers: [] });
    expect(found.statement).toBe("nothing of what was read takes anything from ConfigMap shop/unused.");
    expect(found.trust.limits.join("\n")).toMatch(
      /looked at: Deployments, .*\nnot looked at: custom resources/,
    );
    const page = await fromFiles(withMaps(configMap("unused")), "cm/unused");
    expect(page.out).toContain("deleting it: that nothing of what was looked at names it");
  });

  it("R2: of which a list was not read leaves it open", async () => {
    const { "jobs.json": _, ...files } = withMaps(configMap("settings"));
    const ran = await fromFiles(files, "cm/settings", "-o", "json");
    expect({ code: ran.code, unread: foundBy(ran).unread }).toEqual({
      code: 20,
      unread: ["jobs of namespace shop were not asked for"],
    });
  });

  it("that an earlier template names is needed for a rollback, and said so", async () => {
    const [web = {}] = (FILES["deployments.json"] as JsonObject)["items"] as readonly JsonObject[];
    const other = changed(web, ["spec", "template", "spec", "containers", 0, "env"], []);
    const files: Files = { ...withMaps(configMap("settings")), "deployments.json": list([other]) };
    const found = foundBy(await fromFiles(files, "cm/settings", "-o", "json"));
    expect(found.kept.map(({ owner, revision }) => `${owner} ${revision}`)).toContain("web 2");
    const control = foundBy(await fromFiles(withMaps(configMap("settings")), "cm/settings", "-o", "json"));
    expect(control.kept.filter(({ revision }) => revision === "2")).toEqual([]);
  });

  it("is shown with whom an edit would reach; an immutable one is not edited", async () => {
    const { out } = await fromFiles(withMaps(configMap("settings")), "configmap/settings");
    expect(out).toMatch(
      /STATE +TARGET +CONTAINER +KEYS +DELIVERY +PODS +WHY\nfresh +Deployment shop\/api +api +MODE +env MODE +2 Pods/,
    );
    expect(out).toMatch(/- +Deployment shop\/asleep .*its template +no container of it runs/);
    expect(out).toContain("4 references at the container's next start");
    expect(out).toContain("the files of 2 references within about two minutes");
    const held = await fromFiles(
      withMaps(configMap("settings", { more: { immutable: true } })),
      "configmap/settings",
    );
    expect(held.out).toContain("nobody: it is immutable");
  });

  it("has no verdict about a workload, and a flag for one is refused", async () => {
    const junit = await fromFiles(withMaps(), "cm/settings", "-o", "junit");
    expect({ code: junit.code, err: junit.err }).toMatchObject({
      code: 2,
      err: expect.stringContaining("-o junit is for verdicts about workloads"),
    });
    const all = await fromFiles(withMaps(), "cm/settings", "--all");
    expect(all.code).toBe(2);
  });
});

describe("an object of a live cluster", () => {
  it("is told the same of; a Secret's consumers too, without a question for Secrets (C6)", async () => {
    const secret = taking(FILES, () => ({
      container: { env: [{ name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "KEY" } } }] },
    }));
    const server = await apiServerFor({ clock: clockAt(READ_AT) });
    serve(server, { ...secret, "configmaps.json": list([]) });
    const config = kubeconfigFile(server.kubeconfig({ namespace: "shop" }));
    const ran = await asfound(
      { cwd: folder() },
      "config",
      "trace",
      "secret/keys",
      "-o",
      "json",
      "--kubeconfig",
      config,
    );
    const found = foundBy(ran);
    expect({ code: ran.code, found: found.object.found }).toEqual({ code: 20, found: "not-read" });
    expect(found.consumers.length).toBe(5);
    expect(
      server
        .log()
        .map(({ path }) => path)
        .join("\n"),
    ).not.toContain("/secrets");
    const names = await asfound(
      { cwd: folder() },
      "config",
      "trace",
      "secret/keys",
      "-o",
      "name",
      "--kubeconfig",
      config,
    );
    expect(names.out.split("\n")).toContain("deployment/web");
  });
});
