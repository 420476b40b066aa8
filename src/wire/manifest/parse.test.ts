import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable } from "../redact/printable.ts";
import { formatFault, MAX_FAULTS } from "./fault.ts";
import { type ParseOptions, parseStackObject, parseStackText } from "./parse.ts";
import { locate } from "./text.ts";

const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: shop }\n";
const ref = (inside: string): string => `$${`{${inside}}`}`;

const parse = (text: string, more: Partial<ParseOptions> = {}) =>
  parseStackText(text, { file: "asfound.yaml", vars: new Map(), ...more });

const stack = async (text: string, more: Partial<ParseOptions> = {}) => {
  const parsed = await parse(text, more);
  if ("faults" in parsed) throw new Error(parsed.faults.map(formatFault).join("\n"));
  return parsed.stack;
};

/** The faults as a person sees them, without the file's name. */
const faults = async (text: string, more: Partial<ParseOptions> = {}): Promise<string[]> => {
  const parsed = await parse(text, more);
  return "faults" in parsed
    ? parsed.faults.map((fault) => formatFault(fault).replace("asfound.yaml:", ""))
    : [];
};

const step = (fields: string): string =>
  `${HEAD}steps:\n  a:\n    uses: exec\n${fields.replace(/^/gm, "    ")}\n`;

describe("a good file", () => {
  it("becomes a stack, in the file's order, with its defaults", async () => {
    const read = await stack(
      `# yaml-language-server: $schema=stack.schema.json\n${HEAD}ledger: ../ledger.db\nsteps:\n  "10": { uses: exec }\n  "9": { uses: http, retry: keyed }\n  größe: { uses: exec }\n`,
    );
    expect([...read.steps.keys()]).toEqual(["10", "9", "größe"]);
    expect(read).toMatchObject({ name: "shop", ledger: "../ledger.db" });
    expect([...read.steps.values()][0]).toEqual({
      name: "10",
      uses: "exec",
      with: {},
      needs: [],
      partOf: null,
      confirm: [],
      retry: null,
      keyLifetimeMs: 86_400_000,
      settleMs: 30_000,
      deadlineMs: 600_000,
      windowMs: 300_000,
      files: [],
      onChange: null,
      retain: null,
      approve: null,
      compensate: null,
      public: [],
      keepSecrets: false,
      renamedFrom: null,
    });
  });

  it("implies needs from partOf and references, without doubles; a compensation adds none", async () => {
    const read = await stack(`${HEAD}steps:
  a: { uses: exec }
  b: { uses: exec }
  c:
    uses: exec
    needs: [b, b]
    partOf: a
    with: { x: ["${ref("steps.b.outputs.id")}", "${ref("steps.d.outputs.k.0")}"] }
    compensate: { with: { id: "${ref("steps.c.outputs.id")}", e: "${ref("steps.e.outputs.id")}" } }
    settle: 0s
    deadline: 1h30m
    retain: { owner: o, reason: r, reviewBy: 2028-02-29 }
    approve: { before: destroy, by: [alice] }
    files: ["src/**/*.yml"]
    renamedFrom: old
  d: { uses: exec }
  e: { uses: exec, needs: [c] }
`);
    const c = [...read.steps.values()][2];
    expect(c).toMatchObject({
      needs: ["b", "a", "d"],
      partOf: "a",
      settleMs: 0,
      deadlineMs: 5_400_000,
      compensate: { uses: "exec" },
      retain: { reviewBy: "2028-02-29" },
      renamedFrom: "old",
    });
  });

  it("takes JSON, and a byte order mark's text without it", async () => {
    const json = JSON.stringify({
      $schema: "x",
      apiVersion: "asfound.dev/v1alpha1",
      kind: "Stack",
      metadata: { name: "j" },
      steps: { a: { uses: "exec", with: { t: "\ttab \u0001 \\ \u{1f600}" } } },
    });
    expect((await stack(json)).name).toBe("j");
  });

  it("replaces variables in with, and leaves the rest as written", async () => {
    const text = step(`with: { r: "${ref("var.region")}", s: "${ref("secret.env.T")}" }`);
    const read = await stack(text, { vars: new Map([["region", "eu"]]) });
    expect([...read.steps.values()][0]?.with).toEqual({ r: "eu", s: ref("secret.env.T") });
  });

  it("YAML 1.2: yes and no are text, anchors work, a step may be called constructor", async () => {
    const read = await stack(
      `${HEAD}steps:\n  constructor:\n    uses: exec\n    with: { a: &x [yes, 0o17, 2027-06-30], b: *x, 80: 1 }\n`,
    );
    expect([...read.steps]).toMatchObject([
      ["constructor", { with: { a: ["yes", 15, "2027-06-30"], b: ["yes", 15, "2027-06-30"], "80": 1 } }],
    ]);
  });

  it("takes confirm, and says at its place what it cannot ask", async () => {
    const text =
      "confirm: [rollout-complete, { target: deployment/web, claims: [old-gone], namespace: shop }]";
    expect((await stack(step(text))).steps.size).toBe(1);
    expect(await faults(step("confirm: []"))).toEqual([]);
    const told = await faults(step("confirm: [done, absent]"));
    expect(told.map((line) => line.replace(/; claims are .*/, ""))).toEqual([
      '7:15: steps.a.confirm.0: there is no claim "done"',
      "7:21: steps.a.confirm.1: absent cannot be asked by confirm",
    ]);
  });
});

