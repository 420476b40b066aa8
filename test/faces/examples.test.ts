/** The examples do what their README says. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HOUSE } from "../canary/tree.ts";
import { asfound, folder } from "./terminal.ts";

const EXAMPLES = join(HOUSE, "examples");

const copyOf = (name: string): string => {
  const cwd = folder();
  cpSync(join(EXAMPLES, name), cwd, { recursive: true });
  return cwd;
};

const statuses = async (cwd: string): Promise<Record<string, string>> => {
  const { steps } = JSON.parse((await asfound({ cwd }, "status", "-o", "json")).out);
  return Object.fromEntries(
    steps.map(({ step, status }: { step: string; status: string }) => [step, status]),
  );
};

it("every example stands in the README and has a test here", () => {
  const names = readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(names.sort()).toEqual(["first", "lost-reply"]);
  for (const name of names)
    expect(readFileSync(join(EXAMPLES, "README.md"), "utf8")).toContain(`\`${name}\``);
});

it("first: outputs, a contained step, an approval, and what is kept", async () => {
  const cwd = copyOf("first");
  expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 23 });
  expect(await statuses(cwd)).toEqual({
    site: "complete",
    page: "complete",
    index: "pending",
    note: "complete",
  });
  expect(
    await asfound({ cwd }, "approve", "index", "--reason", "reviewed", "--actor", "alice"),
  ).toMatchObject({ code: 0 });
  expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, "out/site/index.txt"), "utf8")).toBe("index.html 18\n");
  const destroyed = await asfound({ cwd }, "destroy", "-y");
  expect(destroyed.code).toBe(0);
  expect(destroyed.out).toContain("note was left: retained for platform");
  expect(await statuses(cwd)).toEqual({
    site: "destroyed",
    page: "destroyed",
    index: "destroyed",
    note: "retained",
  });
  expect(existsSync(join(cwd, "out/site"))).toBe(false);
  expect(existsSync(join(cwd, "out/note.txt"))).toBe(true);
});

it("lost-reply: one machine, whatever was lost", async () => {
  const cwd = copyOf("lost-reply");
  mkdirSync(join(cwd, "out"));
  writeFileSync(join(cwd, "out/cut"), "");
  expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 21 });
  expect(await statuses(cwd)).toEqual({ machine: "unresolved" });
  rmSync(join(cwd, "out/cut"));
  expect(await asfound({ cwd }, "reconcile")).toMatchObject({ code: 0 });
  expect(await statuses(cwd)).toEqual({ machine: "complete" });
  expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, "out/cloud.txt"), "utf8").trim().split("\n")).toHaveLength(1);
  expect(await asfound({ cwd }, "destroy", "-y")).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, "out/cloud.txt"), "utf8")).toBe("");
});
