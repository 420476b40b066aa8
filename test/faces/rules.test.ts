/** `--rules FILE`: what a file says a status means is what is judged; whatever is wrong with it is said at its line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ARGO_ROLLOUT } from "../../src/judge/custom/argo-rollout.ts";
import { parseRules } from "../../src/wire/rules/parse.ts";
import { rulesJsonSchema } from "../../src/wire/rules/schema.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { at, list } from "../support/kubernetes/object.ts";
import { customResource } from "../support/kubernetes/others.ts";
import { asfound, folder } from "./terminal.ts";

const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: KindRules\nrules:\n";
const WIDGET = `  - group: example.com
    kind: Widget
    plural: widgets
    generation: { field: status.observedGeneration }
    ready: [{ condition: Ready }]
    failed: [{ condition: Stalled }]
    progressing: [{ condition: Ready, is: Unknown }]
`;

const condition = (type: string, status: string) => ({ type, status, reason: "Said", message: "so it is" });

const place = (rules: string, ...conditions: readonly object[]): string => {
  const cwd = folder();
  writeFileSync(join(cwd, "rules.yaml"), rules);
  const widget = customResource({ observedGeneration: 1, conditions: conditions as [] });
  const saved = { "widgets.example.com.json": list([widget]), "snapshot.json": { at: at(READ_AT) } };
  for (const [name, value] of Object.entries(saved)) writeFileSync(join(cwd, name), JSON.stringify(value));
  return cwd;
};

const verify = (cwd: string, ...words: readonly string[]) =>
  asfound({ cwd }, "verify", "widget/one", "-n", "shop", "--from", "widgets.example.com.json", ...words);

describe("verify --rules", () => {
  it.each([
    ["proven", 0, [condition("Ready", "True")], "its controller reports it done: Ready is True"],
    ["refuted", 10, [condition("Ready", "True"), condition("Stalled", "True")], "Stalled is True"],
    ["progressing", 30, [condition("Ready", "Unknown")], "Ready is Unknown"],
    ["undetermined", 20, [condition("Ready", "False")], "neither that this is under way nor that it failed"],
    ["undetermined", 20, [condition("Ready", "True"), condition("Stalled", "Unknown")], "cannot be told"],
    ["undetermined", 20, [], "without Widget shop/one the condition Ready"],
  ] as const)("%s (exit %i)", async (verdict, code, conditions, says) => {
    const ran = await verify(place(HEAD + WIDGET, ...conditions), "--rules", "rules.yaml");
    expect(ran.err).toBe("");
    expect(ran).toMatchObject({ code });
    expect(ran.out).toContain(verdict);
    expect(ran.out).toContain(says);
  });

  it("says by which rule, and without one how to write it", async () => {
    const cwd = place(HEAD + WIDGET, condition("Ready", "True"));
    const json = JSON.parse((await verify(cwd, "--rules", "rules.yaml", "-o", "json")).out);
    const limits = json.findings.flatMap((one: { limits: string[] }) => one.limits);
    expect(limits).toContain("by the rule for Widget (example.com) in rules.yaml");
    const none = await verify(cwd);
    expect(none).toMatchObject({ code: 20 });
    expect(none.out).toContain("name the file with --rules (docs/guide/custom-kinds.md)");
    expect(none.out).not.toContain("src/judge");
  });

  it("a Verification file names its rule files, from where it stands", async () => {
    const cwd = place(HEAD + WIDGET, condition("Ready", "True"));
    writeFileSync(
      join(cwd, "check.yaml"),
      "apiVersion: asfound.dev/v1alpha1\nkind: Verification\ntarget: { kind: widgets.example.com, name: one, namespace: shop }\nrules: [rules.yaml]\n",
    );
    const words = ["verify", "-f", join(cwd, "check.yaml"), "--from", join(cwd, "widgets.example.com.json")];
    expect(await asfound({ cwd: folder() }, ...words)).toMatchObject({ code: 0 });
  });

  it("a sweep takes in what the rule is about, by its plural", async () => {
    const cwd = place(HEAD + WIDGET, condition("Ready", "True"));
    const sweep = (...words: readonly string[]) =>
      asfound({ cwd }, "verify", "widgets", "-A", "--from", "widgets.example.com.json", ...words);
    expect(await sweep("--rules", "rules.yaml")).toMatchObject({ code: 0 });
    expect(await sweep()).toMatchObject({ code: 20 });
  });
});

const BOMB = `a: &a [${"x,".repeat(1_000)}]
b: &b [${"*a,".repeat(1_000)}]
c: [${"*b,".repeat(1_000)}]
`;

describe("what is wrong with a rule file is said at its place, and nothing is judged", () => {
  const rule = (change: (text: string) => string): string => HEAD + change(WIDGET);
  it.each<[string, string, RegExp]>([
    ["nothing", "", /^rules\.yaml:1:1: the file must be an object, not empty/],
    [
      "another kind",
      "apiVersion: asfound.dev/v1alpha1\nkind: Stack\nrules: []\n",
      /^rules\.yaml:2:1: kind: must be KindRules$/m,
    ],
    [
      "a field that it does not have",
      rule((text) => text.replace("ready:", "reedy:")),
      /^rules\.yaml:8:5: rules\.0\.reedy: reedy is no field here$/m,
    ],
    [
      "a condition that says neither",
      rule((text) => text.replace("condition: Ready }", "condition: Ready, is: Yes }")),
      /^rules\.yaml:8:\d+: rules\.0\.ready\.0\.is: must be True, False or Unknown, of a condition$/m,
    ],
    [
      "a test of nothing",
      rule((text) => text.replace("{ condition: Stalled }", "{ is: x }")),
      /^rules\.yaml:9:\d+: rules\.0\.failed\.0: must name one condition or one field$/m,
    ],
    [
      "two words about one field",
      rule((text) => text.replace("{ condition: Stalled }", "{ field: status.a, is: x, isNot: y }")),
      /rules\.0\.failed\.0: must say one of is, isNot, same, other, exists of the field$/m,
    ],
    [
      "a field of nowhere",
      rule((text) => text.replace("{ condition: Stalled }", "{ field: data.a, is: x }")),
      /rules\.0\.failed\.0\.field: must begin with status, spec or metadata$/m,
    ],
    [
      "a field that is none",
      rule((text) => text.replace("{ condition: Stalled }", "{ field: 'status..a', is: x }")),
      /rules\.0\.failed\.0\.field: must be a field as status\.phase/,
    ],
    [
      "ready by its being there",
      rule((text) => text.replace("{ condition: Ready }", "{ field: status.url, exists: true }")),
      /rules\.0\.ready\.0\.exists: says only that something is there/,
    ],
    [
      "ready by what a field is not",
      rule((text) => text.replace("{ condition: Ready }", "{ field: status.phase, isNot: Failed }")),
      /rules\.0\.ready\.0\.isNot: says only what the field is not; say what it has to be$/m,
    ],
    [
      "ready by nobody's knowing",
      rule((text) => text.replace("{ condition: Ready }", '{ condition: Ready, is: ["True", Unknown] }')),
      /rules\.0\.ready\.0\.is: Unknown is not ready; say True or False$/m,
    ],
    [
      "ready by its spec alone",
      rule((text) => text.replace("{ condition: Ready }", "{ field: spec.paused, is: false }")),
      /rules\.0\.ready: must read status somewhere/,
    ],
    [
      "a generation of the spec",
      rule((text) => text.replace("status.observedGeneration", "spec.generation")),
      /rules\.0\.generation\.field: must be a field of status/,
    ],
    [
      "a field whose generation nothing tells",
      rule((text) =>
        text
          .replace("{ field: status.observedGeneration }", "conditions")
          .replace("{ condition: Stalled }", "{ field: status.phase, is: x }"),
      ),
      /rules\.0\.failed\.0\.field: with generation: conditions nothing says which generation this field speaks of/,
    ],
    [
      "counters whose generation nothing tells",
      rule(
        (text) =>
          `${text.replace("{ field: status.observedGeneration }", "none")}    pods: { updated: status.a, available: status.b }\n`,
      ),
      /rules\.0\.pods: with generation: none nothing says which generation its counters speak of/,
    ],
    [
      "a counter that is none",
      rule((text) => `${text}    pods: { updated: spec.replicas, available: status.a.b }\n`),
      /rules\.0\.pods\.updated: must be a counter of status[\s\S]*rules\.0\.pods\.available: must be a counter/,
    ],
    [
      "an owner that is none of Kubernetes' own",
      rule((text) => `${text}    pods: { owners: [Widget], updated: status.a, available: status.b }\n`),
      /rules\.0\.pods\.owners\.0: /,
    ],
    [
      "a kind that has rules",
      rule((text) =>
        text.replace("group: example.com", "group: apps").replace("kind: Widget", "kind: Deployment"),
      ),
      /^rules\.yaml:5:\d+: rules\.0\.kind: asfound judges Deployment by rules of its own$/m,
    ],
    [
      "a kind twice",
      HEAD + WIDGET + WIDGET,
      /^rules\.yaml:12:\d+: rules\.1\.kind: Widget has a rule above already$/m,
    ],
    [
      "keys of a prototype",
      `${HEAD}${WIDGET}    __proto__: { polluted: true }\n    constructor: x\n`,
      /the key __proto__ is not allowed/,
    ],
    ["an alias bomb", BOMB + HEAD, /^rules\.yaml/],
    ["an alias of itself", `${HEAD}  - &a [*a]\n`, /^rules\.yaml/],
    ["what nests deep", HEAD + "[".repeat(5_000), /nested deeper than 100 levels|^rules\.yaml/],
    ["no text", "\u0000\u0001", /control character/],
    [
      "more than can be read",
      `${HEAD}#${"x".repeat(9 * 1024 * 1024)}`,
      /^rules\.yaml: the file cannot be read: it has/,
    ],
    ["a thousand rules", HEAD + WIDGET.repeat(1_000), /^rules\.yaml/],
    ["escapes", `${HEAD}  - group: "\\e[31m"\n`, /^rules\.yaml/],
  ])("%s", async (_, text, says) => {
    const cwd = place(text, condition("Ready", "True"));
    const ran = await verify(cwd, "--rules", "rules.yaml");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(says);
    expect(ran.err.length).toBeLessThan(8_000);
    expect(ran.err).not.toContain("\u001b");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("a file that is not there, and one kind in two files", async () => {
    const cwd = place(HEAD + WIDGET, condition("Ready", "True"));
    const missing = await verify(cwd, "--rules", "none.yaml");
    expect(missing).toMatchObject({ code: 2, out: "" });
    expect(missing.err).toContain("none.yaml: the file cannot be read");
    writeFileSync(join(cwd, "more.yaml"), HEAD + WIDGET);
    const twice = await verify(cwd, "--rules", "rules.yaml", "--rules", "more.yaml");
    expect(twice).toMatchObject({ code: 2, out: "" });
    expect(twice.err).toContain("more.yaml: Widget has a rule in rules.yaml already");
  });
});

it("the rule that asfound has for Argo Rollouts is the one that stands in the guide's example", async () => {
  const file = join(import.meta.dirname, "../../docs/guide/examples/argo-rollouts.yaml");
  const parsed = await parseRules(readFileSync(file, "utf8"), "argo-rollouts.yaml", () => false);
  expect(parsed).toEqual({ rules: [{ ...ARGO_ROLLOUT, source: "argo-rollouts.yaml" }] });
});

it("the published schema is the one that checks", () =>
  expect(readFileSync(join(import.meta.dirname, "../../schema/rules.json"), "utf8")).toBe(rulesJsonSchema()));
