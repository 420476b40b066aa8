/** E5: what is never written, and that what is left still tells equal from different. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { withoutSecrets } from "./without-secrets.ts";

const KEY = new Uint8Array(32).fill(7);
const CANARY = "canary-7f31";
const kept = (object: JsonObject, isSecret = false) => withoutSecrets(object, isSecret, KEY);
const MARK = /removed:hmac-sha256:[0-9a-f]{64}/;

const application = (values: {
  readonly user: string;
  readonly parameter: string;
  readonly values: JsonValue;
}): JsonObject => ({
  kind: "Application",
  spec: {
    source: {
      repoURL: `https://${values.user}@git.example/shop.git`,
      helm: {
        parameters: [{ name: "password", value: values.parameter }],
        values: values.values,
        valuesObject: { db: { password: values.parameter } },
        valueFiles: ["values.yaml"],
      },
      directory: { jsonnet: { tlas: [{ name: "t", value: values.parameter }], extVars: [] } },
      plugin: { parameters: [{ name: "p", string: values.parameter }], env: [{ name: "E", value: "x" }] },
    },
  },
});

describe("E5: a source of Argo CD", () => {
  const made = kept(application({ user: `u:${CANARY}`, parameter: CANARY, values: `p: ${CANARY}` }));

  it("hands on nothing that is written, each place is told, and names stay", () => {
    const text = JSON.stringify(made.object);
    expect(text).not.toContain(CANARY);
    expect(text).toContain('"name":"password"');
    expect(text).toContain('"valueFiles":["values.yaml"]');
    expect(text).toMatch(/https:\/\/removed:hmac-sha256:[0-9a-f]{64}@git\.example\/shop\.git/);
    expect([...made.removed].sort()).toEqual([
      "/spec/source/directory/jsonnet/tlas/0/value",
      "/spec/source/helm/parameters/0/value",
      "/spec/source/helm/values",
      "/spec/source/helm/valuesObject",
      "/spec/source/plugin/env/0/value",
      "/spec/source/plugin/parameters/0/string",
      "/spec/source/repoURL",
    ]);
  });

  it("two of one value are equal, two of others are not", () => {
    const of = (parameter: string) =>
      JSON.stringify(kept(application({ user: "u:p", parameter, values: "" })).object);
    expect(of("a")).toBe(of("a"));
    expect(of("a")).not.toBe(of("b"));
  });
});

describe("E5: a URL's user", () => {
  it.each([
    ["postgres://u:s3c@ret@db/x", true],
    ["https://s3c-token@git.example/x", true],
    ["wait for http://a:s3c@h and http://b:s3c@i", true],
    ["ssh://git@git.example/x", false],
    ["https://git.example/x?mail=a@b", false],
    ["registry.example/web@sha256:12", false],
  ])("%s", (text, isRemoved) => {
    const made = kept({ args: [text] });
    expect(JSON.stringify(made.object)).not.toContain("s3c");
    expect(made.removed.length > 0).toBe(isRemoved);
    if (!isRemoved) expect(made.object).toEqual({ args: [text] });
  });

  it("stays in a ConfigMap's content, which is kept whole, and nowhere else in it", () => {
    const url = "postgres://u:p@db/x";
    const made = kept({ metadata: { annotations: { a: url } }, data: { url } });
    expect(made.object["data"]).toEqual({ url });
    expect(made.removed).toEqual(["/metadata/annotations/a"]);
  });
});

it("what was removed before is left as it is where that is wanted, and told where not", () => {
  const once = kept({ env: [{ name: "A", value: CANARY }], args: [`http://u:${CANARY}@h`] }).object;
  expect(withoutSecrets(once, false, KEY, "", "leave")).toEqual({ object: once, removed: [] });
  expect(kept(once).removed).toEqual(["/env/0/value", "/args/0"]);
});

it("of a Secret nothing is left but its keys, whatever the rest is", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ minLength: 1 })), (data) => {
      const made = kept({ kind: "Secret", data, stringData: { k: `http://u:${CANARY}@h` } }, true);
      const values = Object.values(made.object["data"] as JsonObject);
      return (
        values.every((value) => MARK.test(String(value))) &&
        !JSON.stringify(made.object).includes(CANARY) &&
        made.removed.length === values.length + 1
      );
    }),
  );
});
