/** What changed since an earlier state: of files that are named, of a record, of the revision before. Never more than that. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { type Files, READ_AT, type templateOf, worldFiles } from "../support/kubernetes/deployment.ts";
import { at, changed, uidOf } from "../support/kubernetes/object.ts";
import { statefulFiles } from "../support/kubernetes/others.ts";
import { begun, done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const CANARY = "canary-3c91-never-shown";
const CONTAINER = ["spec", "template", "spec", "containers", 0];

interface Told {
  readonly verdict: string;
  readonly changes: {
    readonly since: {
      readonly kind: string;
      readonly verdict: string | null;
      readonly at: string | null;
    } | null;
    readonly statement: string;
    readonly recreated: unknown;
    readonly total: number;
    readonly items: readonly {
      readonly path: string;
      readonly part: string;
      readonly was: string | null;
      readonly is: string | null;
      readonly hidden: boolean;
      readonly writers: readonly JsonObject[];
    }[];
    readonly notCompared: readonly string[];
    readonly limits: readonly string[];
  };
}
const toldBy = ({ out, err }: Ran): Told => {
  expect(out, err).not.toBe("");
  const report = JSON.parse(out);
  expect(API_SCHEMAS["verdict-report"]?.safeParse(report).error).toBe(undefined);
  return report;
};
const lines = ({ changes }: Told): readonly string[] =>
  changes.items.map(({ part, path, was, is }) => `${part} ${path} ${was} ${is}`);

const deploymentIn = (
  files: Files,
  path: readonly (string | number)[],
  value: JsonObject[string],
): Files => ({
  ...files,
  "deployments.json": changed(files["deployments.json"] as JsonObject, ["items", 0, ...path], value),
});
const saved = (cwd: string, name: string, files: Files): void => {
  mkdirSync(join(cwd, name));
  for (const [file, value] of Object.entries(files))
    writeFileSync(join(cwd, name, file), JSON.stringify(value));
};
const serverWith = async (files: Files): Promise<ApiServer> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(server, files);
  return server;
};
const asking = (server: ApiServer) => ["-n", "shop", "--kubeconfig", kubeconfigFile(server.kubeconfig())];

/** Who wrote the image, and who scales. */
const writers = (time: string): JsonObject[] => [
  {
    manager: "helm",
    operation: "Apply",
    apiVersion: "apps/v1",
    time: at(100),
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:spec": { "f:strategy": { "f:type": {} }, "f:template": { "f:spec": { "f:restartPolicy": {} } } },
    },
  },
  {
    manager: "kubectl-set",
    operation: "Update",
    apiVersion: "apps/v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:spec": {
        "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:image": {} } } } },
      },
    },
  },
  {
    manager: "kube-controller-manager",
    operation: "Update",
    subresource: "scale",
    time: at(640),
    fieldsV1: { "f:spec": { "f:replicas": {} } },
  },
];
const written = (files: Files): Files => deploymentIn(files, ["metadata", "managedFields"], writers(at(620)));

/** v1 ran, with three replicas. */
const before: Files = worldFiles({
  replicas: 3,
  fresh: { version: "v1", pods: ["ready", "ready", "ready"] },
  generation: 1,
});

