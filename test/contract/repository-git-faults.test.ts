/**
 * What repo-git says where a repository is not whole, and what it does not do where one is hostile. Each trap is shown to work by
 * the plain git that springs it.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Opening, openRepository } from "../../src/adapters/repo-git/open.ts";
import type { Repository } from "../../src/ports/repository.ts";
import { cloneOf, gitEnvironmentOfTests, type MadeRepository, madeRepository } from "../support/git.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { value } from "./repository.ts";

const opened: Repository[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const open = async (folder: string, more: Partial<Opening> = {}): Promise<Repository> => {
  const repository = await openRepository({
    folder,
    named: "clone",
    environment: gitEnvironmentOfTests(),
    ...more,
  });
  if ("fault" in repository) throw new Error(repository.fault);
  opened.push(repository);
  return repository;
};

/** A script that leaves a mark, and the mark. */
const trap = (): { readonly script: string; readonly sprung: () => boolean } => {
  const folder = tempFolder("trap");
  const [script, mark] = [join(folder, "trap.sh"), join(folder, "sprung")];
  writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
  chmodSync(script, 0o755);
  return { script, sprung: () => existsSync(mark) };
};

const looseFile = ({ folder }: MadeRepository, id: string): string =>
  join(folder, ".git", "objects", id.slice(0, 2), id.slice(2));

const UNREADABLE = (why: RegExp) => ({ kind: "unreadable", why: expect.stringMatching(why) });

describe("a repository that is not whole", () => {
  it("a shallow clone: its past is cut off, so nothing is said of it", async () => {
    const made = madeRepository();
    const [first, , last] = [made.commit({ a: "1" }), made.commit({ a: "2" }), made.commit({ a: "3" })];
    const shallow = await open(cloneOf(made, "--depth=1").folder);
    expect(value(await shallow.commit(last)).id).toBe(last);
    expect(await shallow.commit(first)).toEqual(UNREADABLE(/shallow clone/));
    expect(await shallow.lineage(first, last)).toEqual(UNREADABLE(/shallow clone/));
    expect(await shallow.changes(first, last, ".")).toEqual(UNREADABLE(/shallow clone/));
    expect(await shallow.line(last, first)).toEqual(UNREADABLE(/shallow clone/));
    // Control: the whole clone tells it.
    expect(value(await (await open(made.folder)).lineage(first, last))).toBe("ancestor");
  });

  it("two commits whose pasts are both cut off are not called unrelated", async () => {
    const made = madeRepository();
    made.commit({ a: "1" });
    made.git("branch", "side");
    const near = made.commit({ a: "2" });
    const one = made.commit({ a: "3" });
    made.git("checkout", "-q", "side");
    const sibling = made.commit({ b: "2" });
    const other = made.commit({ b: "3" });
    const shallow = await open(cloneOf(made, "--depth=1", "--no-single-branch").folder);
    expect(await shallow.lineage(one, other)).toEqual(UNREADABLE(/shallow clone/));
    expect(value(await (await open(made.folder)).lineage(one, other))).toBe("diverged");
    // A parent that both name is shared, though it is not in the clone.
    const two = await open(cloneOf(made, "--depth=2", "--no-single-branch").folder);
    expect(value(await two.lineage(near, sibling))).toBe("diverged");
  });

  it("a partial clone: what it lacks is not fetched, and not taken for unchanged", async () => {
    const made = madeRepository();
    made.git("config", "uploadpack.allowFilter", "true");
    const [first, last] = [made.commit({ "k/a": "1" }), made.commit({ "k/a": "2" })];
    const clone = cloneOf(made, "--filter=tree:0", "--bare");
    const partial = await open(clone.folder);
    const lacking = made.tree(`${first}:k`);
    expect(await partial.changes(first, last, "k")).toEqual(UNREADABLE(/partial clone|promisor/));
    expect(await partial.entry(first, "k")).toEqual(UNREADABLE(/partial clone|promisor/));
    expect(value(await partial.lineage(first, last))).toBe("ancestor");
    // Control: the plain git fetches it on being asked.
    for (const tree of [made.tree(first), lacking]) expect(clone.git("cat-file", "-t", tree)).toBe("tree");
    expect(value(await (await open(clone.folder)).entry(first, "k")).id).toBe(lacking);
  });

  it.each(["truncated", "another object", "gone"])(
    "an object that is %s is named, and the rest goes on",
    async (how) => {
      const made = madeRepository();
      const first = made.commit({ "k/a": "1", other: "1" });
      const last = made.commit({ "k/a": "2" });
      const file = looseFile(made, made.tree(`${first}:k`));
      chmodSync(file, 0o644);
      if (how === "gone") rmSync(file);
      else if (how === "truncated") truncateSync(file, 5);
      else writeFileSync(file, execFileSync("cat", [looseFile(made, made.tree(`${last}:k`))]));
      const repository = await open(made.folder);
      const change = await repository.changes(first, last, ".");
      expect(change.kind).toBe("unreadable");
      expect(change).toEqual(
        UNREADABLE(
          { truncated: /no whole object/, gone: /no whole object/, "another object": /git says|digest/ }[
            how
          ] as RegExp,
        ),
      );
      expect(value(await repository.commit(last)).parents).toEqual([first]);
      expect(value(await repository.lineage(first, last))).toBe("ancestor");
    },
  );

  it("no repository, no folder, no git, a broken configuration: each is said", async () => {
    const made = madeRepository();
    made.commit({ a: "1" });
    const environment = gitEnvironmentOfTests();
    const fault = async (folder: string, of = environment): Promise<string> => {
      const repository = await openRepository({ folder, named: "clone", environment: of });
      return "fault" in repository ? repository.fault : "it opened";
    };
    expect(await fault(tempFolder("plain"))).toContain("not a git repository");
    expect(await fault(join(made.folder, "nowhere"))).toContain("no folder");
    expect(await fault(made.folder, { ...environment, PATH: "/nowhere" })).toContain(
      "no git on this machine",
    );
    writeFileSync(join(made.folder, ".git", "config"), "[core\n");
    expect(await fault(made.folder)).toContain("bad config");
  });

  it("what is too large, or takes too long, is said and ends", async () => {
    const made = madeRepository();
    const id = made.commit({ a: "x".repeat(5_000) });
    const file = made.tree("HEAD:a");
    const small = await open(made.folder, { limits: { objectBytes: 4_000 } });
    expect(await small.bytes(file)).toEqual(UNREADABLE(/5000 bytes; at most 4000/));
    expect(value(await small.commit(id)).id).toBe(id);
    // A git that never answers.
    const folder = tempFolder("slow");
    writeFileSync(
      join(folder, "git"),
      '#!/bin/sh\ncase "$*" in *cat-file*) exec sleep 60;; *) exec /usr/bin/env PATH="$REAL" git "$@";; esac\n',
    );
    chmodSync(join(folder, "git"), 0o755);
    const real = String(process.env["PATH"]);
    const slow = await open(made.folder, {
      environment: { ...gitEnvironmentOfTests(), PATH: `${folder}:${real}`, REAL: real },
      limits: { deadlineMs: 300 },
    });
    expect(await slow.commit(id)).toEqual(UNREADABLE(/not done after 0.3 seconds/));
  });
});

