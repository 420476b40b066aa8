/** Every verb over real exec stacks and a real ledger, run in this process. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { HOUSE } from "../canary/tree.ts";
import { cloudFor } from "../support/cloud.ts";
import { asfound, fileStep, folder, stackOf } from "./terminal.ts";

/** The JSON that was printed, which must be as its published schema says. */
const documentOf = (out: string, schema: string) => {
  const json = JSON.parse(out);
  expect(API_SCHEMAS[schema]?.safeParse(json).error).toBe(undefined);
  return json;
};

const two = stackOf({
  network: fileStep("network.txt"),
  web: fileStep("web.txt", {}, "    needs: [network]"),
});

const applied = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const cwd = folder(files);
  expect(await asfound({ cwd }, "apply", "--yes", "--progress", "quiet")).toMatchObject({ code: 0 });
  return cwd;
};

describe("init", () => {
  it("init, plan, apply, status, destroy: it really works, and leaves nothing", async () => {
    const cwd = folder();
    expect(await asfound({ cwd }, "init", "--name", "shop")).toMatchObject({ code: 0 });
    const planned = documentOf((await asfound({ cwd }, "plan", "-o", "json")).out, "plan");
    expect(planned).toMatchObject({ changes: 2, stack: "shop" });
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
    const done = await asfound({ cwd }, "apply", "--yes", "-o", "json");
    expect(done.code).toBe(0);
    expect(documentOf(done.out, "operation-report")).toMatchObject({ exit: 0, operation: { verb: "apply" } });
    const status = documentOf((await asfound({ cwd }, "status", "-ojson")).out, "stack-status");
    expect(status.steps.map((step: { status: string }) => step.status)).toEqual(["complete", "complete"]);
    expect(readFileSync(join(cwd, "asfound-example/receipt.txt"), "utf8")).toBe(
      "The greeting has 19 bytes\n",
    );
    expect(await asfound({ cwd }, "destroy", "-y")).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "asfound-example/greeting.txt"))).toBe(false);
  });

  it("overwrites nothing: with any of its files there, none is written", async () => {
    const cwd = folder({ "asfound.yaml": "mine\n" });
    const { code, err } = await asfound({ cwd }, "init");
    expect(code).toBe(2);
    expect(err).toBe(
      "asfound: asfound.yaml is there already, and init overwrites nothing; run it in another folder\n",
    );
    expect(readFileSync(join(cwd, "asfound.yaml"), "utf8")).toBe("mine\n");
    expect(existsSync(join(cwd, "asfound-example"))).toBe(false);
  });

  it("names the schema for editors in its first line, and takes names that YAML would take for something else", async () => {
    for (const name of ["true", "123", "海"]) {
      const cwd = folder();
      expect(await asfound({ cwd }, "init", "--name", name)).toMatchObject({ code: 0 });
      const text = readFileSync(join(cwd, "asfound.yaml"), "utf8");
      expect(text.split("\n")[0]).toBe(
        "# yaml-language-server: $schema=https://asfound.dev/schema/v1alpha1/stack.json",
      );
      expect(JSON.parse((await asfound({ cwd }, "plan", "-o", "json")).out)).toMatchObject({ stack: name });
    }
  });
});

it("init --example http applies to an API that takes a key, and destroys again", async () => {
  const cwd = folder();
  const cloud = await cloudFor();
  expect(await asfound({ cwd }, "init", "--example", "http", "--name", "shop")).toMatchObject({ code: 0 });
  const api = ["--var", `api=${cloud.url}/v1`];
  expect(await asfound({ cwd }, "plan")).toMatchObject({ code: 2 });
  expect(await asfound({ cwd }, "apply", "-y", ...api)).toMatchObject({ code: 0 });
  const status = await asfound({ cwd }, "status", "-o", "json", ...api);
  expect(JSON.parse(status.out).steps[0]).toMatchObject({ status: "complete", outputs: { size: "small" } });
  expect(await asfound({ cwd }, "destroy", "-y", ...api)).toMatchObject({ code: 0 });
});

