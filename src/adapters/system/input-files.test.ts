import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inputFiles } from "./input-files.ts";

const base = mkdtempSync(join(tmpdir(), "asfound-files-"));
const put = (path: string, text = path): void => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
for (const path of [
  "b.yml",
  "a.yml",
  "x/c.yml",
  "x/y/d.yml",
  "x/y/n.txt",
  ".asfound/ledger.yml",
  ".hid/e.yml",
  "asfound.lock",
  "x/asfound.lock",
  "ok/[1].yml",
])
  put(path);
symlinkSync("../a.yml", join(base, "x", "link.yml"));
symlinkSync("x", join(base, "linked"));

const files = async (...globs: string[]): Promise<string[]> => {
  const answer = await inputFiles(base).digests(globs);
  if ("fault" in answer) throw new Error(answer.fault);
  return [...answer.files.keys()];
};
const fault = async (...globs: string[]): Promise<string> => {
  const answer = await inputFiles(base).digests(globs);
  return "fault" in answer ? answer.fault : "no fault";
};

describe("input files", () => {
  it.each<[string[], string[]]>([
    [["*.yml"], ["a.yml", "b.yml"]],
    [
      ["./b.yml", "a.yml", "*.yml"],
      ["a.yml", "b.yml"],
    ],
    [["**/*.yml"], ["a.yml", "b.yml", "ok/[1].yml", "x/c.yml", "x/link.yml", "x/y/d.yml"]],
    [["x/**"], ["x/asfound.lock", "x/c.yml", "x/link.yml", "x/y/d.yml", "x/y/n.txt"]],
    [["*/c.yml"], ["x/c.yml"]],
    [["x/*/{d,e}.yml"], ["x/y/d.yml"]],
    [["{x/y,ok}/d.yml"], ["x/y/d.yml"]],
    [["linked/*.yml"], ["linked/c.yml", "linked/link.yml"]],
    [[".hid/*.yml"], [".hid/e.yml"]],
    [["asfound*", "a*"], ["a.yml"]],
    [[], []],
  ])("%j are %j", async (globs, found) => {
    if (globs.includes("asfound*")) expect(await fault("asfound*")).toContain("match no file");
    else expect(await files(...globs)).toEqual(found);
  });

  it("have the digest that sha256sum prints", async () => {
    const answer = await inputFiles(base).digests(["x/link.yml"]);
    const expected = createHash("sha256").update("a.yml").digest("hex");
    expect("files" in answer && answer.files.get("x/link.yml")).toBe(`sha256:${expected}`);
  });

  it.each([
    ["nothing.yml", "cannot be read: there is no such file"],
    ["nothing/*.yml", "match no file"],
    ["x", "is a folder; write x/** for all files in it"],
    ["../*.yml", ".. is not allowed"],
    ["x/../../*.yml", ".. is not allowed"],
    ["/etc/*", "cannot be absolute"],
    ["", "must not be empty"],
    ["{..,x}/c.yml", ".. is not allowed"],
  ])("%j: %s", async (glob, why) => expect(await fault(glob)).toContain(why));

  it("a pipe, a broken link and a circle of links are faults, and nothing hangs", async () => {
    mkdirSync(join(base, "odd"));
    execFileSync("sh", ["-c", `mkfifo "$1"`, "sh", join(base, "odd", "pipe")]);
    expect(await fault("odd/*")).toContain("odd/pipe cannot be read: it is a pipe");
    mkdirSync(join(base, "odd2"));
    symlinkSync("gone", join(base, "odd2", "broken"));
    expect(await fault("odd2/*")).toContain("odd2/broken cannot be read: there is no such file");
    mkdirSync(join(base, "odd3"));
    symlinkSync("self", join(base, "odd3", "self"));
    symlinkSync(".", join(base, "odd3", "here"));
    expect(await fault("odd3/**")).toContain("form a circle");
  });
});