describe("one clear fault, at its place", () => {
  it.each<[string, string, string]>([
    [
      "an unknown field",
      step("neds: [b]"),
      "7:5: steps.a.neds: there is no field neds here; did you mean needs?",
    ],
    [
      "another tool's field",
      step("dependsOn: [b]"),
      "7:5: steps.a.dependsOn: there is no field dependsOn here; did you mean needs?",
    ],
    [
      "a wrong case",
      step("partof: b"),
      "7:5: steps.a.partof: there is no field partof here; did you mean partOf?",
    ],
    [
      "an unknown top field",
      `${HEAD}stpes: {}\nsteps: {}`,
      "4:1: stpes: there is no field stpes here; did you mean steps?",
    ],
    [
      "a field called constructor",
      step("constructor: 1"),
      "7:5: steps.a.constructor: there is no field constructor here; fields are uses, with, needs, partOf, confirm, retry, keyLifetime, settle, deadline, window, files, onChange, retain, approve, compensate, public, keepSecrets, renamedFrom",
    ],
    [
      "a __proto__ key",
      step("with: { __proto__: { x: 1 } }"),
      "7:13: steps.a.with.__proto__: the key __proto__ is not allowed",
    ],
    [
      "a merge key",
      step("with: { a: &a { x: 1 }, <<: *a }"),
      "7:29: steps.a.with.<<: merge keys (<<) are not supported; write the fields out",
    ],
    [
      "a double key",
      step("retry: once\nsettle: 1s\nretry: keyed"),
      "9:5: steps.a.retry: the key retry stands here a second time; remove one",
    ],
    [
      "a double step",
      `${HEAD}steps:\n  a: { uses: exec }\n  "a": { uses: exec }`,
      "6:3: steps.a: the key a stands here a second time; remove one",
    ],
    [
      "a missing uses",
      `${HEAD}steps:\n  a: {}`,
      "5:3: steps.a.uses: is missing; name the provider that carries this step out, such as exec",
    ],
    ["an empty step", `${HEAD}steps:\n  a:`, "5:3: steps.a: must be an object, not empty"],
    ["a wrong type", step("needs: b"), "7:5: steps.a.needs: must be a list, not text"],
    [
      "a wrong item",
      step("needs:\n  - 7"),
      "8:9: steps.a.needs.0: must be text, not the number 7; put it in quotes",
    ],
    ["an unknown need", step("needs: [aa]"), "7:13: steps.a.needs.0: there is no step aa"],
    [
      "a need nearly right",
      `${HEAD}steps:\n  network: { uses: exec }\n  b: { uses: exec, needs: [netwrok] }`,
      "6:28: steps.b.needs.0: there is no step netwrok; did you mean network?",
    ],
    ["a need of itself", step("needs: [a]"), "7:13: steps.a.needs.0: a step cannot need itself"],
    ["part of itself", step("partOf: a"), "7:5: steps.a.partOf: a step cannot be part of itself"],
    ["part of nothing", step("partOf: zzzz"), "7:5: steps.a.partOf: there is no step zzzz"],
    [
      "its own outputs",
      step(`with: { x: "${ref("steps.a.outputs.y")}" }`),
      "7:13: steps.a.with.x: a step cannot use its own outputs",
    ],
    [
      "outputs of nothing",
      step(`with: { x: [1, "${ref("steps.q.outputs.y")}"] }`),
      "7:20: steps.a.with.x.1: there is no step q",
    ],
    [
      "a variable without value",
      step(`with:\n  r: "${ref("var.zone")}"`),
      "8:7: steps.a.with.r: the variable zone has no value; give it with --var zone=VALUE",
    ],
    [
      "a circle",
      `${HEAD}steps:\n  a: { uses: exec, needs: [b] }\n  b: { uses: exec, partOf: c }\n  c: { uses: exec, needs: [a] }`,
      "5:20: steps.a.needs: these steps need each other in a circle: a → b → c → a; remove one of these needs",
    ],
    [
      "a bad duration",
      step("settle: 30"),
      '7:5: steps.a.settle: must be text, not the number 30; write a unit, such as "30s"',
    ],
    [
      "a negative duration",
      step("settle: -3s"),
      "7:5: steps.a.settle: the duration -3s is negative; write it like 500ms, 30s or 1h30m",
    ],
    [
      "a deadline that fires at once",
      step("deadline: 9999h"),
      "7:5: steps.a.deadline: at most 576h (24 days) are allowed here",
    ],
    [
      "a deadline of nothing",
      step("deadline: 0s"),
      "7:5: steps.a.deadline: a deadline of 0 would end every call before it began",
    ],
    [
      "an unknown retry",
      step("retry: keyd"),
      "7:5: steps.a.retry: must be once, named, keyed or idempotent; did you mean keyed?",
    ],
    [
      "retain: true",
      step("retain: true"),
      "7:5: steps.a.retain: must be an object, not true; it has owner, reason and reviewBy",
    ],
    [
      "a day that is none",
      step("retain: { owner: o, reason: r, reviewBy: 2027-02-29 }"),
      "7:36: steps.a.retain.reviewBy: must be a day of the calendar, written YYYY-MM-DD",
    ],
    [
      "nobody to approve",
      step("approve: { before: any, by: [] }"),
      "7:29: steps.a.approve.by: must name at least one person",
    ],
    [
      "a rename that is none",
      `${HEAD}steps:\n  a: { uses: exec }\n  b: { uses: exec, renamedFrom: a }`,
      "6:20: steps.b.renamedFrom: the step a still exists; a rename leaves only the new name",
    ],
    [
      "two renames from one",
      `${HEAD}steps:\n  a: { uses: exec, renamedFrom: o }\n  b: { uses: exec, renamedFrom: o }`,
      "6:20: steps.b.renamedFrom: the step a was already renamed from o",
    ],
    [
      "a glob outside",
      step("files: [../x]"),
      "7:13: steps.a.files.0: a glob cannot leave the stack file's folder, so .. is not allowed in it",
    ],
    [
      "a bad uses",
      `${HEAD}steps:\n  a: { uses: Exec! }`,
      "5:8: steps.a.uses: must be a provider's name, such as exec or http",
    ],
    [
      "a path as name",
      `${HEAD}steps:\n  ../a: { uses: exec }`,
      "5:3: steps.../a: a name has letters, marks and digits of any script, '-' and '_', and begins with a letter or digit",
    ],
    [
      "a terminal escape as name",
      `${HEAD}steps:\n  "a\\e[31m": { uses: exec }`,
      "5:3: steps.a\\x1b[31m: a name has letters, marks and digits of any script, '-' and '_', and begins with a letter or digit",
    ],
    [
      "a name not composed",
      `${HEAD}steps:\n  "gro\\u0308ße": { uses: exec }`,
      "5:3: steps.gro\u0308ße: the name is not in Unicode NFC form; write it composed",
    ],
    [
      "a long name",
      `${HEAD}steps:\n  ${"n".repeat(101)}: { uses: exec }`,
      `5:3: steps.${"n".repeat(57)}...: the name has 101 characters; at most 100 are allowed`,
    ],
    [
      "another version",
      `${HEAD.replace("v1alpha1", "v2")}steps: {}`,
      "1:1: apiVersion: must be asfound.dev/v1alpha1",
    ],
    ["no steps", HEAD, "1:1: steps: is missing; write the steps by name under it"],
    ["a list as file", "- a", "1:1: the file must be an object, not a list"],
    ["an empty file", "# nothing\n", "1:1: the file must be an object, not empty"],
    [
      "a number that would be rounded",
      step("with: { id: 12345678901234567890 }"),
      "7:13: steps.a.with.id: 12345678901234567890 is too large to be kept exactly; write it as text in quotes",
    ],
    [
      "a number that JSON lacks",
      step("with: { id: .nan }"),
      "7:13: steps.a.with.id: .nan is not a number that JSON has; write it as text in quotes",
    ],
    [
      "half a surrogate",
      step('with: { id: "\\ud800" }'),
      "7:13: steps.a.with.id: this text has half of a surrogate pair; write the character itself",
    ],
    [
      "a tag",
      step("with: { id: !!binary aGk= }"),
      "7:17: tags are not supported here; write the value without one",
    ],
    [
      "two documents",
      `${HEAD}steps: {}\n---\n${HEAD}`,
      "5:1: there is a second document (---) here; a stack file holds exactly one",
    ],
    [
      "a directive",
      `%YAML 1.1\n---\n${HEAD}steps: {}`,
      "1:1: directives are not supported here; stack files are YAML 1.2",
    ],
    ["a tab", `${HEAD}steps:\n\ta: 1`, "5:1: a tab cannot indent YAML; use spaces"],
    [
      "a NUL",
      `${HEAD}steps: "\0"`,
      "4:9: there is a control character (\\x00) here; this is not a text file",
    ],
    [
      "an alias of nothing",
      step("with: { a: *x }"),
      "7:13: steps.a.with.a: there is no anchor &x before this alias",
    ],
    [
      "an alias inside itself",
      step("with: { a: &x [*x] }"),
      "7:20: steps.a.with.a.0: the alias *x stands inside its own anchor",
    ],
    ["a list as key", step("with: { [a]: 1 }"), "7:13: a key must be a text"],
    [
      "a reference in a key",
      step(`with: { "${ref("var.x")}": 1 }`),
      `7:13: steps.a.with.${ref("var.x")}: references work in values, not in keys`,
    ],
    [
      "a reference in another field",
      `${HEAD}ledger: ${ref("var.x")}\nsteps: {}`,
      "4:1: ledger: references work in with only, not here",
    ],
  ])("%s", async (_what, text, said) => expect(await faults(text)).toEqual([said]));

  it("an unused variable, and one nearly used", async () => {
    const text = step(`with: { r: "${ref("var.region")}" }`);
    expect(
      await faults(text, {
        vars: new Map([
          ["region", "a"],
          ["regoin", "b"],
        ]),
      }),
    ).toEqual(
      [" --var regoin is not used in this file; did you mean region?".trim()].map((said) => `1:1: ${said}`),
    );
  });

  it("says all of them at once, in the file's order, and cuts at twenty", async () => {
    expect(
      await faults(
        `${HEAD}steps:\n  a: { uses: 1, needs: [zz], foo: 2 }\n  b: { uses: exec, retry: x, needs: [yy] }`,
      ),
    ).toEqual([
      "5:8: steps.a.uses: must be text, not the number 1; put it in quotes",
      expect.stringContaining("5:30: steps.a.foo: there is no field foo here"),
      "6:20: steps.b.retry: must be once, named, keyed or idempotent",
    ]);
    const many = await faults(
      `${HEAD}steps:\n${Array.from({ length: 50 }, (_, i) => `  s${i}: { uses: exec, bogus${i}: 1 }`).join("\n")}`,
    );
    expect(many).toHaveLength(MAX_FAULTS + 1);
    expect(many.at(-1)).toContain("and 30 more");
  });

  it("locate finds a provider's fault inside with, through anchors too", async () => {
    const text = step("with:\n  base: &b { k: [1, { deep: x }] }\n  again: *b");
    expect(await locate(text, ["steps", "a", "with", "base", "k", 1, "deep"])).toEqual({
      line: 8,
      column: 27,
    });
    expect(await locate(text, ["steps", "a", "with", "again", "k", 1, "deep"])).toEqual({
      line: 8,
      column: 27,
    });
    expect(await locate(text, ["steps", "a", "with", "missing"])).toEqual({ line: 7, column: 5 });
    expect(await locate("a: [", ["a"])).toBeNull();
  });
});