describe("asking", () => {
  it("without a terminal and without --yes: exit 2, one sentence, nothing made", async () => {
    for (const verb of [["apply"], ["destroy"], ["compensate", "web"]]) {
      const cwd = folder({ "asfound.yaml": two });
      const { code, out, err } = await asfound({ cwd }, ...verb);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toBe(
        `asfound: ${verb[0]} changes things outside, and there is no terminal to ask on; look at it with --dry-run, then give --yes\n`,
      );
      expect(existsSync(join(cwd, ".asfound"))).toBe(false);
    }
  });

  it("on a terminal: the plan first, then the question; no means 23 and nothing made", async () => {
    const cwd = folder({ "asfound.yaml": two });
    const { code, out, err, asked } = await asfound({ cwd, answers: { confirm: "no" } }, "apply");
    expect({ code, out, asked }).toEqual({ code: 23, out: "", asked: ["Apply this to shop?"] });
    expect(err).toContain("shop: 2 to create, 0 to update, 0 to destroy; 0 left");
    expect(err).toContain("nothing was called");
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
    expect(existsSync(join(cwd, "asfound.lock"))).toBe(false);
  });

  it("Ctrl-C at the question means 130; yes goes on", async () => {
    const cwd = folder({ "asfound.yaml": two });
    expect(await asfound({ cwd, answers: { confirm: "cancelled" } }, "apply")).toMatchObject({ code: 130 });
    expect(await asfound({ cwd, answers: { confirm: "yes" } }, "apply")).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "web.txt"))).toBe(true);
  });

  it("a decision without a reason asks for it, else exits 2", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const retained = ["retain", "web", "--owner", "ops", "--review-by", "2027-01-31"];
    const without = await asfound({ cwd }, ...retained);
    expect(without).toMatchObject({
      code: 2,
      err: "asfound: retain is recorded with its reason; give --reason TEXT\n",
    });
    expect(await asfound({ cwd, answers: { text: "legal hold" } }, ...retained)).toMatchObject({
      code: 0,
      asked: ["Why? (it is recorded)"],
    });
    expect(JSON.parse((await asfound({ cwd }, "status", "-o", "json")).out).steps[1]).toMatchObject({
      status: "retained",
      retained: { owner: "ops", reason: "legal hold", reviewBy: "2027-01-31" },
    });
  });
});

