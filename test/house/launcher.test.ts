/** bin/asfound: which Node, which program, one sentence where there is neither; and the pid is asfound's own. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { plant } from "../canary/tree.ts";

const told =
  "pid: process.pid, argv: process.argv.slice(2), program: import.meta.url, node: process.env.SHIM";
const sourceProgram = `const facts: object = { ${told} };\nconsole.log(JSON.stringify(facts));\n`;
const builtProgram = `console.log(JSON.stringify({ ${told.replace("import.meta.url", "__filename")} }));\n`;
const typeModule = '{ "type": "module" }\n';
/** A `node` that says which one it is, and then is the real one. */
const shim = (name: string, flags = "") =>
  `#!/bin/sh\nSHIM=${name} exec "${process.execPath}" ${flags} "$@"\n`;
const nodes = (root: string, ...paths: string[]) => {
  for (const path of paths) chmodSync(`${root}/${path}`, 0o755);
};

interface Run {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function launch(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { XDG_CACHE_HOME: "/dev/null/none", ...env }, stdio: "pipe" });
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => (out += bytes));
    child.stderr.on("data", (bytes) => (err += bytes));
    child.on("error", reject);
    child.on("close", (code) => resolve({ pid: child.pid, code, out, err }));
  });
}

const system = "/usr/bin:/bin";

function checkout(extra: Readonly<Record<string, string>> = {}): string {
  return plant({ "src/faces/cli/main.ts": sourceProgram, "package.json": typeModule, ...extra }, ["bin"]);
}

it("runs a checkout from source on the bundled Node, as the very process that was started", async () => {
  const root = checkout({ "node_modules/node/bin/node": shim("bundled"), "elsewhere/node": shim("path") });
  nodes(root, "node_modules/node/bin/node", "elsewhere/node");
  const run = await launch(`${root}/bin/asfound`, ["plan", "a b"], { PATH: `${root}/elsewhere:${system}` });
  expect(run.err).toBe("");
  expect(JSON.parse(run.out)).toEqual({
    pid: run.pid,
    argv: ["plan", "a b"],
    program: `file://${root}/src/faces/cli/main.ts`,
    node: "bundled",
  });
});

it("finds itself through links, as in node_modules/.bin", async () => {
  const root = checkout({ "node_modules/node/bin/node": shim("bundled") });
  nodes(root, "node_modules/node/bin/node");
  mkdirSync(`${root}/node_modules/.bin`);
  symlinkSync("../../bin/asfound", `${root}/node_modules/.bin/asfound`);
  symlinkSync(`${root}/node_modules/.bin/asfound`, `${root}/second-link`);
  const run = await launch(`${root}/second-link`, [], { PATH: system });
  expect(JSON.parse(run.out)).toMatchObject({ node: "bundled" });
});

it("runs a package from dist, on a Node hoisted beside it", async () => {
  const root = plant({ "node_modules/node/bin/node": shim("hoisted") });
  nodes(root, "node_modules/node/bin/node");
  const source = plant({ "dist/cli/main.cjs": builtProgram, "package.json": typeModule }, ["bin"]);
  cpSync(source, `${root}/node_modules/asfound`, { recursive: true });
  const run = await launch(`${root}/node_modules/asfound/bin/asfound`, [], { PATH: system });
  expect(JSON.parse(run.out)).toMatchObject({
    node: "hoisted",
    program: `${root}/node_modules/asfound/dist/cli/main.cjs`,
  });
});

it("takes the PATH's Node else, and never a folder called node beside a checkout", async () => {
  const root = checkout({ "node_modules/.keep": "", "elsewhere/node": shim("path") });
  const folder = basename(root);
  const beside = plant({ "node/bin/node": shim("wrong") });
  nodes(root, "elsewhere/node");
  nodes(beside, "node/bin/node");
  cpSync(root, `${beside}/${folder}`, { recursive: true });
  const run = await launch(`${beside}/${folder}/bin/asfound`, [], { PATH: `${root}/elsewhere:${system}` });
  expect(JSON.parse(run.out)).toMatchObject({ node: "path" });
});

it("refuses an old Node in one sentence", async () => {
  const old =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });\n';
  const root = checkout({ "node_modules/.keep": "", "old.cjs": old });
  const shims = plant({ node: shim("old", `--require "${root}/old.cjs"`) });
  nodes(shims, "node");
  const run = await launch(`${root}/bin/asfound`, ["status"], { PATH: `${shims}:${system}` });
  expect(run).toMatchObject({
    code: 1,
    out: "",
    err: "asfound: this is Node.js 20.20.2, and asfound needs Node.js 24 or newer.\n",
  });
});

it("says in one sentence that there is no Node", async () => {
  const root = checkout({ "node_modules/.keep": "" });
  const run = await launch(`${root}/bin/asfound`, [], { PATH: `${root}/nowhere` });
  expect(run).toMatchObject({
    code: 1,
    out: "",
    err: "asfound: no Node.js found; asfound needs Node.js 24 or newer on the PATH.\n",
  });
});

it("tells a fresh clone to run npm ci", async () => {
  const root = checkout();
  const run = await launch(`${root}/bin/asfound`, [], { PATH: dirname(process.execPath) });
  expect(run).toMatchObject({
    code: 1,
    out: "",
    err: `asfound: this checkout has no dependencies yet; run \`npm ci\` in ${root} first.\n`,
  });
});

it("names a dependency that an interrupted install left out", async () => {
  const root = checkout({ "src/faces/cli/main.ts": 'import "@stricli/core";\n', "node_modules/.keep": "" });
  const run = await launch(`${root}/bin/asfound`, [], { PATH: `${dirname(process.execPath)}:${system}` });
  expect(run).toMatchObject({
    code: 1,
    err: `asfound: its dependency @stricli/core is not installed; run \`npm ci\` in ${root}.\n`,
  });
});

it("names it for a package as well", async () => {
  const root = plant({ "dist/cli/main.cjs": 'require("@stricli/core");\n', "package.json": typeModule }, [
    "bin",
  ]);
  const run = await launch(`${root}/bin/asfound`, [], { PATH: `${dirname(process.execPath)}:${system}` });
  expect(run).toMatchObject({
    code: 1,
    err: "asfound: its dependency @stricli/core is not installed; install the package again.\n",
  });
});

it("lets an error of the program itself through", async () => {
  const root = checkout({
    "src/faces/cli/main.ts": 'throw new Error("of its own");\n',
    "node_modules/.keep": "",
  });
  const run = await launch(`${root}/bin/asfound`, [], { PATH: `${dirname(process.execPath)}:${system}` });
  expect(run.code).toBe(1);
  expect(run.err).toContain("of its own");
});

it("keeps its compile cache in the user's cache folder", async () => {
  const root = checkout({ "node_modules/.keep": "" });
  const PATH = `${dirname(process.execPath)}:${system}`;
  await launch(`${root}/bin/asfound`, [], { PATH, XDG_CACHE_HOME: `${root}/cache` });
  expect(existsSync(`${root}/cache/asfound/node`)).toBe(true);
  const elsewhere = await launch(`${root}/bin/asfound`, [], {
    PATH,
    XDG_CACHE_HOME: "relative",
    HOME: `${root}/home`,
  });
  expect(elsewhere.code).toBe(0);
  expect(
    existsSync(`${root}/home/${process.platform === "darwin" ? "Library/Caches" : ".cache"}/asfound/node`),
  ).toBe(true);
});
