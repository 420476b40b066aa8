/** config bind as a person and a pipeline meet it: what is printed, written, refused, and what exit says so. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder } from "./terminal.ts";

const POD = `# a comment
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: web
      envFrom: [{ configMapRef: { name: settings } }]
`;
const BIND = ["config", "bind", "-f", "-", "--from-file", "settings=conf"] as const;
const files = { "conf/MODE": "fast", "web.yaml": POD };

describe("the filter", () => {
  it("prints the manifests alone, and tells the rest beside", async () => {
    const cwd = folder(files);
    const ran = await asfound({ cwd, input: POD }, ...BIND);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("# a comment\napiVersion: v1\nkind: Pod");
    expect(ran.out).toContain("configMapRef: { name: settings-2662a2a642 }");
    expect(ran.err).toContain(
      "ConfigMap settings is bound as settings-2662a2a642 (1 reference), made from conf",
    );
    const again = await asfound({ cwd, input: ran.out }, ...BIND);
    expect(again.out).toBe(ran.out);
    expect(again.err).toContain("everything is bound already");
  });

  it("-o json is as its schema says", async () => {
    const ran = await asfound({ cwd: folder(files), input: POD }, ...BIND, "-o", "json");
    expect(API_SCHEMAS["config-binding"]?.safeParse(JSON.parse(ran.out)).error).toBeUndefined();
  });

  it("what a manifest is called cannot command the terminal", async () => {
    const input = POD.replace("name: web }", 'name: "\\e[31mred" }').replace("settings", "none");
    const ran = await asfound({ cwd: folder(files), input }, "config", "bind", "-f", "-");
    expect(ran.err).toContain("\\x1b[31mred");
    expect(ran.err).not.toContain("\u001b[31m");
  });

  it("a folder becomes one stream; with --write each file is written back, and nothing else", async () => {
    const cwd = folder({
      "k8s/a.yaml": POD.trimEnd(),
      "k8s/b.json": '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}',
      "conf/MODE": "fast",
    });
    chmodSync(join(cwd, "k8s/a.yaml"), 0o640);
    const words = ["config", "bind", "-f", "k8s", "--from-file", "settings=conf"];
    const printed = await asfound({ cwd }, ...words);
    expect(printed.out.split("---\n")).toHaveLength(3);
    const ran = await asfound({ cwd }, ...words, "--write");
    expect([ran.code, ran.out]).toEqual([0, ""]);
    expect(ran.err.match(/wrote \S+/g)).toEqual(["wrote k8s/a.yaml"]);
    expect(readFileSync(join(cwd, "k8s/a.yaml"), "utf8")).toContain("settings-2662a2a642");
    const before = readFileSync(join(cwd, "k8s/a.yaml"), "utf8");
    expect((await asfound({ cwd }, ...words, "--write")).err).not.toContain("wrote");
    expect(readFileSync(join(cwd, "k8s/a.yaml"), "utf8")).toBe(before);
  });
});

describe("refused, and nothing written", () => {
  const refused = async (cwd: string, ...more: readonly string[]): Promise<string> => {
    const before = readFileSync(join(cwd, "web.yaml"), "utf8");
    const ran = await asfound({ cwd }, "config", "bind", "-f", "web.yaml", "--write", ...more);
    expect(readFileSync(join(cwd, "web.yaml"), "utf8")).toBe(before);
    expect(ran.out).toBe("");
    return `${ran.code}: ${ran.err}`;
  };
  const from = ["--from-file", "settings=conf"] as const;

  const SPOILED: readonly (readonly [what: string, spoil: (cwd: string) => void, says: string])[] = [
    [
      "a folder in it",
      (cwd) => void mkdirSync(join(cwd, "conf", "more")),
      "2: asfound: conf/more: it is a folder, and a ConfigMap has none; give it as a ConfigMap of its own",
    ],
    [
      "a link out of it",
      (cwd) => symlinkSync("/etc/hostname", join(cwd, "conf", "host")),
      "2: asfound: conf/host: it is a link that leads out of the folder; copy the file, or name it by itself",
    ],
    [
      "a link to itself",
      (cwd) => symlinkSync("loop", join(cwd, "conf", "loop")),
      "2: asfound: conf: its symbolic links form a circle",
    ],
    [
      "a name that is no key",
      (cwd) => writeFileSync(join(cwd, "conf", "a b"), ""),
      "2: asfound: conf/a b: it cannot be a key of a ConfigMap: a key has letters, digits, '-', '_' and '.' only",
    ],
    [
      "what is too large",
      (cwd) => writeFileSync(join(cwd, "conf", "big"), Buffer.alloc(1024 * 1024 + 1)),
      "2: asfound: conf/big: it has 1048577 bytes, and a ConfigMap takes at most 1048576 (1 MiB); mount large files from a volume, or split it",
    ],
    [
      "a secret",
      (cwd) => writeFileSync(join(cwd, "conf", "token"), "abc"),
      "23: conf: token: this looks like a secret: its key says that it is a secret; keep it in a Secret, or say --allow settings/token",
    ],
    [
      "a pipe",
      (cwd) => void execFileSync("mkfifo", [join(cwd, "conf", "pipe")]),
      "2: asfound: conf/pipe: it is a pipe, socket or device, not an ordinary file",
    ],
    [
      "a manifest that is none",
      (cwd) => writeFileSync(join(cwd, "web.yaml"), `${POD}---\n- 1\n`),
      "2: web.yaml:10:1: this is not a Kubernetes object: it needs apiVersion and kind",
    ],
    [
      "broken YAML",
      (cwd) => writeFileSync(join(cwd, "web.yaml"), `${POD}---\na: [1\n`),
      "2: web.yaml:11:1: this is not valid YAML",
    ],
    [
      "a key that stands twice",
      (cwd) => writeFileSync(join(cwd, "web.yaml"), `${POD}---\n${POD}kind: Pod\n`),
      "2: web.yaml:18:1: kind: the key kind stands here a second time",
    ],
  ];
  it.for(SPOILED)("%s", async ([, spoil, says]) => {
    const cwd = folder(files);
    spoil(cwd);
    expect(await refused(cwd, ...from)).toContain(says);
  });

  it("no such source, no such manifest, --write of a pipe", async () => {
    const cwd = folder(files);
    expect(await refused(cwd, "--from-file", "settings=nowhere")).toContain(
      "nowhere: there is no such file or folder",
    );
    expect(await refused(cwd, "--from-file", "nothing")).toContain("must be NAME=PATH");
    const missing = await asfound({ cwd }, "config", "bind", "-f", "nowhere");
    expect([missing.code, missing.err]).toEqual([2, "asfound: nowhere: there is no such file or folder\n"]);
    const pipe = await asfound({ cwd, input: POD }, "config", "bind", "-f", "-", "--write");
    expect([pipe.code, pipe.err]).toEqual([2, expect.stringContaining("-f - is none")]);
  });
});

const list = (config: JsonObject, ...items: readonly JsonObject[]): string =>
  stringify({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items, functionConfig: config });
const configBind = (spec: JsonObject): JsonObject => ({
  apiVersion: "asfound.dev/v1alpha1",
  kind: "ConfigBind",
  metadata: { name: "bind" },
  spec,
});

describe("as a kustomize function", () => {
  it("takes its sources from functionConfig, keeps kustomize's annotations, and tells by results", async () => {
    const pod = parse(POD) as JsonObject;
    const annotations = { "internal.config.kubernetes.io/index": "3", "config.kubernetes.io/index": "3" };
    const marked = { ...pod, metadata: { name: "web", annotations } };
    const input = list(configBind({ sources: [{ name: "settings", folder: "conf" }] }), marked);
    const ran = await asfound({ cwd: folder(files), input }, "config", "bind", "-f", "-");
    expect(ran.code, ran.err).toBe(0);
    const out = parse(ran.out);
    expect(out).toMatchObject({
      kind: "ResourceList",
      items: [
        { kind: "ConfigMap", immutable: true },
        { kind: "Pod", metadata: { annotations } },
      ],
      results: [
        { severity: "info", message: "ConfigMap settings is bound as settings-2662a2a642 (1 reference)" },
      ],
    });
  });

  it.for([
    [{ kind: "Other" }, "functionConfig must be a ConfigBind of asfound.dev/v1alpha1"],
    [configBind({ files: [] }), "functionConfig: spec.files is not known here"],
    [configBind({ sources: ["conf"] }), "functionConfig: spec.sources must be a list"],
  ] as const)("a fault of %j", async ([config, says]) => {
    const ran = await asfound(
      { cwd: folder(files), input: list(config as JsonObject) },
      "config",
      "bind",
      "-f",
      "-",
    );
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain(says);
  });
});

describe("--check", () => {
  const BAD = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { MODE: fast }
---
${POD.replace("# a comment\n", "").replace("name: web }", 'name: web, annotations: { checksum/config: "[a](b)" } }')}`;

  it("tells each fault with its line, and exits 10; 0 where none is, 20 where nothing takes config", async () => {
    const cwd = folder({ "bad.yaml": BAD, "none.yaml": BAD.slice(0, BAD.indexOf("---")) });
    const check = (file: string, ...more: readonly string[]) =>
      asfound({ cwd }, "config", "bind", "--check", "-f", file, ...more);
    const bad = await check("bad.yaml");
    expect(bad.code).toBe(10);
    expect(bad.out).toContain("bad.yaml:8:56: checksum-opaque");
    expect(bad.out).toContain("asfound config bind -f bad.yaml");
    expect((await check("none.yaml")).code).toBe(20);
    writeFileSync(join(cwd, "good.yaml"), (await asfound({ cwd }, "config", "bind", "-f", "bad.yaml")).out);
    expect((await check("good.yaml")).code).toBe(0);
    expect(readFileSync(join(cwd, "bad.yaml"), "utf8")).toBe(BAD);
  });

  it("as JSON, SARIF and GitHub's commands", async () => {
    const cwd = folder({ "a b.yaml": BAD });
    const check = async (output: string): Promise<string> =>
      (await asfound({ cwd }, "config", "bind", "--check", "-f", "a b.yaml", "-o", output)).out;
    expect(API_SCHEMAS["config-check"]?.safeParse(JSON.parse(await check("json"))).error).toBeUndefined();
    const [run] = JSON.parse(await check("sarif")).runs;
    expect(run.results[0]).toMatchObject({
      ruleId: "checksum-opaque",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "a%20b.yaml" },
            region: { startLine: 8, startColumn: 56 },
          },
        },
      ],
    });
    expect(await check("github")).toMatch(
      /^::error file=a b\.yaml,line=8,col=56,title=checksum-opaque::Pod web has/,
    );
  });

  it("what is for binding is not for checking, and the other way round", async () => {
    const cwd = folder({ "bad.yaml": BAD });
    for (const words of [
      ["--check", "--write"],
      ["--check", "--from-live"],
      ["-o", "sarif"],
    ]) {
      const ran = await asfound({ cwd }, "config", "bind", "-f", "bad.yaml", ...words);
      expect([ran.code, ran.out]).toEqual([2, ""]);
    }
  });
});
