/** The contract of every repository that is read (`src/ports/repository.ts`): over one made by the real git. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Known } from "../../src/domain/known.ts";
import type { Repository } from "../../src/ports/repository.ts";
import type { MadeRepository } from "../support/git.ts";

export const value = <T>(known: Known<T>): T => {
  if (known.kind !== "known") throw new Error(JSON.stringify(known));
  return known.value;
};

export interface Opened {
  readonly made: MadeRepository;
  /** After what was made is made. */
  readonly open: () => Promise<Repository>;
}

export const repositoryContract = (name: string, make: () => Opened): void => {
  describe(`the contract of a repository, kept by ${name}`, () => {
    it("tells a commit: tree, parents, authors, times, subject", async () => {
      const { made, open } = make();
      const first = made.commit({ a: "1" }, { message: "first\n\nmore of it" });
      const second = made.commit({ a: "2" }, { author: "Zoë" });
      const repository = await open();
      expect(value(await repository.commit(first))).toEqual({
        id: first,
        tree: made.tree(first),
        parents: [],
        author: { name: "Ada", at: Date.UTC(2026, 10, 30, 12) },
        committer: { name: "Ben", at: Date.UTC(2026, 10, 30, 12) },
        subject: "first",
        reverts: [],
        isSigned: false,
      });
      expect(value(await repository.commit(second))).toMatchObject({
        parents: [first],
        author: { name: "Zoë" },
      });
      expect(value(await repository.resolve("main"))).toBe(second);
      expect(value(await repository.resolve("HEAD~1"))).toBe(first);
    });

    it("a merge has its parents in order, and a revert names what it reverts, with the tree of before", async () => {
      const { made, open } = make();
      const normal = made.commit({ a: "1" });
      made.git("checkout", "-q", "-b", "side");
      const side = made.commit({ b: "1" });
      made.git("checkout", "-q", "main");
      const failure = made.commit({ a: "2" });
      const recovery = made.revert(failure);
      made.git("merge", "-q", "--no-edit", "side");
      const merge = made.head();
      const repository = await open();
      expect(value(await repository.commit(merge)).parents).toEqual([recovery, side]);
      const reverting = value(await repository.commit(recovery));
      expect([reverting.reverts, reverting.tree]).toEqual([
        [failure],
        value(await repository.commit(normal)).tree,
      ]);
      expect(value(await repository.changes(normal, recovery, "."))).toEqual([]);
      expect(value(await repository.line(merge, normal)).map(({ id }) => id)).toEqual([
        merge,
        recovery,
        failure,
        normal,
      ]);
      expect(await repository.line(merge, side)).toEqual({ kind: "absent" });
    });

    it("lineage: ancestor, descendant, diverged, unrelated, the same", async () => {
      const { made, open } = make();
      const root = made.commit({ a: "1" });
      const ids: string[] = [];
      for (let at = 0; at < 5; at += 1) ids.push(made.commit({ a: `of main ${at}` }));
      made.git("checkout", "-q", "-b", "side", root);
      const side = made.commit({ b: "1" });
      made.git("checkout", "-q", "--orphan", "other");
      const stranger = made.commit({ c: "1" });
      const repository = await open();
      const last = String(ids.at(-1));
      const lineage = async (one: string, other: string) => value(await repository.lineage(one, other));
      expect(await lineage(root, last)).toBe("ancestor");
      expect(await lineage(last, root)).toBe("descendant");
      expect(await lineage(side, last)).toBe("diverged");
      expect(await lineage(stranger, last)).toBe("unrelated");
      expect(await lineage(last, last)).toBe("same");
    });

    it("changes below a path: added, removed, changed, made executable, a folder for a file", async () => {
      const { made, open } = make();
      const before = made.commit({
        "k/a": "1",
        "k/b": "1",
        "k/c": "1",
        "k/d": "1",
        "k/same": "1",
        outside: "1",
      });
      chmodSync(join(made.folder, "k/d"), 0o755);
      const moded = made.commit({});
      made.write({ "k/a": "2", "k/b": null, "k/c": null, outside: "2" });
      const after = made.commit({ "k/c/inside": "1", "k/e": "1" });
      const repository = await open();
      const paths = async (...of: readonly [string, string, string]) =>
        value(await repository.changes(...of)).map(({ path, before: was, after: is }) => [
          path,
          was !== null,
          is !== null,
        ]);
      expect(await paths(before, moded, "k")).toEqual([["d", true, true]]);
      expect(await paths(moded, after, "./k/")).toEqual([
        ["a", true, true],
        ["b", true, false],
        ["c", true, false],
        ["c/inside", false, true],
        ["e", false, true],
      ]);
      expect(await paths(moded, after, "nowhere")).toEqual([]);
      expect(await paths(before, after, "k/same")).toEqual([]);
      expect((await repository.changes(before, after, "../k")).kind).toBe("unreadable");
    });

    it("an entry, its files and their bytes; what is not there is absent", async () => {
      const { made, open } = make();
      const id = made.commit({ "k/a": "one", "k/deep/b": "two" });
      const repository = await open();
      expect(value(await repository.entry(id, "k"))).toEqual({ kind: "tree", id: made.tree("HEAD:k") });
      expect(value(await repository.entry(id, "."))).toEqual({ kind: "tree", id: made.tree() });
      expect(await repository.entry(id, "k/nothing")).toEqual({ kind: "absent" });
      expect(await repository.entry(id, "k/a/below")).toEqual({ kind: "absent" });
      const files = value(await repository.files(id, "k"));
      expect(files.map(({ path }) => path).sort()).toEqual(["a", "deep/b"]);
      const deep = String(files.find(({ path }) => path === "deep/b")?.id);
      expect(Buffer.from(value(await repository.bytes(deep))).toString()).toBe("two");
    });

    it("what is not in it, or is no commit, is said, and never an empty answer", async () => {
      const { made, open } = make();
      const id = made.commit({ a: "1" });
      const repository = await open();
      const gone = "1".repeat(id.length);
      for (const answer of [
        await repository.commit(gone),
        await repository.commit(made.tree()),
        await repository.commit("1234"),
        await repository.entry(gone, "."),
        await repository.changes(id, gone, "."),
        await repository.lineage(id, gone),
        await repository.lineage(gone, gone),
        await repository.line(gone, id),
        await repository.resolve("nowhere"),
        await repository.resolve("--help"),
        await repository.resolve(""),
        await repository.resolve("a\u0000b"),
        await repository.bytes(id),
      ])
        expect(answer).toMatchObject({ kind: "unreadable", why: expect.stringMatching(/\w/) });
    });

    it("hostile names of files, branches, authors and messages are carried as they are", async () => {
      const { made, open } = make();
      const names = ["--output=x", "a b\tc\nd", 'quo"te', "\u001b[31mred", "ünï", ":(glob)*"];
      const id = made.commit(Object.fromEntries(names.map((name) => [`k/${name}`, "1"])), {
        message:
          "\u001b]0;owned\u0007\nparent 1111111111111111111111111111111111111111\n\nThis reverts commit abc.",
        author: "A <x> $(touch owned) --exec",
      });
      made.git("branch", "--", "we;ird$(x)");
      const repository = await open();
      expect(
        value(await repository.files(id, "k"))
          .map(({ path }) => path)
          .sort(),
      ).toEqual([...names].sort());
      for (const name of names) expect(value(await repository.entry(id, `k/${name}`)).kind).toBe("file");
      const commit = value(await repository.commit(id));
      expect([commit.parents, commit.reverts]).toEqual([[], []]);
      expect(commit.author.name).toContain("$(touch owned) --exec");
      expect(value(await repository.resolve("we;ird$(x)"))).toBe(id);
    });
  });
};