describe("plan", () => {
  it("says when there is nothing to do, and what changed", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const idle = await asfound({ cwd }, "plan");
    expect(idle.out).toContain(
      "shop: nothing to do: every step is as the file says, as far as the ledger knows",
    );
    writeFileSync(join(cwd, "asfound.yaml"), two.replace("echo hello >web.txt", "echo other >web.txt"));
    const { out, code } = await asfound({ cwd }, "plan");
    expect(code).toBe(0);
    expect(out).toContain("changes /create");
    expect(out).toContain("0 to create, 1 to update, 0 to destroy; 1 left");
  });

  it("apply --dry-run is the plan, and so is destroy's", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    expect(
      documentOf((await asfound({ cwd }, "apply", "--dry-run", "-o", "json")).out, "plan"),
    ).toMatchObject({ changes: 0 });
    expect(
      documentOf((await asfound({ cwd }, "destroy", "web", "--dry-run", "-o", "json")).out, "plan"),
    ).toMatchObject({
      verb: "destroy",
      changes: 1,
    });
    expect(existsSync(join(cwd, "web.txt"))).toBe(true);
  });

  it("--out saves it, apply --plan carries it out, and refuses it once it does not fit", async () => {
    const cwd = folder({ "asfound.yaml": two });
    const planned = await asfound({ cwd }, "plan", "--out", "plan.json");
    expect(planned.out).toContain("asfound apply --plan plan.json");
    documentOf(readFileSync(join(cwd, "plan.json"), "utf8"), "plan");
    expect(await asfound({ cwd }, "plan", "--out", "plan.json")).toMatchObject({
      code: 2,
      err: "asfound: --out: plan.json is there already, and is not overwritten; name a new file\n",
    });
    expect(await asfound({ cwd }, "apply", "--plan", "plan.json", "-y")).toMatchObject({ code: 0 });
    const again = await asfound({ cwd }, "apply", "--plan", "plan.json", "-y", "--progress", "quiet");
    expect(again.code).toBe(23);
    expect(again.err).toContain("the saved plan does not fit any more");
  });

  it("a saved plan that was edited, or is for another file, is refused", async () => {
    const cwd = folder({ "asfound.yaml": two });
    await asfound({ cwd }, "plan", "--out", "plan.json");
    const text = readFileSync(join(cwd, "plan.json"), "utf8");
    writeFileSync(join(cwd, "edited.json"), text.replace('"do": "create"', '"do": "replace"'));
    expect(await asfound({ cwd }, "apply", "--plan", "edited.json", "-y")).toMatchObject({ code: 2 });
    writeFileSync(join(cwd, "asfound.yaml"), two.replace("echo hello >web.txt", "echo other >web.txt"));
    const { code, err } = await asfound({ cwd }, "apply", "--plan", "plan.json", "-y", "--progress", "quiet");
    expect(code).toBe(23);
    expect(err).toContain("the stack file or its variables have changed since");
    expect(existsSync(join(cwd, "web.txt"))).toBe(false);
  });

  it("approve --plan asks for what is still missing, and a rule that was edited in the plan is refused", async () => {
    const ruled = (person: string) => `    approve: { before: update, by: [${person}] }`;
    const text = stackOf({
      db: fileStep("db.txt", {}, ruled("bob")),
      web: fileStep("web.txt", { update: `echo other >web.txt; echo '{"outcome":"done"}'` }, ruled("alice")),
    });
    const cwd = await applied({ "asfound.yaml": text });
    writeFileSync(join(cwd, "asfound.yaml"), text.replaceAll("echo hello", "echo other"));
    expect(await asfound({ cwd }, "plan", "--out", "plan.json")).toMatchObject({ code: 0 });
    const saved = readFileSync(join(cwd, "plan.json"), "utf8");
    writeFileSync(join(cwd, "edited.json"), saved.replace('"alice"', '"mallory"'));
    const approve = (actor: string, ...what: string[]) =>
      asfound({ cwd }, "approve", ...what, "--actor", actor, "--reason", "release 42");
    expect(await approve("mallory", "--plan", "edited.json")).toMatchObject({ code: 2 });
    expect(await approve("alice", "web")).toMatchObject({ code: 0 });
    // web is approved already: nobody asks bob about it.
    expect(await approve("bob", "--plan", "plan.json")).toMatchObject({ code: 0 });
    const nothing = await approve("bob", "--plan", "plan.json");
    expect(nothing).toMatchObject({ code: 0 });
    expect(nothing.err + nothing.out).toContain("nothing in this plan waits for an approval any more");
    expect(await asfound({ cwd }, "apply", "--plan", "plan.json", "-y")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "web.txt"), "utf8")).toBe("other\n");
  });

  it("an invalid file: exit 2, each fault at its line and column", async () => {
    const cwd = folder({ "asfound.yaml": two.replace("uses: exec", "use: exec") });
    const { code, out, err } = await asfound({ cwd }, "plan");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /asfound\.yaml:6:5: steps\.network\.use: there is no field use here; did you mean uses\?/,
    );
  });
});

