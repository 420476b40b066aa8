/**
 * Every layer rule can fail: one tree breaks each of them, one cruise must report exactly those breaks. A new rule
 * without a canary fails here too, and so does a cruise of the real tree that looked at nothing.
 */
import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { cruise } from "../../scripts/deps.ts";
import { HOUSE, plant } from "./tree.ts";

const nothing = "export const nothing = 0;\n";
const from = (path: string) => `import { nothing } from "${path}";\nexport const used = nothing;\n`;
const typeFrom = (path: string) =>
  `import type { nothing } from "${path}";\nexport type Used = typeof nothing;\n`;
const run = (path: string) => `import * as it from "${path}";\nexport const used = it;\n`;

/** A violating file, its text, and the rules it must break. */
const violations: readonly (readonly [file: string, text: string, ...rules: string[]])[] = [
  ["src/domain/from-node.ts", run("node:path"), "domain-imports-nothing"],
  ["src/domain/from-npm.ts", run("yaml"), "domain-imports-nothing"],
  ["src/domain/from-wire.ts", typeFrom("../wire/nothing.ts"), "domain-imports-nothing"],
  ["src/judge/from-ports.ts", typeFrom("../ports/nothing.ts"), "judge-knows-domain-only"],
  ["src/judge/from-node.ts", run("node:path"), "judge-knows-domain-only"],
  ["src/ports/from-wire.ts", typeFrom("../wire/nothing.ts"), "ports-know-domain-only"],
  ["src/ports/runs-domain.ts", from("../domain/nothing.ts"), "ports-take-types-only"],
  ["src/runtime/from-adapter.ts", from("../adapters/one/nothing.ts"), "runtime-points-inward"],
  ["src/runtime/from-npm.ts", run("yaml"), "runtime-points-inward"],
  ["src/runtime/from-fs.ts", run("node:fs"), "runtime-touches-nothing"],
  ["src/runtime/from-fs-promises.ts", run("node:fs/promises"), "runtime-touches-nothing"],
  ["src/runtime/from-process.ts", run("node:process"), "runtime-touches-nothing"],
  [
    "src/runtime/from-children.ts",
    `export const used = import("node:child_process");\n`,
    "runtime-touches-nothing",
  ],
  ["src/runtime/from-sqlite.ts", run("node:sqlite"), "runtime-touches-nothing"],
  ["src/wire/from-runtime.ts", from("../runtime/nothing.ts"), "wire-points-inward"],
  ["src/wire/from-fs.ts", run("node:fs"), "wire-points-inward"],
  ["src/wire/from-other.ts", run("@clack/prompts"), "wire-points-inward"],
  ["src/faces/cli/from-zod.ts", run("zod"), "zod-in-wire-only"],
  ["src/adapters/one/from-runtime.ts", from("../../runtime/nothing.ts"), "adapters-point-inward"],
  ["src/adapters/one/from-two.ts", from("../two/nothing.ts"), "adapters-stay-apart"],
  ["src/adapters/loose.ts", from("./two/nothing.ts"), "adapters-stay-apart"],
  ["src/faces/cli/from-adapter.ts", from("../../adapters/one/nothing.ts"), "faces-translate-only"],
  ["src/faces/cli/from-judge.ts", from("../../judge/nothing.ts"), "faces-translate-only"],
  ["src/compose.ts", from("./faces/nothing.ts"), "compose-knows-no-face"],
  ["src/provider.ts", from("./compose.ts"), "compose-is-the-outermost"],
  ["src/runtime/mints.ts", from("../domain/committed-intent.ts"), "only-the-ledger-mints-intents"],
  ["src/domain/re-exports.ts", `export * from "./committed-intent.ts";\n`, "only-the-ledger-mints-intents"],
  [
    "src/domain/late.ts",
    `export const it = import("./committed-intent.ts");\n`,
    "only-the-ledger-mints-intents",
  ],
  [
    "src/domain/half.ts",
    `export { type nothing, nothing as it } from "./committed-intent.ts";\n`,
    "only-the-ledger-mints-intents",
  ],
  ["src/domain/egg.ts", `import "./hen.ts";\n`, "no-cycles"],
  ["src/domain/hen.ts", `import "./egg.ts";\n`], // a cycle is reported once
  ["src/judge/alone.ts", nothing, "no-orphans"],
  ["src/adapters/one/from-test.ts", from("../../../test/nothing.ts"), "no-test-code-in-production"],
  ["src/adapters/one/from-testbed.ts", from("../../../testbed/nothing.ts"), "no-test-code-in-production"],
  ["testbed/from-domain.ts", typeFrom("../src/domain/nothing.ts"), "testbed-stands-alone"],
  ["src/adapters/one/from-unit.ts", run("./own.test.ts"), "no-test-code-in-production"],
  ["src/compose-with-faults.ts", run("./testing/kit.ts"), "no-testing-kit-in-production"],
  ["src/adapters/one/from-dev.ts", run("vitest"), "no-development-dependencies-in-production"],
  ["src/adapters/one/undeclared.ts", run("stranger"), "only-declared-packages"],
  ["src/adapters/one/broken.ts", run("./missing.ts"), "everything-resolves"],
];

