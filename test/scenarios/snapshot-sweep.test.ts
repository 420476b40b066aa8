/** `snapshot -l, --all, -A, -f`: what is kept is judged by the same words to the same verdicts, or nothing is left of it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { crowdFiles, type Member } from "../support/kubernetes/crowd.ts";
import type { Files, World } from "../support/kubernetes/deployment.ts";
import { changed } from "../support/kubernetes/object.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const CANARY = "canary-91d0-never-written";
const member = (name: string, namespace: string, world: World): Member => ({ name, namespace, world });
const CROWD = [
  member("api", "shop", done),
  member("web", "shop", begun),
  member("cart", "shop", crashing),
  member("web", "other", done),
  member("old", "other", { replicas: 0, fresh: { version: "v2", pods: [] }, old: [] }),
];

/** With a literal in each template. */
const crowd = (): Files => {
  const files = crowdFiles(CROWD);
  const env = [{ name: "PASSWORD", value: CANARY }];
  let deployments = files["deployments.json"] as JsonObject;
  for (const [at] of (deployments["items"] as readonly JsonObject[]).entries())
    deployments = changed(
      deployments,
      ["items", at, "spec", "template", "spec", "containers", 0, "env"],
      env,
    );
  let sets = files["replicasets.json"] as JsonObject;
  for (const [at] of (sets["items"] as readonly JsonObject[]).entries())
    sets = changed(sets, ["items", at, "spec", "template", "spec", "containers", 0, "env"], env);
  return { ...files, "deployments.json": deployments, "replicasets.json": sets };
};
const asking = (server: ApiServer) => [
  "--kubeconfig",
  kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
];
const snap = (cwd: string, server: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd }, "snapshot", "kept", ...words, ...asking(server));

interface List {
  readonly verdict: string;
  readonly counts: JsonObject;
  readonly items: readonly (JsonObject & {
    readonly target: JsonObject;
    readonly findings: readonly JsonObject[];
  })[];
  readonly scaledToZero: readonly JsonObject[];
}
/** What was found of each, without where it was read. */
const verdictsIn = ({ out, err }: Ran): unknown => {
  expect(out, err).not.toBe("");
  const list: List = JSON.parse(out);
  return [
    list.verdict,
    list.counts,
    list.items.map(({ target, verdict, statement, findings }) => [
      target["kind"],
      target["namespace"],
      target["name"],
      target["uid"],
      verdict,
      statement,
      findings.map(({ claim, finding, reason, sentence }) => [claim, finding, reason, sentence]),
    ]),
    list.scaledToZero.map(({ name }) => name),
  ];
};
const requests = (server: ApiServer): readonly string[] =>
  server.log().map(({ verb, path }) => `${verb} ${path.replace(/\?.*$/, "")}`);

it.each([
  [["-A"], 10],
  [["deployments", "-A", "-l", "app=web"], 30],
  [["deploy,sts", "--all", "-n", "other"], 0],
  [["deployments", "-A", "-l", "app=nobody"], 20],
])("%j: judged again by the same words it has the same verdicts", async (words, code) => {
  const server = await serverWith(crowd());
  const cwd = folder();
  const taken = await snap(cwd, server, ...words);
  expect(taken.code, taken.err).toBe(0);
  const live = await asfound({ cwd }, "verify", ...words, ...asking(server), "-o", "json");
  const judged = await asfound({ cwd }, "verify", ...words, "--from", "kept", "-o", "json");
  expect(live.code).toBe(code);
  expect(judged.code).toBe(code);
  expect(verdictsIn(judged)).toEqual(verdictsIn(live));
});

it("each resource is listed once, and what is judged once more; no secret is kept, and what was taken out is counted", async () => {
  const server = await serverWith(crowd());
  const cwd = folder();
  const taken = await snap(cwd, server, "deployments", "-A");
  expect(taken.out).toBe("8 files were written to kept\n");
  expect(taken.err).toContain("asfound verify deployments -A --from kept");
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
  const names = readdirSync(join(cwd, "kept"));
  expect(names.filter((name) => name.startsWith("."))).toEqual([]);
  const text = names.map((name) => readFileSync(join(cwd, "kept", name), "utf8")).join("\n");
  expect(text).not.toContain(CANARY);
  const snapshot = JSON.parse(readFileSync(join(cwd, "kept/snapshot.json"), "utf8"));
  expect(snapshot.removed).toContainEqual({
    file: "deployments.apps.json",
    pointer: "/items/*/spec/template/spec/containers/*/env/*/value",
    count: 5,
  });
  expect(snapshot.selection).toEqual({ kinds: ["deployments"], namespace: null, selector: null });
});

it("one of them by itself is judged of the same files", async () => {
  const server = await serverWith(crowd());
  const cwd = folder();
  await snap(cwd, server, "-A");
  const one = await asfound(
    { cwd },
    "verify",
    "deployment/web",
    "-n",
    "other",
    "--from",
    "kept",
    "-o",
    "json",
  );
  expect(JSON.parse(one.out).verdict).toBe("proven");
});