describe("trouble", () => {
  const failing = stackOf({
    network: fileStep("network.txt"),
    web: fileStep(
      "web.txt",
      { create: `echo '{"outcome":"failed","reason":"\\u001b[31mno room"}'` },
      "    needs: [network]\n    settle: 0s",
    ),
    health: fileStep("health.txt", {}, "    needs: [web]"),
  });

  it("a step that failed: its block, what waits for it, the next safe commands with -f, the exit code", async () => {
    const cwd = folder({ "my stack.yaml": failing });
    const run = await asfound({ cwd }, "apply", "-y", "-f", "my stack.yaml", "--progress", "quiet");
    expect(run.code).toBe(21);
    expect(run.out).toContain("failed command   create");
    expect(run.out).toContain("\\x1b[31mno room");
    expect(run.out).not.toContain("\x1b");
    expect(run.out).toContain("asfound reconcile -f 'my stack.yaml'");
    const status = await asfound({ cwd }, "status", "-f", "my stack.yaml", "-o", "json");
    expect(status.code).toBe(21);
    const { steps } = documentOf(status.out, "stack-status");
    expect(steps.map((step: { status: string }) => step.status)).toEqual(["complete", "error", "pending"]);
    expect(steps[2].waitingOn).toEqual([{ step: "web", why: "web is error" }]);
    expect(existsSync(steps[1].rerunInputsFile)).toBe(true);
  });

  it("reconcile settles what can be settled; resume goes on; history and show tell it all", async () => {
    const cwd = folder({ "asfound.yaml": failing });
    await asfound({ cwd }, "apply", "-y", "--reason", "first try", "--actor", "alice");
    const reconciled = await asfound({ cwd }, "reconcile", "-o", "json", "--progress", "json");
    documentOf(reconciled.out, "operation-report");
    for (const line of reconciled.err.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("kind");
    writeFileSync(
      join(cwd, "asfound.yaml"),
      failing.replace(`"failed\\\\",\\\\"reason`, `"done\\\\",\\\\"reason`).replace("no room", "x"),
    );
    const resumed = await asfound({ cwd }, "resume", "-y");
    expect(resumed.err).toContain("resumes apply op_");
    expect(resumed.err).toContain("the stack file has changed since apply");
    const past = documentOf((await asfound({ cwd }, "history", "-n", "10", "-o", "json")).out, "history");
    expect(past.operations.map((one: { verb: string }) => one.verb)).toEqual(["apply", "reconcile", "apply"]);
    const first = past.operations.at(-1);
    expect(first).toMatchObject({ actor: "alice", reason: "first try", state: "ended" });
    const shown = await asfound({ cwd }, "show", first.id, "-o", "json");
    expect(
      documentOf(shown.out, "operation").timeline.map((entry: { kind: string }) => entry.kind),
    ).toContain("intent");
    const page = await asfound({ cwd }, "show", first.id);
    expect(page.out).toMatch(/web +outcome +answered that it failed: /);
    expect(page.out).not.toContain("\x1b");
    expect(await asfound({ cwd }, "show", "op_nonsense")).toMatchObject({ code: 23 });
  });

  it("resolve, forget and import are recorded; a refusal is exit 23 and a sentence", async () => {
    const silent = stackOf({ web: fileStep("web.txt", { observe: null, create: "exit 3" }) });
    const cwd = folder({ "asfound.yaml": silent });
    expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 21 });
    const unclear = await asfound({ cwd }, "status");
    expect(unclear.out).toContain("asfound resolve web --as present|absent --reason TEXT");
    const why = ["--reason", "looked at the console"];
    expect(await asfound({ cwd }, "resolve", "web", "--as", "absent", ...why)).toMatchObject({ code: 0 });
    const again = await asfound({ cwd }, "resolve", "nothing", "--as", "absent", ...why);
    expect(again).toMatchObject({ code: 23, out: "" });
    expect(again.err).toMatch(/^asfound: the ledger knows no step named nothing; nothing was changed\n$/m);
  });

  it("import takes over what exists, forget gives it up by its id", async () => {
    const cwd = folder({ "asfound.yaml": two, "network.txt": "there before\n" });
    const imported = await asfound(
      { cwd },
      "import",
      "network",
      "--id",
      "network.txt",
      "--reason",
      "was there",
    );
    expect(imported.code).toBe(0);
    expect(
      await asfound({ cwd }, "forget", "network", "--reason", "not ours", "--id", "other"),
    ).toMatchObject({ code: 23 });
    expect(
      await asfound({ cwd }, "forget", "network", "--reason", "not ours", "--id", "network.txt"),
    ).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "network.txt"), "utf8")).toBe("there before\n");
  });

  it("approve: only who may; then apply goes on", async () => {
    const guarded = stackOf({ web: fileStep("web.txt", {}, "    approve: { before: create, by: [alice] }") });
    const cwd = folder({ "asfound.yaml": guarded });
    const planned = await asfound({ cwd }, "plan");
    expect(planned.out).toContain("waits for an approval");
    expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 23 });
    expect(await asfound({ cwd }, "approve", "web", "--reason", "ok", "--actor", "bob")).toMatchObject({
      code: 23,
    });
    expect(await asfound({ cwd }, "approve", "web", "--reason", "ok", "--actor", "alice")).toMatchObject({
      code: 0,
    });
    expect(await asfound({ cwd }, "apply", "-y")).toMatchObject({ code: 0 });
    expect(await asfound({ cwd }, "approve", "--reason", "ok")).toMatchObject({ code: 2 });
  });
});

