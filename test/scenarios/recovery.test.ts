/** An operation that a verb makes in code: the ledger knows it as it knows a file's, and settles it without the verb. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stackOf } from "../../src/compose/recovery.ts";
import { nameFault } from "../../src/domain/ids.ts";
import { isRecoveryStack } from "../../src/domain/recovery.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { drillInputs, drillOnce, putPod, removedPods, STACK, TARGET } from "../support/recovery.ts";

const world = async (...options: Parameters<typeof apiServerFor>) => {
  const server = await apiServerFor(...options);
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  putPod(server, "web-1");
  const cwd = folder();
  const inputs = (name = "web-1", more = {}) => drillInputs(server, kubeconfig, name, more);
  return { server, cwd, inputs, run: (...words: string[]) => asfound({ cwd }, ...words) };
};

describe("the name of a recovery's stack", () => {
  it("is one a workload, whatever it is called, and one that a stack may have", () => {
    const names = [
      stackOf(TARGET),
      stackOf({ ...TARGET, namespace: "other" }),
      stackOf({ ...TARGET, cluster: "d" }),
      stackOf({ ...TARGET, kind: "StatefulSet" }),
      stackOf({ ...TARGET, name: `a.${"b".repeat(250)}` }),
      // A namespace and a name that read the same when they are put together.
      stackOf({ ...TARGET, namespace: "shop-web", name: "1" }),
      stackOf({ ...TARGET, namespace: "shop", name: "web-1" }),
    ];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect([nameFault(name), isRecoveryStack(name)]).toEqual([undefined, true]);
    expect(names[0]).toMatch(/^recovery-web-[0-9a-f]{8}$/);
    expect(stackOf({ ...TARGET })).toBe(STACK);
  });
});

describe("an operation without a file", () => {
  it("is known to status, history and show, and reconcile settles it from what was recorded", async () => {
    const at = await world({ faults: [{ resource: "pods/eviction", fault: { do: "cut", at: "after" } }] });
    expect(await drillOnce(at.cwd, at.inputs())).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    const status = await at.run("status", "--stack", STACK, "-o", "json");
    expect(status.code).toBe(21);
    expect(JSON.parse(status.out)).toMatchObject({
      steps: [{ step: "drill", provider: "kubernetes-drill", status: "unresolved" }],
      next: [{ command: `asfound reconcile --stack ${STACK}` }],
    });
    const settled = await at.run("reconcile", "--stack", STACK, "-o", "json", "--yes");
    expect(settled.code, settled.err).toBe(0);
    const history = await at.run("history", "--stack", STACK, "-o", "json");
    expect(history.out).toContain("drill of Deployment shop/web");
    expect((await at.run("status", "--stack", STACK)).code).toBe(0);
    expect(removedPods(at.server)).toHaveLength(1);
  });

  it("the next drill of the workload is an update, with the new Pod's UID; the same Pod is not removed twice", async () => {
    const at = await world();
    const first = at.inputs();
    expect(await drillOnce(at.cwd, first)).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(await drillOnce(at.cwd, first)).toMatchObject({ exit: 0 });
    putPod(at.server, "web-2");
    const second = await drillOnce(at.cwd, at.inputs("web-2"));
    expect(second).toMatchObject({
      exit: 0,
      step: { status: "complete", identity: { id: "Deployment shop/web" } },
    });
    expect(new Set(removedPods(at.server)).size).toBe(2);
    expect(removedPods(at.server)).toHaveLength(2);
  });

  it("doubt about an earlier drill is settled before another Pod is touched", async () => {
    const fault = { do: "cut", at: "before" } as const;
    const at = await world({ faults: [{ resource: "pods/eviction", nth: 1, fault }] });
    const settleMs = 600_000;
    expect(await drillOnce(at.cwd, at.inputs(), {}, settleMs)).toMatchObject({ exit: 21 });
    putPod(at.server, "web-2");
    // Sent, and no reply: it may still show.
    expect(await drillOnce(at.cwd, at.inputs("web-2"), {}, settleMs)).toMatchObject({ exit: 21 });
    expect(removedPods(at.server)).toEqual([]);
  });

  it("a step of another verb that is in doubt stops it; one that is settled is left as it is", async () => {
    const fault = { do: "cut", at: "after" } as const;
    const at = await world({ faults: [{ resource: "pods/eviction", nth: 1, fault }] });
    const inputs = at.inputs();
    const steps = [{ name: "template", uses: "kubernetes-drill", with: inputs, settleMs: 200 }] as const;
    expect(await drillOnce(at.cwd, inputs, { steps })).toMatchObject({ exit: 21 });
    putPod(at.server, "web-2");
    const stopped = await drillOnce(at.cwd, at.inputs("web-2"));
    expect(stopped).toMatchObject({ kind: "refused", exit: 21 });
    expect(stopped).toHaveProperty("why", expect.stringContaining(`asfound reconcile --stack ${STACK}`));
    expect((await at.run("reconcile", "--stack", STACK, "--yes")).code).toBe(0);
    expect(await drillOnce(at.cwd, at.inputs("web-2"))).toMatchObject({ exit: 0 });
    const status = JSON.parse((await at.run("status", "--stack", STACK, "-o", "json")).out);
    expect(
      status.steps.map(({ step, status: now }: { step: string; status: string }) => [step, now]),
    ).toEqual([
      ["template", "complete"],
      ["drill", "complete"],
    ]);
  });

  it("a refusal leaves nothing in doubt, and the next one begins anew", async () => {
    const at = await world();
    const stale = at.inputs("web-1", { pod: { name: "web-1", uid: "another", resourceVersion: "1" } });
    expect(await drillOnce(at.cwd, stale)).toMatchObject({
      exit: 10,
      step: { status: "error", effect: "none" },
    });
    expect(await drillOnce(at.cwd, at.inputs())).toMatchObject({ exit: 0 });
  });

  it("resume says which verb made it", async () => {
    const at = await world();
    await drillOnce(at.cwd, at.inputs());
    const resumed = await at.run("resume", "--yes");
    expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining("was made by a verb")]);
  });
});

describe("where its ledger is", () => {
  it("in the folder of the stack file, where one is: so that status --stack finds it", async () => {
    const at = await world();
    const root = folder({
      "asfound.yaml": "apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: shop }\nsteps: {}\n",
    });
    mkdirSync(join(root, "below"));
    expect(await drillOnce(join(root, "below"), at.inputs())).toMatchObject({ exit: 0 });
    expect(existsSync(join(root, ".asfound", "ledger.db"))).toBe(true);
    expect((await asfound({ cwd: join(root, "below") }, "status", "--stack", STACK)).code).toBe(0);
  });

  it("a broken stack file is not in its way", async () => {
    const at = await world();
    writeFileSync(join(at.cwd, "asfound.yaml"), "steps: [");
    expect(await drillOnce(at.cwd, at.inputs())).toMatchObject({ exit: 0 });
  });

  it("with CI set and no ledger named: refused, and nothing is called", async () => {
    const at = await world();
    const { runRecovery } = await import("../../src/compose/recovery.ts");
    const { quietIo, whereIn } = await import("../support/recovery.ts");
    const steps = [{ name: "drill", uses: "kubernetes-drill", with: at.inputs() }] as const;
    const recovery = { target: TARGET, steps, reason: "drill", leaseWaitMs: 0 };
    const where = { ...whereIn(at.cwd), environment: { CI: "true" } };
    const ran = await runRecovery(where, quietIo, recovery, async () => "ran");
    expect(ran).toMatchObject({ kind: "refused", exit: 23 });
    const named = await runRecovery({ ...where, ledger: "named.db" }, quietIo, recovery, async () => "ran");
    expect(named).toBe("ran");
    expect(removedPods(at.server)).toHaveLength(1);
  });
});
