/** Gates for tests, written as a person writes them. */
import { resolve } from "node:path";
import type { Gate } from "../../src/domain/gate.ts";
import type { Verification } from "../../src/domain/verification.ts";
import { askedBy, type GateAsked } from "../../src/runtime/gate/asked.ts";
import { parseGate } from "../../src/wire/gate/parse.ts";

const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: Gate\n";
const COMMIT = "2a4c6e8f0b1d3f5a7c9e1b3d5f7a9c1e3b5d7f9a";

/** Asks for all that a gate can ask for. */
export const STRICT = `${HEAD}verifications:
  - target: { kind: Deployment, name: web, namespace: shop }
    expect:
      commit: ${COMMIT}
      application: argocd/shop
      images: { web: "sha256:${"2b".repeat(32)}" }
      config: { web-settings-v2: { sha256: "${"c".repeat(64)}" } }
      response: { via: service/web, path: /, pod: $.pod, expect: { status: 200, json: { version: v2 } } }
claims: [spec-observed, rollout-complete, old-gone, capacity, endpoints-ready, artifact, config-loaded, config-bound, intended-commit, synced-revision, controller-health, response, answered-by-new-pod]
evidence: { maxAge: 30m, trust: T1, keys: [ci.pem] }
approvals: { by: [alice, bob, carol], count: 2, maxAge: 10m }
`;

const gateIn = async (text: string): Promise<Gate> => {
  const parsed = await parseGate(text, resolve("gate.yaml"));
  if ("faults" in parsed) throw new Error(JSON.stringify(parsed.faults));
  return { ...parsed.gate, verifications: parsed.gate.verifications as readonly Verification[] };
};

export const askedIn = async (text: string): Promise<readonly GateAsked[]> => askedBy(await gateIn(text));
