/** `config trace --read-files`: with consent, the files in the containers are read, and their digests judged (L4). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { byVolume, configMap, type Taken, taking } from "../support/kubernetes/config.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { changed, list } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const NEW = "return 200;\n";
const OLD = "return 500;\n";
const CONF = "nginx.conf";
const PATH = "/etc/nginx/nginx.conf";

/** nginx.conf alone, by subPath. */
const bySubPath: Taken = byVolume("nginx", { mountPath: PATH, subPath: CONF });
const asVolume: Taken = byVolume("nginx", { mountPath: "/etc/nginx/" });

const itemsIn = (files: Files, name: string): readonly JsonObject[] =>
  (files[name] as JsonObject)["items"] as readonly JsonObject[];

/** Two Pods since 600; the ConfigMap was edited at 610 and holds NEW. */
const edited = (takes: Taken): Files => {
  const files = taking(worldFiles(done), () => takes);
  const pods = itemsIn(files, "pods.json").map((pod, at) =>
    changed(pod, ["status", "containerStatuses", 0, "containerID"], `containerd://${at}`),
  );
  return {
    ...files,
    "pods.json": list(pods),
    "configmaps.json": list([configMap("nginx", { written: 620, data: { [CONF]: NEW } })]),
  };
};

const served = async (takes: Taken, options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT + 300), ...options });
  serve(server, edited(takes));
  return server;
};

const podNames = (files: Files): readonly string[] =>
  itemsIn(files, "pods.json").map(({ metadata }) => String((metadata as JsonObject)["name"]));

/** Of every Pod. */
const setAll = (server: ApiServer, files: Readonly<Record<string, string>> | null): void => {
  for (const name of podNames(edited(bySubPath)))
    server.setFiles({ namespace: "shop", name, container: "web" }, files);
};

const trace = (server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: folder() },
    "config",
    "trace",
    "deployment/web",
    ...words,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  );

interface Told {
  readonly verdict: string;
  readonly references: readonly {
    readonly state: string;
    readonly level: string;
    readonly file: string | null;
  }[];
  readonly trust: { readonly limits: readonly string[] };
}

const told = ({ out, err }: Ran): Told => {
  expect(out, err).not.toBe("");
  return JSON.parse(out);
};

const states = ({ references }: Told): readonly string[] => [
  ...new Set(references.map(({ state, level, file }) => `${state} ${level} ${file}`)),
];

const execs = (server: ApiServer): number =>
  server.log().filter(({ resource }) => resource === "pods/exec").length;

describe("a file by subPath", () => {
  it("that is not what the object holds now is stale, by its digest; without the flag nobody knows", async () => {
    const server = await served(bySubPath);
    setAll(server, { [PATH]: OLD });
    const without = await trace(server, "-o", "json");
    expect(states(told(without))).toEqual(["not-knowable L1 as-mounted"]);
    expect(execs(server)).toBe(0);
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    expect({ code: ran.code, states: states(told(ran)) }).toEqual({ code: 10, states: ["stale L4 another"] });
    expect(execs(server)).toBe(2);
    expect(ran.err).toContain("runs `cat` for 2 files in 2 containers of 2 Pods");
    // What it holds is in no output.
    expect(`${ran.out}${ran.err}`).not.toContain(OLD.trim());
  });

  it("that is what the object holds now is fresh", async () => {
    const server = await served(bySubPath);
    setAll(server, { [PATH]: NEW });
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    expect({ code: ran.code, states: states(told(ran)) }).toEqual({
      code: 0,
      states: ["fresh L4 as-the-object"],
    });
  });

  it("V3: of a container that was started again meanwhile says nothing of the new start", async () => {
    const server = await served(bySubPath);
    setAll(server, { [PATH]: OLD });
    const pods = itemsIn(edited(bySubPath), "pods.json");
    server.onAsked(({ resource, n }) => {
      if (resource !== "pods/exec") return;
      for (const pod of pods) {
        const { name } = pod["metadata"] as { readonly name: string };
        const again = changed(
          pod,
          ["status", "containerStatuses", 0, "containerID"],
          `containerd://new-${n}`,
        );
        server.put({ resource: "pods", namespace: "shop", name }, again);
      }
    });
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    expect(states(told(ran))).toEqual(["not-knowable L1 as-mounted"]);
  });

  it("R2: in a container without cat nobody knows, and that is said as a limit", async () => {
    const server = await served(bySubPath);
    setAll(server, null);
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    const found = told(ran);
    expect({ code: ran.code, states: states(found) }).toEqual({
      code: 20,
      states: ["not-knowable L1 as-mounted"],
    });
    expect(found.trust.limits.join("\n")).toContain("there is no `cat` in the container");
  });
});

describe("the right", () => {
  const rulesIn = (file: string): readonly PolicyRule[] =>
    (
      parse(readFileSync(new URL(`../../docs/rbac/${file}`, import.meta.url), "utf8")) as {
        readonly rules: readonly PolicyRule[];
      }
    ).rules;
  const VERIFY_ONLY = rulesIn("verify-only.yaml");
  const reader = (rules: readonly PolicyRule[]): ApiServerOptions => ({
    users: [{ name: "verifier", token: "verifier-token", rules: [...rules] }],
  });

  it("of docs/rbac/config-read-files.yaml, beside verify-only.yaml, is enough", async () => {
    const server = await served(bySubPath, reader([...VERIFY_ONLY, ...rulesIn("config-read-files.yaml")]));
    setAll(server, { [PATH]: NEW });
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    expect(states(told(ran))).toEqual(["fresh L4 as-the-object"]);
  });

  it("R2: that is missing is named, and nobody knows", async () => {
    const server = await served(bySubPath, reader(VERIFY_ONLY));
    setAll(server, { [PATH]: NEW });
    const found = told(await trace(server, "--read-files", "--yes", "-o", "json"));
    expect(states(found)).toEqual(["not-knowable L1 as-mounted"]);
    expect(found.trust.limits.join("\n")).toContain("pods/exec");
  });
});

describe("files of a volume", () => {
  it("C2: that are what the object holds do not show that the process has read them", async () => {
    const server = await served(asVolume);
    setAll(server, { [PATH]: NEW });
    const ran = await trace(server, "--read-files", "--yes", "-o", "json");
    expect(states(told(ran))).toEqual(["not-knowable L4 as-the-object"]);
  });
});

describe("consent", () => {
  it("without a terminal and without --yes nothing is asked of anybody", async () => {
    const server = await served(bySubPath);
    const ran = await trace(server, "--read-files");
    expect({ code: ran.code, out: ran.out, asked: server.log().length }).toEqual({
      code: 2,
      out: "",
      asked: 0,
    });
    expect(ran.err).toContain("give --yes where that is meant");
  });

  it.each([[["--all", "--read-files", "--yes"]], [["--from", ".", "--read-files", "--yes"]]])(
    "%j is refused in a sentence",
    async (words) => {
      const ran = await asfound(
        { cwd: folder() },
        "config",
        "trace",
        ...(words.includes("--all") ? [] : ["deployment/web"]),
        ...words,
      );
      expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
      expect(ran.err).toContain("--read-files");
    },
  );

  it("what Secrets bring is never read (C6)", async () => {
    const server = await served({
      container: { volumeMounts: [{ name: "keys", mountPath: "/keys" }] },
      spec: { volumes: [{ name: "keys", secret: { secretName: "keys" } }] },
    });
    await trace(server, "--read-files", "--yes", "--secrets", "-o", "json");
    expect(execs(server)).toBe(0);
  });
});
