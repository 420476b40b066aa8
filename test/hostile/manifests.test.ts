/** Manifests that nobody should have written: one sentence each, and the cluster is never asked to change anything. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../src/adapters/provider-kubernetes/spec.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";

const GOOD = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { colour: blue }\n";

const applied = async (write: (k8s: string) => void, more: readonly string[] = []) => {
  const server = await apiServerFor();
  const cwd = folder();
  const k8s = join(cwd, "k8s");
  mkdirSync(k8s);
  write(k8s);
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const step = ["  web:", "    uses: kubernetes", "    settle: 200ms", "    with:", "      manifests: k8s"];
  const lines = [...step, "      namespace: shop", `      kubeconfig: ${kubeconfig}`, ...more];
  const head = ["apiVersion: asfound.dev/v1alpha1", "kind: Stack", "metadata: { name: shop }", "steps:"];
  writeFileSync(join(cwd, "asfound.yaml"), `${[...head, ...lines].join("\n")}\n`);
  const ran = await asfound({ cwd }, "apply", "--yes", "--progress", "quiet");
  const changed = server.log().filter(({ effect }) => effect !== null && effect !== undefined);
  return { ...ran, changed, server };
};

const bomb = (): string => {
  const levels = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [at, name] of [..."bcdefghij"].entries()) {
    const before = "abcdefghi"[at];
    levels.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(", ")}]`);
  }
  return `${GOOD}${levels.join("\n")}\n`;
};

describe("a manifest that cannot be used: exit 23, one clear sentence, nothing changed", () => {
  it.each<readonly [string, string, RegExp]>([
    ["a YAML bomb", bomb(), /aliases/],
    ["__proto__ as a key", `${GOOD}__proto__: { polluted: true }\n`, /__proto__ is not allowed/],
    ["__proto__ deep within", `${GOOD}x: { y: { __proto__: 1 } }\n`, /__proto__ is not allowed/],
    ["no kind", "apiVersion: v1\nmetadata: { name: a }\n", /apiVersion and kind/],
    ["no apiVersion", "kind: ConfigMap\nmetadata: { name: a }\n", /apiVersion and kind/],
    ["no name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n", /has no metadata\.name/],
    [
      "a name that is a number",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: 7 }\n",
      /has no metadata\.name/,
    ],
    ["generateName", "apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }\n", /generateName/],
    [
      "generateName beside a name",
      "apiVersion: v1\nkind: Pod\nmetadata: { name: a, generateName: a- }\n",
      /generateName/,
    ],
    [
      "a list of its own kind",
      `apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: { name: a }\n`,
      /ConfigMapList is no object/,
    ],
    [
      "a List within a List",
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items: []\n",
      /List is no object/,
    ],
    [
      "a List of a list's items without kind",
      "apiVersion: v1\nkind: List\nitems:\n- metadata: { name: a }\n",
      /apiVersion and kind/,
    ],
    ["a text", "just a text\n", /not a Kubernetes object/],
    ["a tag", `${GOOD}x: !!js/function "() => 1"\n`, /tags are not supported/],
    ["a key twice", `${GOOD}kind: Secret\n`, /a second time/],
    ["merge keys", `${GOOD}x: { <<: { a: 1 } }\n`, /merge keys/],
    [
      "a name that would leave its place",
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "../secrets/x" }\n',
      /no object can have the name or namespace of ConfigMap/,
    ],
    [
      "a namespace that would leave its place",
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: "../../x" }\n',
      /no object can have the name or namespace of ConfigMap a/,
    ],
    [
      "a namespace that is a list",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: [b] }\n",
      /namespace of ConfigMap a is not a text/,
    ],
    [
      "annotations that are a list",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, annotations: [b] }\n",
      /annotations of ConfigMap a are not a mapping/,
    ],
    ["nothing but comments", "# nothing\n---\n# nothing\n", /no object to apply/],
    ["control characters", `${GOOD}x: "\u0001"\n`, /control character/],
    ["nested without end", `${GOOD}x: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`, /nested deeper/],
  ])("%s", async (_, text, says) => {
    const { code, out, err, changed } = await applied((k8s) => writeFileSync(join(k8s, "a.yaml"), text));
    expect(changed).toEqual([]);
    expect(code, out + err).toBe(23);
    expect((out + err).replace(/\s+/g, " ")).toMatch(says);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each<readonly [string, string, RegExp]>([
    [
      "a kind that nobody serves",
      "apiVersion: nobody.example/v1\nkind: Ghost\nmetadata: { name: a }\n",
      /serves no Ghost/,
    ],
    ["the same object twice", `${GOOD}---\n${GOOD}`, /declared twice/],
  ])("what only the cluster can tell: %s; exit 10", async (_, text, says) => {
    const { code, out, err, changed } = await applied((k8s) => writeFileSync(join(k8s, "a.yaml"), text));
    expect([code, changed]).toEqual([10, []]);
    expect((out + err).replace(/\s+/g, " ")).toMatch(says);
  });

  it("bytes that are no text", async () => {
    const { code, changed } = await applied((k8s) =>
      writeFileSync(join(k8s, "a.yaml"), Buffer.from([0xff, 0xfe, 0xfd])),
    );
    expect([code, changed]).toEqual([23, []]);
  });

  it("more than 8 MiB", async () => {
    const text = `${GOOD}x: "${"x".repeat(9 * 1024 * 1024)}"\n`;
    const { code, out, err, changed } = await applied((k8s) => writeFileSync(join(k8s, "a.yaml"), text));
    expect([code, changed]).toEqual([23, []]);
    expect(out + err).toContain("8 MiB");
  });

  it("more objects than go into one step", async () => {
    const one = (n: number): string => GOOD.replace("settings", `settings-${n}`);
    const text = Array.from({ length: 1_001 }, (_, n) => one(n)).join("---\n");
    const { code, out, err, changed } = await applied((k8s) => writeFileSync(join(k8s, "a.yaml"), text));
    expect([code, changed]).toEqual([23, []]);
    expect(out + err).toContain("1001 objects");
  });
});

describe("what is no fault", () => {
  it("control: several documents, a List, JSON and an exported object with a server's own fields are applied", async () => {
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "json" } }],
    };
    const exported =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: out, uid: 0-0, resourceVersion: '7', managedFields: [], creationTimestamp: null, generation: 3 }\n";
    const { code, out, err, server } = await applied((k8s) => {
      writeFileSync(join(k8s, "a.yaml"), `---\n${GOOD}---\n# nothing\n---\n${exported}`);
      writeFileSync(join(k8s, "b.json"), JSON.stringify(list));
      writeFileSync(join(k8s, ".hidden.yaml"), "not: read");
      writeFileSync(join(k8s, "README.md"), "not read");
    });
    expect(code, out + err).toBe(0);
    for (const name of ["settings", "out", "json"])
      expect(server.get({ resource: "configmaps", namespace: "shop", name })).toBeDefined();
  });

  it("an escape in a name is not printed as one", async () => {
    const { out, err } = await applied((k8s) =>
      writeFileSync(
        join(k8s, "a.yaml"),
        'apiVersion: v1\nkind: "Con\\e[2JfigMap"\nmetadata: { name: "a\\e]0;owned\\a" }\n',
      ),
    );
    expect(out + err).not.toContain("\u001b");
    expect(out + err).not.toContain("\u0007");
  });
});

describe("a `with` that cannot be used is a fault of the file, at its place", () => {
  const faults = (inputs: JsonObject): readonly string[] => {
    const parsed = parse(inputs, true);
    return "faults" in parsed
      ? parsed.faults.map(({ path, message }) => `${path.join(".")}: ${message}`)
      : [];
  };
  const object: JsonObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

  it.each<readonly [string, JsonObject, RegExp]>([
    ["nothing that says where the objects are", {}, /in one way/],
    ["two ways at once", { manifests: "k8s", objects: [object] }, /in one way/],
    ["a path that leaves the folder", { manifests: "../k8s" }, /manifests: .*below the stack file's folder/],
    ["an absolute path", { kustomize: "/etc" }, /kustomize: .*below the stack file's folder/],
    ["a reference in a path", { manifests: `\${steps.a.outputs.path}` }, /without references/],
    ["an unknown field", { manifests: "k8s", __proto__x: 1 }, /'__proto__x' is not known/],
    [
      "a Secret's value in the file",
      { objects: [{ ...object, kind: "Secret", stringData: { code: "1234" } }] },
      /a secret must not stand here/,
    ],
    [
      "an object without a name",
      { objects: [{ apiVersion: "v1", kind: "Pod" }] },
      /objects\.0: a Pod has no metadata\.name/,
    ],
    [
      "generateName",
      { objects: [{ apiVersion: "v1", kind: "Pod", metadata: { generateName: "a-" } }] },
      /generateName/,
    ],
    ["a switch that is none", { manifests: "k8s", force: "yes" }, /'force' must be true or false/],
  ])("%s", (_, inputs, says) => {
    expect(faults(inputs).join("\n")).toMatch(says);
  });

  it("control: a plain one has none", () => {
    expect(faults({ manifests: "k8s", namespace: "shop" })).toEqual([]);
    expect(
      faults({ objects: [{ ...object, kind: "Secret", stringData: { code: `\${secret.env.CODE}` } }] }),
    ).toEqual([]);
  });
});

it("a link to a folder is not followed, so that what is applied is what the plan took the digest of", async () => {
  const { code, server, out, err } = await applied((k8s) => {
    const outside = folder();
    writeFileSync(join(outside, "b.yaml"), GOOD.replace("settings", "outside"));
    writeFileSync(join(k8s, "a.yaml"), GOOD);
    symlinkSync(outside, join(k8s, "linked"));
    symlinkSync(outside, join(k8s, "linked.yaml"));
  });
  expect(code, out + err).toBe(0);
  expect(server.get({ resource: "configmaps", namespace: "shop", name: "outside" })).toBeUndefined();
});