describe("a hostile repository", () => {
  it("a promisor over ext:: runs nothing, whatever its configuration allows", async () => {
    const { script, sprung } = trap();
    const made = madeRepository();
    const id = made.commit({ "k/a": "1" });
    const tree = made.tree("HEAD:k");
    rmSync(looseFile(made, tree));
    for (const [name, setting] of [
      ["extensions.partialClone", "origin"],
      ["core.repositoryFormatVersion", "1"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", `ext::${script}`],
      ["protocol.ext.allow", "always"],
      ["protocol.allow", "always"],
    ] as const)
      made.git("config", name, setting);
    expect((await (await open(made.folder)).entry(id, "k")).kind).toBe("unreadable");
    expect(sprung()).toBe(false);
    expect(() => made.git("cat-file", "-p", tree)).toThrow();
    expect(sprung()).toBe(true);
  });

  it("hooks, monitors, pagers, diff drivers and gpg programs that it names are not run", async () => {
    const { script, sprung } = trap();
    const made = madeRepository();
    const key = join(tempFolder("key"), "key");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    made.write({ a: "1", ".gitattributes": "* diff=trap" });
    made.git("add", "--all");
    made.git("-c", "gpg.format=ssh", "-c", `user.signingKey=${key}`, "commit", "-q", "-S", "-m", "signed");
    const id = made.head();
    const hooks = join(made.folder, "hooks");
    mkdirSync(hooks);
    for (const [name, setting] of [
      ["core.hooksPath", hooks],
      ["core.fsmonitor", script],
      ["core.pager", script],
      ["diff.external", script],
      ["diff.trap.textconv", script],
      ["gpg.program", script],
      ["gpg.ssh.program", script],
      ["gpg.ssh.allowedSignersFile", `${key}.pub`],
      ["core.alternateRefsCommand", script],
      ["core.sshCommand", script],
      ["credential.helper", `!${script}`],
    ] as const)
      made.git("config", name, setting);
    const repository = await open(made.folder);
    expect(value(await repository.resolve("HEAD"))).toBe(id);
    expect(value(await repository.changes(id, id, "."))).toEqual([]);
    expect(value(await repository.signature(id))).toBe("not-checked");
    expect(sprung()).toBe(false);
    made.git("log", "-1", "--format=%G?", "HEAD");
    expect(sprung()).toBe(true);
  });

  it("replacements, grafts and a lying commit-graph change nothing that is told", async () => {
    const made = madeRepository();
    const [first, second, third] = [
      made.commit({ a: "1" }),
      made.commit({ a: "2" }),
      made.commit({ a: "3" }),
    ];
    made.git("checkout", "-q", "--orphan", "other");
    const stranger = made.commit({ a: "1" });
    made.git("checkout", "-q", "main");
    made.git("replace", second, stranger);
    writeFileSync(join(made.folder, ".git", "info", "grafts"), `${third} ${stranger}\n`);
    const repository = await open(made.folder);
    expect(value(await repository.commit(second)).parents).toEqual([first]);
    expect(value(await repository.lineage(first, third))).toBe("ancestor");
    expect(value(await repository.lineage(stranger, third))).toBe("unrelated");
    // Control: the plain git believes them.
    expect(made.git("log", "--format=%H", third)).not.toContain(first);
  });

  it("git is not taken from the working folder, nor a repository from the environment", async () => {
    const { script, sprung } = trap();
    const made = madeRepository();
    const id = made.commit({ a: "1" });
    writeFileSync(join(made.folder, "git"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(made.folder, "git"), 0o755);
    const other = madeRepository();
    other.commit({ b: "2" });
    const repository = await open(made.folder, {
      environment: {
        ...gitEnvironmentOfTests(),
        PATH: `.:${process.env["PATH"]}`,
        GIT_DIR: join(other.folder, ".git"),
      },
    });
    expect(value(await repository.resolve("HEAD"))).toBe(id);
    expect(sprung()).toBe(false);
  });

  it("a name of several is refused, and a tree with a forged name is no tree", async () => {
    const made = madeRepository();
    const first = made.commit({ a: "1" });
    made.git("tag", "main");
    made.commit({ a: "2" });
    const repository = await open(made.folder);
    expect(await repository.resolve("main")).toEqual(UNREADABLE(/several/));
    const blob = made.tree("HEAD:a");
    const bytes = Buffer.concat([Buffer.from("100644 ../../owned\0", "latin1"), Buffer.from(blob, "hex")]);
    const tree = execFileSync("git", ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], {
      cwd: made.folder,
      input: bytes,
      encoding: "utf8",
    }).trim();
    const commit = made.git("commit-tree", "-p", first, "-m", "forged", tree);
    expect(await repository.files(commit, ".")).toEqual(UNREADABLE(/no tree that can be read/));
  });
});

describe("signatures", () => {
  const signed = (): { readonly made: MadeRepository; readonly id: string; readonly signers: string } => {
    const made = madeRepository();
    const folder = tempFolder("key");
    const key = join(folder, "key");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    made.write({ a: "1" });
    made.git("add", "--all");
    made.git("-c", "gpg.format=ssh", "-c", `user.signingKey=${key}`, "commit", "-q", "-S", "-m", "signed");
    const signers = join(folder, "signers");
    writeFileSync(signers, `ben@example.com ${execFileSync("cat", [`${key}.pub`], { encoding: "utf8" })}`);
    return { made, id: made.head(), signers };
  };
  /** As a person has it in their own configuration. */
  const person = (signers: string) => {
    const home = tempFolder("home");
    writeFileSync(join(home, ".gitconfig"), `[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n`);
    return { environment: { ...gitEnvironmentOfTests(), HOME: home } };
  };

  it("good by the person's own signers; by those of the repository it is not checked", async () => {
    const { made, id, signers } = signed();
    const unsigned = made.commit({ a: "2" });
    expect(value(await (await open(made.folder, person(signers))).signature(id))).toBe("good");
    expect(value(await (await open(made.folder, person(signers))).signature(unsigned))).toBe("none");
    made.git("config", "gpg.ssh.allowedSignersFile", signers);
    expect(value(await (await open(made.folder)).signature(id))).toBe("not-checked");
    // Control: the plain git believes the repository.
    expect(made.git("log", "-1", "--format=%G?", id)).toBe("G");
  });

  it("a commit that was changed after it was signed is bad", async () => {
    const { made, id, signers } = signed();
    const text = made.git("cat-file", "commit", id).replace(/signed$/, "forged");
    const forged = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
      cwd: made.folder,
      input: `${text}\n`,
      encoding: "utf8",
    }).trim();
    expect(value(await (await open(made.folder, person(signers))).signature(forged))).toBe("bad");
  });
});

it("reading leaves nothing behind in the repository", async () => {
  const made = madeRepository();
  const id = made.commit({ a: "1" });
  const all = (): readonly string[] =>
    readdirSync(join(made.folder, ".git"), { recursive: true }).map(String).sort();
  const before = all();
  const repository = await open(made.folder);
  await repository.files(id, ".");
  await repository.signature(id);
  expect(all()).toEqual(before);
});
