/** Runs of evidence for tests: small, each with its own id. */
import { generateKeyPairSync, sign } from "node:crypto";
import type { RunFacts } from "../../src/domain/evidence-run.ts";
import { instant } from "../../src/domain/ids.ts";
import type { NewRun, RunFile } from "../../src/ports/evidence-runs.ts";
import type { Signer } from "../../src/ports/signer.ts";
import { publicKeyOf } from "../../src/wire/evidence/public-key.ts";

let made = 0;

/** Ids in their order, without a clock. */
export const runId = (): RunFacts["run"] => {
  made += 1;
  const tail = `${process.pid.toString(16).padStart(6, "0")}${made.toString(16).padStart(6, "0")}`;
  return `run_01930000-0000-7000-8000-${tail.slice(-12)}`;
};

const facts = (more: Partial<RunFacts> = {}): RunFacts => ({
  run: runId(),
  kind: "verdict",
  verb: "verify",
  actor: "alice",
  recordedAt: instant(Date.parse("2026-11-30T12:00:00.000Z")),
  target: { kind: "Deployment", namespace: "shop", name: "web", uid: "uid-1" },
  verdict: "proven",
  findings: [{ claim: "rollout-complete", finding: "proven", reason: "complete", required: true }],
  replays: null,
  tool: "asfound 0.1.0",
  rules: "1",
  details: null,
  ...more,
});

export const FILES: readonly RunFile[] = [
  { path: "snapshot/pods.json", bytes: Buffer.from('{"kind":"PodList","items":[]}\n') },
  { path: "snapshot/deployments.apps.json", bytes: Buffer.from('{"kind":"Deployment"}\n') },
  { path: "question.json", bytes: Buffer.from('{"kind":"Question"}\n') },
  { path: "report.json", bytes: Buffer.from('{"kind":"VerdictReport"}\n') },
];

export const newRun = (more: Partial<RunFacts> = {}, rest: Partial<NewRun> = {}): NewRun => ({
  facts: facts(more),
  files: FILES,
  signer: null,
  ...rest,
});

/** A key that never touches a disk. */
export const signer = (custody: Signer["custody"] = "this-host"): Signer => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { key: publicKeyOf(publicKey), custody, sign: async (bytes) => sign(null, bytes, privateKey) };
};
