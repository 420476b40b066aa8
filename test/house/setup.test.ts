/** scripts/setup.sh installs once, again when the lock file changed, and one at a time. A stub stands in for npm. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { plant } from "../canary/tree.ts";

const npm = `#!/bin/sh
echo "$* $PATH" >> calls
[ -e npm-fails ] && exit 1
sleep 0.5
mkdir -p node_modules/.bin
: > node_modules/.bin/node
chmod +x node_modules/.bin/node
`;

function fresh(): {
  root: string;
  setup: (...args: string[]) => Promise<number | null>;
  calls: () => string[];
} {
  const root = plant({ "package-lock.json": "one\n", "stubs/npm": npm }, ["scripts/setup.sh"]);
  chmodSync(`${root}/stubs/npm`, 0o755);
  return {
    root,
    setup: (...args) =>
      new Promise((resolve) =>
        spawn("sh", [`${root}/scripts/setup.sh`, ...args], {
          env: { PATH: `${root}/node_modules/.bin:${root}/stubs:/usr/bin:/bin` },
          stdio: "ignore",
        }).on("close", resolve),
      ),
    calls: () =>
      existsSync(`${root}/calls`) ? readFileSync(`${root}/calls`, "utf8").trim().split("\n") : [],
  };
}

it("installs once, and again only when the lock file has changed", async () => {
  const { root, setup, calls } = fresh();
  expect([await setup(), await setup()]).toEqual([0, 0]);
  expect(calls()).toHaveLength(1);
  writeFileSync(`${root}/package-lock.json`, "two\n");
  await setup();
  expect(calls()).toHaveLength(2);
});

it("runs npm on a Node that npm does not delete meanwhile", async () => {
  const { root, setup, calls } = fresh();
  await setup();
  expect(calls()).toEqual([`ci ${root}/stubs:/usr/bin:/bin`]);
});

it("installs once when three start together", async () => {
  const { setup, calls } = fresh();
  expect(await Promise.all([setup(), setup(), setup()])).toEqual([0, 0, 0]);
  expect(calls()).toHaveLength(1);
});

it("goes on after an installer that died", async () => {
  const { root, setup, calls } = fresh();
  symlinkSync("999999999", `${root}/.asfound-setup.lock`);
  expect(await setup()).toBe(0);
  expect(calls()).toHaveLength(1);
});

it("fails when npm ci fails, and tries again next time", async () => {
  const { root, setup, calls } = fresh();
  writeFileSync(`${root}/npm-fails`, "");
  expect([await setup(), await setup()]).toEqual([1, 1]);
  expect(calls()).toHaveLength(2);
});

it("counts a plain npm ci, through npm's dependencies hook", async () => {
  const { root, setup, calls } = fresh();
  await setup();
  writeFileSync(`${root}/package-lock.json`, "two\n");
  expect(await setup("--installed")).toBe(0);
  await setup();
  expect(calls()).toHaveLength(1);
});
