/** Binding by example: what is refused, what is left, and the corners of the text that drawn manifests do not reach. */
import { describe, expect, it } from "vitest";
import type { BindOptions } from "./bind.ts";
import { parseDeclaredPath } from "./declared-path.ts";
import { bindFiles } from "./files.ts";
import { isVersionOf, versionedName } from "./names.ts";
import { NONE_DECLARED } from "./references.ts";
import type { GivenConfig } from "./sources.ts";
import { openStream } from "./stream.ts";

const NOTHING: BindOptions = { given: [], namespace: null, allowed: new Set(), declared: NONE_DECLARED };

const given = (name: string, data: Record<string, string>, namespace: string | null = null): GivenConfig => ({
  name,
  namespace,
  content: { data },
  from: `--from-file ${name}`,
});

const bound = async (text: string, options: Partial<BindOptions> = {}) => {
  const stream = await openStream(text, "in.yaml");
  if ("faults" in stream) return { refused: stream.faults.map(({ message }) => message) };
  const made = await bindFiles([stream], { ...NOTHING, ...options });
  if ("faults" in made)
    return {
      refused: made.faults.map(({ line, message }) => `${line === null ? "" : `${line}: `}${message}`),
    };
  if ("secrets" in made)
    return { secret: made.secrets.map(({ line, message }) => `${line ?? "-"}: ${message}`) };
  return { text: String(made.files[0]?.text), binding: made.binding };
};

const CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { MODE: fast }\n";
const pod = (env: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      env:
        - name: MODE
          valueFrom: { configMapKeyRef: ${env} }
`;
const USES = pod("{ name: settings, key: MODE }");

describe("names", () => {
  it("are of the bytes: a trailing newline is another digest", async () => {
    const names = async (data: Record<string, string>) =>
      (await bound(USES, { given: [given("settings", data)] })).binding?.bound[0]?.boundAs;
    expect(await names({ MODE: "fast" })).not.toBe(await names({ MODE: "fast\n" }));
    // printf fast > MODE; sha256sum MODE | sha256sum
    expect(await names({ MODE: "fast" })).toBe("settings-2662a2a642");
  });

  it("are shortened where the API would not take them, and still known as versions of the whole name", () => {
    const base = `${"a".repeat(241)}.${"b".repeat(11)}`;
    const name = versionedName(base, "0123456789abcdef");
    expect(name).toBe(`${"a".repeat(241)}-0123456789`);
    expect(isVersionOf(name, base)).toBe(true);
    expect(isVersionOf("settings-0123456789", "settings")).toBe(true);
    expect(isVersionOf("settings-012345678x", "settings")).toBe(false);
    expect(isVersionOf("settings-x-0123456789", "settings")).toBe(false);
  });

  it("that would meet are refused", async () => {
    const other = CONFIG.replace("name: settings", "name: settings-2662a2a642").replace("fast", "other");
    expect(await bound(`${CONFIG}---\n${other}---\n${USES}`)).toEqual({
      refused: [
        "settings would be named settings-2662a2a642, as ConfigMap settings-2662a2a642 is; give one of them another name",
      ],
    });
  });
});

describe("a new version", () => {
  it("takes the references of the one before, which stays for rollbacks", async () => {
    const first = await bound(USES, { given: [given("settings", { MODE: "fast" })] });
    const second = await bound(String(first.text), { given: [given("settings", { MODE: "slow" })] });
    const names = second.binding?.bound.map(({ boundAs }) => boundAs);
    expect(names).toEqual(["settings-ddd5d1add9"]);
    expect(second.text).toContain("configMapKeyRef: { name: settings-ddd5d1add9, key: MODE }");
    expect(second.binding?.left).toEqual([
      "ConfigMap settings-2662a2a642: an older version of settings; it is left for rollbacks",
    ]);
  });

  it("comes of an edit of the bound object itself", async () => {
    const first = await bound(`${CONFIG}---\n${USES}`);
    const second = await bound(String(first.text).replace("MODE: fast", "MODE: slow"));
    expect(second.text?.match(/settings-[0-9a-f]{10}/g)).toEqual([
      "settings-ddd5d1add9",
      "settings-ddd5d1add9",
    ]);
    expect(second.text).toContain('"asfound.dev/config":"settings"');
  });
});

describe("what is left, and why", () => {
  it.for([
    [
      "a Secret",
      USES.replace("configMapKeyRef", "secretKeyRef"),
      "a Secret: a name made from its bytes would let them be guessed",
    ],
    ["no source", USES, "it is not among the sources"],
    [
      "another namespace",
      `${CONFIG.replace("settings }", "settings, namespace: shop }")}---\n${USES}`,
      "the source of that name is of namespace shop",
    ],
    ["no name", pod("{ name: 12, key: MODE }"), "what stands there is not a name"],
  ] as const)("%s", async ([, text, why]) => {
    const made = await bound(text);
    expect(made.binding?.places.map((place) => place.why)).toEqual([why]);
    expect(made.text).toBe(text);
  });

  it("a ConfigMap that nothing refers to keeps its name: somebody may read it by that", async () => {
    const made = await bound(CONFIG);
    expect(made.text).toBe(CONFIG);
    expect(made.binding?.left).toEqual([
      "ConfigMap settings: nothing here refers to it, so it keeps its name",
    ]);
  });

  it("what a Role permits by name", async () => {
    const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r }\nrules:\n- { apiGroups: [""], resources: [configmaps], verbs: [get], resourceNames: [settings] }\n`;
    const made = await bound(`${CONFIG}---\n${USES}---\n${role}`);
    expect(made.binding?.places.find(({ naming }) => naming === "rbac")?.why).toBe(
      "it permits reading by this name; settings-2662a2a642 is another",
    );
  });
});

