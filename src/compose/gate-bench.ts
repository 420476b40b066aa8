/** The folder of evidence in which `gate test` records its worlds: a real one, in this machine's place for passing files. */
import { chmod, mkdtemp, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newKey, signerOf } from "../adapters/signer-ed25519/signer.ts";
import { openEvidence } from "../adapters/system/evidence/evidence-folder.ts";
import { BUNDLE, SEAL } from "../adapters/system/evidence/layout.ts";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import type { RunFacts, RunLink } from "../domain/evidence-run.ts";
import type { GateTier } from "../domain/gate.ts";
import type { Instant } from "../domain/ids.ts";
import type { RunFile } from "../ports/evidence-runs.ts";
import type { Signer } from "../ports/signer.ts";
import type { Bench, OpenBench } from "../runtime/gate/bench.ts";
import { gateJudged } from "../runtime/gate/judged.ts";
import type { Records } from "../runtime/gate/on-record.ts";
import { collectedOf, type WorldFiles } from "../runtime/gate/world-files.ts";
import { verdictReport } from "../wire/api/verdict-report.ts";
import { newRunId } from "./evidence.ts";

export const openGateBench: OpenBench = async () => {
  const folder = await mkdtemp(join(tmpdir(), "asfound-gate-"));
  const runs = openEvidence(folder, "the gate's test");
  const { signer, publicKey } = passingSigner();
  let newest: RunLink | null = null;

  const record = async (facts: RunFacts, files: readonly RunFile[], signed: boolean): Promise<RunLink> => {
    const done = await runs.record({ facts, files, signer: signed ? signer : null });
    if (done.kind !== "recorded")
      throw new Error(`a world could not be recorded: ${done.kind === "fault" ? done.fault : done.kind}`);
    newest = done.link;
    return done.link;
  };

  return {
    record: ({ files, question, recordedAt, signed, replays }) => {
      const { report } = gateJudged(collectedOf(files), question);
      const { kind, namespace, name, uid } = report.target;
      const facts: RunFacts = {
        ...factsAt(recordedAt),
        target: { kind, namespace, name, uid },
        verdict: report.verdict,
        findings: report.findings.map(({ claim, finding, reason, required }) => ({
          claim,
          finding,
          reason,
          required,
        })),
        replays,
      };
      return record(facts, [...snapshotIn(files), jsonFile("report.json", verdictReport(report))], signed);
    },
    approve: async ({ of, actor, at, signed }) => {
      const details = { approves: { run: of.run, sha256: of.sha256 }, reason: "a world of gate test" };
      const facts: RunFacts = { ...factsAt(at), kind: "approval", verb: "approve", actor, details };
      await record(facts, [jsonFile("report.json", details)], signed);
    },
    edit: (run) => flipByte(join(folder, "runs", run, "snapshot", "deployments.json")),
    cut: (run) => cutShort(join(folder, "runs", run)),
    records: (trust: GateTier): Records => ({
      runs,
      saved: (path) => savedEvidence({ path, named: "the gate's test", at: null }),
      trusted: {
        keys: trust === "T0" ? [] : [publicKey],
        heldHere: new Set(),
        checkpoint: trust === "T2" ? newest : null,
      },
    }),
    end: () => rm(folder, { recursive: true, force: true }),
  } satisfies Bench;
};

/** Its private half is in this process's memory alone, and gone with it. */
const passingSigner = () => {
  const { privatePem, publicKey } = newKey();
  const made = signerOf(privatePem);
  if ("fault" in made) throw new Error(`a new key ${made.fault}`);
  const signer: Signer = { ...made, custody: "elsewhere" };
  return { signer, publicKey };
};

const factsAt = (recordedAt: Instant): RunFacts => ({
  run: newRunId(),
  kind: "verdict",
  verb: "gate test",
  actor: "gate test",
  recordedAt,
  target: null,
  verdict: null,
  findings: [],
  replays: null,
  tool: "asfound",
  rules: "gate test",
  details: null,
});

const jsonFile = (path: string, value: unknown): RunFile => ({
  path,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
});

const snapshotIn = (files: WorldFiles): readonly RunFile[] =>
  Object.entries(files).map(([name, value]) => jsonFile(`snapshot/${name}`, value));

/** One letter of a text inside, so that it stays the JSON that it was. */
const flipByte = async (file: string): Promise<void> => {
  const text = await readFile(file, "utf8");
  await chmod(file, 0o644);
  await writeFile(file, text.replace('"RollingUpdate"', '"RollingUpdatf"'));
};

/** The last one: of a signed run its bundle, of another its seal. */
const cutShort = async (run: string): Promise<void> => {
  await unlink(join(run, BUNDLE)).catch(() => unlink(join(run, SEAL)));
};