describe("--baseline", () => {
  it("a state that is proven when it is judged again is called so; each field with its old and new value and its writer", async () => {
    const cwd = folder();
    saved(cwd, "good", before);
    saved(cwd, "now", written(worldFiles(begun)));
    const words = ["deployment/web", "-n", "shop", "--from", "now", "--baseline", "good"];
    const told = toldBy(await asfound({ cwd }, "verify", ...words, "-o", "json"));
    expect(told.changes.since).toEqual({
      kind: "baseline",
      verdict: "proven",
      at: "2026-11-30T03:10:50.000Z",
      name: "good",
    });
    expect(lines(told)).toEqual([
      'image spec.template.spec.containers[name=web].image "web:v1" "web:v2"',
      "replicas spec.replicas 3 2",
    ]);
    expect(told.changes.items.map(({ writers: by }) => by)).toEqual([
      [{ manager: "kubectl-set", operation: "Update", subresource: null, at: "2026-11-30T03:10:20.000Z" }],
      [
        {
          manager: "kube-controller-manager",
          operation: "Update",
          subresource: "scale",
          at: "2026-11-30T03:10:40.000Z",
        },
      ],
    ]);
    const page = await asfound({ cwd }, "verify", ...words);
    expect(page.out).toContain("2 fields changed since good, proven as it was at 2026-11-30T03:10:50.000Z");
    expect(page.out).toContain(
      'image: spec.template.spec.containers[name=web].image: "web:v1" -> "web:v2"; kubectl-set (Update), at 2026-11-30T03:10:20.000Z or before',
    );
    const markdown = await asfound({ cwd }, "verify", ...words, "-o", "markdown");
    expect(markdown.out).toContain('`"web:v1"` to `"web:v2"`');
  });

  it("control: a state that is not proven when it is judged again is never called so", async () => {
    const cwd = folder();
    saved(cwd, "bad", worldFiles(begun));
    saved(cwd, "now", worldFiles(done));
    const words = ["deployment/web", "-n", "shop", "--from", "now", "--baseline", "bad"];
    const told = toldBy(await asfound({ cwd }, "verify", ...words, "-o", "json"));
    expect(told.changes.since).toMatchObject({ kind: "baseline", verdict: "progressing" });
    expect(told.changes.statement).toContain("which is no proven state: judged again it is progressing");
    expect(told.changes.statement).not.toContain("proven as it was");
  });

  it("of the same state nothing changed, whatever the order of its keys", async () => {
    const cwd = folder();
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, one]) => [name, turned(one)]),
            )
          : value;
    saved(cwd, "good", worldFiles(done));
    saved(cwd, "now", turned(worldFiles(done)) as Files);
    const told = toldBy(
      await asfound(
        { cwd },
        "verify",
        "deployment/web",
        "-n",
        "shop",
        "--from",
        "now",
        "--baseline",
        "good",
        "-o",
        "json",
      ),
    );
    expect([told.changes.total, told.changes.items, told.changes.notCompared]).toEqual([0, [], []]);
    expect(told.changes.statement).toContain("no field changed since good");
  });

  it("another UID is another incarnation, and is said; with no managedFields nobody is named", async () => {
    const cwd = folder();
    saved(cwd, "good", before);
    saved(cwd, "now", deploymentIn(before, ["metadata", "uid"], uidOf("Deployment", "web", 2)));
    saved(cwd, "renamed", deploymentIn(before, ["spec", "replicas"], 4));
    const words = (now: string) => [
      "deployment/web",
      "-n",
      "shop",
      "--from",
      now,
      "--baseline",
      "good",
      "-o",
      "json",
    ];
    const again = toldBy(await asfound({ cwd }, "verify", ...words("now")));
    expect(again.changes.recreated).toEqual({
      was: uidOf("Deployment", "web"),
      is: uidOf("Deployment", "web", 2),
    });
    expect(again.changes.statement).toContain("it was deleted and made again in between (another UID)");
    const same = toldBy(await asfound({ cwd }, "verify", ...words("renamed")));
    expect(same.changes.recreated).toBe(null);
    expect(same.changes.items[0]?.writers).toEqual([]);
    expect(same.changes.limits.join()).toContain(
      "who wrote it is not known: it was read without its managedFields",
    );
  });

  it("2: another object, another cluster, files that cannot be read, a report: one sentence, and nothing is asked", async () => {
    const server = await serverWith(worldFiles(begun));
    const other = await serverWith(before);
    const cwd = folder({ "report.json": '{"apiVersion":"asfound.dev/v1alpha1","kind":"VerdictReport"}' });
    saved(cwd, "jobs", { "pods.json": before["pods.json"] as JsonObject });
    expect((await asfound({ cwd }, "snapshot", "elsewhere", "deployment/web", ...asking(other))).code).toBe(
      0,
    );
    const asked = server.log().length;
    for (const [baseline, says] of [
      ["jobs", "jobs holds no Deployment shop/web, so it is no earlier state of it"],
      ["elsewhere", "elsewhere is of another cluster: it was read from https://"],
      ["gone", "gone: it cannot be read: there is no such file or folder"],
      ["report.json", "this VerdictReport has no metadata.name"],
    ] as const) {
      const ran = await asfound(
        { cwd },
        "verify",
        "deployment/web",
        ...asking(server),
        "--baseline",
        baseline,
      );
      expect({ code: ran.code, out: ran.out }, ran.err).toEqual({ code: 2, out: "" });
      expect(ran.err).toContain(says);
      expect(ran.err.trim().split("\n")).toHaveLength(1);
    }
    expect(server.log().length).toBe(asked);
  });

  it("many: each is compared with what the files hold of it", async () => {
    const cwd = folder();
    saved(cwd, "good", before);
    saved(cwd, "now", worldFiles(begun));
    const ran = await asfound(
      { cwd },
      "verify",
      "deployments",
      "--all",
      "-n",
      "shop",
      "--from",
      "now",
      "--baseline",
      "good",
    );
    expect(ran.out).toContain("Deployment shop/web: 2 fields changed since good, proven as it was at");
  });
});

