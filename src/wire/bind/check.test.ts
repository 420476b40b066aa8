/** Others' manifests: each fault is found with its rule and line, and its healthy twin has none. Digests are of node:crypto alone. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkConfig } from "./check.ts";
import { bindFiles } from "./files.ts";
import { NONE_DECLARED } from "./references.ts";
import { openStream } from "./stream.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

const found = async (text: string) => {
  const stream = await openStream(text, "in.yaml");
  if ("faults" in stream) throw new Error(JSON.stringify(stream.faults));
  const { findings, templates, notJudged } = checkConfig(stream.manifests, NONE_DECLARED, null);
  return {
    rules: findings.map(({ rule, manifest, path }) => `${manifest.place(path)?.line}: ${rule}`),
    said: findings.map(({ sentence }) => sentence),
    templates,
    notJudged,
  };
};

const config = (name: string, value = "fast", more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n${more}data: { MODE: ${value} }\n`;
const web = (
  onTop: string,
  onTemplate: string,
  use = "env: [{ name: M, valueFrom: { configMapKeyRef: { name: settings, key: MODE } } }]",
) =>
  `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {${onTop}}
spec:
  template:
    metadata:
      annotations: {${onTemplate}}
    spec:
      volumes: [{ name: v, configMap: { name: settings } }]
      containers:
        - name: web
          ${use}
`;
const SETTINGS = config("settings");
const OF_KEY = sha("fast");
const C3 = sha(`${sha("fast")}  MODE\n`);

describe("a checksum that ties nothing", () => {
  it("on top-level metadata only", async () => {
    const text = `${SETTINGS}---\n${web(` checksum/config: ${C3} `, "")}`;
    const { rules, said } = await found(text);
    expect(rules).toEqual(["10: checksum-not-on-template", "19: mutable-without-checksum"]);
    expect(said[0]).toContain("replaces no Pod; it belongs to spec.template.metadata.annotations");
    expect(
      await found(`${SETTINGS}---\n${web(` checksum/config: ${C3} `, ` checksum/config: ${C3} `)}`),
    ).toMatchObject({ rules: [] });
  });

  it("of another file than what the Pod takes", async () => {
    const other = sha(`${sha("slow")}  MODE\n`);
    const text = `${SETTINGS}---\n${config("other", "slow")}---\n${web("", ` checksum/config: ${other} `)}`;
    const { rules, said } = await found(text);
    expect(rules).toEqual(["19: checksum-of-another"]);
    expect(said[0]).toContain("the digest of ConfigMap other, of which the Pod takes nothing");
  });

  it.for([
    ["2026-11-30T03:10:00Z", "it is a time"],
    ['"1796000000"', "it is a time"],
    ["deploy-17", "a text that no config makes"],
    [createHash("md5").update("fast").digest("hex"), "32 hex digits, which are not recomputed here"],
  ] as const)("%s is opaque (C7)", async ([value, says]) => {
    const { rules, said } = await found(`${SETTINGS}---\n${web("", ` configHash: ${value} `)}`);
    expect(rules).toEqual(["14: checksum-opaque"]);
    expect(said[0]).toContain(says);
  });

  it("out of date against what stands there", async () => {
    const { rules } = await found(`${config("settings", "slow")}---\n${web("", ` checksum/config: ${C3} `)}`);
    expect(rules).toEqual(["14: checksum-out-of-date"]);
  });

  it("is not called so where not all that the Pod takes is there", async () => {
    const { rules, notJudged } = await found(web("", ` checksum/config: ${C3} `));
    expect(rules).toEqual([]);
    expect(notJudged).toEqual([
      "Deployment web takes ConfigMap settings, which is not among the manifests",
      "Deployment web has checksum/config, which cannot be recomputed without all that the Pod takes",
    ]);
  });
});

describe("control: checksums that others make, and that can be recomputed", () => {
  it.for([
    ["the object's (C3)", C3],
    ["one key's", OF_KEY],
    ["the rendered file's, as Helm charts make it", sha(SETTINGS)],
    ["the same without its last line break", sha(SETTINGS.trim())],
    ["in capitals", C3.toUpperCase()],
  ] as const)("%s", async ([, value]) => {
    expect(await found(`${SETTINGS}---\n${web("", ` checksum/settings: ${value} `)}`)).toMatchObject({
      rules: [],
      templates: 1,
    });
  });

  it("as helm template prints it, below its Source line", async () => {
    const text = `---\n# Source: shop/templates/settings.yaml\n${SETTINGS}---\n${web("", ` checksum/config: ${sha(SETTINGS)} `)}`;
    expect(await found(text)).toMatchObject({ rules: [] });
  });
});

describe("config that can change under a process", () => {
  const all = "envFrom: [{ configMapRef: { name: settings } }]";
  const subPath = "volumeMounts: [{ name: v, mountPath: /x, subPath: MODE }]";
  it.for([
    ["env", undefined],
    ["envFrom", all],
    ["subPath", subPath],
  ] as const)("by %s, mutable and without a checksum", async ([naming, use]) => {
    const { rules, said } = await found(`${SETTINGS}---\n${web("", "", use)}`);
    expect(rules.map((rule) => rule.replace(/^\d+: /, ""))).toEqual(["mutable-without-checksum"]);
    expect(said[0]).toContain(`by ${naming}, which is read only at a start`);
    expect(
      (await found(`${config("settings", "fast", "immutable: true\n")}---\n${web("", "", use)}`)).rules,
    ).toEqual([]);
  });

  it("files of a whole volume follow the object, and are not named", async () => {
    const use = "volumeMounts: [{ name: v, mountPath: /x }]";
    expect(await found(`${SETTINGS}---\n${web("", "", use)}`)).toMatchObject({ rules: [], templates: 1 });
  });

  it("a checksum of one of two covers that one alone", async () => {
    const use = "envFrom: [{ configMapRef: { name: settings } }, { configMapRef: { name: other } }]";
    const text = `${SETTINGS}---\n${config("other", "slow")}---\n${web("", ` checksum/config: ${C3} `, use)}`;
    const { rules, said } = await found(text);
    expect(rules).toEqual(["24: mutable-without-checksum"]);
    expect(said[0]).toContain("ConfigMap other by envFrom");
    expect(said[0]).toContain("a checksum of settings alone");
  });
});

it("a key that is not there, unless it is optional", async () => {
  const use = (more: string) =>
    `env: [{ name: M, valueFrom: { configMapKeyRef: { name: settings, key: SPEED${more} } } }]`;
  const text = (more: string) =>
    `${config("settings", "fast", "immutable: true\n")}---\n${web("", "", use(more))}`;
  expect((await found(text(""))).rules).toEqual(["20: key-missing"]);
  expect((await found(text(", optional: true"))).rules).toEqual([]);
});

it("nothing takes config: nothing was checked", async () => {
  expect(await found(SETTINGS)).toEqual({ rules: [], said: [], templates: 0, notJudged: [] });
});

describe("what config bind made", () => {
  const bound = async (): Promise<string> => {
    const use = "envFrom: [{ configMapRef: { name: settings } }, { configMapRef: { name: other } }]";
    const stream = await openStream(
      `${SETTINGS}---\n${config("other", "slow")}---\n${web("", "", use)}`,
      "in.yaml",
    );
    if ("faults" in stream) throw new Error("faults");
    const made = await bindFiles([stream], {
      given: [],
      namespace: null,
      allowed: new Set(),
      declared: NONE_DECLARED,
    });
    if (!("files" in made)) throw new Error("not bound");
    return String(made.files[0]?.text);
  };
  it("has no fault", async () => {
    expect(await found(await bound())).toMatchObject({ rules: [], templates: 1 });
  });
  it("control: edited after it, its name and its checksum are out of date", async () => {
    const { rules } = await found((await bound()).replace("MODE: fast", "MODE: faster"));
    expect(rules.map((rule) => rule.replace(/^\d+: /, ""))).toEqual([
      "name-out-of-date",
      "checksum-out-of-date",
    ]);
  });
});
