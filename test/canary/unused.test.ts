/** knip runs with the house's own configuration and reports what nobody uses. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { HOUSE, plant } from "./tree.ts";

interface Report {
  readonly issues: readonly {
    readonly file: string;
    readonly files: readonly { readonly name: string }[];
    readonly exports: readonly { readonly name: string }[];
    readonly dependencies: readonly { readonly name: string }[];
  }[];
}

it("an unused export, file and dependency are reported", () => {
  const root = plant(
    {
      "package.json": JSON.stringify({ name: "canary", type: "module", dependencies: { leftover: "1.0.0" } }),
      "node_modules/leftover/package.json": JSON.stringify({ name: "leftover", version: "1.0.0" }),
      "src/index.ts": 'export { used } from "./domain/nouns.ts";\n',
      "src/domain/nouns.ts": "export const used = 1;\nexport const unused = 2;\n",
      "src/domain/unreached.ts": "export const it = 1;\n",
      "src/domain/nouns.test.ts": 'import "./nouns.ts";\n',
    },
    ["knip.json", "tsconfig.json"],
  );
  const run = spawnSync(process.execPath, [`${HOUSE}/node_modules/knip/bin/knip.js`, "--reporter", "json"], {
    cwd: root,
    encoding: "utf8",
  });
  const { issues } = JSON.parse(run.stdout) as Report;
  const told = issues.flatMap(({ file, files, exports, dependencies }) => [
    ...files.map(({ name }) => `file ${name}`),
    ...exports.map(({ name }) => `export ${name} of ${file}`),
    ...dependencies.map(({ name }) => `dependency ${name}`),
  ]);
  expect(told.sort()).toEqual([
    "dependency leftover",
    "export unused of src/domain/nouns.ts",
    "file src/domain/unreached.ts",
  ]);
  expect(run.status).toBe(1);
});
