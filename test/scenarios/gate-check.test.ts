/** `gate check` and `approve --gate` over a live API and real evidence: what promotes, and what stops it. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { worldFiles } from "../support/kubernetes/deployment.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { serverWith } from "../support/kubernetes/served.ts";

const GATE = `apiVersion: asfound.dev/v1alpha1
kind: Gate
verifications: [{ target: { kind: Deployment, name: web, namespace: shop } }]
claims: [rollout-complete, old-gone, endpoints-ready]
evidence: { maxAge: 87600h }
`;
const APPROVED = `${GATE}approvals: { by: [alice, bob], count: 2 }\n`;

const place = async (
  gate: string,
): Promise<{ readonly cwd: string; readonly server: ApiServer; readonly at: readonly string[] }> => {
  const cwd = folder({ "gate.yaml": gate });
  const server = await serverWith(worldFiles(done));
  const at = ["--kubeconfig", kubeconfigFile(server.kubeconfig())];
  await asfound({ cwd }, "verify", "deployment/web", "-n", "shop", "--record", ...at);
  return { cwd, server, at };
};

const checked = async (cwd: string, at: readonly string[]) => {
  const ran = await asfound({ cwd }, "gate", "check", "-f", "gate.yaml", "-o", "json", ...at);
  const report = ran.out === "" ? null : (JSON.parse(ran.out) as JsonObject);
  const items =
    report === null ? [] : (report["items"] as readonly { readonly refusals: readonly JsonObject[] }[]);
  const reasons = items.flatMap(({ refusals }) => refusals.map(({ side, reason }) => `${side} ${reason}`));
  return { code: ran.code, err: ran.err, report, reasons: [...new Set(reasons)] };
};

const approve = (cwd: string, at: readonly string[], actor: string) =>
  asfound(
    { cwd },
    "approve",
    "--gate",
    "gate.yaml",
    "--actor",
    actor,
    "--reason",
    "seen",
    "-o",
    "json",
    ...at,
  );

const runsIn = (cwd: string): readonly string[] => readdirSync(join(cwd, ".asfound/evidence/runs")).sort();

const DEPLOYMENT = { resource: "deployments.apps", namespace: "shop", name: "web" };

/** As somebody else would have written it. */
const rewrite = (server: ApiServer, change: (object: JsonObject) => JsonObject): void => {
  const object = server.get(DEPLOYMENT);
  if (object === undefined) throw new Error("there is no such Deployment");
  server.put(DEPLOYMENT, change(object));
};

const generation = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object["metadata"] as JsonObject), generation: 9 },
  status: { ...(object["status"] as JsonObject), observedGeneration: 9 },
});

describe("gate check", () => {
  it("promotes what is proven on record and now; without a record, or with it alone, it does not", async () => {
    const { cwd, server, at } = await place(GATE);
    expect(await checked(cwd, at)).toMatchObject({ code: 0, reasons: [] });
    const bare = folder({ "gate.yaml": GATE });
    expect(await checked(bare, at)).toMatchObject({ code: 23, reasons: ["evidence no-evidence"] });
    server.remove(DEPLOYMENT);
    const gone = await checked(cwd, at);
    expect(gone.code).not.toBe(0);
    expect(gone.reasons.every((reason) => reason.startsWith("live "))).toBe(true);
  });

  it("E4: what changed since the evidence refuses, however well it is now", async () => {
    const { cwd, server, at } = await place(GATE);
    rewrite(server, generation);
    expect(await checked(cwd, at)).toMatchObject({ code: 23, reasons: ["live changed"] });
  });

  it("a byte of the evidence that was changed refuses", async () => {
    const { cwd, at } = await place(GATE);
    const [run = ""] = runsIn(cwd);
    const file = join(cwd, ".asfound/evidence/runs", run, "report.json");
    chmodSync(file, 0o644);
    writeFileSync(file, readFileSync(file, "utf8").replace("proven", "prowen"));
    const { code, reasons } = await checked(cwd, at);
    expect([code, reasons.includes("evidence altered")]).toEqual([23, true]);
  });
});

describe("approve --gate", () => {
  it("two of those who may are enough, each once; nobody else's is even recorded", async () => {
    const { cwd, at } = await place(APPROVED);
    expect(await checked(cwd, at)).toMatchObject({ code: 23, reasons: ["approval approval-missing"] });
    expect((await approve(cwd, at, "mallory")).code).toBe(23);
    expect(runsIn(cwd)).toHaveLength(1);
    expect((await approve(cwd, at, "alice")).code).toBe(0);
    expect((await approve(cwd, at, "alice")).code).toBe(0);
    expect((await checked(cwd, at)).code).toBe(23);
    expect(JSON.parse((await approve(cwd, at, "bob")).out)).toMatchObject({
      counts: true,
      given: 2,
      wanted: 2,
    });
    expect((await checked(cwd, at)).code).toBe(0);
  });

  it("two at once: both are recorded, and both count", async () => {
    const { cwd, at } = await place(APPROVED);
    const both = await Promise.all(["alice", "bob"].map((actor) => approve(cwd, at, actor)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await checked(cwd, at)).code).toBe(0);
  });

  it("a change since the verdict refuses, says what changed, and records nothing", async () => {
    const { cwd, server, at } = await place(APPROVED);
    rewrite(server, generation);
    const { code, err } = await approve(cwd, at, "alice");
    expect(code).toBe(23);
    expect(err).toContain("generation was");
    expect(runsIn(cwd)).toHaveLength(1);
  });

  it("an approval is of one verdict: a newer one waits for approvals of its own", async () => {
    const { cwd, at } = await place(APPROVED);
    for (const actor of ["alice", "bob"]) await approve(cwd, at, actor);
    await asfound({ cwd }, "verify", "deployment/web", "-n", "shop", "--record", ...at);
    expect(await checked(cwd, at)).toMatchObject({ code: 23, reasons: ["approval approval-missing"] });
  });
});