it("many pages and a list that expires in its midst: every object once", async () => {
  const files = crowdFiles([...Array(140).keys()].map((n) => member(`web-${n}`, "shop", done)));
  const pods = (files["pods.json"] as { items: readonly JsonObject[] }).items;
  const many: Files = {
    ...files,
    "pods.json": {
      ...(files["pods.json"] as JsonObject),
      items: [
        ...pods,
        ...pods.flatMap((pod) =>
          [1, 2].map((n) =>
            changed(
              changed(pod, ["metadata", "name"], `${(pod["metadata"] as JsonObject)["name"]}-${n}`),
              ["metadata", "ownerReferences"],
              undefined,
            ),
          ),
        ),
      ],
    },
  };
  const server = await serverWith(many, {
    faults: [{ verb: "list", resource: "pods", nth: 2, fault: { do: "expire" } }],
  });
  const cwd = folder();
  expect((await snap(cwd, server, "deployments", "-A")).code).toBe(0);
  const kept = JSON.parse(readFileSync(join(cwd, "kept/pods.json"), "utf8"));
  const names = kept.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(names).toHaveLength(840);
  expect(new Set(names).size).toBe(840);
});

it("V3, O1: what changed as a whole while it was read stays undetermined when the files are judged, alone too", async () => {
  const server = await serverWith(crowd());
  let isDone = false;
  onTestFinished(
    server.onAsked((entry) => {
      if (entry.verb !== "list" || entry.resource !== "pods" || isDone) return;
      isDone = true;
      const place = { resource: "deployments.apps", namespace: "shop", name: "api" };
      const there = server.get(place) as JsonObject;
      server.put(place, { ...there, metadata: { ...(there["metadata"] as JsonObject), generation: 9 } });
    }),
  );
  const cwd = folder();
  await snap(cwd, server, "deployments", "-A");
  const words = ["--from", "kept", "-o", "json"];
  const list = JSON.parse((await asfound({ cwd }, "verify", "deployments", "-A", ...words)).out) as List;
  const torn = list.items.find(({ target }) => target["namespace"] === "shop" && target["name"] === "api");
  expect([torn?.["verdict"], String(torn?.["statement"])]).toEqual([
    "undetermined",
    expect.stringContaining("its spec was changed while the sweep read"),
  ]);
  const alone = await asfound({ cwd }, "verify", "deployment/api", "-n", "shop", ...words);
  expect([alone.code, JSON.parse(alone.out).verdict]).toEqual([20, "undetermined"]);
  // Control: another of the same files is judged.
  expect((await asfound({ cwd }, "verify", "deployment/web", "-n", "other", ...words)).code).toBe(0);
});

it("R2: a list that is denied is kept as that, and leaves the same verdict; with none answered nothing is written", async () => {
  const deny = (resource?: string): NonNullable<ApiServerOptions["faults"]> => [
    {
      verb: "list",
      ...(resource === undefined ? {} : { resource }),
      fault: {
        do: "reply",
        status: 403,
        body: JSON.stringify({
          apiVersion: "v1",
          kind: "Status",
          metadata: {},
          status: "Failure",
          reason: "Forbidden",
          message: "no",
          code: 403,
        }),
      },
    },
  ];
  const server = await serverWith(crowd(), { faults: deny("pods") });
  const cwd = folder();
  const taken = await snap(cwd, server, "deployments", "-A");
  expect(taken.code).toBe(20);
  expect(taken.err).toContain("pods");
  const live = await asfound({ cwd }, "verify", "deployments", "-A", ...asking(server), "-o", "json");
  const judged = await asfound({ cwd }, "verify", "deployments", "-A", "--from", "kept", "-o", "json");
  const of = ({ out }: Ran) =>
    (JSON.parse(out) as List).items.map((one) => [one.target["name"], one["verdict"]]);
  expect(of(judged)).toEqual(of(live));
  expect(judged.code).toBe(live.code);
  const none = await serverWith(crowd(), { faults: deny() });
  const empty = folder();
  const refused = await snap(empty, none, "deployments", "-A");
  expect({ code: refused.code, out: refused.out, left: readdirSync(empty) }).toEqual({
    code: 23,
    out: "",
    left: [],
  });
});

it("-f: what a Verification file names, and judged by it", async () => {
  const server = await serverWith(crowd());
  const cwd = folder({
    "web.yaml":
      "apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: Deployment, name: api, namespace: shop }\nexpect: { replicas: 2 }\n",
  });
  const taken = await snap(cwd, server, "-f", "web.yaml");
  expect(taken.code, taken.err).toBe(0);
  expect(taken.err).toContain("asfound verify -f web.yaml --from kept");
  expect((await asfound({ cwd }, "verify", "-f", "web.yaml", "--from", "kept")).code).toBe(0);
});