/** Files that break nothing, and what each layer may do. */
const lawful: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["domain", "judge", "ports", "runtime", "wire", "adapters/one", "adapters/two", "faces"].map((folder) => [
      `src/${folder}/nothing.ts`,
      nothing,
    ]),
  ),
  "src/domain/committed-intent.ts": nothing,
  "src/domain/names-the-type.ts": typeFrom("./committed-intent.ts"),
  "src/judge/reads-domain.ts": from("../domain/nothing.ts"),
  "src/ports/names-domain.ts": typeFrom("../domain/committed-intent.ts"),
  "src/runtime/ledger.ts": from("../domain/committed-intent.ts"),
  "src/runtime/inward.ts": ["domain", "judge", "ports", "wire"]
    .map((l) => `import "../${l}/nothing.ts";\n`)
    .join(""),
  "src/runtime/harmless.ts": `import "node:util";\nimport "node:path/posix";\n`,
  "src/wire/schema.ts": `import "zod";\nimport "yaml";\nimport "node:crypto";\nimport "../domain/nothing.ts";\n`,
  "src/adapters/one/inward.ts": `import "node:fs";\nimport "yaml";\nimport "./nothing.ts";\nimport "../../wire/nothing.ts";\n`,
  "src/adapters/one/own.test.ts": `import "vitest";\nimport "../two/nothing.ts";\nimport "../../../test/nothing.ts";\n`,
  "src/adapters/two/uses.ts": `import "./nothing.ts";\nimport type { nothing } from "../../ports/nothing.ts";\nexport type T = typeof nothing;\n`,
  "src/faces/cli/main.ts": `import "../../compose.ts";\nimport "../../runtime/nothing.ts";\nimport "@clack/prompts";\n`,
  "src/testing/kit.ts": `import "../compose.ts";\nimport "../adapters/one/nothing.ts";\n`,
  "src/testing.ts": `import "./testing/kit.ts";\nimport "./compose.ts";\n`,
  "test/nothing.ts": nothing,
  "test/from-testbed.ts": from("../testbed/nothing.ts"),
  "testbed/nothing.ts": nothing,
};

const packages = ["zod", "yaml", "@clack/prompts", "vitest", "stranger"].flatMap((name) => [
  [
    `node_modules/${name}/package.json`,
    JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
  ] as const,
  [`node_modules/${name}/index.js`, "module.exports = {};\n"] as const,
]);

it("every layer rule reports exactly what breaks it", () => {
  const root = plant(
    {
      ...lawful,
      ...Object.fromEntries(violations.map(([file, text]) => [file, text])),
      ...Object.fromEntries(packages),
    },
    ["package.json"],
  );
  const { violations: found, overlooked } = cruise(root);
  const told = [...new Set(found.map((line) => line.replace(/ → .*/, "")))].sort();
  const expected = violations.flatMap(([file, , ...rules]) => rules.map((rule) => `${rule}: ${file}`)).sort();
  expect(told).toEqual(expected);
  expect(overlooked).toEqual([]);
});

it("every layer rule has a canary", async () => {
  const { default: config }: { default: { forbidden: { name: string }[] } } = await import(
    `${HOUSE}/.dependency-cruiser.mjs`
  );
  const canaries = new Set(violations.flatMap(([, , ...rules]) => rules));
  expect(config.forbidden.map(({ name }) => name).filter((name) => !canaries.has(name))).toEqual([]);
});

it("the real tree is really looked at", () => {
  const sources = globSync("src/**/*.ts", { cwd: HOUSE }).length;
  const { modules, dependencies, overlooked } = cruise(HOUSE);
  expect(overlooked).toEqual([]);
  expect(sources).toBeGreaterThan(10);
  expect(modules).toBeGreaterThanOrEqual(sources);
  expect(dependencies).toBeGreaterThan(sources / 2);
});
