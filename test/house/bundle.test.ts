/** The command line as it is published: one file for all that a question needs, and every verb works out of it. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { HOUSE, plant } from "../canary/tree.ts";

const NOTES = "docs/guide/examples/notes.sh";
const call = `["${HOUSE}/${NOTES}"]`;
const STACK = `apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: notes }
steps:
  note:
    uses: exec
    with: { observe: ${call}, create: ${call}, destroy: ${call}, environment: { NOTES: shelf, TEXT: hello } }
`;

const IN_TYPESCRIPT = `export const stack: object = {
  apiVersion: "asfound.dev/v1alpha1",
  kind: "Stack",
  metadata: { name: "typed" },
  steps: { wait: { uses: "exec", with: { create: ["true"], protocol: "exit-code" } } },
};
`;

/** Appends the URL of every module that is loaded, built-in ones left out, to the file in LOADED. */
const LISTING = `
const { registerHooks } = require("node:module");
const { appendFileSync } = require("node:fs");
registerHooks({ load: (url, context, next) => {
  if (!url.startsWith("node:")) appendFileSync(process.env.LOADED, url + "\\n");
  return next(url, context);
} });
`;

it("a package made of the bundle does what the source does, and a question loads one file of it beside the list of verbs", () => {
  const files = {
    "work/asfound.yaml": STACK,
    "work/typed/asfound.ts": IN_TYPESCRIPT,
    "listing.cjs": LISTING,
  };
  const root = plant(files, ["bin", "package.json"]);
  symlinkSync(`${HOUSE}/node_modules`, `${root}/node_modules`);
  onTestFinished(() => rmSync(`${root}/node_modules`, { force: true }));
  const made = spawnSync(process.execPath, [`${HOUSE}/scripts/bundle.ts`, `${root}/dist/cli`], {
    encoding: "utf8",
  });
  expect(made).toMatchObject({ status: 0, stderr: "" });

  const asfound = (...words: string[]) => {
    rmSync(`${root}/loaded`, { force: true });
    const run = spawnSync(`${root}/bin/asfound`, words, {
      cwd: `${root}/work`,
      encoding: "utf8",
      env: {
        ...process.env,
        CI: "",
        LOADED: `${root}/loaded`,
        NODE_OPTIONS: `--require ${root}/listing.cjs`,
        XDG_CACHE_HOME: `${root}/cache`,
      },
    });
    const loaded = readFileSync(`${root}/loaded`, "utf8").trim().split("\n");
    return {
      code: run.status,
      out: run.stdout,
      err: run.stderr,
      own: loaded
        .filter((url) => url.includes("/dist/cli/"))
        .map((url) => url.slice(url.lastIndexOf("/") + 1)),
      dependencies: loaded
        .filter((url) => url.includes("/node_modules/"))
        .map((url) => url.replace(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/, "$1")),
    };
  };

  expect(asfound("--version")).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: "" });
  const list = asfound("--help");
  expect(list.code).toBe(0);
  expect(list.own).not.toContain("ask.cjs");

  // A new ledger: the migrations are found beside the bundle.
  const applied = asfound("apply", "--yes");
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("1 of 1 steps are complete") });
  // Control: the same listing shows what another verb loads.
  expect(applied.own.length).toBeGreaterThan(4);
  expect(applied.dependencies).toContain("yaml");

  for (const question of [["status"], ["status", "-o", "json"], ["history"]]) {
    const asked = asfound(...question);
    expect(asked, question.join(" ")).toMatchObject({ code: 0, dependencies: ["@stricli/core"] });
    expect(asked.own.filter((name) => !/^(main|rolldown-runtime)\.cjs$/.test(name))).toEqual([
      "ask.cjs",
      "verbs.cjs",
    ]);
  }
  expect(asfound("destroy", "--yes")).toMatchObject({ code: 0, out: expect.stringContaining("gone") });
  expect(asfound("doctor").code).toBe(0);
  // What the bundle must leave to Node: the import of a person's own module.
  expect(asfound("plan", "-f", "typed/asfound.ts")).toMatchObject({
    code: 0,
    out: expect.stringContaining("create"),
  });
});