describe("2: the disk, before anything is asked or with nothing left", () => {
  const leftIn = (cwd: string) => readdirSync(cwd).sort();

  it("a folder with something in it, a file, a link that leads nowhere, a name that is too long", async () => {
    const server = await serverWith(crowd());
    const cwd = folder({ "full/x": "mine", file: "x" });
    symlinkSync("nowhere", join(cwd, "dangling"));
    const before = leftIn(cwd);
    for (const [name, says] of [
      ["full", "it is not empty, and nothing is written over"],
      ["file", "it cannot be written"],
      ["dangling", "it cannot be written"],
      ["n".repeat(300), "its path is too long"],
    ] as const) {
      const ran = await asfound({ cwd }, "snapshot", name, "-A", ...asking(server));
      expect({ code: ran.code, out: ran.out }, ran.err).toEqual({ code: 2, out: "" });
      expect(ran.err).toContain(says);
    }
    expect([leftIn(cwd), readFileSync(join(cwd, "full/x"), "utf8")]).toEqual([before, "mine"]);
    expect(server.log()).toEqual([]);
  });

  it("a link to an empty folder is that folder", async () => {
    const server = await serverWith(crowd());
    const cwd = folder();
    mkdirSync(join(cwd, "real"));
    symlinkSync("real", join(cwd, "kept"));
    expect((await snap(cwd, server, "-A")).code).toBe(0);
    expect(readdirSync(join(cwd, "real"))).toContain("pods.json");
  });

  it.each(["../../evil", "..", "a/../../evil", "x".repeat(300)])(
    "a hostile server serves a resource named %s: no file is made of that, by one target or by many",
    async (resource) => {
      const served = (name: string) => [
        {
          verb: "discover" as const,
          path: "/apis",
          fault: {
            do: "reply" as const,
            contentType: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
            body: JSON.stringify({
              kind: "APIGroupDiscoveryList",
              apiVersion: "apidiscovery.k8s.io/v2",
              items: [
                {
                  metadata: { name: "evil.example" },
                  versions: [
                    {
                      version: "v1",
                      freshness: "Current",
                      resources: [
                        {
                          resource: name,
                          responseKind: { group: "evil.example", version: "v1", kind: "Evil" },
                          scope: "Namespaced",
                          singularResource: "evil",
                          verbs: ["get", "list"],
                        },
                      ],
                    },
                  ],
                },
              ],
            }),
          },
        },
      ];
      const cwd = folder();
      const hostile = await serverWith(crowd(), { faults: served(resource) });
      const one = await snap(cwd, hostile, "evil/x", "-n", "shop");
      const many = await snap(cwd, hostile, "evil", "-A");
      expect([one.code, many.code, leftIn(cwd)], one.err + many.err).toEqual([23, 23, []]);
      expect(one.err + many.err).toContain("serves nothing");
      // Control: of an ordinary name there is one, and it is asked for.
      const plain = await serverWith(crowd(), { faults: served("evils") });
      await snap(cwd, plain, "evil/x", "-n", "shop");
      expect(plain.log().map(({ path }) => path)).toContainEqual(expect.stringContaining("/evils/x"));
    },
  );
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!canMount)("2: a disk of its own", () => {
  const mounted = (options: string): string => {
    const cwd = folder();
    mkdirSync(join(cwd, "disk"));
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", join(cwd, "disk")]);
    onTestFinished(() => void execFileSync("umount", ["-l", join(cwd, "disk")]));
    return cwd;
  };

  it("that is full in the midst of a list: nothing is left, and what there was stands", async () => {
    const server = await serverWith(crowd());
    const cwd = mounted("size=24k");
    const ran = await asfound({ cwd }, "snapshot", "disk/kept", "-A", ...asking(server));
    expect({ code: ran.code, out: ran.out }, ran.err).toEqual({ code: 2, out: "" });
    expect(ran.err).toContain("the disk is full");
    expect(server.log().length).toBeGreaterThan(0);
    expect(readdirSync(join(cwd, "disk"))).toEqual([]);
    // Control: with room it is written.
    const large = mounted("size=4m");
    expect((await asfound({ cwd: large }, "snapshot", "disk/kept", "-A", ...asking(server))).code).toBe(0);
  });

  it("that is read-only: before anything is asked", async () => {
    const server = await serverWith(crowd());
    const cwd = mounted("size=1m,ro");
    const ran = await asfound({ cwd }, "snapshot", "disk", "-A", ...asking(server));
    expect({ code: ran.code, asked: server.log().length }, ran.err).toEqual({ code: 2, asked: 0 });
    expect(ran.err).toContain("the file system is read-only");
  });

  it("a record of what is proven that does not fit: said, and the verdict stands; no half of a record is left", async () => {
    const server = await serverWith(crowdFiles([member("api", "shop", done)]));
    const cwd = mounted("size=4k");
    const ran = await asfound({ cwd }, "verify", "deployment/api", ...asking(server), "--proven", "disk");
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toContain("it was not recorded that Deployment api is proven: the disk is full");
    expect(readdirSync(join(cwd, "disk"))).toEqual([]);
  });
});