describe("refused, in one sentence", () => {
  it.for([
    [
      "a key that is not there",
      `${CONFIG}---\n${pod("{ name: settings, key: SPEED }")}`,
      "15: it needs the key SPEED of settings, which has none: no container would start",
    ],
    [
      "twice the same",
      `${CONFIG}---\n${CONFIG}---\n${USES}`,
      "8: ConfigMap settings stands here a second time; remove one",
    ],
    [
      "a value that is no text",
      `${CONFIG.replace("fast", "12")}---\n${USES}`,
      "4: the value is not a text; put it in quotes",
    ],
    [
      "a key that none can be",
      `${CONFIG.replace("MODE: fast", '"a b": c')}---\n${USES}`,
      "4: a key has letters, digits, '-', '_' and '.' only",
    ],
    [
      "base64 that is none",
      `${CONFIG.replace("data: { MODE: fast }", "binaryData: { a: '*' }")}---\n${USES}`,
      "4: the value is not base64",
    ],
    [
      "annotations that are a list",
      `${CONFIG}---\n${USES.replace("  name: web\n", "  name: web\n  annotations: [a]\n")}`,
      "10: it is not a mapping",
    ],
    [
      "an anchor that others share",
      `${CONFIG}---\n${pod("{ name: &n settings, key: MODE }").replace("name: web\nspec", "name: web\n  labels: { a: x }\nspec")}  nodeName: *n\n`,
      "6: a change here would change other places too, as an anchor (&name) is shared with them; write the part out without it",
    ],
    ["no object", "a: 1\n", "this is not a Kubernetes object: it needs apiVersion and kind"],
    [
      "merge keys",
      "apiVersion: v1\nkind: Pod\nmetadata: &m { name: a }\nspec: { <<: *m }\n",
      "merge keys (<<) are not supported; write the fields out",
    ],
  ] as const)("%s", async ([, text, why]) => {
    expect(await bound(text)).toEqual({ refused: [why] });
  });

  it("one source for two namespaces", async () => {
    const text = `${USES}---\n${USES.replace("name: web\nspec", "name: web\n  namespace: shop\nspec")}`;
    expect(await bound(text, { given: [given("settings", { MODE: "a" })] })).toEqual({
      refused: [
        "settings is referred to in 2 namespaces (one that is not named, shop); give it for each, as NAMESPACE/settings=PATH",
      ],
    });
    const each = [given("settings", { MODE: "a" }, "shop")];
    expect((await bound(text, { given: each })).binding?.places.map(({ to }) => to)).toEqual([
      null,
      "settings-436edea6ec",
    ]);
  });

  it("more than 1 MiB", async () => {
    expect(await bound(USES, { given: [given("settings", { MODE: "x".repeat(1024 * 1024 + 1) })] })).toEqual({
      refused: [
        "it has 1048577 bytes, and a ConfigMap takes at most 1048576 (1 MiB); mount large files from a volume, or split it",
      ],
    });
  });
});

