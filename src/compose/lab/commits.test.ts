/** Ids that are told before a commit is made are those that the real git makes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { type LabCommit, pushing, repositoryFault, withCommit, withRevert } from "./commits.ts";

const DELIVERING = {
  url: "https://git.example/lab.git",
  branch: "asfound-lab-12345678",
  application: { namespace: "argocd", name: "asfound-lab-12345678" },
};

it("the real git makes the commits that were told", () => {
  const folder = mkdtempSync(join(tmpdir(), "asfound-commits-"));
  try {
    const made = [["first"], ["first", "secönd \"of\" 'two'"]].reduce<readonly LabCommit[]>(
      (before, names) =>
        withCommit(
          before,
          `with ${names.length}`,
          names.map((name) => ({ kind: "ConfigMap", metadata: { name } })),
          1_796_000_000 + before.length,
        ),
      [],
    );
    const commits = withRevert(made, 1_796_000_009);
    expect(commits[2]?.tree).toBe(commits[0]?.tree);
    const { environment } = pushing(DELIVERING, commits, undefined) as { readonly environment: JsonObject };
    const git = (words: readonly string[], atS = 0): string =>
      execFileSync("git", ["-C", folder, ...words], {
        encoding: "utf8",
        env: {
          ...process.env,
          ...(environment as Readonly<Record<string, string>>),
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_AUTHOR_DATE: `@${atS} +0000`,
          GIT_COMMITTER_DATE: `@${atS} +0000`,
        },
      }).trim();
    git(["init", "--quiet", "--object-format=sha1"]);
    for (const { subject, content, atS, id, tree, isRevert } of commits) {
      if (isRevert) {
        git(["revert", "--no-edit", "HEAD"], atS);
        expect([git(["rev-parse", "HEAD"]), git(["rev-parse", "HEAD^{tree}"])]).toEqual([id, tree]);
        continue;
      }
      const file = join(folder, "deploy/lab.yaml");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      git(["add", "--all"]);
      git(["commit", "--quiet", `--message=${subject}`], atS);
      expect(git(["rev-parse", "HEAD"])).toBe(id);
    }
    expect(environment["OURS"]).toBe(commits.map(({ id }) => id).join(" "));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("no step of a lab holds what a stack file would take for a reference", () => {
  const commits = withCommit([], "one", [{ kind: "ConfigMap" }], 1_796_000_000);
  expect(JSON.stringify(pushing(DELIVERING, commits, "agent"))).not.toContain("${");
});

it.each([
  "https://git.example/lab.git",
  "http://10.0.0.1:9480/lab.git",
  "ssh://git@git.example/lab.git",
  "git@git.example:team/lab.git",
])("%s can be pushed to", (url) => expect(repositoryFault(url)).toBe(undefined));

it.each([
  ["ext::sh -c true", /URL of a Git server/],
  ["--upload-pack=true", /URL of a Git server/],
  ["-x@git.example:lab", /URL of a Git server/],
  ["../lab", /URL of a Git server/],
  ["file:///srv/lab.git", /URL of a Git server/],
  ["https://somebody:word@git.example/lab.git", /credential helper/],
  ["https://git.example/$" + "{secret.env.TOKEN}", /no spaces/],
  ["https://git.example/lab\n.git", /no spaces/],
])("%j is refused", (url, why) => expect(repositoryFault(url)).toMatch(why));
