/**
 * op-25, E5: a secret from the environment, a file, a literal or an output is in no file under the folder, in no event
 * and in nothing printed. The canary greps the bytes of everything; controls show that it would find one.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";
import type { Verb } from "./verbs.ts";

const ENV = "hunter2-in-env";
const FILE = "hunter2-in-file";
const LITERAL = "hunter2-literal";
const OUTPUT = "hunter2-in-output";
const ALL = [ENV, FILE, LITERAL, OUTPUT];

let place: Place;
beforeEach(async () => {
  place = await makePlace();
  await writeFile(join(place.folder, "token.txt"), `${FILE}\n`);
  await place.cloudIs("dump");
});
afterEach(() => place.end());

const environment = () => ({ ...process.env, CI: "", API_TOKEN: ENV });
const how = () => ({ where: { environment: environment() } });

const secretive = (more: readonly string[] = [], app: readonly string[] = []) =>
  stackText([
    cloudStep("machine", {
      lines: more,
      with: [
        `inputs: { token: "\${secret.env.API_TOKEN}", note: "in \${secret.file.token.txt} here", password: ${LITERAL} }`,
      ],
    }),
    cloudStep("app", { lines: app, with: [`inputs: { pass: "\${steps.machine.outputs.password}" }`] }),
  ]);

/** Files under the project's folder (all that asfound writes) that hold one of the secrets in any plain form. */
const holding = async (
  secrets: readonly string[] = ALL,
  own: readonly string[] = ["token.txt", "asfound.yaml"],
) => {
  const found: string[] = [];
  for (const entry of await readdir(place.folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || own.includes(entry.name)) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const secret of secrets)
      for (const form of [
        secret,
        Buffer.from(secret).toString("base64"),
        Buffer.from(secret).toString("hex"),
      ])
        if (bytes.includes(form)) found.push(`${entry.name}: ${secret}`);
  }
  return found;
};
const told = () => JSON.stringify(place.events);

