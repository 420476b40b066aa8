/** What the chain shows, act by act: by whom which run is contradicted, what only a checkpoint tells, and what keys are worth. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import type { RunCheck, RunLink } from "../../src/domain/evidence-run.ts";
import type { CheckOptions, EvidenceCheck } from "../../src/ports/evidence-runs.ts";
import type { Signer } from "../../src/ports/signer.ts";
import { rotationDetails } from "../../src/wire/evidence/rotation.ts";
import { newRun, signer } from "../support/made-run.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
let links: RunLink[];
beforeEach(() => {
  folder = join(tempFolder("chain"), "evidence");
  links = [];
});

const record = async (
  by: Signer | null = null,
  more: Parameters<typeof newRun>[0] = {},
): Promise<RunLink> => {
  const done = await openEvidence(folder, "evidence").record(newRun(more, { signer: by }));
  if (done.kind !== "recorded") throw new Error(done.kind === "fault" ? done.fault : done.kind);
  links.push(done.link);
  return done.link;
};

const check = async (
  options: Partial<CheckOptions> = {},
): Promise<EvidenceCheck & { readonly runs_: readonly RunCheck[]; readonly reasons: readonly string[] }> => {
  const told: RunCheck[] = [];
  const all = await openEvidence(folder, "evidence").check(
    { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth: "files", ...options },
    (one) => told.push(one),
  );
  if ("fault" in all) throw new Error(all.fault);
  return {
    ...all,
    runs_: told,
    reasons: told.flatMap(({ problems }) => problems.map(({ reason }) => reason)),
  };
};

const slot = (sequence: number): string => join(folder, "chain", String(sequence).padStart(10, "0"));
const run = (nth: number): string => join(folder, "runs", links[nth - 1]?.run ?? "");
const remove = (nth: number): void => {
  rmSync(slot(nth));
  rmSync(run(nth), { recursive: true });
};

describe("a whole run that is gone, with its slot", () => {
  beforeEach(async () => {
    for (let nth = 1; nth <= 4; nth += 1) await record();
  });

  it.each([1, 2, 3])("run %i of four: the one after it says that it was there", async (nth) => {
    remove(nth);
    const { finding, reasons } = await check();
    expect([finding, reasons]).toEqual(["refuted", ["slot-missing"]]);
  });

  it("the newest: nothing here tells, and that is said; a checkpoint that was kept elsewhere tells", async () => {
    const checkpoint = links[3] ?? null;
    remove(4);
    expect(await check()).toMatchObject({
      finding: "proven",
      runs: 3,
      notes: [expect.stringContaining("no newer run was cut off cannot be told")],
    });
    expect(await check({ checkpoint })).toMatchObject({
      finding: "refuted",
      reasons: ["checkpoint-missing"],
    });
    expect(await check({ checkpoint, run: "1" })).toMatchObject({ finding: "refuted" });
  });

  it("all renumbered so that no hole is left: the runs say other numbers", async () => {
    remove(2);
    renameSync(slot(3), slot(2));
    renameSync(slot(4), slot(3));
    expect(await check()).toMatchObject({ finding: "refuted" });
  });

  it("two slots exchanged: both are out of their place", async () => {
    renameSync(slot(2), slot(9));
    renameSync(slot(3), slot(2));
    renameSync(slot(9), slot(3));
    const { reasons } = await check();
    expect(reasons).toEqual(["out-of-place", "out-of-place"]);
  });

  it("made to look unfinished: the run after it says that it was whole", async () => {
    rmSync(join(run(2), "statement.sha256"));
    expect(await check()).toMatchObject({ finding: "refuted", reasons: ["made-shorter"] });
  });

  it("a run made anew, whole in itself: the one after it has another digest", async () => {
    const other = join(tempFolder("forged"), "evidence");
    const forging = openEvidence(other, "evidence");
    const first = readFileSync(slot(1), "utf8").trim() as RunLink["run"];
    await forging.record(newRun({ run: first, verdict: "refuted" }));
    rmSync(run(1), { recursive: true });
    cpSync(join(other, "runs", first), run(1), { recursive: true });
    const { finding, runs_ } = await check();
    expect(finding).toBe("refuted");
    expect(runs_[3]).toMatchObject({ sequence: 1, problems: [{ reason: "altered" }] });
    // Control: alone it is whole in itself, and T0 promises no more.
    expect(await openEvidence(other, "evidence").read("1")).toMatchObject({ run: { verdict: "refuted" } });
  });

  it("a number far away costs nothing", async () => {
    writeFileSync(slot(9_999_999_999), `${links[0]?.run}\n`);
    const { finding, runs_ } = await check();
    expect(finding).toBe("refuted");
    expect(runs_).toHaveLength(6);
  });

  it("an altered newest run: nothing is recorded upon it", async () => {
    writeFileSync(join(folder, "added"), "");
    rmSync(join(run(4), "statement.json"));
    await expect(record()).rejects.toThrow("no run is put upon it");
  });

  it("a folder that is no run, in the place of runs, is named", async () => {
    mkdirSync(join(folder, "runs", "other"));
    expect(await check()).toMatchObject({ finding: "refuted", reasons: ["added"] });
  });
});

describe("keys", () => {
  const rotate = (from: Signer, to: Signer): Promise<RunLink> =>
    record(from, { kind: "key", details: rotationDetails({ replaces: from.key.keyId, key: to.key }) });

  it("a rotation is followed from the key that the person has, and only forwards", async () => {
    const [alice, bob, carol] = [signer(), signer(), signer()];
    await record(alice);
    await rotate(alice, bob);
    await record(bob);
    await rotate(bob, carol);
    await record(carol);
    expect(await check({ keys: [alice.key] })).toMatchObject({ finding: "proven", trust: { tier: "T1" } });
    expect(await check({ keys: [alice.key], run: "5" })).toMatchObject({ trust: { tier: "T1" } });
    expect(await check({ keys: [carol.key] })).toMatchObject({ finding: "undetermined" });
    expect(await check({ keys: [carol.key], run: "5" })).toMatchObject({ finding: "proven" });
  });

  it("a rotation that the key before did not sign hands nothing over", async () => {
    const [alice, mallory, evil] = [signer(), signer(), signer()];
    await record(alice);
    await record(mallory, {
      kind: "key",
      details: rotationDetails({ replaces: alice.key.keyId, key: evil.key }),
    });
    await record(evil);
    const { finding, reasons } = await check({ keys: [alice.key] });
    expect([finding, reasons]).toEqual(["undetermined", ["unknown-signer", "unknown-signer"]]);
  });

  it("what the replaced key signs afterwards is refuted, and a second rotation by it hands nothing over", async () => {
    const [alice, bob, mallory] = [signer(), signer(), signer()];
    await rotate(alice, bob);
    await record(alice);
    expect(await check({ keys: [alice.key] })).toMatchObject({
      finding: "refuted",
      reasons: ["retired-key"],
    });
    await rotate(alice, mallory);
    await record(mallory);
    expect((await check({ keys: [alice.key] })).reasons).toContain("unknown-signer");
  });

  it("a bundle taken away leaves no run that nobody signed", async () => {
    const alice = signer();
    await record(alice);
    rmSync(join(run(1), "bundle.sigstore.json"));
    expect(await check()).toMatchObject({ finding: "undetermined", runs: 0, incomplete: 1 });
  });

  it("a signer that gives back anything else makes no run", async () => {
    const broken: Signer = { ...signer(), sign: async () => new Uint8Array(64) };
    await expect(record(broken)).rejects.toThrow("no signature by its key");
    expect(await check()).toMatchObject({ finding: "undetermined", runs: 0 });
  });
});
