/** The evidence verbs that check and prune, and key: what they print is of their schemas, safe on a terminal, exits as DESIGN §7 says. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import { signerFor } from "../../src/compose/evidence.ts";
import { instant } from "../../src/domain/ids.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { recipeText } from "../../src/wire/evidence/recipe.ts";
import { newRun } from "../support/made-run.ts";
import { asfound, folder } from "./terminal.ts";

/** Before whatever clock this runs by. */
const LONG_AGO = instant(Date.parse("2020-01-01T00:00:00.000Z"));
const USUAL = ".asfound/evidence";
const fits = (schema: string, text: string): unknown => {
  const value: unknown = JSON.parse(text);
  expect(API_SCHEMAS[schema]?.safeParse(value).error).toBe(undefined);
  return value;
};
const record = async (cwd: string, key: string | null = null, place = USUAL): Promise<string> => {
  const found = key === null ? { signer: null } : signerFor({ evidence: place, cwd, environment: {} }, key);
  if ("fault" in found) throw new Error(found.fault);
  const done = await openEvidence(join(cwd, place), place).record(
    newRun({ recordedAt: LONG_AGO }, { signer: found.signer }),
  );
  if (done.kind !== "recorded") throw new Error(done.kind);
  return done.link.run;
};
const report = (cwd: string, run: string): string => join(cwd, USUAL, "runs", run, "report.json");
const altered = (cwd: string, run: string): void => {
  chmodSync(report(cwd, run), 0o644);
  appendFileSync(report(cwd, run), " ");
};

describe("evidence verify", () => {
  it("without a folder, exit 2 and one sentence; nothing is made", async () => {
    const cwd = folder();
    const ran = await asfound({ cwd }, "evidence", "verify");
    expect(ran).toMatchObject({ code: 2, out: "", err: `asfound: there is no evidence in ${USUAL}\n` });
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
  });

  it("as recorded: exit 0, the tier with its limit beside every digest, in each form", async () => {
    const cwd = folder();
    const run = await record(cwd);
    const ran = await asfound({ cwd }, "evidence", "verify");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`1 run in ${USUAL} is as it was recorded.\nTrust T0: local digests only: `);
    expect(ran.out).toContain(`Newest: ${run}@`);
    const json = await asfound({ cwd }, "evidence", "verify", "-o", "json");
    expect(fits("evidence-check", json.out)).toMatchObject({
      finding: "proven",
      exit: 0,
      items: [{ run, trust: { tier: "T0" } }],
    });
    const lines = (await asfound({ cwd }, "evidence", "verify", "-o", "jsonl")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ kind: "EvidenceCheckStream" }, { run }]);
    expect((await asfound({ cwd }, "evidence", "verify", "-o", "yaml")).out).toContain("kind: EvidenceCheck");
    expect((await asfound({ cwd }, "evidence", "verify", "-o", "name")).out).toBe("");
  });

  it("altered: exit 10, by the run and by all, and -o name prints the files", async () => {
    const cwd = folder();
    const run = await record(cwd);
    await record(cwd);
    altered(cwd, run);
    const ran = await asfound({ cwd }, "evidence", "verify", "1");
    expect(ran.code).toBe(10);
    expect(ran.out).toContain(`runs/${run}/report.json is not as it was recorded`);
    expect(await asfound({ cwd }, "evidence", "verify", "--all", "-o", "name")).toMatchObject({
      code: 10,
      out: `runs/${run}/report.json\n`,
    });
    expect((await asfound({ cwd }, "evidence", "verify", "latest")).code).toBe(0);
    // Its statement and place in the chain are whole: what was observed is not looked at.
    expect((await asfound({ cwd }, "evidence", "verify", "--chain-only")).code).toBe(0);
    const json = await asfound({ cwd }, "evidence", "verify", "-o", "json");
    expect(fits("evidence-check", json.out)).toMatchObject({ finding: "refuted", exit: 10 });
  });

  it("a name that would forge a line is printed as one", async () => {
    const cwd = folder();
    const run = await record(cwd);
    writeFileSync(join(cwd, USUAL, "runs", run, "a\u001b[2J\u202e\nforged: line"), "");
    const { code, out } = await asfound({ cwd }, "evidence", "verify");
    expect(code).toBe(10);
    for (const raw of ["\u001b[2J", "\u202e"]) expect(out).not.toContain(raw);
    expect(out).not.toMatch(/^\s*forged/m);
  });

  it("a folder that cannot be looked at is no empty one: exit 1", async () => {
    const cwd = folder();
    await record(cwd);
    mkdirSync(join(cwd, "other"));
    symlinkSync(join(cwd, USUAL, "chain"), join(cwd, "other", "chain"));
    expect(await asfound({ cwd }, "evidence", "verify", "--evidence", "other")).toMatchObject({
      code: 1,
      out: "",
    });
  });

  it("what was asked wrongly: exit 2 with a sentence", async () => {
    const cwd = folder();
    await record(cwd);
    const [evidence, verify] = ["evidence", "verify"];
    for (const words of [
      ["1", "--all"],
      ["--recipe"],
      ["--key", "nowhere.pub"],
      ["--checkpoint", "nowhere"],
      ["run_x"],
      ["9"],
    ]) {
      const ran = await asfound({ cwd }, evidence ?? "", verify ?? "", ...words);
      expect([ran.code, ran.out], words.join(" ")).toEqual([2, ""]);
      expect(ran.err).toMatch(/^asfound: [^\n]+\n$/);
    }
  });

  it("--recipe prints the script that the contract's tests run, and nothing else", async () => {
    const cwd = folder();
    const run = await record(cwd);
    const { code, out, err } = await asfound({ cwd }, "evidence", "verify", "1", "--recipe");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(recipeText({ folder: join(cwd, USUAL, "runs", run), key: null }));
    expect(spawnSync("sh", ["-s"], { input: out }).status).toBe(0);
    altered(cwd, run);
    expect(spawnSync("sh", ["-s"], { input: out }).status).toBe(10);
  });
});