describe("graph", () => {
  const graph = stackOf({
    machine: fileStep("m.txt"),
    guest: fileStep("g.txt", {}, "    partOf: machine"),
    web: fileStep("w.txt", {}, "    needs: [guest]"),
  });

  it("as text, Mermaid, dot and JSON", async () => {
    const cwd = folder({ "asfound.yaml": graph });
    const as = async (output: string) => (await asfound({ cwd }, "graph", "-o", output)).out;
    expect(await as("text")).toBe(
      "STEP     PROVIDER  NEEDS\nmachine  exec      -\n  guest  exec      machine (part of it)\n    web  exec      guest\n",
    );
    expect(await as("mermaid")).toBe(
      'flowchart LR\n  s0["machine (exec)"]\n  s1["guest (exec)"]\n  s2["web (exec)"]\n  s0 -. part .-> s1\n  s1 --> s2\n',
    );
    expect(await as("dot")).toContain('  "machine" -> "guest" [style=dashed];\n  "guest" -> "web";\n');
    expect(documentOf(await as("json"), "graph").steps).toHaveLength(3);
  });
});

describe("ledger and doctor", () => {
  it("export, import and backup; the copy knows the same", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const exported = await asfound({ cwd }, "ledger", "export");
    expect(exported.code).toBe(0);
    writeFileSync(join(cwd, "export.jsonl"), exported.out);
    const imported = await asfound(
      { cwd },
      "ledger",
      "import",
      "export.jsonl",
      "--ledger",
      "copy/ledger.db",
      "-o",
      "json",
    );
    documentOf(imported.out, "ledger-import");
    const again = await asfound({ cwd }, "ledger", "export", "--ledger", "copy/ledger.db");
    expect(again.out).toBe(exported.out);
    documentOf((await asfound({ cwd }, "ledger", "backup", "backup.db", "-o", "json")).out, "ledger-backup");
    expect(existsSync(join(cwd, "backup.db"))).toBe(true);
    expect(await asfound({ cwd }, "ledger", "import", "nowhere.jsonl")).toMatchObject({ code: 2 });
  });

  it("an export without its last line break, or with those of Windows, is read; a line without end is not", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const { out } = await asfound({ cwd }, "ledger", "export");
    for (const [index, text] of [out.trimEnd(), out.replaceAll("\n", "\r\n")].entries()) {
      writeFileSync(join(cwd, "other.jsonl"), text);
      const to = `copy-${index}/ledger.db`;
      expect((await asfound({ cwd }, "ledger", "import", "other.jsonl", "--ledger", to)).err).toBe("");
      expect((await asfound({ cwd }, "ledger", "export", "--ledger", to)).out).toBe(out);
    }
    const endless = join(cwd, "endless.jsonl");
    writeFileSync(endless, "");
    truncateSync(endless, 300 * 1024 * 1024);
    expect(
      await asfound({ cwd }, "ledger", "import", "endless.jsonl", "--ledger", "copy/l.db"),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^asfound: line 1 of endless\.jsonl is longer than 256 MiB, so this is no export of a ledger; nothing was imported/,
      ),
    });
    expect(existsSync(join(cwd, "copy", "l.db"))).toBe(false);
  });

  it("doctor: fine on a sound ledger, exit 1 on a damaged one", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const fine = await asfound({ cwd }, "doctor", "-o", "json");
    expect(fine.code).toBe(0);
    expect(documentOf(fine.out, "doctor-report").wrong).toBe(0);
    writeFileSync(join(cwd, ".asfound/ledger.db"), "not a ledger");
    const wrong = await asfound({ cwd }, "doctor", "-o", "json");
    expect(wrong.code).toBe(1);
    expect(documentOf(wrong.out, "doctor-report").wrong).toBeGreaterThan(0);
    expect(await asfound({ cwd }, "status")).toMatchObject({ code: 1, out: "" });
  });

  it("doctor: a key that is not there is missed once something was digested with it, and not before", async () => {
    const keyOf = async (cwd: string) => {
      const { code, out } = await asfound({ cwd }, "doctor", "-o", "json");
      const { checks } = documentOf(out, "doctor-report") as { checks: { name: string }[] };
      return [code, checks.find(({ name }) => name === "key")];
    };
    const yet = {
      name: "key",
      finding: "fine",
      sentence: "there is no key file yet, and nothing was digested with one; the next apply makes it",
    };
    // A first apply that was killed when there was a ledger, and no more.
    const cut = folder({ "asfound.yaml": two });
    const ended = spawnSync(join(HOUSE, "bin/asfound"), ["apply", "--yes"], {
      cwd: cut,
      env: { ...process.env, CI: "", ASFOUND_CRASH_AT: "ledger-opened" },
    });
    expect(ended.signal).toBe("SIGKILL");
    expect(await keyOf(cut)).toEqual([0, yet]);
    // Nothing in this stack is secret.
    const open = await applied({ "asfound.yaml": two });
    rmSync(join(open, ".asfound/ledger.db.key"));
    expect(await keyOf(open)).toEqual([0, yet]);
    const secret = two.replace("    with:\n", "    with:\n      inputs: { password: hunter2-literal }\n");
    const closed = await applied({ "asfound.yaml": secret });
    expect(await keyOf(closed)).toMatchObject([0, { finding: "fine" }]);
    rmSync(join(closed, ".asfound/ledger.db.key"));
    expect(await keyOf(closed)).toMatchObject([
      1,
      { finding: "wrong", sentence: expect.stringMatching(/bring it back/) },
    ]);
  });

  it("doctor: no ledger is nothing to check before the first apply, and wrong once a lock speaks of one", async () => {
    const ledgerOf = async (cwd: string) => {
      const { code, out } = await asfound({ cwd }, "doctor", "-o", "json");
      const { checks } = documentOf(out, "doctor-report") as { checks: { name: string; finding: string }[] };
      return { code, findings: checks.filter(({ name }) => name === "ledger").map((c) => c.finding) };
    };
    const unused = folder({ "asfound.yaml": two });
    expect(await ledgerOf(unused)).toEqual({ code: 0, findings: ["not-checked"] });
    const lost = await applied({ "asfound.yaml": two });
    rmSync(join(lost, ".asfound"), { recursive: true });
    expect(await ledgerOf(lost)).toEqual({ code: 1, findings: ["wrong"] });
  });
});

