/** Where a gate's file, evidence on record, and a live cluster meet the gate's rule. `gate check` and `gate test` write nothing that stays. */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { loadGate } from "../adapters/system/gate-file.ts";
import { readPlain } from "../adapters/system/read-file.ts";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import type { CustomRule } from "../domain/custom-rule.ts";
import type { Gate, GateCase } from "../domain/gate.ts";
import type { RefusalName } from "../domain/gate-refusal.ts";
import type { Verification } from "../domain/verification.ts";
import type { Collected } from "../ports/evidence-source.ts";
import { askedBy, type GateAsked } from "../runtime/gate/asked.ts";
import type { Records } from "../runtime/gate/on-record.ts";
import { gateTest } from "../runtime/gate/self-test.ts";
import type { GateTestReport } from "../runtime/gate/self-test-report.ts";
import { isRefused, type Refused } from "../runtime/runtime.ts";
import { sha256Hex } from "../wire/digest.ts";
import { parseGate } from "../wire/gate/parse.ts";
import { type EvidencePlace, evidenceIn } from "./evidence.ts";
import { trustedBy } from "./evidence-check.ts";
import { openGateBench } from "./gate-bench.ts";
import type { StackFaults } from "./place.ts";
import { rulesIn } from "./rules.ts";
import { pathsFrom, verificationIn } from "./verify.ts";

export interface OpenedGate {
  readonly kind: "gate";
  /** As the person named it. */
  readonly file: string;
  readonly gate: Gate;
  readonly asked: readonly GateAsked[];
  /** Of the file's bytes, 64 hex digits: what an approval says it went by. */
  readonly sha256: string;
}

/** A gate with all that its file names beside it, but for saved states. */
export const openGate = async (file: string, cwd: string): Promise<OpenedGate | StackFaults> => {
  const path = resolve(cwd, file);
  const loaded = await loadGate(path);
  if ("faults" in loaded) return { kind: "faults", faults: loaded.faults };
  const verifications: Verification[] = [];
  const rules: (readonly CustomRule[])[] = [];
  for (const [at, one] of loaded.gate.verifications.entries()) {
    const made =
      "file" in one ? await verificationIn(besideOf(file, one.file), cwd) : pathsFrom(file, one, cwd);
    if ("faults" in made) return made;
    if (made.release !== null) return fault(path, `verifications.${at}.expect.release`, NO_RELEASE);
    const read = await rulesIn(made.rules, cwd);
    if ("kind" in read) return read;
    verifications.push(made);
    rules.push(read);
  }
  const gate = { ...loaded.gate, verifications };
  const bytes = readPlain(path, MOST_BYTES);
  const sha256 = "fault" in bytes ? "" : sha256Hex(bytes.bytes);
  return { kind: "gate", file, gate, asked: askedBy(gate, rules), sha256 };
};

const MOST_BYTES = 8 * 1024 * 1024;
const NO_RELEASE =
  "is for asfound verify alone: write the release out (asfound release show NAME -o verification) and name that file";

const besideOf = (file: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(file), named);

const fault = (file: string, field: string, message: string): StackFaults => ({
  kind: "faults",
  faults: [{ file, line: null, column: null, field, message }],
});

/** What is on record, by the keys that the gate names and the checkpoint that a person has. */
export const recordsFor = (
  { file, gate }: OpenedGate,
  place: EvidencePlace,
  checkpoint: string | null,
): Records | Refused => {
  const keys = gate.keys.map((named) => besideOf(file, named));
  const trusted = trustedBy({ ...place, keys, checkpoint });
  if (isRefused(trusted)) return trusted;
  return {
    runs: evidenceIn(place),
    saved: (path) => savedEvidence({ path, named: path, at: null }),
    trusted,
  };
};

/** `file`: null for the built-in gate, which asks for all that can be asked. */
export const testGate = async (
  { file, cwd }: { readonly file: string | null; readonly cwd: string },
  note: (text: string) => void,
): Promise<GateTestReport | StackFaults> => {
  const opened = file === null ? await builtInGate() : await openGate(file, cwd);
  if (opened.kind === "faults") return opened;
  const cases: { readonly told: GateCase; readonly collected: Collected }[] = [];
  for (const told of opened.gate.cases) {
    const named = besideOf(opened.file, told.from);
    const collected = await savedEvidence({ path: resolve(cwd, named), named, at: null }).collect();
    if ("faults" in collected) return { kind: "faults", faults: collected.faults };
    cases.push({ told, collected });
  }
  const { asked, gate } = opened;
  return gateTest({ file, accepts: gate.accepts, asked, cases, open: openGateBench, note });
};

const NOTHING_ACCEPTED: ReadonlyMap<RefusalName, string> = new Map();

const builtInGate = async (): Promise<OpenedGate> => {
  const parsed = await parseGate(BUILT_IN, "the built-in gate");
  if ("faults" in parsed) throw new Error(`the built-in gate: ${parsed.faults[0]?.message}`);
  const gate = {
    ...parsed.gate,
    verifications: parsed.gate.verifications as readonly Verification[],
    accepts: NOTHING_ACCEPTED,
  };
  return { kind: "gate", file: "the built-in gate", gate, asked: askedBy(gate), sha256: "" };
};

const BUILT_IN = `apiVersion: asfound.dev/v1alpha1
kind: Gate
verifications:
  - target: { kind: Deployment, name: web, namespace: shop }
    expect:
      commit: 2a4c6e8f0b1d3f5a7c9e1b3d5f7a9c1e3b5d7f9a
      application: argocd/shop
      images: { web: "sha256:${"0".repeat(64)}" }
      config: { settings: { sha256: "${"0".repeat(64)}" } }
      response: { via: service/web, path: /, pod: $.pod, expect: { json: { version: v2 } } }
claims: [spec-observed, intended-commit, synced-revision, controller-health, rollout-complete, old-gone, capacity, endpoints-ready, artifact, config-loaded, config-bound, response, answered-by-new-pod]
evidence: { maxAge: 30m, trust: T1, keys: [signer.pub] }
approvals: { by: [one, another, a third], count: 2 }
`;