describe("key", () => {
  it("new: the private one for its owner alone, the public one beside it; neither is ever written over or printed", async () => {
    const cwd = folder();
    const ran = await asfound({ cwd }, "key", "new", "k.pem", "-o", "json");
    expect(fits("signing-key", ran.out)).toMatchObject({
      file: "k.pem",
      publicFile: "k.pem.pub",
      besideEvidence: false,
    });
    expect(statSync(join(cwd, "k.pem")).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(cwd, "k.pem"), "utf8").split("\n")[1] ?? "";
    expect(secret.length).toBeGreaterThan(60);
    expect(ran.out + ran.err).not.toContain(secret.slice(22));
    const before = readdirSync(cwd).map((name) => readFileSync(join(cwd, name), "utf8"));
    expect(await asfound({ cwd }, "key", "new", "k.pem")).toMatchObject({ code: 23, out: "" });
    writeFileSync(join(cwd, "l.pem.pub"), "mine");
    expect((await asfound({ cwd }, "key", "new", "l.pem")).code).toBe(23);
    expect(existsSync(join(cwd, "l.pem"))).toBe(false);
    symlinkSync("k.pem", join(cwd, "m.pem"));
    expect((await asfound({ cwd }, "key", "new", "m.pem")).code).toBe(23);
    expect(["k.pem", "k.pem.pub"].map((name) => readFileSync(join(cwd, name), "utf8"))).toEqual(before);
    // openssl reads it as what it is.
    const told = spawnSync("openssl", ["pkey", "-in", "k.pem", "-pubout"], { cwd, encoding: "utf8" });
    expect(told.stdout).toBe(readFileSync(join(cwd, "k.pem.pub"), "utf8"));
  });

  it("without a name it lies beside the evidence, and says what that is worth; Git is told to leave it out", async () => {
    const cwd = folder();
    const { code, out } = await asfound({ cwd }, "key", "new");
    expect(code).toBe(0);
    expect(out).toContain("a signature by it says no more than a digest (T0)");
    expect(readFileSync(join(cwd, USUAL, ".gitignore"), "utf8")).toContain("/signing-key.pem\n");
  });

  it("rotate: recorded and signed by the one before; verify follows from that one alone", async () => {
    const cwd = folder();
    for (const name of ["old.pem", "new.pem"]) await asfound({ cwd }, "key", "new", name);
    await record(cwd, "old.pem");
    const words = ["key", "rotate", "new.pem.pub", "--signing-key", "old.pem", "--reason", "yearly"];
    const ran = await asfound({ cwd }, words[0] ?? "", ...words.slice(1), "-o", "json");
    expect(ran.code).toBe(0);
    expect(fits("key-rotation", ran.out)).toMatchObject({ sequence: 2, place: USUAL });
    await record(cwd, "new.pem");
    const verify = (...more: readonly string[]) => asfound({ cwd }, "evidence", "verify", ...more);
    expect(await verify("--key", "old.pem.pub")).toMatchObject({ code: 0 });
    expect((await verify("--key", "new.pem.pub")).code).toBe(20);
    expect((await verify("3", "--key", "new.pem.pub")).code).toBe(0);
    await record(cwd, "old.pem");
    expect((await verify("--key", "old.pem.pub")).code).toBe(10);
  });

  it("rotate without a key before, to the same one, or to a private one: refused, and nothing is recorded", async () => {
    const cwd = folder();
    await asfound({ cwd }, "key", "new", "k.pem");
    const rotate = (...words: readonly string[]) =>
      asfound({ cwd }, "key", "rotate", ...words, "--reason", "x");
    expect((await rotate("k.pem.pub")).code).toBe(23);
    expect((await rotate("k.pem.pub", "--signing-key", "k.pem")).code).toBe(23);
    const told = await rotate("k.pem", "--signing-key", "k.pem");
    expect(told).toMatchObject({ code: 2, err: expect.stringContaining("holds a private key") });
    expect((await rotate("k.pem.pub", "--signing-key", "nowhere.pem")).code).toBe(2);
    expect(existsSync(join(cwd, USUAL, "chain", "0000000001"))).toBe(false);
  });
});