describe("secrets in a ConfigMap", () => {
  it.for([
    ["MODE", "-----BEGIN RSA PRIVATE KEY-----\nabc\n"],
    ["MODE", "postgres://shop:hunter2@db/shop"],
    ["MODE", `AKIA${"A".repeat(16)}`],
    ["MODE", `ghp_${"a".repeat(36)}`],
    ["MODE", "a: 1\npassword: hunter2\n"],
    ["MODE", '{"token": "abc"}'],
    ["MODE", '{"db":{"host":"a","password":"hunter2"}}'],
    ["MODE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh"],
    ["DB_PASSWORD", "hunter2"],
    ["apiKey", "abc"],
  ] as const)("%s: %s", async ([key, value]) => {
    const options = { given: [given("settings", { MODE: "", [key]: value })] };
    const made = await bound(USES, options);
    expect(made.secret?.[0]).toMatch(new RegExp(`--allow settings/${key}$`));
    expect(JSON.stringify(made)).not.toContain("hunter2");
    expect((await bound(USES, { ...options, allowed: new Set([`settings/${key}`]) })).text).toBeDefined();
  });

  it.for([
    ["MODE", "fast"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file
    ["MODE", "a: 1\npassword: ${DB_PASSWORD}\ntoken_file: /run/token\n"],
    ["MODE", "https://example.com:8080/a@b"],
    ["passwordMinLength", "12"],
    ["password", "$(DB_PASSWORD)"],
    ["secret", ""],
    ["tokenFile", "/run/secrets/token"],
  ] as const)("control: %s: %s is none", async ([key, value]) => {
    expect(
      (await bound(USES, { given: [given("settings", { MODE: "", [key]: value })] })).secret,
    ).toBeUndefined();
  });
});

describe("text", () => {
  it("keeps lines that end as Windows has them", async () => {
    const made = await bound(`${CONFIG}---\n${USES}`.replaceAll("\n", "\r\n"));
    expect(made.text?.replaceAll("\r\n", "")).not.toContain("\n");
    expect(made.text).toContain("name: settings-2662a2a642, key");
  });

  it("keeps quotes, anchors and flow as they were", async () => {
    const text = `${CONFIG}---\n${pod("{ name: 'settings', key: MODE }")}---\n${pod('{name: "settings", key: MODE}').replace("name: web", "name: two")}`;
    const made = await bound(text);
    expect(made.text).toContain("{ name: 'settings-2662a2a642', key: MODE }");
    expect(made.text).toContain('{name: "settings-2662a2a642", key: MODE}');
  });

  it("one JSON object becomes a List with what is added", async () => {
    const json = JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a" },
      spec: { containers: [{ name: "a", envFrom: [{ configMapRef: { name: "settings" } }] }] },
    });
    const made = await bound(json, { given: [given("settings", { MODE: "fast" })] });
    expect(JSON.parse(String(made.text))).toMatchObject({
      kind: "List",
      items: [{ kind: "ConfigMap", immutable: true }, { kind: "Pod" }],
    });
  });

  it("texts made to hold a search up cost as much as they are long", async () => {
    for (const piece of ["eyJaaaaaaaa-", "a://b:c", "-----BEGIN AAAA ", '"a":"b', "password ", "  - "]) {
      const text = piece.repeat(Math.floor((1024 * 1024) / piece.length));
      await bound(USES, { given: [given("settings", { MODE: text })] });
    }
  });

  it("many documents cost as much as they are long", async () => {
    const many = Array.from(
      { length: 2_000 },
      (_, at) =>
        `${CONFIG.replace("settings", `s${at}`)}---\n${USES.replace("settings", `s${at}`).replace("name: web", `name: w${at}`)}`,
    );
    const made = await bound(many.join("---\n"));
    expect(made.binding?.bound.length).toBe(2_000);
  });
});

describe("declared places", () => {
  const paths = (text: string) => {
    const parsed = parseDeclaredPath(text);
    if ("fault" in parsed) throw new Error(parsed.fault);
    return [parsed];
  };
  const CUSTOM =
    "apiVersion: a.dev/v1\nkind: Thing\nmetadata: { name: t }\nspec:\n  configs: [settings, other]\n  pod:\n    spec: { containers: [{ name: c, envFrom: [{ configMapRef: { name: settings } }] }] }\n";
  it("names and templates of other kinds", async () => {
    const made = await bound(`${CONFIG}---\n${CUSTOM}`, {
      declared: { references: paths("Thing.a.dev:spec.configs[]"), templates: paths("Thing.a.dev:spec.pod") },
    });
    expect(made.text).toContain("configs: [settings-2662a2a642, other]");
    expect(made.text).toContain("configMapRef: { name: settings-2662a2a642 }");
    expect(made.text).toMatch(/ {2}pod:\n {4}metadata:\n {6}annotations:\n {8}checksum\/config: "2662a2a642/);
  });
  it.for(["Thing", "Thing:", ":spec", "Thing:a..b", "Thing:.a"])("%s is refused", (text) => {
    expect(parseDeclaredPath(text)).toHaveProperty("fault");
  });
});