describe("what is never told", () => {
  const withEnv = (files: Files, value: string): Files =>
    deploymentIn(
      files,
      [...CONTAINER, "env"],
      [
        { name: "TOKEN", value },
        { name: "PLAIN", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } },
      ],
    );

  it("E5: that a variable's value changed, and neither value; which config it comes from is told", async () => {
    const cwd = folder();
    saved(cwd, "good", withEnv(before, CANARY));
    const now = withEnv(before, `${CANARY}-2`);
    saved(
      cwd,
      "now",
      deploymentIn(now, [...CONTAINER, "env", 1, "valueFrom", "configMapKeyRef", "name"], "c2"),
    );
    const words = ["deployment/web", "-n", "shop", "--from", "now", "--baseline", "good"];
    const ran = await asfound({ cwd }, "verify", ...words, "-o", "json");
    expect(lines(toldBy(ran))).toEqual([
      'config spec.template.spec.containers[name=web].env[name=PLAIN].valueFrom.configMapKeyRef.name "c" "c2"',
      "environment spec.template.spec.containers[name=web].env[name=TOKEN].value (not shown) (not shown)",
    ]);
    for (const output of ["table", "wide", "json", "yaml", "markdown"])
      expect((await asfound({ cwd }, "verify", ...words, "-o", output)).out).not.toContain(CANARY);
  });

  it("what stands as a digest without its key cannot be compared, and is named; of one generation it is the same", async () => {
    const server = await serverWith(withEnv(before, CANARY));
    const cwd = folder();
    await asfound({ cwd }, "snapshot", "good", "deployment/web", ...asking(server));
    const words = ["deployment/web", ...asking(server), "--baseline", "good", "-o", "json"];
    const same = toldBy(await asfound({ cwd }, "verify", ...words));
    expect([same.changes.total, same.changes.notCompared]).toEqual([0, []]);
    serve(server, deploymentIn(withEnv(before, `${CANARY}-2`), ["metadata", "generation"], 2));
    const other = await asfound({ cwd }, "verify", ...words);
    expect(other.out).not.toContain(CANARY);
    expect(toldBy(other).changes.notCompared).toEqual([
      "spec.template.spec.containers[name=web].env[name=TOKEN].value",
    ]);
    expect(toldBy(other).changes.statement).toContain("of 1 more field it cannot be told");
  });

  it("many and long ones are counted and cut, and text from the cluster is neutral", async () => {
    const cwd = folder();
    const labels = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`l${n}`, "x"]));
    saved(cwd, "good", before);
    saved(
      cwd,
      "now",
      deploymentIn(
        deploymentIn(
          before,
          ["metadata", "annotations", "evil\u001b[2J"],
          `::error::${"a".repeat(1_000_000)}\u001b[31m`,
        ),
        ["metadata", "labels"],
        labels,
      ),
    );
    const words = ["deployment/web", "-n", "shop", "--from", "now", "--baseline", "good"];
    const ran = await asfound({ cwd }, "verify", ...words, "-o", "json");
    const told = toldBy(ran);
    expect([told.changes.total, told.changes.items.length]).toEqual([502, 50]);
    expect(ran.out.length).toBeLessThan(60_000);
    const page = await asfound({ cwd }, "verify", ...words, "-o", "wide");
    expect(page.out).not.toContain("\u001b[2J");
    expect(page.out).not.toContain("\u001b[31m");
    expect(page.out).toContain("and 452 more");
  });
});