describe("evidence prune", () => {
  const words = ["prune", "--older-than", "1d", "--reason", "agreed"];

  it("asks, and where it cannot, exit 2; --dry-run and --yes need no answer", async () => {
    const cwd = folder();
    const run = await record(cwd);
    const observed = join(cwd, USUAL, "runs", run, "snapshot");
    expect(await asfound({ cwd }, "evidence", ...words)).toMatchObject({ code: 2, out: "" });
    expect(readdirSync(observed)).toHaveLength(2);
    const dry = await asfound({ cwd }, "evidence", ...words, "--dry-run", "-o", "json");
    expect(fits("evidence-prune", dry.out)).toMatchObject({ dryRun: true, record: null, runs: [{ run }] });
    expect(readdirSync(observed)).toHaveLength(2);
    const done = await asfound({ cwd }, "evidence", ...words, "--yes", "-o", "json");
    expect(fits("evidence-prune", done.out)).toMatchObject({
      dryRun: false,
      record: { run: expect.any(String) },
      runs: [{ run }],
    });
    expect(readdirSync(observed)).toEqual([]);
    const { code, out } = await asfound({ cwd }, "evidence", "verify");
    expect([code, out]).toEqual([0, expect.stringContaining("deleted by retention on")]);
  });

  it("where there is no evidence, exit 2, and none is made", async () => {
    const cwd = folder();
    expect((await asfound({ cwd }, "evidence", ...words, "--yes")).code).toBe(2);
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
  });

  it.each(["90", "-1d", "d", "1y"])("--older-than %s is no age", async (age) => {
    const ran = await asfound({ cwd: folder() }, "evidence", "prune", `--older-than=${age}`, "--dry-run");
    expect([ran.code, ran.out]).toEqual([2, ""]);
  });
});
