/** Files as people and hostile hands leave them: each is read, or refused in one sentence with its place. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { savedEvidence } from "../../src/adapters/system/saved-evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { worldFiles } from "../support/kubernetes/deployment.ts";
import { list } from "../support/kubernetes/object.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = tempFolder("saved-evidence");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const collected = (path: string) => savedEvidence({ path, named: path, at: null }).collect();
const evidenceIn = async (files: Readonly<Record<string, string>>) => {
  const read = await collected(folderOf(files));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.evidence;
};
const faultsIn = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const read = await collected(folderOf(files));
  if (!("faults" in read)) throw new Error("it was read");
  return read.faults.map(
    ({ file, line, column, field, message }) =>
      `${file.replace(/^.*\//, "")}${line === null ? "" : `:${line}:${column}`}${field}: ${message}`,
  );
};

const GOOD = worldFiles({ replicas: 1, fresh: { version: "v2", pods: ["ready"] }, old: [] });
const POD = (GOOD["pods.json"] as { items: JsonObject[] }).items[0] as JsonObject;
const text = (value: unknown): string => JSON.stringify(value);

describe("what was asked for", () => {
  it("is told by the file's name: a kind, a plural, a short name, with its group, several", async () => {
    const { asked } = await evidenceIn({
      "deployments.apps.json": text(list([])),
      "po.json": text(list([POD])),
      "svc,endpointslices.json": text(list([])),
      "widgets.example.com.json": text(list([])),
      "everything.json": text(list([POD])),
    });
    expect(asked.map(({ group, resource, namespaces }) => [group, resource, namespaces]).sort()).toEqual([
      ["", "pods", ["shop"]],
      ["", "services", "all"],
      ["apps", "deployments", "all"],
      ["discovery.k8s.io", "endpointslices", "all"],
      ["example.com", "widgets", "all"],
    ]);
  });

  it("is one object where the file holds one, and all where it holds a list", async () => {
    const { asked } = await evidenceIn({ "pod.json": text(POD) });
    expect(asked).toMatchObject([{ resource: "pods", name: (POD["metadata"] as JsonObject)["name"] }]);
  });

  it("is not answered by a Status, nor by the first part of a longer list", async () => {
    const { asked } = await evidenceIn({
      "deploy.json": text({ apiVersion: "v1", kind: "Status", status: "Failure", message: "no", code: 403 }),
      "pods.json": text({ apiVersion: "v1", kind: "PodList", metadata: { continue: "more" }, items: [] }),
      "services.json": text({
        apiVersion: "v1",
        kind: "Status",
        status: "Failure",
        message: "slow",
        code: 504,
      }),
      "events.json": text(GOOD["events.json"]),
      "deployments.yaml": stringify(GOOD["deployments.json"]),
    });
    expect(asked.map(({ resource, answer }) => [resource, answer.kind])).toEqual([
      ["deployments", "denied"],
      ["deployments", "observed"],
      ["events", "observed"],
      ["pods", "failed"],
      ["services", "timed-out"],
    ]);
  });
});

describe("what is read", () => {
  it("JSON and YAML alike, and a typed list whose items carry no kind", async () => {
    const { kind: _, apiVersion: __, ...bare } = POD;
    const json = await evidenceIn({
      "pods.json": text({ apiVersion: "v1", kind: "PodList", metadata: {}, items: [bare] }),
    });
    const yaml = await evidenceIn({ "pods.yaml": stringify(list([POD])) });
    expect(json.objects).toMatchObject([{ kind: "Pod", uid: (POD["metadata"] as JsonObject)["uid"] }]);
    expect(yaml.objects[0]?.raw).toEqual(POD);
    expect(yaml.objects[0]?.source).toEqual({ evidence: "pods.yaml", pointer: "/items/0" });
  });

  it("the time is snapshot.json's, else the newest inside, and then that is said", async () => {
    const files = Object.fromEntries(Object.entries(GOOD).map(([name, value]) => [name, text(value)]));
    const guessed = await evidenceIn(files);
    expect(guessed.limits.join()).toMatch(/the newest time inside the files/);
    const told = await evidenceIn({ ...files, "snapshot.json": text({ at: "2026-12-01T00:00:00Z" }) });
    expect(new Date(told.at).toISOString()).toBe("2026-12-01T00:00:00.000Z");
    expect(told.limits).toEqual([expect.stringMatching(/^saved files: nothing shows who read them/)]);
  });

  it("folders, links that lead nowhere and other files are left out, and said to be", async () => {
    const folder = folderOf({ "pods.json": text(list([POD])), "README.txt": "hello", ".hidden.json": "{" });
    mkdirSync(join(folder, "more"));
    const read = await collected(folder);
    expect("evidence" in read && read.evidence.limits.join()).toMatch(/\.hidden\.json, README\.txt, more/);
  });

  it("a key named __proto__ is an ordinary one, and changes no other object", async () => {
    const config = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","creationTimestamp":"2026-11-30T03:00:00Z"},"data":{"__proto__":{"polluted":"yes"}}}`;
    const { objects } = await evidenceIn({ "cm.json": config });
    expect(Object.keys(objects[0]?.raw["data"] as JsonObject)).toEqual(["__proto__"]);
    expect(({} as { polluted?: string }).polluted).toBe(undefined);
  });
});

const NO_QUESTION =
  /^snapshot\.json\/followed\/0: it does not say what was asked for, and what the answer was$/;
const FOLLOWED: readonly (readonly [string, string, RegExp])[] = [
  ["no list", "{}", /^snapshot\.json\/followed: it is not a list$/],
  ["no objects", "[7]", NO_QUESTION],
  ["without a resource", '[{"group":"","name":"a","namespaces":null,"answer":"absent"}]', NO_QUESTION],
  [
    "answered by a word of its own",
    '[{"group":"","resource":"pods","name":"a","namespaces":null,"answer":"gone"}]',
    NO_QUESTION,
  ],
  [
    "denied without a reason",
    '[{"group":"","resource":"pods","name":"a","namespaces":["shop"],"answer":"denied"}]',
    NO_QUESTION,
  ],
  [
    "of namespaces that are no texts",
    '[{"group":"","resource":"pods","name":"a","namespaces":[7],"answer":"absent"}]',
    NO_QUESTION,
  ],
];

describe("what is refused, with its place", () => {
  it.each<[string, string, string, RegExp]>([
    [
      "half JSON",
      "pods.json",
      '{"kind":"List",\n "items":[{"a":',
      /^pods\.json:2:\d+: the file ends in the middle of its JSON; save it again, whole$/,
    ],
    [
      "HTML",
      "pods.json",
      "<html>\n</html>",
      /^pods\.json:1:1: this is not JSON; save it as kubectl get -o json prints it$/,
    ],
    ["a word inside", "pods.json", '{"kind":\n  nope}', /^pods\.json:2:3: this is not JSON/],
    ["a comma too many", "pods.json", '{"kind":"List",}', /^pods\.json:1:16: this is not JSON/],
    ["nothing at all", "pods.json", "", /^pods\.json:1:1: the file ends in the middle/],
    [
      "a key twice",
      "pods.json",
      '{"kind":"List","items":[],\n"items":[]}',
      /^pods\.json:2:1: the key items stands here a second time$/,
    ],
    [
      "a key twice, once escaped",
      "pods.json",
      '{"kind":"List","k\\u0069nd":"Pod"}',
      /^pods\.json:1:16: the key kind stands here a second time$/,
    ],
    [
      "depth",
      "pods.json",
      `${"[".repeat(300)}${"]".repeat(300)}`,
      /^pods\.json:1:201: nested deeper than 200 levels$/,
    ],
    [
      "depth without an end",
      "pods.json",
      "[".repeat(100_000),
      /^pods\.json:1:201: nested deeper than 200 levels$/,
    ],
    ["bytes that are no UTF-8", "pods.json", "\u0000", /^pods\.json:1:1: this is not JSON/],
    ["no object", "pods.json", "[1]", /^pods\.json: this is not a Kubernetes object/],
    ["no kind", "pods.json", "{}", /^pods\.json: this is not a Kubernetes object: it has no kind$/],
    [
      "a name missing",
      "pods.json",
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{}}]}',
      /^pods\.json\/items\/0: this Pod has no metadata\.name$/,
    ],
    [
      "a name that is no text",
      "pods.json",
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":7}}',
      /^pods\.json: this Pod has no metadata\.name$/,
    ],
    [
      "an item that is no object",
      "pods.json",
      '{"apiVersion":"v1","kind":"List","items":[7]}',
      /^pods\.json\/items\/0: this is not an object$/,
    ],
    [
      "another kind than its name says",
      "pods.json",
      text(GOOD["deployments.json"]),
      /^pods\.json\/items\/0: the file's name says pods, and this is a Deployment; name the file after what was asked for$/,
    ],
    [
      "two YAML documents",
      "pods.yaml",
      "a: 1\n---\nb: 2\n",
      /^pods\.yaml:2:1: there is a second document \(---\) here; save a List, or one file for each object$/,
    ],
    [
      "a YAML key twice",
      "pods.yaml",
      "kind: List\nkind: Pod\n",
      /^pods\.yaml:2:1kind: the key kind stands here a second time; remove one$/,
    ],
    [
      "a snapshot without a time",
      "snapshot.json",
      "{}",
      /^snapshot\.json\/at: it does not say when it was taken/,
    ],
    ...FOLLOWED.map(([what, followed, wanted]): [string, string, string, RegExp] => [
      `a snapshot whose questions by name are ${what}`,
      "snapshot.json",
      `{"at":"2026-11-30T03:11:40Z","followed":${followed}}`,
      wanted,
    ]),
  ])("%s", async (_, name, content, wanted) => {
    const [fault, ...more] = await faultsIn({ [name]: content });
    expect(more).toEqual([]);
    expect(fault).toMatch(wanted);
  });

  it("every file that is wrong is named at once", async () => {
    expect(await faultsIn({ "pods.json": "{", "deploy.json": "<" })).toHaveLength(2);
  });

  it("a folder without files, a path that is not there, a link in a circle", async () => {
    expect(await faultsIn({ "README.txt": "" })).toEqual([
      expect.stringMatching(/there is no \.json or \.yaml file in this folder$/),
    ]);
    const folder = tempFolder("saved-evidence");
    symlinkSync(join(folder, "pods.json"), join(folder, "pods.json"));
    expect(await collected(folder)).toMatchObject({
      faults: [{ message: expect.stringMatching(/its symbolic links form a circle/) }],
    });
    expect(await collected(join(folder, "gone"))).toMatchObject({
      faults: [{ message: "it cannot be read: there is no such file or folder" }],
    });
  });

  it("files without any time need --at", async () => {
    const bare = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "shop" } };
    expect(await faultsIn({ "pods.json": text(bare) })).toEqual([expect.stringMatching(/say --at TIME$/)]);
  });
});