describe("an object from TypeScript", () => {
  const good = {
    apiVersion: "asfound.dev/v1alpha1",
    kind: "Stack",
    metadata: { name: "t" },
    steps: { a: { uses: "exec" } },
  };
  const said = async (object: unknown): Promise<string[]> => {
    const parsed = await parseStackObject(object, { file: "asfound.ts", vars: new Map() });
    return "faults" in parsed ? parsed.faults.map(formatFault) : [];
  };

  it("gives the same stack and the same messages as text", async () => {
    const fromText = await parse(JSON.stringify(good));
    const fromObject = await parseStackObject(good, { file: "asfound.ts", vars: new Map() });
    expect(fromObject).toEqual(fromText);
    expect(await said({ ...good, steps: { a: { uses: "exec", neds: [] } } })).toEqual([
      "asfound.ts: steps.a.neds: there is no field neds here; did you mean needs?",
    ]);
  });

  it("refuses what JSON cannot hold, and leaves out what is undefined", async () => {
    const round: Record<string, unknown> = {};
    round["self"] = round;
    const bad: [unknown, string][] = [
      [() => 1, "a function cannot stand"],
      [new Date(0), "an object of a class"],
      [new Map(), "an object of a class"],
      [Number.NaN, "not a number that JSON has"],
      [10n, "a bigint cannot stand"],
      [round, "contains itself"],
      [[undefined], "an undefined cannot stand".replace("an ", "a ")],
      [JSON.parse('{"__proto__":1}'), "__proto__ is not allowed"],
    ];
    for (const [value, why] of bad)
      expect((await said({ ...good, steps: { a: { uses: "exec", with: { x: value } } } })).join()).toContain(
        why,
      );
    expect(await said({ ...good, ledger: undefined })).toEqual([]);
    const angry = {
      get steps(): never {
        throw new Error("no");
      },
    };
    expect(await said(angry)).toEqual([
      "asfound.ts: a property of the stack threw an error when it was read; export plain values",
    ]);
    for (const nothing of [undefined, null, 3, "x", []]) expect(await said(nothing)).toHaveLength(1);
  });
});