describe("op-25: the canary", () => {
  it("control: the provider itself got every secret whole, and the canary finds one where it is planted", async () => {
    await place.writeStack(secretive());
    await place.cloudIs("secretive");
    await place.fault("create", "machine", "secret");
    expect((await place.apply({}, how())).exit).toBe(0);
    const requests = await readFile(join(place.cloud, "requests"), "utf8");
    for (const secret of ALL) expect(requests).toContain(secret);
    await writeFile(join(place.folder, ".asfound", "planted"), OUTPUT);
    expect(await holding()).toEqual([`planted: ${OUTPUT}`]);
  });

  it("a secret that a person wrote into a reason is not recorded, whichever verb it was given to", async () => {
    await place.writeStack(secretive(["approve: { before: destroy, by: [tester] }"]));
    await place.cloudIs("secretive");
    const reason = `rotated ${ENV}, ${FILE} and ${LITERAL} by hand`;
    const say = (verb: Verb) => place.do({ ...verb, reason }, how());
    expect(await say({ verb: "apply" })).toMatchObject({ exit: 0 });
    // What the one before it learned is not known to the next. The records hold a literal's digest alone, so it is
    // learned from today's file.
    const retain = { owner: ENV, reason, reviewBy: "2027-01-31" };
    for (const verb of [
      { verb: "retain", step: "machine", retain },
      { verb: "approve", step: "machine", before: "destroy" },
      { verb: "retain", step: "machine", retain: null },
      { verb: "reconcile" },
      { verb: "destroy" },
    ] as const)
      expect(await say(verb), verb.verb).toMatchObject({ kind: "done" });
    expect(await holding()).toEqual([]);
    for (const secret of ALL) expect(told()).not.toContain(secret);
    // Control: the rest of the sentence is there.
    expect(JSON.stringify(await place.records())).toContain("by hand");
  });

  it("nor into the reason of resolve, forget and import", async () => {
    await place.writeStack(secretive());
    await place.cloudIs("secretive");
    await place.fault("create", "machine", "lose");
    const reason = `rotated ${ENV}, ${FILE} and ${LITERAL} by hand`;
    const say = (verb: Verb) => place.do({ ...verb, reason }, how());
    expect(await say({ verb: "apply" })).toMatchObject({ kind: "done" });
    const [id = "none"] = await place.objects();
    for (const verb of [
      { verb: "resolve", step: "machine", as: "present", id },
      { verb: "forget", step: "machine", id },
      { verb: "import", step: "machine", id },
    ] as const)
      expect(await say(verb), verb.verb).toMatchObject({ kind: "done" });
    expect(await holding()).toEqual([]);
    for (const secret of ALL) expect(told()).not.toContain(secret);
    expect(JSON.stringify(await place.records()).match(/by hand/g)).toHaveLength(3);
  });

  it.each(["secret", "leak", "lose", "junk", "fail-after"])(
    "no secret is in any file, event or report after a create that ends in `%s`",
    async (fault) => {
      await place.writeStack(secretive());
      await place.cloudIs("secretive");
      await place.fault("create", "machine", fault);
      const done = await place.apply({}, how());
      expect(await place.struck(`create machine ${fault}`)).toBe(1);
      const report = JSON.stringify(await place.status());
      const records = JSON.stringify(await place.records());
      for (const secret of ALL) {
        expect(told()).not.toContain(secret);
        expect(report).not.toContain(secret);
        expect(records).not.toContain(secret);
        expect(JSON.stringify(done, (_, v) => (v instanceof Map ? [...v] : v))).not.toContain(secret);
      }
      expect(await holding()).toEqual([]);
      if (fault === "leak") expect((await place.step("machine")).lastError).toMatch(/^it failed: 401 for /);
    },
  );

  it("nor while it runs: killed in the call, the ledger's -wal and the spool are clean, and so is what it printed", async () => {
    await place.writeStack(secretive());
    await place.cloudIs("secretive");
    await place.fault("create", "machine", "secret");
    await place.fault("observe", "machine", "crash");
    const run = await place.run({ verb: "apply" }, { environment: { API_TOKEN: ENV } });
    expect(run.signal).toBe("SIGKILL");
    expect(await readdir(join(place.folder, ".asfound"))).toContain("ledger.db-wal");
    expect(await holding()).toEqual([]);
    for (const secret of ALL) expect(run.output).not.toContain(secret);
  });

  it("nor in a spooled result", async () => {
    await place.writeStack(secretive());
    await place.cloudIs("secretive");
    await place.fault("create", "machine", "secret");
    const run = await place.run(
      { verb: "apply" },
      { environment: { API_TOKEN: ENV }, strike: { signal: "EIO", when: "before", at: "outcome" } },
    );
    expect(run.exit).toBe(21);
    expect(await readdir(join(place.folder, ".asfound", "spool"))).toHaveLength(1);
    expect(await holding()).toEqual([]);
    for (const secret of ALL) expect(run.output).not.toContain(secret);
    expect((await place.apply({}, how())).exit).toBe(0);
    expect(await holding()).toEqual([]);
  });

  it("nor after destroy, which resolves them again", async () => {
    await place.writeStack(
      stackText([cloudStep("machine", { with: [`inputs: { token: "\${secret.env.API_TOKEN}" }`] })]),
    );
    await place.apply({}, how());
    expect((await place.destroy([], how())).exit).toBe(0);
    const requests = (await readFile(join(place.cloud, "requests"), "utf8")).split("\n");
    expect(requests.find((line) => line.includes('"action":"destroy"'))).toContain(ENV);
    expect(await holding()).toEqual([]);
  });
});

