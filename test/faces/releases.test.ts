/** The release verbs that read: what they print is of their schemas, safe on a terminal, and exits as DESIGN §7 says. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openReleases } from "../../src/adapters/system/releases.ts";
import type { Release } from "../../src/domain/release.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { configMap, storedRelease } from "../support/made-release.ts";
import { asfound, folder } from "./terminal.ts";

const EVIL = "\u001b[2Jmode=v2\u202e\r\nforged: line\n";

const recorded = async (cwd: string, place: string, more: Partial<Release>): Promise<Release> => {
  const stored = storedRelease(more);
  expect(await openReleases(join(cwd, place), place).record(stored)).toEqual({ kind: "recorded" });
  return stored.release;
};
const fits = (schema: string, text: string): unknown => {
  const value: unknown = JSON.parse(text);
  expect(API_SCHEMAS[schema]?.safeParse(value).error).toBe(undefined);
  return value;
};
const USUAL = ".asfound/releases";

describe("release ls", () => {
  it("an empty place is said, and no folder is made by reading", async () => {
    const cwd = folder();
    const ran = await asfound({ cwd }, "release", "ls");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`No release is recorded in ${USUAL}.`);
    expect(ran.out).toContain("asfound release record deployment/NAME");
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
  });

  it("lists in order, of one workload or namespace; ASFOUND_RELEASES and --releases say where", async () => {
    const cwd = folder();
    const first = await recorded(cwd, "there", { name: "v1" });
    const { target } = first;
    const other = await recorded(cwd, "there", { target: { ...target, namespace: "other" } });
    const environment = { ASFOUND_RELEASES: "there" };
    const ids = async (...words: readonly string[]) =>
      (await asfound({ cwd, environment }, "release", "ls", ...words, "-o", "name")).out;
    expect(await ids()).toBe(`${first.id}\n${other.id}\n`);
    expect(await ids("-n", "other")).toBe(`${other.id}\n`);
    expect(await ids("deploy/web", "-n", "shop")).toBe(`${first.id}\n`);
    expect(await ids("sts/web", "-n", "shop")).toBe("");
    const { out } = await asfound({ cwd }, "release", "ls", "--releases", "there", "-o", "json");
    expect(fits("release-list", out)).toMatchObject({
      place: "there",
      items: [{ id: first.id }, { id: other.id }],
    });
  });

  it("what was altered or never finished is listed apart: exit 20", async () => {
    const cwd = folder();
    const { id } = await recorded(cwd, USUAL, {});
    const store = join(cwd, USUAL);
    const target = String(readdirSync(store).find((name) => name.startsWith("deployment")));
    mkdirSync(join(store, target, `.${id.replace(/.$/, "0")}.draft`), { recursive: true });
    expect((await asfound({ cwd }, "release", "ls")).code).toBe(0);
    const file = join(store, target, id, "report.json");
    chmodSync(file, 0o644);
    appendFileSync(file, " ");
    const ran = await asfound({ cwd }, "release", "ls");
    expect(ran.code).toBe(20);
    expect(ran.out).toContain(`${id}: report.json is not as it was recorded`);
    expect(ran.out).toContain("Never finished");
    expect(await asfound({ cwd }, "release", "show", id)).toMatchObject({ code: 1, out: "" });
    fits("release-list", (await asfound({ cwd }, "release", "ls", "-o", "json")).out);
  });
});

describe("release show", () => {
  it("of what is not there, and of a name that means two: one sentence, exit 2", async () => {
    const cwd = folder();
    const one = await recorded(cwd, USUAL, { name: "v1" });
    await recorded(cwd, USUAL, { name: "v1", cluster: { server: "https://other", uid: null }, config: [] });
    for (const [typed, why] of [
      ["v9", "there is no release v9"],
      ["../../etc/passwd", "there is no release"],
      ["v1", "2 releases in .asfound/releases are called v1"],
    ] as const) {
      const ran = await asfound({ cwd }, "release", "show", typed);
      expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(why) });
    }
    const { out } = await asfound({ cwd }, "release", "show", one.id, "-o", "json");
    expect(fits("release", out)).toMatchObject({ id: one.id, name: "v1" });
  });

  it("the Verification file is one that verify takes, whatever the release is called", async () => {
    const cwd = folder();
    const { id } = await recorded(cwd, USUAL, {
      name: "v1.0+a",
      injected: ["mesh"],
      config: [configMap("settings", { a: "1" }, { immutable: true })],
    });
    const ran = await asfound({ cwd }, "release", "show", id, "-o", "verification");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain('claims: ["artifact","config-loaded","config-bound"]');
    const { parseVerification } = await import("../../src/wire/verification/parse.ts");
    expect(await parseVerification(ran.out, "v1.yaml")).toMatchObject({
      verification: {
        kind: "Deployment.apps",
        name: "web",
        namespace: "shop",
        expected: { injected: ["mesh"], images: new Map([["web", `sha256:${"1".repeat(64)}`]]) },
      },
    });
  });
});

describe("release diff", () => {
  const two = async (cwd: string, more: Partial<Release> = {}) => [
    await recorded(cwd, USUAL, { name: "v1" }),
    await recorded(cwd, "other place", {
      name: "v2",
      config: [configMap("settings", { "app.properties": EVIL })],
      ...more,
    }),
  ];

  it("of another folder, by DIR:NAME; what is in config cannot move the cursor", async () => {
    const cwd = folder();
    await two(cwd);
    const ran = await asfound({ cwd }, "release", "diff", "v1", "other place:v2");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain("half the same release");
    expect(ran.out).toContain("  - mode=v1\n");
    expect(ran.out).toContain("  + \\x1b[2Jmode=v2\\u202e\\r\n");
    expect(ran.out).toContain("--releases 'other place'");
    expect(ran.out.includes("\u001b") || ran.out.includes("\u202e")).toBe(false);
    const { out } = await asfound({ cwd }, "release", "diff", "v1", "other place:v2", "-o", "json");
    expect(fits("release-diff", out)).toMatchObject({
      was: { name: "v1", place: USUAL },
      is: { name: "v2", place: "other place" },
    });
  });

  it("what cannot be compared: exit 20; what is not there: 2", async () => {
    const cwd = folder();
    await two(cwd, { unheld: [{ kind: "Secret", name: "token", reason: "not-asked" }] });
    expect((await asfound({ cwd }, "release", "diff", "v1", "other place:v2")).code).toBe(0);
    const asked = await recorded(cwd, USUAL, {
      name: "v3",
      unheld: [{ kind: "Secret", name: "token", reason: "not-asked" }],
    });
    const ran = await asfound({ cwd }, "release", "diff", asked.id, "other place:v2");
    expect(ran).toMatchObject({ code: 20 });
    expect(ran.out).toContain("it was not read for either of them (--secrets)");
    expect(await asfound({ cwd }, "release", "diff", "v1", "nowhere:v2")).toMatchObject({ code: 2, out: "" });
  });
});

describe("release record is refused before anything is asked", () => {
  it.each([
    [["--name", "../up"], /--name cannot be a release's name/],
    [["--name", "rel_1"], /looks like a release's id/],
    [["--commit", "main"], /--commit must be HEAD, or a whole SHA/],
    [["--tree", "a".repeat(40)], /--tree goes with --commit SHA/],
    [["--irreversible", " "], /--irreversible must not be empty/],
    [["--from", ".", "--window", "1m"], /--window waits for a cluster/],
    [["--from", ".", "--context", "there"], /--context is about asking a cluster/],
  ])("%j", async (words, sentence) => {
    const cwd = folder();
    const ran = await asfound({ cwd }, "release", "record", "deployment/web", ...words);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(sentence);
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
  });
});