describe("hostile files", () => {
  const bomb = (): string => {
    const lines = ["a: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 30; i += 1) lines.push(`b${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]`);
    return `${HEAD}steps:\n  a:\n    uses: exec\n    with:\n${lines.map((line) => `      ${line}`).join("\n")}`;
  };

  it.each<[string, string, string]>([
    ["a bomb of aliases", bomb(), "larger than 8 MiB"],
    [
      "a chain of aliases",
      `${HEAD}steps:\n  a: { uses: exec, with: { a0: &a0 [1]${Array.from({ length: 300 }, (_, i) => `, a${i + 1}: &a${i + 1} [*a${i}]`).join("")} } }`,
      "nested deeper than 100",
    ],
    ["deep lists", `${HEAD}steps: ${"[".repeat(100_000)}`, "nested deeper than 100"],
    ["deep dashes", `${HEAD}steps: \n${"- ".repeat(100_000)}x`, "nested deeper than 100"],
    ["deep maps", `${HEAD}steps: ${"{a: ".repeat(100_000)}`, "nested deeper than 100"],
    ["deep questions", "? ".repeat(100_000), "nested deeper than 100"],
    ["a huge key", `${HEAD}${"k".repeat(1_000_000)}: 1\nsteps: {}`, "at most 1024 chars"],
    ["a huge tag", `a: !${"!".repeat(1_000_000)} x`, "tags are not supported"],
    ["many documents", "---\na\n".repeat(200_000), "second document"],
    ["too large", `#${"x".repeat(8 * 1024 * 1024)}`, "8 MiB"],
  ])("%s: at most one short fault", async (_what, text, said) => {
    const list = await faults(text);
    expect(list.join("\n")).toContain(said);
    expect(list.join("\n").length).toBeLessThan(3000);
  });

  it("many equal keys, unknown names and circles cost no more than their number", async () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `      k${i}: 1`).join("\n");
    expect((await stack(`${HEAD}steps:\n  a:\n    uses: exec\n    with:\n${keys}`)).steps.size).toBe(1);
    const unknown = Array.from(
      { length: 5000 },
      (_, i) => `  s${i}: { uses: exec, needs: [u${i}, v${i}, w${i}] }`,
    ).join("\n");
    expect((await faults(`${HEAD}steps:\n${unknown}`)).at(-1)).toContain("and 14980 more");
  });

  it("never pollutes a prototype", async () => {
    for (const text of [
      '{"__proto__":{"polluted":1}}',
      '{"steps":{"__proto__":{"polluted":1}}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
    ])
      await faults(text);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const yamlish = fc.array(
    fc.oneof(
      fc.constantFrom(
        "apiVersion: asfound.dev/v1alpha1\n",
        "kind: Stack\n",
        "metadata: {name: x}\n",
        "steps:\n",
        "  a:\n",
        "    uses: exec\n",
        "    with: ",
        "needs: [a, b]\n",
        "- ",
        "? ",
        ": ",
        "&a ",
        "*a ",
        "!!x ",
        "|\n",
        ">\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        "'",
        '"',
        "\n",
        "  ",
        "\t",
        "#",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "<<: *a\n",
        ref("var.x"),
        "${",
        "\u2028",
        "\ufeff",
        "\u0000",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    { maxLength: 40 },
  );

  it("no text makes it throw, and every fault is a sentence with a place", async () => {
    await fc.assert(
      fc.asyncProperty(yamlish, async (parts) => {
        const parsed = await parse(parts.join(""));
        if (!("faults" in parsed)) return;
        expect(parsed.faults.length).toBeGreaterThan(0);
        for (const fault of parsed.faults) expect(fault.message.length).toBeGreaterThan(5);
        for (const fault of parsed.faults) expect(printable(formatFault(fault))).toBe(formatFault(fault));
      }),
      { numRuns: 600 },
    );
  });

  it("no object makes it throw", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        async (object) => {
          const parsed = await parseStackObject(
            { ...{ apiVersion: "asfound.dev/v1alpha1" }, steps: { a: object } },
            { file: "x.ts", vars: new Map() },
          );
          expect("faults" in parsed).toBe(true);
        },
      ),
    );
  });
});
