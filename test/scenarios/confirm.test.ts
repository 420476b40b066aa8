/** `confirm`: after a step is there and as declared, the judge of `verify` is asked, over a real API server on loopback. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CRASH_VARIABLE } from "../../src/adapters/system/crash-at.ts";
import type { Interrupt } from "../../src/runtime/runtime.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { type Files, READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { uidOf } from "../support/kubernetes/object.ts";
import { ARGO_RESOURCES, paused, promoted, rolloutFiles } from "../support/kubernetes/rollout.ts";
import { begun, crashing, done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";
import { cloudStep, makePlace, type Place, stackText } from "./place.ts";

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.end());

interface World1 {
  readonly server: ApiServer;
  turns(files: Files): void;
}

const cluster = async (
  world: World,
  window = "300ms",
  claims = "rollout-complete, old-gone",
): Promise<World1> => {
  const server = await apiServerFor({ clock: clockAt(READ_AT) });
  let before = worldFiles(world);
  serve(server, before);
  const config = JSON.stringify(kubeconfigFile(server.kubeconfig({ namespace: "shop" })));
  await place.writeStack(
    stackText([
      cloudStep("web", [
        `window: ${window}`,
        `confirm: [{ target: deployment/web, claims: [${claims}], kubeconfig: ${config} }]`,
      ]),
      cloudStep("health", ["needs: [web]"]),
    ]),
  );
  return {
    server,
    turns: (files) => {
      serve(server, files, before);
      before = files;
    },
  };
};

const sent = async (step: string): Promise<readonly string[]> =>
  (await Promise.all(["create", "update", "destroy"].map((action) => place.calls(action, step)))).flat();

describe("confirm", () => {
  it("proven: complete, with what proved it recorded, and its dependants go on", async () => {
    await cluster(done);
    expect((await place.apply()).exit).toBe(0);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
    expect(await place.step("health")).toMatchObject({ status: "complete", confirmed: null });
    const record = (await place.records())
      .map(({ record }) => record)
      .find((one) => one.kind === "decision" && one.decision.what === "confirmed");
    expect(record).toMatchObject({ decision: { finding: "proven", sentence: /Deployment\/web: / } });
  });

  it("V4: progressing when the window ends: exit 30, dependants wait, and the next apply asks without a call", async () => {
    const { turns } = await cluster(begun);
    expect((await place.apply()).exit).toBe(30);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "progressing" });
    expect(await sent("health")).toEqual([]);
    expect(place.events).toContainEqual({
      kind: "progress",
      step: "web",
      text: expect.stringMatching(/^rollout-complete: progressing: /),
    });
    const plan = await place.plan();
    expect(plan.steps[0]).toMatchObject({ do: "leave" });
    expect(plan.notes).toEqual([
      "web is complete only when this is proven within 300ms: rollout-complete, old-gone of deployment/web",
    ]);
    turns(worldFiles(done));
    expect((await place.apply()).exit).toBe(0);
    expect(await sent("web")).toHaveLength(1);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
    expect(await sent("health")).toHaveLength(1);
  });

  it("refuted: an error whose effect is known, exit 10; asked again, never made again", async () => {
    const { turns } = await cluster(crashing);
    expect((await place.apply()).exit).toBe(10);
    expect(await place.step("web")).toMatchObject({
      status: "error",
      confirmed: "refuted",
      effect: "known",
      lastError: expect.stringMatching(/crash/),
    });
    turns(worldFiles(done));
    expect((await place.apply()).exit).toBe(0);
    expect(await sent("web")).toHaveLength(1);
  });

  it("R2: a cluster that gives no answer is undetermined, exit 20, and nothing is complete by it", async () => {
    const { server } = await cluster(done);
    await server.close();
    expect((await place.apply()).exit).toBe(20);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "undetermined" });
    expect(await sent("health")).toEqual([]);
  });

  it("a process that dies before the record leaves no complete step; the next run looks again and calls nothing", async () => {
    await cluster(done);
    const killed = await place.run(
      { verb: "apply", options: {} },
      { environment: { [CRASH_VARIABLE]: "decision-due" } },
    );
    expect(killed.signal).toBe("SIGKILL");
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: null });
    expect((await place.apply()).exit).toBe(0);
    expect(await sent("web")).toHaveLength(1);
  });

  it("N4: a signal ends the waiting at once, and what was seen by then is recorded", async () => {
    await cluster(begun, "1h");
    const drain = new AbortController();
    const interrupt: Interrupt = {
      drain: drain.signal,
      kill: new AbortController().signal,
      first: () => (drain.signal.aborted ? "SIGTERM" : null),
    };
    const watched = (event: { readonly kind: string }) => {
      if (event.kind === "progress") drain.abort();
    };
    const result = await place.apply(
      {},
      {
        interrupt,
        runtime: (runtime) => ({ ...runtime, reporter: { report: watched } }),
      },
    );
    expect(result.exit).toBe(143);
    expect(await place.step("web")).toMatchObject({
      status: "unconfirmed",
      confirmed: "progressing",
      reason: expect.stringMatching(/the waiting was ended before its window was over$/),
    });
  });

  it("R6: reconcile asks again, changes nothing, and takes back what does not hold any more", async () => {
    const { turns } = await cluster(done);
    await place.apply();
    expect((await place.reconcile()).exit).toBe(0);
    turns(worldFiles(crashing));
    expect((await place.reconcile()).exit).toBe(10);
    expect(await place.step("web")).toMatchObject({ status: "error", confirmed: "refuted" });
    turns(worldFiles(done));
    expect((await place.reconcile()).exit).toBe(0);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
    expect(await sent("web")).toHaveLength(1);
  });
});

describe("a step's own objects", () => {
  const claimed = async (objects: unknown, files: Files = worldFiles(done)): Promise<void> => {
    const server = await apiServerFor({ clock: clockAt(READ_AT), resources: ARGO_RESOURCES });
    serve(server, files);
    const config = kubeconfigFile(server.kubeconfig({ namespace: "other" }));
    const script = join(place.folder, "made.sh");
    const result = { id: "web", outputs: { objects } };
    await writeFile(
      script,
      `#!/bin/sh\ncase $1 in create) echo '${JSON.stringify({ outcome: "done", ...result })}';; *) echo '${JSON.stringify({ present: true, asDeclared: true, ...result })}';; esac\n`,
    );
    await chmod(script, 0o755);
    await place.writeStack(
      stackText([
        `  web:\n    uses: exec\n    window: 200ms\n    confirm: [rollout-complete, old-gone]\n    with: { create: [${script}, create], observe: [${script}, observe] }`,
      ]),
    );
    const environment = { ...process.env, CI: "", KUBECONFIG: config };
    await place.apply({}, { where: { environment } });
  };
  const web = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };

  it.each([
    ["promoted", promoted, { status: "complete", confirmed: "proven" }],
    ["paused", paused, { status: "unconfirmed", confirmed: "progressing" }],
  ] as const)("a Rollout of Argo is one of them: %s", async (_, world, wanted) => {
    const rollout = { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", namespace: "shop", name: "web" };
    await claimed([{ ...rollout, uid: uidOf("Rollout", "web") }], rolloutFiles(world));
    expect(await place.step("web")).toMatchObject(wanted);
  });

  it("are asked about where its outputs name them, by their UID", async () => {
    const uid = uidOf("Deployment", "web");
    await claimed([
      { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "x", uid: "u" },
      { ...web, uid },
    ]);
    expect(await place.step("web")).toMatchObject({ status: "complete", confirmed: "proven" });
  });

  it("V3: another object of that name is not the step's", async () => {
    await claimed([{ ...web, uid: "00000000-0000-0000-0000-000000000000" }]);
    expect(await place.step("web")).toMatchObject({
      status: "unconfirmed",
      confirmed: "undetermined",
      reason: expect.stringMatching(/this is another object of the same name/),
    });
  });

  it.each([
    ["none", []],
    ["something else", "web"],
    ["an object without a kind", [{ name: "web" }]],
    ["none that the claims are about", [{ ...web, kind: "ConfigMap", apiVersion: "v1" }]],
  ])("V5: %s proves nothing", async (_, objects) => {
    await claimed(objects);
    expect(await place.step("web")).toMatchObject({ status: "unconfirmed", confirmed: "undetermined" });
  });
});
