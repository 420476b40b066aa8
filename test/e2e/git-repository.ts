/**
 * A repository on the testbed's Git server, which makes it at the first push, and commits to it. Their dates are always the
 * same, so that equal contents and messages have equal SHAs on every machine.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NETWORK } from "../../testbed/place.ts";

const git = (folder: string, words: readonly string[], date = FIRST): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...SOMEBODY, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFile("git", ["-C", folder, ...words], { env }, (error, out, err) => {
      if (error === null) resolve(out.trim());
      else reject(new Error(`git ${words.join(" ")}: ${err.trim() || error.message}`));
    });
  });

const FIRST = "2026-11-30T12:00:00Z";
const SOMEBODY = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Somebody",
  GIT_AUTHOR_EMAIL: "somebody@example.invalid",
  GIT_COMMITTER_NAME: "Somebody",
  GIT_COMMITTER_EMAIL: "somebody@example.invalid",
};

export interface Repository extends Disposable {
  readonly url: string;
  /** The work tree. */
  readonly folder: string;
  /** Writes these files (null: removes one), commits and pushes to main; resolves to the commit. */
  commit(message: string, files: Readonly<Record<string, string | null>>): Promise<string>;
  /** `git revert` of the last commit, pushed; resolves to the new one. */
  revert(): Promise<string>;
  treeOf(commit: string): Promise<string>;
  /** Of the server: its commits by their branches' full names. */
  branches(): Promise<Readonly<Record<string, string>>>;
}

/** `name`: lower-case letters, digits and hyphens; `server`: another than the testbed's own. */
export const repository = async (name: string, server = `http://${NETWORK.git}`): Promise<Repository> => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-repository-"));
  const url = `${server}/${name}.git`;
  await git(folder, ["init", "--quiet", "--initial-branch=main"]);
  const push = async (): Promise<string> => {
    await git(folder, ["push", "--quiet", url, "main"]);
    return git(folder, ["rev-parse", "HEAD"]);
  };
  let commits = 0;
  /** A minute later each. */
  const date = (): string => FIRST.replace("12:00", `12:${String(commits++).padStart(2, "0")}`);
  return {
    url,
    folder,
    commit: async (message, files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        if (text === null) rmSync(join(folder, path));
        else writeFileSync(join(folder, path), text);
      }
      await git(folder, ["add", "--all"]);
      await git(folder, ["commit", "--quiet", `--message=${message}`], date());
      return push();
    },
    revert: async () => {
      await git(folder, ["revert", "--no-edit", "HEAD"], date());
      return push();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
    branches: async () => {
      const told = await git(folder, ["ls-remote", "--heads", url]);
      return Object.fromEntries(
        told.split("\n").map((line) => line.split("\t").reverse() as [string, string]),
      );
    },
    treeOf: (commit) => git(folder, ["rev-parse", `${commit}^{tree}`]),
  };
};
