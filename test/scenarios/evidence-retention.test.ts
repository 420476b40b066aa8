/** Retention: what was observed goes by age, what was said of it stays, and the chain holds. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import type { RunCheck, RunLink } from "../../src/domain/evidence-run.ts";
import { instant } from "../../src/domain/ids.ts";
import type { CheckOptions } from "../../src/ports/evidence-runs.ts";
import type { Signer } from "../../src/ports/signer.ts";
import { BEFORE, OLD, pruning, YOUNG } from "../support/made-retention.ts";
import { newRun, signer } from "../support/made-run.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHILD = fileURLToPath(new URL("evidence-prune-child.ts", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = join(tempFolder("retention"), "evidence");
});
const record = async (at: string, by: Signer | null = null): Promise<RunLink> => {
  const done = await openEvidence(folder, "evidence").record(
    newRun({ recordedAt: instant(Date.parse(at)) }, { signer: by }),
  );
  if (done.kind !== "recorded") throw new Error(done.kind);
  return done.link;
};
const prune = async (by: Signer | null = null, dryRun = false) => {
  const done = await openEvidence(folder, "evidence").prune({ ...pruning(), signer: by, dryRun });
  if (done.kind !== "pruned") throw new Error(done.fault);
  return done;
};
const check = async (options: Partial<CheckOptions> = {}) => {
  const told: RunCheck[] = [];
  const all = await openEvidence(folder, "evidence").check(
    { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth: "files", ...options },
    (one) => told.push(one),
  );
  if ("fault" in all) throw new Error(all.fault);
  return {
    finding: all.finding,
    told,
    reasons: told.flatMap(({ problems }) => problems.map(({ reason }) => reason)),
  };
};
const observed = (link: RunLink): string => join(folder, "runs", link.run, "snapshot");

describe("evidence prune", () => {
  it("deletes what was observed before, lists it with digests, and verify says deleted in the place of missing", async () => {
    const old = await record(OLD);
    const young = await record(YOUNG);
    const { due, link } = await prune();
    expect(due).toEqual([
      {
        run: old.run,
        sequence: 1,
        files: [
          { path: "snapshot/deployments.apps.json", sha256: expect.any(String), bytes: 22 },
          { path: "snapshot/pods.json", sha256: expect.any(String), bytes: 30 },
        ],
      },
    ]);
    expect(readdirSync(observed(old))).toEqual([]);
    expect(readdirSync(observed(young))).toHaveLength(2);
    const evidence = openEvidence(folder, "evidence");
    expect(await evidence.read("3")).toMatchObject({
      report: { kind: "RetentionRecord", deleted: [{ run: old.run }] },
    });
    const says = expect.stringMatching(/^2 files of what was observed were deleted by retention on 2026-/);
    const { finding, told } = await check();
    expect([finding, told[2]?.notes]).toEqual(["proven", [says]]);
    expect(await check({ run: "1" })).toMatchObject({ finding: "proven", told: [{ notes: [says] }] });
    expect(await evidence.read("1")).toMatchObject({ snapshot: null, deleted: { by: link } });
    expect(await evidence.read("2")).toMatchObject({ snapshot: observed(young), deleted: null });
    // Control: without that record they are missing.
    rmSync(join(observed(young), "pods.json"));
    expect(await check()).toMatchObject({ finding: "refuted", reasons: ["missing"] });
  });

  it("again, there is nothing to do, and nothing is recorded", async () => {
    await record(OLD);
    await prune();
    expect(await prune()).toMatchObject({ due: [], begun: [], link: null });
  });

  it("--dry-run deletes nothing and records nothing", async () => {
    const old = await record(OLD);
    expect(await prune(null, true)).toMatchObject({ due: [{ run: old.run }], link: null });
    expect(readdirSync(observed(old))).toHaveLength(2);
    expect((await check()).told).toHaveLength(1);
  });

  it("what is not as it was recorded is left: deleting it would hide that", async () => {
    const old = await record(OLD);
    const file = join(observed(old), "pods.json");
    chmodSync(file, 0o644);
    writeFileSync(file, "{}");
    expect(await prune()).toMatchObject({
      due: [],
      left: [expect.stringContaining("snapshot/pods.json is not as it was")],
    });
    expect(existsSync(file)).toBe(true);
    expect((await check()).finding).toBe("refuted");
  });

  it("only what was observed goes: a report that is missing is missing, whatever was recorded", async () => {
    const old = await record(OLD);
    await prune();
    rmSync(join(folder, "runs", old.run, "report.json"));
    expect(await check()).toMatchObject({ finding: "refuted", reasons: ["missing"] });
  });

  it("where a key is named, only its record deletes: one that nobody signed hides nothing", async () => {
    const alice = signer();
    const keys = [alice.key];
    await record(OLD, alice);
    await prune();
    expect((await check({ keys })).reasons).toEqual(["not-signed", "missing", "missing"]);
    expect((await check({ keys, run: "1" })).reasons).toEqual(["missing", "missing"]);
  });

  it("control: by that key, they are deleted", async () => {
    const alice = signer();
    await record(OLD, alice);
    await prune(alice);
    expect(await check({ keys: [alice.key] })).toMatchObject({ finding: "proven", reasons: [] });
  });

  it("kill -9 after each write: never a file that is gone without a record, and the next prune goes on", async () => {
    // The record's slot, folder, report, sums, folders, statement, then whole; then each file.
    const steps = 12;
    let begun = 0;
    for (let at = 1; at <= steps; at += 1) {
      folder = join(tempFolder("killed"), "evidence");
      await record(OLD);
      await record(OLD);
      const child = spawnSync(process.execPath, [CHILD, folder, String(at)]);
      expect(child.signal, String(at)).toBe("SIGKILL");
      const { reasons } = await check();
      expect(reasons.filter((reason) => reason !== "incomplete")).toEqual([]);
      const again = await prune();
      if (again.begun.length > 0) begun += 1;
      expect(again.left).toEqual([]);
      expect(await check()).toMatchObject({ finding: "proven", reasons: [] });
      expect((await prune()).due).toEqual([]);
    }
    expect(begun).toBeGreaterThan(2);
    expect(spawnSync(process.execPath, [CHILD, folder, "99"]).signal).toBeNull();
  }, 120_000);

  it("what is exactly as old as that stays", async () => {
    await record(new Date(BEFORE).toISOString());
    expect((await prune()).due).toEqual([]);
  });
});
