/**
 * W1, W2, W6, op-07, op-22, op-23 and the lock: a record that could not be made, a result that could not be kept, a
 * ledger that is not what it was. Full and read-only disks are real tmpfs mounts.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import { StoreFault } from "../../src/ports/store.ts";
import type { Done } from "../../src/runtime/operation.ts";
import type { Refused, Runtime } from "../../src/runtime/runtime.ts";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";
import { type Kind, tapped } from "./tap.ts";

let place: Place;
const mounted: string[] = [];
beforeEach(async () => {
  place = await makePlace();
});
afterEach(async () => {
  for (const folder of mounted.splice(0)) execFileSync("umount", ["-l", folder]);
  await place.end();
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;
const mount = async (name: string, sizeKiB: number): Promise<string> => {
  const folder = join(place.root, name);
  await mkdir(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKiB}k`, "tmpfs", folder]);
  mounted.push(folder);
  return folder;
};
/** Until not a byte more fits. */
const fill = (folder: string): void => {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${join(folder, "filler")}`, "bs=4096"], { stdio: "ignore" });
  } catch {
    // That it fails is the point.
  }
};
const text = (result: Done | Refused): string =>
  JSON.stringify(result.kind === "done" ? [...result.endings] : result);
const ledgerIn = (folder: string) => ({ where: { ledger: join(folder, ".asfound", "ledger.db") } });
const sized = (size: string) => stackText([cloudStep("machine", { with: [`inputs: { size: "${size}" }`] })]);
const mutations = async () => (await place.log()).filter((line) => /^(create|update|destroy) /.test(line));

describe.skipIf(!canMount)("a disk that takes no more", () => {
  it("W2: full at the first apply: exit 22, nothing called", async () => {
    const disk = await mount("disk", 64);
    fill(disk);
    await place.writeStack(sized("1"));
    const done = await place.apply({}, ledgerIn(disk));
    expect(done.exit).toBe(22);
    expect(await place.log()).toEqual([]);
  });

  /** The disk fills up once the ledger is open. */
  const fullBy = (disk: string) => ({
    ...ledgerIn(disk),
    runtime: (runtime: Runtime) => {
      fill(disk);
      return runtime;
    },
  });

  it("W2: full before an intent: exit 22, its reason shown, nothing called; with room it goes on", async () => {
    const disk = await mount("disk", 4096);
    await place.writeStack(sized("1"));
    expect((await place.apply({}, ledgerIn(disk))).exit).toBe(0);
    await place.writeStack(sized("2"));
    const before = await mutations();
    const full = await place.apply({}, fullBy(disk));
    expect(full.exit).toBe(22);
    expect(text(full)).toMatch(/the disk under the ledger .* is full; free some space and run again/);
    expect(await mutations()).toEqual(before);
    await rm(join(disk, "filler"));
    expect((await place.apply({}, ledgerIn(disk))).exit).toBe(0);
    expect(await place.effects("update")).toBe(1);
  });

  it("W2: the same for destroy: nothing is torn down without a record", async () => {
    const disk = await mount("disk", 4096);
    await place.writeStack(sized("1"));
    await place.apply({}, ledgerIn(disk));
    expect((await place.destroy([], fullBy(disk))).exit).toBe(22);
    expect(await place.calls("destroy", "machine")).toEqual([]);
    expect(await place.objects()).toEqual(["machine-1"]);
  });

  it("W2: filled by the first step's call: the second is not started", async () => {
    const disk = await mount("disk", 1024);
    await place.writeStack(stackText([cloudStep("a"), cloudStep("b", ["needs: [a]"]), cloudStep("c")]));
    await place.fault("create", "a", `fill ${disk}`);
    const done = await place.apply({ parallelism: 1 }, ledgerIn(disk));
    expect(done.exit).toBe(21);
    expect(await mutations()).toHaveLength(1);
  });

  // TODO(store-sqlite): a full disk at opening is told as "disk I/O error", exit 1; W2 asks for 22.
  it("W2: full before the ledger is opened: exit 22", async () => {
    const disk = await mount("disk", 4096);
    await place.writeStack(sized("1"));
    await place.apply({}, ledgerIn(disk));
    fill(disk);
    const before = await place.log();
    const done = await place.apply({}, ledgerIn(disk));
    expect(await place.log()).toEqual(before);
    expect(done.exit).toBe(22);
  });

  it("W2: read-only: exit 22, nothing called; reading verbs still answer", async () => {
    const disk = await mount("disk", 4096);
    await place.writeStack(sized("1"));
    await place.apply({}, ledgerIn(disk));
    await place.writeStack(sized("2"));
    execFileSync("mount", ["-o", "remount,ro", disk]);
    const before = await mutations();
    const done = await place.apply({}, ledgerIn(disk));
    expect(done.exit).toBe(22);
    expect(await mutations()).toEqual(before);
    const opened = await place.open("read", ledgerIn(disk).where);
    expect((await opened.runtime.store.steps(opened.stackName)).size).toBe(1);
    await opened.close();
  });

  const runOn = (disk: string) =>
    place.run({ verb: "apply" }, { where: { ...place.job(), ...ledgerIn(disk).where } });

  it("W6, op-07, op-23: filled by the call itself: the result is spooled, exit 21, replayed, not called again", async () => {
    const disk = await mount("disk", 1024);
    await place.writeStack(stackText([cloudStep("machine"), cloudStep("app", ["needs: [machine]"])]));
    await place.fault("create", "machine", `fill ${disk}`);
    const done = await runOn(disk);
    expect(await place.struck("create machine fill")).toBe(1);
    expect(done.exit).toBe(21);
    expect(done.output).toContain("waits in this host's spool");
    expect(done.output).toContain("it is kept in this host's spool and replayed at the next start here");
    expect(await place.objects()).toEqual(["machine-1"]);
    // Nothing more was started.
    expect(await place.calls("create", "app")).toEqual([]);

    // Still full: still not called.
    const still = await runOn(disk);
    expect(still.exit).not.toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);

    await rm(join(disk, "filler"));
    const replayed = await place.apply({}, ledgerIn(disk));
    expect(replayed.exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.objects()).toEqual(["app-1", "machine-1"]);
    const opened = await place.open("read", ledgerIn(disk).where);
    const machine = await opened.runtime.store.step(opened.stackName, "machine" as never);
    expect(machine).toMatchObject({ status: "complete", identity: { id: "machine-1" } });
    const sources: string[] = [];
    for await (const { record } of opened.runtime.store.records({ stack: opened.stackName }))
      if (record.kind === "outcome" && record.step === "machine") sources.push(record.source);
    await opened.close();
    expect(sources).toEqual(["spool"]);
  });
});

describe("a ledger that fails at one write", () => {
  /** A store that refuses the nth batch with a record of that kind. */
  const refusing = (kind: Kind) => (runtime: Runtime) => ({
    ...runtime,
    store: tapped(runtime.store, {
      before: (kinds) => {
        if (kinds.includes(kind)) throw new StoreFault("not-durable", "the disk says EIO");
      },
    }),
  });

  it("W2: at the intent: exit 22, that step is not called and nothing more is started", async () => {
    await place.writeStack(stackText([cloudStep("a"), cloudStep("b"), cloudStep("c", ["needs: [a]"])]));
    const done = await place.apply({}, { runtime: refusing("intent") });
    expect(done.exit).toBe(22);
    expect(text(done)).toContain("the disk says EIO");
    expect(await place.log()).toEqual([]);
    expect((await place.status()).steps.every((step) => step.status === "pending")).toBe(true);
    // Control: without the fault the same stack is made.
    expect((await place.apply()).exit).toBe(0);
  });

  const strike = (at: "outcome" | "identity") => ({ strike: { signal: "EIO", when: "before", at } }) as const;

  it("W6: at the outcome: spooled, exit 21; the next start takes it over and calls nothing again", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    const done = await place.run({ verb: "apply" }, strike("outcome"));
    expect(done.exit).toBe(21);
    expect(await place.objects()).toEqual(["machine-1"]);
    expect((await place.status()).exit).toBe(21);
    expect((await place.reconcile()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "complete", outputs: { name: "machine-1" } });
    const spool = await readdir(join(place.folder, ".asfound", "spool")).catch(() => []);
    expect(spool.filter((name) => name.endsWith(".slot"))).toEqual([]);
    const sources = (await place.records()).flatMap(({ record }) =>
      record.kind === "outcome" ? [record.source] : [],
    );
    expect(sources).toEqual(["spool"]);
  });

  it("W6: at the outcome of a destroy: the same", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.apply();
    expect((await place.run({ verb: "destroy" }, strike("outcome"))).exit).toBe(21);
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toHaveLength(1);
    expect(await place.step("machine")).toMatchObject({ status: "destroyed" });
  });

  it("W6: at the outcome of a refusal: replayed as what it was, so nothing is in doubt", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.fault("create", "machine", "refuse");
    expect((await place.run({ verb: "apply" }, strike("outcome"))).exit).toBe(21);
    await place.reconcile();
    expect(await place.step("machine")).toMatchObject({ status: "error", effect: "none" });
  });

  it("W6, W7: at the id and the outcome: neither is lost", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.fault("create", "machine", "partial");
    await place.fault("observe", "machine", "always denied");
    expect((await place.run({ verb: "apply" }, strike("identity"))).exit).not.toBe(0);
    await place.reconcile({ wait: false });
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-1" },
      outputs: { early: "yes" },
    });
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("W6: killed right after the spool took it: nothing is lost either", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    await place.fault("create", "machine", "hold");
    const run = place.start({ verb: "apply" }, strike("outcome"));
    await place.held("create", "machine");
    await place.release("create", "machine");
    await run.event("note");
    run.process.kill("SIGKILL");
    await run.ended;
    await place.fault("observe", "machine", "always denied");
    await place.reconcile({ wait: false });
    expect(await place.step("machine")).toMatchObject({
      identity: { id: "machine-1" },
      outputs: { name: "machine-1" },
    });
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });

  it("W6: at the observation after it: the outcome stands, nothing more is started, exit 21", async () => {
    await place.writeStack(stackText([cloudStep("machine"), cloudStep("app", ["needs: [machine]"])]));
    const done = await place.apply({}, { runtime: refusing("observation") });
    expect(done).toMatchObject({ kind: "done", exit: 21 });
    expect(text(done)).toContain("the disk says EIO");
    expect(await place.calls("create", "app")).toEqual([]);
    expect(await place.step("machine")).toMatchObject({
      status: "unresolved",
      identity: { id: "machine-1" },
    });
    expect((await place.apply()).exit).toBe(0);
    expect(await place.calls("create", "machine")).toHaveLength(1);
  });
});

describe("a ledger that is not what it was", () => {
  const ledger = () => join(place.folder, ".asfound", "ledger.db");
  beforeEach(async () => {
    await place.writeStack(sized("1"));
    await place.apply();
    await place.writeStack(sized("2"));
  });

  it.each([
    ["emptied to 0 bytes", async () => truncate(ledger(), 0)],
    ["cut in the middle", async () => truncate(ledger(), Math.floor((await stat(ledger())).size / 2))],
    ["overwritten", async () => writeFile(ledger(), "this is no database, and it is long enough to be read")],
    [
      "damaged inside",
      async () => {
        const bytes = await readFile(ledger());
        bytes.fill(0xff, 4096, bytes.length);
        await writeFile(ledger(), bytes);
      },
    ],
  ])(
    "op-22, op-16: %s: exit 1, nothing called, the way out named, never taken for empty",
    async (_, damage) => {
      await damage();
      await rm(`${ledger()}-wal`, { force: true });
      const before = await place.log();
      for (const done of [
        await place.apply(),
        await place.destroy().catch((error: Error) => JSON.parse(error.message)),
      ]) {
        expect(done).toMatchObject({ kind: "refused", exit: 1 });
        expect((done as Refused).why).toMatch(/backup|export/);
        expect((done as Refused).why).toMatch(/nothing was called$/);
      }
      expect(await place.log()).toEqual(before);
      expect(await place.objects()).toEqual(["machine-1"]);
    },
  );

  it("a lock whose ledger is not there: exit 23, one sentence, nothing called", async () => {
    await rm(join(place.folder, ".asfound"), { recursive: true });
    const before = await place.log();
    const done = await place.apply();
    expect(done).toMatchObject({ kind: "refused", exit: 23 });
    expect((done as Refused).why).toMatch(
      /^asfound\.lock ties this stack to the ledger .* there is none at .*; nothing was called$/,
    );
    expect(await place.destroy().catch((error: Error) => JSON.parse(error.message))).toMatchObject({
      exit: 23,
    });
    expect(await place.log()).toEqual(before);
    expect(existsSync(join(place.folder, ".asfound", "ledger.db"))).toBe(false);
  });

  it("a lock of another ledger: exit 23, nothing called", async () => {
    const other = await makePlace();
    try {
      await other.writeStack(stackText([cloudStep("machine")]));
      await other.apply();
      await rm(join(place.folder, ".asfound"), { recursive: true });
      await rename(join(other.folder, ".asfound"), join(place.folder, ".asfound"));
      const before = await place.log();
      const done = await place.apply();
      expect(done).toMatchObject({
        kind: "refused",
        exit: 23,
        why: expect.stringMatching(/asfound\.lock ties this stack to/),
      });
      expect(await place.log()).toEqual(before);
    } finally {
      await other.end();
    }
  });

  it("CI without a lock and without a named ledger: exit 23; with a named one it goes", async () => {
    await rm(join(place.folder, ".asfound"), { recursive: true });
    await rm(join(place.folder, "asfound.lock"));
    const environment = { ...process.env, CI: "true" };
    const before = await place.log();
    const done = await place.apply({}, { where: { environment } });
    expect(done).toMatchObject({
      kind: "refused",
      exit: 23,
      why: expect.stringMatching(/would vanish with the job.*nothing was called$/),
    });
    expect(await place.log()).toEqual(before);
    const named = await place.apply({}, { where: { environment, ledger: join(place.root, "kept.db") } });
    expect(named.exit).toBe(0);
  });

  it("op-22: a ledger that may not be read is not an empty one", async () => {
    await chmod(ledger(), 0o000);
    if (process.getuid?.() === 0) {
      // Root reads all the same: a folder in the ledger's place cannot be read by anybody.
      await rm(ledger());
      await mkdir(ledger());
    }
    const before = await place.log();
    const done = await place.apply();
    expect(done.kind).toBe("refused");
    expect([1, 22]).toContain(done.exit);
    expect(await place.log()).toEqual(before);
  });

  it("W5: a broken file is a fault with a place, before anything is opened or called", async () => {
    await place.writeStack(stackText(["  machine:\n    uses: exec\n    with: { creat: [x] }"]));
    const before = await place.log();
    const opened = await place.tryOpen("create");
    expect(opened).toMatchObject({
      kind: "faults",
      faults: expect.arrayContaining([
        expect.objectContaining({ line: 7, field: "steps.machine.with.creat" }),
      ]),
    });
    expect(await place.log()).toEqual(before);
  });

  it("plan changes no row, and in a fresh folder leaves no file", async () => {
    const rows = (await place.records()).length;
    await place.plan();
    expect(await place.records()).toHaveLength(rows);
    const fresh = await makePlace();
    try {
      await fresh.writeStack(sized("1"));
      const plan = await fresh.plan();
      expect(plan.changes).toBe(1);
      expect(await readdir(fresh.folder)).toEqual(["asfound.yaml"]);
    } finally {
      await fresh.end();
    }
  });
});

describe("N5", () => {
  it("call-by passes between intent and call: refused, nothing was sent, effect none", async () => {
    await place.writeStack(stackText([cloudStep("machine")]));
    let late = false;
    const done = await place.apply(
      {},
      {
        runtime: (runtime) => ({
          ...runtime,
          clock: {
            ...runtime.clock,
            now: () => instant(runtime.clock.now() + (late ? 31_000 : 0)),
            monotonicMs: () => runtime.clock.monotonicMs() + (late ? 31_000 : 0),
            sleep: (ms, signal) => runtime.clock.sleep(ms, signal),
          },
          store: tapped(runtime.store, {
            after: (kinds) => {
              if (kinds.includes("intent")) late = true;
            },
          }),
        }),
      },
    );
    expect(late).toBe(true);
    expect(await place.calls("create", "machine")).toEqual([]);
    expect(done.exit).toBe(10);
    expect(await place.step("machine")).toMatchObject({
      status: "error",
      effect: "none",
      lastError: expect.stringMatching(/^the call was to be sent before .*, and that time has passed$/),
    });
    expect((await place.destroy()).exit).toBe(0);
    expect(await place.calls("destroy", "machine")).toEqual([]);
  });
});
