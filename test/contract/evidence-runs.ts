/** The contract of every place that keeps evidence (`src/ports/evidence-runs.ts`). */
import { beforeEach, describe, expect, it } from "vitest";
import type { RunCheck } from "../../src/domain/evidence-run.ts";
import { instant } from "../../src/domain/ids.ts";
import type { CheckOptions, EvidenceCheck, EvidenceRuns, ListedRun } from "../../src/ports/evidence-runs.ts";
import { FILES, newRun, runId, signer } from "../support/made-run.ts";

const PLAIN: CheckOptions = { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth: "files" };

/** `open`: the same place again, as another process would have it. */
export const evidenceRunsContract = (
  name: string,
  makePlace: () => { readonly open: () => EvidenceRuns },
): void => {
  describe(`the contract of evidence, kept by ${name}`, () => {
    let open: () => EvidenceRuns;
    beforeEach(() => {
      ({ open } = makePlace());
    });
    const recorded = async (...run: Parameters<typeof newRun>) => {
      const done = await open().record(newRun(...run));
      if (done.kind !== "recorded") throw new Error(done.kind === "fault" ? done.fault : done.kind);
      return done;
    };
    const listed = async (order: "oldest-first" | "newest-first"): Promise<readonly ListedRun[]> => {
      const all: ListedRun[] = [];
      for await (const one of open().list(order)) all.push(one);
      return all;
    };
    const checked = async (
      options: Partial<CheckOptions> = {},
    ): Promise<{ readonly all: EvidenceCheck; readonly runs: readonly RunCheck[] }> => {
      const runs: RunCheck[] = [];
      const all = await open().check({ ...PLAIN, ...options }, (run) => runs.push(run));
      if ("fault" in all) throw new Error(all.fault);
      return { all, runs };
    };

    it("an empty place holds nothing, and nothing is proven by it (V5)", async () => {
      expect(await listed("oldest-first")).toEqual([]);
      expect(await open().read("latest")).toMatchObject({ reason: "absent" });
      expect(await open().check(PLAIN, () => undefined)).toMatchObject({ reason: "absent" });
      expect(await open().key({ create: false })).toEqual({ kind: "absent" });
      await open().key({ create: true });
      expect((await checked()).all).toMatchObject({ finding: "undetermined", runs: 0, newest: null });
    });

    it("what was recorded is read back as it was, by id, by number and as the latest", async () => {
      const first = await recorded();
      const target = { kind: "Rollout", namespace: null, name: "é\u2028", uid: null };
      const details = { a: [1, "b", null] };
      const replays = first.link;
      const second = await recorded(
        { kind: "approval", target, details, replays, verdict: null, findings: [] },
        { signer: signer("elsewhere") },
      );
      expect(second.run).toMatchObject({
        sequence: 2,
        previous: first.link,
        incomplete: [],
        details,
        replays,
        trust: { tier: "T1" },
      });
      for (const named of [second.link.run, "2", "latest"])
        expect(await open().read(named)).toMatchObject({
          run: second.run,
          sha256: second.link.sha256,
          report: { kind: "VerdictReport" },
          question: { kind: "Question" },
          deleted: null,
        });
      expect(await open().read("1")).toMatchObject({ run: first.run });
      expect(await listed("newest-first")).toEqual([
        { kind: "run", run: second.run, sha256: second.link.sha256 },
        { kind: "run", run: first.run, sha256: first.link.sha256 },
      ]);
      expect((await checked()).all).toMatchObject({ finding: "proven", runs: 2, newest: second.link });
    });

    it("E1: a run of that id stands, and nothing is written over it", async () => {
      const { link } = await recorded();
      const before = await open().read("1");
      expect(await open().record(newRun({ run: link.run, actor: "mallory" }))).toEqual({ kind: "exists" });
      expect(await open().read("1")).toEqual(before);
      expect(await listed("oldest-first")).toHaveLength(1);
    });

    it("many at once: each has a number of its own, and all are one chain", async () => {
      const done = await Promise.all(Array.from({ length: 8 }, () => recorded()));
      expect(done.map(({ run }) => run.sequence).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await checked()).all).toMatchObject({ finding: "proven", runs: 8 });
    });

    it("files come in pieces and one by one", async () => {
      const pieces = async function* () {
        yield Buffer.from("{");
        yield Buffer.from("}\n");
      };
      const files = async function* () {
        yield { path: "snapshot/a/b.json", bytes: pieces() };
        yield { path: "report.json", bytes: Buffer.from("{}") };
      };
      const { run } = await recorded({}, { files: files() });
      expect([...run.subjects.keys()]).toEqual(["SHA256SUMS", "report.json", "snapshot/a/b.json"]);
      expect((await checked()).all.finding).toBe("proven");
    });

    it("a recording that fails in the middle is incomplete for ever, and the next one says so", async () => {
      const failing = function* () {
        yield* FILES;
        throw new Error("the cluster's answer broke off");
      };
      const run = runId();
      await expect(open().record(newRun({ run }, { files: failing() }))).rejects.toThrow("broke off");
      expect(await listed("oldest-first")).toEqual([{ kind: "incomplete", sequence: 1, run }]);
      expect(await open().read(run)).toMatchObject({ reason: "incomplete" });
      const alone = await checked();
      expect(alone.all).toMatchObject({ finding: "undetermined", runs: 0, incomplete: 1 });
      expect(alone.runs).toMatchObject([{ run, problems: [{ reason: "incomplete" }] }]);
      const { run: next, notes } = await recorded();
      expect(next).toMatchObject({ sequence: 2, previous: null, incomplete: [{ sequence: 1, run }] });
      expect(notes).toEqual([expect.stringContaining("never finished")]);
      // It moves the verdict no more: somebody has said what it is.
      const both = await checked();
      expect(both.all).toMatchObject({ finding: "proven", runs: 1, incomplete: 1 });
      expect(both.runs[1]).toMatchObject({ finding: "undetermined", problems: [] });
    });

    it("paths that lead elsewhere, or are the store's own, are refused", async () => {
      const paths = [
        "../up",
        "/etc/passwd",
        "snapshot/../../up",
        "snapshot/./a",
        "snapshot",
        "snapshot/",
        "snapshot/a\nb",
        "snapshot/a\u0000b",
        "snapshot/-c",
        "snapshot/.hidden",
        "statement.json",
        "SHA256SUMS",
        "bundle.sigstore.json",
        "",
      ];
      for (const path of paths) {
        const files = [{ path, bytes: Buffer.from("x") }, ...FILES];
        expect(await open().record(newRun({}, { files })), path).toMatchObject({ kind: "fault" });
      }
      const twice = [...FILES, ...FILES];
      expect(await open().record(newRun({}, { files: twice }))).toMatchObject({ kind: "fault" });
      expect(await open().record(newRun({}, { files: [] }))).toMatchObject({ kind: "fault" });
      const run = "run_../../../../tmp/x" as const;
      expect(await open().record(newRun({ run }))).toMatchObject({ kind: "fault" });
      for (const named of ["../../etc", "run_..", "", "0", "-1", "1\u0000", "run_/etc/passwd"])
        expect(await open().read(named), named).toHaveProperty("fault");
    });

    it("a clock that went backwards is said by the recording and by the check; the numbers are the order", async () => {
      const at = (time: string) => ({ recordedAt: instant(Date.parse(time)) });
      await recorded(at("2026-11-30T12:00:00.000Z"));
      const { notes } = await recorded(at("2026-11-30T11:58:00.000Z"));
      expect(notes).toEqual([expect.stringContaining("clock went backwards")]);
      const { all, runs } = await checked();
      expect(all.finding).toBe("proven");
      expect(runs.map((one) => one.notes)).toEqual([[], [expect.stringMatching(/backwards by 2m/)]]);
      // Control: forwards, nothing is said.
      expect((await recorded(at("2026-11-30T12:00:01.000Z"))).notes).toEqual([]);
    });

    it("E3: the tier is what the one who checks can rely on", async () => {
      const alice = signer();
      const key = alice.key;
      await recorded({}, { signer: alice });
      const tier = async (options: Partial<CheckOptions>) => (await checked(options)).all;
      expect(await tier({})).toMatchObject({ finding: "proven", trust: { tier: "T0" } });
      expect(await tier({ keys: [key] })).toMatchObject({ finding: "proven", trust: { tier: "T1" } });
      const heldHere = new Set([key.keyId]);
      expect(await tier({ keys: [key], heldHere })).toMatchObject({ trust: { tier: "T0" } });
      expect(await tier({ keys: [signer().key] })).toMatchObject({
        finding: "undetermined",
        trust: { tier: "T0" },
      });
      // One that nobody signed is nobody's, whatever the others are.
      await recorded();
      expect(await tier({ keys: [key] })).toMatchObject({ finding: "undetermined" });
    });

    it("T2: a checkpoint that was kept elsewhere fixes what was before it, and shows that the newest were cut off", async () => {
      const first = await recorded();
      const second = await recorded();
      await recorded();
      const at = await checked({ checkpoint: second.link });
      expect(at.all).toMatchObject({ finding: "proven", trust: { tier: "T0" }, notes: [] });
      expect(at.runs.map(({ trust }) => trust.tier)).toEqual(["T0", "T2", "T2"]);
      expect((await checked({ checkpoint: second.link, run: "1" })).all.trust.tier).toBe("T2");
      expect((await checked({ checkpoint: first.link, run: "2" })).all.trust.tier).toBe("T0");
      const elsewhere = { run: runId(), sha256: first.link.sha256 };
      expect((await checked({ checkpoint: elsewhere })).all.finding).toBe("refuted");
      expect((await checked({ checkpoint: { ...second.link, sha256: first.link.sha256 } })).all.finding).toBe(
        "refuted",
      );
    });

    it("a key of keyed digests is made once and stays the one it is", async () => {
      const [one, other] = await Promise.all([open().key({ create: true }), open().key({ create: true })]);
      expect(one).toEqual(other);
      expect(await open().key({ create: false })).toEqual(one);
      expect(one).toMatchObject({ kind: "key", key: { id: expect.stringMatching(/^[0-9a-f]{16}$/) } });
    });
  });
};
