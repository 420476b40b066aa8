/** The commit of a working folder, by the system's git, which runs nothing that the repository names. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { headOf } from "./head.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const repository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-git-"));
  made.push(folder);
  git(folder, "init", "-q");
  return folder;
};
const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
    cwd: folder,
    encoding: "utf8",
  }).trim();
const committed = (): string => {
  const folder = repository();
  writeFileSync(join(folder, "file"), "1");
  git(folder, "add", "file");
  git(folder, "commit", "-q", "-m", "first");
  return folder;
};
const environment = (more: Readonly<Record<string, string>> = {}) => ({ ...process.env, ...more });

it("tells commit and tree", async () => {
  const folder = committed();
  expect(await headOf(folder, environment())).toEqual({
    commit: git(folder, "rev-parse", "HEAD"),
    tree: git(folder, "rev-parse", "HEAD^{tree}"),
  });
});

it("says why there is none: no commit yet, no repository, no git", async () => {
  expect(await headOf(repository(), environment())).toEqual({ fault: expect.stringContaining("no commit") });
  const plain = mkdtempSync(join(tmpdir(), "asfound-plain-"));
  made.push(plain);
  expect(await headOf(plain, environment())).toEqual({ fault: expect.stringContaining("--commit SHA") });
  expect(await headOf(committed(), environment({ PATH: "/nowhere" }))).toEqual({
    fault: expect.stringContaining("no git on this machine"),
  });
});

it("runs nothing that the repository names, and takes no repository from the environment", async () => {
  const folder = committed();
  const trap = join(folder, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\ntouch '${join(folder, "sprung")}'\n`);
  chmodSync(trap, 0o755);
  git(folder, "config", "core.fsmonitor", trap);
  git(folder, "config", "core.hooksPath", folder);
  const other = committed();
  const head = await headOf(folder, environment({ GIT_DIR: join(other, ".git") }));
  expect(head).toMatchObject({ commit: git(folder, "-c", "core.fsmonitor=false", "rev-parse", "HEAD") });
  expect(existsSync(join(folder, "sprung"))).toBe(false);
  // Control: a git that is not hardened springs it.
  git(folder, "status");
  expect(existsSync(join(folder, "sprung"))).toBe(true);
});