describe("the revision before, where nothing is named", () => {
  it("a Deployment's: which was not seen proven, and is never called so", async () => {
    const server = await serverWith(written(worldFiles(begun)));
    const told = toldBy(
      await asfound({ cwd: folder() }, "verify", "deployment/web", ...asking(server), "-o", "json"),
    );
    expect(told.changes.since).toMatchObject({ kind: "previous-revision", verdict: null });
    expect(told.changes.statement).toContain("revision 1), which was not seen proven");
    expect(lines(told)).toEqual(['image spec.template.spec.containers[name=web].image "web:v1" "web:v2"']);
    expect(told.changes.items[0]?.writers).toMatchObject([{ manager: "kubectl-set" }]);
  });

  it("a verdict that is proven says nothing of it; with no other revision that is said", async () => {
    const server = await serverWith(worldFiles(done));
    const words = ["verify", "deployment/web", ...asking(server), "-o", "json"];
    expect(toldBy(await asfound({ cwd: folder() }, ...words)).changes).toBe(null);
    serve(server, worldFiles({ ...begun, old: [] }), worldFiles(done));
    expect(toldBy(await asfound({ cwd: folder() }, ...words)).changes).toMatchObject({
      since: null,
      statement: expect.stringContaining("there is no other revision of it among its replicasets"),
    });
  });

  it("a StatefulSet's ControllerRevisions are read for it; control: where they may not be, that is said", async () => {
    const files = statefulFiles({
      pods: [{ revision: "new", state: "not-ready" }],
      replicas: 1,
      closed: false,
    });
    const [db] = (files["statefulsets.json"] as { items: readonly JsonObject[] }).items as [JsonObject];
    const template = (db as unknown as { spec: { template: JsonObject } }).spec.template;
    const revision = (name: string, number: number, image: string): JsonObject => ({
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name,
        namespace: "shop",
        uid: uidOf("ControllerRevision", name),
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "StatefulSet",
            name: "db",
            uid: uidOf("StatefulSet", "db"),
            controller: true,
          },
        ],
      },
      revision: number,
      data: {
        spec: {
          template: {
            $patch: "replace",
            ...changed(template, ["spec", "containers", 0, "image"], image),
          },
        },
      },
    });
    const image = (
      template as unknown as ReturnType<typeof templateOf> & { spec: { containers: { image: string }[] } }
    ).spec.containers[0]?.image;
    const server = await serverWith({
      ...files,
      "controllerrevisions.json": {
        apiVersion: "v1",
        kind: "List",
        items: [
          revision("db-old", 1, "db:older"),
          revision("db-before", 2, "db:before"),
          revision("db-now", 3, String(image)),
        ],
      },
    });
    const words = ["verify", "sts/db", ...asking(server), "-o", "json"];
    const told = toldBy(await asfound({ cwd: folder() }, ...words));
    expect(told.changes.statement).toContain(
      "ControllerRevision db-before, revision 2), which was not seen proven",
    );
    expect(lines(told)).toEqual([
      expect.stringMatching(/^image spec\.template\.spec\.containers\[name=\w+\]\.image "db:before" /),
    ]);
    const rules = [
      { apiGroups: ["*"], resources: ["statefulsets"], verbs: ["get"] },
      {
        apiGroups: ["*"],
        resources: ["pods", "events", "services", "endpointslices", "horizontalpodautoscalers"],
        verbs: ["list"],
      },
    ];
    const few = await apiServerFor({
      clock: clockAt(READ_AT),
      users: [{ name: "few", token: "few-token", rules }],
    });
    serve(few, files);
    const unread = toldBy(await asfound({ cwd: folder() }, "verify", "sts/db", ...asking(few), "-o", "json"));
    expect(unread.changes.since).toBe(null);
    expect(unread.changes.statement).toContain(
      "the right to list controllerrevisions.apps in namespace shop is missing",
    );
    expect(unread.verdict).toBe(told.verdict);
  });
});

/** In the template, and in the ReplicaSet that is made of it. */
const withLiteral = (files: Files): Files => {
  const env = [{ name: "TOKEN", value: CANARY }];
  return {
    ...deploymentIn(files, [...CONTAINER, "env"], env),
    "replicasets.json": changed(
      files["replicasets.json"] as JsonObject,
      ["items", 0, ...CONTAINER, "env"],
      env,
    ),
  };
};

