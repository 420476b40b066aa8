// The house (DESIGN §5): arrows only inward. Every rule here has a canary in test/canary/layers.test.ts, which
// fails if a rule has none. `scripts/deps.ts` runs this, and fails if a source file was not looked at.
import { fileURLToPath } from "node:url";

/** Unit tests stand beside the code they test and may reach anything. */
const test = "\\.test\\.ts$";
/** What `asfound/testing` publishes. */
const kit = "^src/testing(\\.ts$|/)";
const layer = (path) => ({ path, pathNot: test });

const forbidden = [
  {
    name: "domain-imports-nothing",
    comment: "Pure nouns and laws: not even node: or npm.",
    from: layer("^src/domain/"),
    to: { pathNot: "^src/domain/" },
  },
  {
    name: "judge-knows-domain-only",
    comment: "Judging is pure (V2).",
    from: layer("^src/judge/"),
    to: { pathNot: "^src/(judge|domain)/" },
  },
  {
    name: "ports-know-domain-only",
    from: layer("^src/ports/"),
    to: { pathNot: "^src/(ports|domain)/" },
  },
  {
    name: "ports-take-types-only",
    comment: "A port is an interface; it runs nothing of the domain.",
    from: layer("^src/ports/"),
    to: { path: "^src/domain/", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "runtime-points-inward",
    from: layer("^src/runtime/"),
    to: { pathNot: "^src/(runtime|domain|judge|ports|wire)/", dependencyTypesNot: ["core"] },
  },
  {
    name: "runtime-touches-nothing",
    comment: "Files, network, processes, time, randomness and digests come through ports and wire.",
    from: layer("^src/runtime/"),
    to: {
      dependencyTypes: ["core"],
      pathNot: "^(node:)?(assert|async_hooks|buffer|events|path|string_decoder|url|util)(/|$)",
    },
  },
  {
    name: "wire-points-inward",
    comment: "Schemas and bytes: domain, digests and the two libraries that read and check files.",
    from: layer("^src/wire/"),
    to: { pathNot: ["^src/(wire|domain)/", "^(node:)?(buffer|crypto)$", "(^|/)node_modules/(zod|yaml)/"] },
  },
  {
    name: "zod-in-wire-only",
    from: { path: "^src/", pathNot: ["^src/wire/", test] },
    to: { path: "(^|/)node_modules/zod/" },
  },
  {
    name: "adapters-point-inward",
    from: layer("^src/adapters/"),
    to: { path: "^src/", pathNot: "^src/(adapters|domain|ports|wire)/" },
  },
  {
    name: "adapters-stay-apart",
    comment: "Code that several adapters need belongs to wire or ports.",
    from: layer("^src/adapters/([^/]+)"),
    to: { path: "^src/adapters/", pathNot: "^src/adapters/$1/" },
  },
  {
    name: "faces-translate-only",
    from: layer("^src/faces/"),
    to: { path: "^src/", pathNot: ["^src/(faces|runtime|domain|ports|wire)/", "^src/compose(/|\\.ts$)"] },
  },
  {
    name: "compose-knows-no-face",
    from: { path: "^src/compose(/|\\.ts$)" },
    to: { path: "^src/faces/" },
  },
  {
    name: "compose-is-the-outermost",
    comment: "Only a face and the public surface put the parts together.",
    from: {
      path: "^src/",
      pathNot: ["^src/faces/", "^src/index\\.ts$", "^src/compose(/|\\.ts$)", kit, test],
    },
    to: { path: "^src/compose(/|\\.ts$)" },
  },
  {
    name: "only-the-ledger-mints-intents",
    comment: "W1. Anyone may name the type; only the ledger can reach the class.",
    from: { path: "^src/", pathNot: ["^src/runtime/ledger\\.ts$", test] },
    to: { path: "^src/domain/committed-intent\\.ts$", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-cycles",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-orphans",
    from: {
      orphan: true,
      path: "^src/",
      pathNot: ["^src/(index|provider|testing)\\.ts$", "^src/faces/cli/main\\.ts$", "\\.d\\.ts$", test],
    },
    to: {},
  },
  {
    name: "no-test-code-in-production",
    from: { path: "^src/", pathNot: test },
    to: { path: ["^(test|demo|bench|scripts|testbed|examples)/", test] },
  },
  {
    name: "testbed-stands-alone",
    comment: "What a verdict is tested on shares no code, and so no mistake, with what gives it.",
    from: { path: "^testbed/" },
    to: { path: "^(src|test)/" },
  },
  {
    name: "no-testing-kit-in-production",
    from: { path: "^src/", pathNot: [kit, test] },
    to: { path: kit },
  },
  {
    name: "no-development-dependencies-in-production",
    from: { path: "^src/", pathNot: test },
    to: { dependencyTypes: ["npm-dev"] },
  },
  {
    name: "only-declared-packages",
    from: { path: "^src/" },
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
  },
  {
    name: "everything-resolves",
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: forbidden.map((rule) => ({ severity: "error", ...rule })),
  options: {
    // Types are dependencies too, and `import type` is told apart from the rest.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL("tsconfig.json", import.meta.url)) },
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["(^|/)dist/", "/fixtures/"] },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