describe("status", () => {
  it("before anything was applied: says so, exits 0, leaves no file", async () => {
    const cwd = folder({ "asfound.yaml": two });
    const { code, out } = await asfound({ cwd }, "status");
    expect(code).toBe(0);
    expect(out).toContain("shop: nothing was applied yet, as far as the ledger knows");
    documentOf((await asfound({ cwd }, "status", "-o", "json")).out, "stack-status");
    expect(existsSync(join(cwd, ".asfound"))).toBe(false);
  });

  it("works without the stack file, and from a folder below it", async () => {
    const cwd = await applied({ "asfound.yaml": two, "below/keep": "" });
    expect((await asfound({ cwd: join(cwd, "below") }, "status", "-o", "name")).out).toBe("network\nweb\n");
    const { rmSync } = await import("node:fs");
    rmSync(join(cwd, "asfound.yaml"));
    expect((await asfound({ cwd }, "status", "-o", "name")).out).toBe("network\nweb\n");
    expect(await asfound({ cwd }, "destroy", "-y")).toMatchObject({ code: 0 });
  });

  it("--no-headers leaves the heading out, and flags may stand before the verb", async () => {
    const cwd = await applied({ "asfound.yaml": two });
    const { out } = await asfound({ cwd }, "--no-headers", "-o", "table", "status");
    expect(out).not.toContain("STATUS");
    expect(out).toContain("network  complete");
  });
});

it("completion asks asfound itself: verbs, flags, values, and the steps of the ledger", async () => {
  const cwd = await applied({ "asfound.yaml": two });
  const proposed = async (...words: string[]) =>
    (await asfound({ cwd }, "__complete", ...words)).out.split("\n").map((line) => line.split("\t")[0]);
  expect(await proposed("rec")).toEqual(["reconcile", "recover", ""]);
  expect(await proposed("apply", "--par")).toEqual(["--parallelism", ""]);
  expect(await proposed("status", "--output", "j")).toEqual(["json", "jsonl", ""]);
  expect(await proposed("resolve", "n")).toEqual(["network", ""]);
  for (const shell of ["bash", "zsh", "fish"])
    expect((await asfound({ cwd }, "completion", shell)).out).toContain("__complete");
});