describe("--proven", () => {
  const record = async (cwd: string, server: ApiServer, ...words: readonly string[]) =>
    asfound(
      { cwd },
      "verify",
      "deployment/web",
      ...asking(server),
      "--proven",
      "proven",
      "-o",
      "json",
      ...words,
    );
  const kept = (cwd: string): readonly string[] => readdirSync(join(cwd, "proven")).sort();

  it("what is proven is kept, once for each state, in a file that nobody writes over, and is the last proven state then", async () => {
    const cwd = folder();
    const server = await serverWith(withLiteral(before));
    expect(toldBy(await record(cwd, server)).changes).toBe(null);
    const [first] = kept(cwd);
    const text = readFileSync(join(cwd, "proven", String(first)), "utf8");
    expect(text).not.toContain(CANARY);
    expect(JSON.parse(text)).toMatchObject({ kind: "ProvenState", report: { verdict: "proven" } });
    const again = toldBy(await record(cwd, server));
    expect(again.changes).toMatchObject({
      since: { kind: "record", verdict: "proven" },
      total: 0,
      notCompared: [],
    });
    expect(kept(cwd)).toEqual([first]);

    serve(server, written(worldFiles(begun)), before);
    const later = toldBy(await record(cwd, server));
    expect(later.verdict).not.toBe("proven");
    expect(later.changes.statement).toContain(
      "since the state that asfound last recorded as proven, at 2026-11-30T03:11:40.000Z",
    );
    expect(lines(later)).toContain('image spec.template.spec.containers[name=web].image "web:v1" "web:v2"');
    expect(kept(cwd)).toEqual([first]);

    serve(server, written(worldFiles(done)), worldFiles(begun));
    await record(cwd, server);
    expect(kept(cwd)).toHaveLength(2);
    expect(readFileSync(join(cwd, "proven", String(first)), "utf8")).toBe(text);
  });

  it("control: a verdict that is not proven is never kept; with no record yet the revision before is told as that", async () => {
    const cwd = folder();
    const told = toldBy(await record(cwd, await serverWith(worldFiles(begun))));
    expect(kept(cwd)).toEqual([]);
    expect(told.changes.since).toMatchObject({ kind: "previous-revision", verdict: null });
  });

  it("of another cluster nothing is taken for this one; a record that was changed is no last proven state, nor is an older one", async () => {
    const cwd = folder();
    const server = await serverWith(before);
    await record(cwd, server);
    const other = await serverWith(worldFiles(begun));
    expect(toldBy(await record(cwd, other)).changes.since).toMatchObject({ kind: "previous-revision" });
    serve(server, worldFiles(done), before);
    await record(cwd, server);
    const spoiled: readonly (readonly [(was: string) => string, string])[] = [
      [
        (was) => was.replace('"verdict": "proven"', '"verdict": "refuted"'),
        "the verdict in it is not proven",
      ],
      [(was) => was.replaceAll('"shop"', '"store"'), "it is of another object or cluster"],
      [() => "{", "cannot be read"],
    ];
    for (const [spoil, why] of spoiled) {
      // A whole one is made again after each that is not.
      const last = join(cwd, "proven", String(kept(cwd).at(-1)));
      chmodSync(last, 0o600);
      writeFileSync(last, spoil(readFileSync(last, "utf8")));
      const told = toldBy(await record(cwd, server));
      expect(told.changes.since).toBe(null);
      expect(told.changes.statement).toContain(why);
    }
  });

  it("2: a folder that cannot be used, before anything is asked; --from is not recorded", async () => {
    const cwd = folder({ file: "x" });
    const server = await serverWith(before);
    const words = ["deployment/web", ...asking(server)];
    const file = await asfound({ cwd }, "verify", ...words, "--proven", "file");
    expect({ code: file.code, out: file.out, asked: server.log().length }).toEqual({
      code: 2,
      out: "",
      asked: 0,
    });
    expect(file.err).toContain("file: no records can be kept there");
    const from = await asfound({ cwd }, "verify", "deployment/web", "--from", ".", "--proven", "kept");
    expect([from.code, existsSync(join(cwd, "kept"))]).toEqual([2, false]);
    expect(from.err).toContain("--proven is about asking a cluster");
  });
});