describe("secrets at work", () => {
  it("a changed secret plans an update, an unchanged one does not, although neither is stored", async () => {
    await place.writeStack(
      stackText([cloudStep("machine", { with: [`inputs: { token: "\${secret.env.API_TOKEN}" }`] })]),
    );
    await place.apply({}, how());
    await place.apply({}, how());
    expect(await place.calls("update", "machine")).toEqual([]);
    const changed = { where: { environment: { ...environment(), API_TOKEN: "another-secret-value" } } };
    expect((await place.apply({}, changed)).exit).toBe(0);
    expect(await place.calls("update", "machine")).toHaveLength(1);
    expect(await holding(["another-secret-value"])).toEqual([]);
  });

  it("a missing secret stops its step before anything is called: 23, naming the variable, never a value", async () => {
    await place.writeStack(
      stackText([cloudStep("machine", { with: [`inputs: { token: "\${secret.env.NOT_SET_HERE}" }`] })]),
    );
    const done = await place.apply({}, how());
    expect(done.exit).toBe(23);
    expect(JSON.stringify(done.kind === "done" ? [...done.endings] : done)).toContain("NOT_SET_HERE");
    expect(await place.log()).toEqual([]);
  });

  it("a dependant that needs a secret output in a new process reads it again by observe", async () => {
    await place.writeStack(secretive());
    await place.cloudIs("secretive");
    await place.fault("create", "machine", "secret");
    await place.fault("create", "app", "refuse");
    expect((await place.apply({}, how())).exit).toBe(10);
    expect((await place.apply({}, how())).exit).toBe(0);
    const creates = (await readFile(join(place.cloud, "requests"), "utf8"))
      .split("\n")
      .filter((line) => line.includes('"action":"create"') && line.includes('"step":"app"'));
    expect(creates).toHaveLength(2);
    for (const line of creates) expect(line).toContain(`"pass":"${OUTPUT}"`);
    expect(await holding()).toEqual([]);
  });

  it("where observe does not tell it, the dependant stays pending and says why", async () => {
    await place.writeStack(secretive());
    await place.fault("create", "machine", "secret");
    await place.fault("create", "app", "refuse");
    await place.apply({}, how());
    const done = await place.apply({}, how());
    expect(done.exit).toBe(23);
    expect(JSON.stringify(done.kind === "done" ? [...done.endings] : done)).toContain(
      "is secret, was not kept (keepSecrets), and machine could not be asked for it again",
    );
    expect(await place.calls("create", "app")).toHaveLength(1);
  });

  it("keepSecrets: kept encrypted, opened again in a new process, and still in no file in the clear", async () => {
    await place.writeStack(secretive(["keepSecrets: true"]));
    await place.fault("create", "machine", "secret");
    await place.fault("create", "app", "refuse");
    await place.apply({}, how());
    expect((await place.apply({}, how())).exit).toBe(0);
    const requests = await readFile(join(place.cloud, "requests"), "utf8");
    expect(
      requests.split("\n").filter((line) => line.includes('"step":"app"') && line.includes(OUTPUT)).length,
    ).toBeGreaterThan(1);
    expect(await holding()).toEqual([]);
  });

  it("public: a key that only looks secret is kept and shown", async () => {
    await place.writeStack(
      stackText([
        cloudStep("machine", { lines: ["public: [token]"], with: ["inputs: { token: not-a-secret }"] }),
      ]),
    );
    await place.apply();
    expect(JSON.stringify((await place.state("machine")).applied)).toContain("not-a-secret");
  });

  it("destroy of a thing whose secret is not there any more says so, and calls nothing", async () => {
    await place.writeStack(
      stackText([cloudStep("machine", { with: [`inputs: { token: "\${secret.env.API_TOKEN}" }`] })]),
    );
    await place.apply({}, how());
    const done = await place.destroy();
    expect(done.exit).toBe(23);
    expect(JSON.stringify(done.kind === "done" ? [...done.endings] : done)).toContain("API_TOKEN");
    expect(await place.objects()).toEqual(["machine-1"]);
    expect((await place.destroy([], how())).exit).toBe(0);
  });
});
