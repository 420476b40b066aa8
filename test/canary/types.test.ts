/** The strictness of tsconfig.json, as errors that each must appear. */
import ts from "typescript";
import { expect, it } from "vitest";
import { plant } from "./tree.ts";

/** File, text, the one error code it must give. */
const errors: readonly (readonly [option: string, text: string, code: number])[] = [
  ["strict", "export const it = (read) => read;\n", 7006],
  ["strictNullChecks", "export const it: number = undefined;\n", 2322],
  ["erasableSyntaxOnly", "export enum Colour {\n  red,\n}\n", 1294],
  ["noUncheckedIndexedAccess", "export const it = (list: number[]): number => list[0];\n", 2322],
  ["exactOptionalPropertyTypes", "export const it: { field?: number } = { field: undefined };\n", 2375],
  ["verbatimModuleSyntax", 'import { StatOptions } from "node:fs";\nexport type It = StatOptions;\n', 1484],
  ["noImplicitOverride", "class A {\n  a() {}\n}\nexport class B extends A {\n  a() {}\n}\n", 4114],
  [
    "noFallthroughCasesInSwitch",
    "export const it = (n: number) => {\n  switch (n) {\n    case 1:\n      n++;\n    default:\n      n--;\n  }\n};\n",
    7029,
  ],
  ["noImplicitReturns", "export const it = (n: number) => {\n  if (n > 1) return n;\n};\n", 7030],
  ["noUnusedLocals", "const it = 1;\nexport {};\n", 6133],
  ["noUnusedParameters", "export const it = (read: number) => 1;\n", 6133],
  [
    "useUnknownInCatchVariables",
    "export const it = () => {\n  try {\n  } catch (e) {\n    e.code;\n  }\n};\n",
    18046,
  ],
  ["noDom", "export const it = document;\n", 2584],
];

it("every strict option is on", () => {
  const root = plant(Object.fromEntries(errors.map(([option, text]) => [`src/${option}.ts`, text])), [
    "tsconfig.json",
    "package.json",
    "node_modules/@types/node",
    "node_modules/undici-types",
  ]);
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const found = ts
    .getPreEmitDiagnostics(ts.createProgram(fileNames, options))
    .map(({ file, code }) => `${file?.fileName.slice(root.length + 5)} ${code}`);
  expect(found.sort()).toEqual(errors.map(([option, , code]) => `${option}.ts ${code}`).sort());
});
