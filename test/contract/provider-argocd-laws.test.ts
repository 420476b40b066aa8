/** What the argocd provider holds of its own: one write, nobody's sync written over, only that incarnation, and when it is as declared. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { appOf, onPatch, patches, pinTo, pinWorld, REPOSITORY, SHOP } from "../support/argo.ts";
import { COMMIT } from "../support/kubernetes/application.ts";
import { status } from "../support/kubernetes-step.ts";

const inside = (object: JsonObject, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as JsonObject | undefined)?.[key], object);
const aims = (object: JsonObject): unknown => inside(object, "spec", "source", "targetRevision");
const uidOf = (object: JsonObject): unknown => inside(object, "metadata", "uid");
const annotations = (object: JsonObject): JsonObject =>
  (inside(object, "metadata", "annotations") ?? {}) as JsonObject;

/** Somebody asks for a sync as `argocd app sync` does it, before or while ours is wanted. */
const asked = (by: string, revision: string): JsonObject => ({
  sync: { revision },
  initiatedBy: { username: by },
});

describe("one write", () => {
  it("pin, sync and mark go in one patch, and nothing of an older operation stays to be merged with", async () => {
    const { server, script, at, app } = await pinWorld({
      more: {
        status: {
          operationState: { phase: "Failed", operation: { sync: { resources: [{ kind: "Job" }] } } },
        },
      },
    });
    script.does = "away";
    const after = await at.apply();
    expect(after.step.status).toBe("unresolved");
    expect(patches(server)).toBe(1);
    expect(aims(app())).toBe(COMMIT.v2);
    expect(app()).toMatchObject({
      operation: {
        sync: { revision: COMMIT.v2 },
        initiatedBy: { username: "asfound harness/thing" },
        info: [{ name: "asfound.dev/pin" }, { name: "asfound.dev/operation" }],
      },
      metadata: { annotations: { "asfound.dev/pin-was": "main", "asfound.dev/step": "harness/thing" } },
    });
    expect(inside(app(), "status", "operationState")).toBeUndefined();
  });

  it("a sync that nobody took up in time is in doubt, and found once it was", async () => {
    const { server, script, at } = await pinWorld({}, {}, { step: { deadline: "1s" } });
    script.does = "away";
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    expect(after.why).toContain(
      "its sync had ended: a sync of asfound harness/thing was asked for and has not begun",
    );
    expect((await at.reconcile()).step.status).toBe("unresolved");
    script.does = "syncs";
    server.put(SHOP, server.get(SHOP) ?? {});
    await expect.poll(() => server.get(SHOP)?.["operation"]).toBeUndefined();
    expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(patches(server), "sent again").toBe(1);
  });

  it("a lost reply is settled by asking: one patch, whatever came of it", async () => {
    const { server, at } = await pinWorld();
    server.setFaults([onPatch({ do: "cut", at: "after" })]);
    expect(await at.apply()).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(patches(server)).toBe(1);
  });

  it("what is pinned and deployed already is marked, and not synced again", async () => {
    const { server, at, app } = await pinWorld({ aims: COMMIT.v2, deployed: [COMMIT.v1, COMMIT.v2] });
    expect(await at.apply()).toMatchObject({ exit: 0 });
    expect(patches(server)).toBe(1);
    expect(inside(app(), "status", "history")).toHaveLength(2);
  });

  it("a sync that failed is said with its message, and asked for again by the next apply", async () => {
    const { server, script, at, app } = await pinWorld();
    script.does = "fails";
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 21, step: { status: "error", effect: "possible" } });
    expect(after.why).toContain("ended as Failed: one or more objects failed to apply");
    script.does = "syncs";
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(patches(server)).toBe(2);
    expect(inside(app(), "status", "operationState", "phase")).toBe("Succeeded");
  });
});

describe("nobody's sync is written over", () => {
  it("one that goes on is waited for, and then ours begins", async () => {
    const { server, script, at, told, app } = await pinWorld({
      more: { operation: asked("ann", COMMIT.v1) },
    });
    let release = (): void => undefined;
    script.begun = () => new Promise((resolve) => (release = resolve));
    server.put(SHOP, app());
    const going = at.apply();
    await expect.poll(() => told.join()).toContain("a sync of ann");
    expect(patches(server)).toBe(0);
    script.begun = () => undefined;
    release();
    expect(await going).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(inside(app(), "status", "history")).toHaveLength(3);
  });

  it("one that does not end refuses the step: nothing was changed", async () => {
    const { server, script, at, app } = await pinWorld(
      { more: { operation: asked("ann", COMMIT.v1) } },
      {},
      { step: { deadline: "1s" } },
    );
    script.does = "busy";
    server.put(SHOP, app());
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(after.why).toContain("a sync of ann goes on since");
    expect(after.why).toContain("is not written over");
    expect([patches(server), aims(app())]).toEqual([0, "main"]);
  });

  it("one that came between looking and writing is seen: the patch was for what had been read", async () => {
    const { server, at, app } = await pinWorld();
    let isFirst = true;
    server.onAsked(({ verb }) => {
      if (verb !== "patch" || !isFirst) return;
      isFirst = false;
      server.put(SHOP, { ...app(), operation: asked("ann", COMMIT.v1) });
    });
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const history = inside(app(), "status", "history") as readonly JsonObject[];
    expect(history.map(({ revision }) => revision)).toEqual([COMMIT.v1, COMMIT.v1, COMMIT.v2]);
    expect(patches(server)).toBe(1);
  });
});

describe("refused", () => {
  it("a patch that is denied changes nothing, and the sentence says who denied it", async () => {
    const { server, at } = await pinWorld();
    server.setFaults([onPatch(status(403, "Forbidden", "applications.argoproj.io is forbidden"))]);
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(after.why).toContain("403");
  });

  it("a fault that the server finds in it is no conflict, and is not tried for ever", async () => {
    const { server, at } = await pinWorld();
    server.setFaults([
      { ...onPatch(status(422, "Invalid", "spec.source is invalid")), nth: [1, 2, 3, 4, 5] },
    ]);
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(server.log().filter(({ verb }) => verb === "patch")).toHaveLength(2);
  });

  it("there is no Application: none is made", async () => {
    const { server, at } = await pinWorld(null);
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(after.why).toContain("there is no Application argocd/shop");
    expect(server.get(SHOP)).toBeUndefined();
  });

  it("another step's pin is left, and taken over where the file says so", async () => {
    const { at, app, kubeconfig } = await pinWorld({
      annotations: { "asfound.dev/pin": "asfound-of-another" },
    });
    const after = await at.apply();
    expect(after.why).toContain("is pinned by another step or ledger");
    expect(aims(app())).toBe("main");
    expect(await at.apply(pinTo(kubeconfig, COMMIT.v2, { adopt: true }))).toMatchObject({ exit: 0 });
  });

  it("what an ApplicationSet generates, which would put it back", async () => {
    const { at, app, kubeconfig } = await pinWorld({ owner: "shops" });
    expect((await at.apply()).why).toContain("generated by ApplicationSet shops");
    expect(aims(app())).toBe("main");
    expect(await at.apply(pinTo(kubeconfig, COMMIT.v2, { generated: true }))).toMatchObject({ exit: 0 });
  });
});

describe("only that incarnation (D4)", () => {
  it("made anew between looking and writing: the new one is looked at anew, and its mark is of this step", async () => {
    const { server, at, app } = await pinWorld();
    let first: unknown = null;
    server.onAsked(({ verb }) => {
      if (verb !== "patch" || first !== null) return;
      first = uidOf(app());
      server.remove(SHOP);
      server.put(SHOP, appOf({ aims: "release" }));
    });
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 0, step: { identity: { id: uidOf(app()) } } });
    expect(uidOf(app())).not.toBe(first);
    expect(annotations(app())["asfound.dev/pin-was"]).toBe("release");
  });

  it("made anew before an update: that one was not pinned by this step, and is not touched", async () => {
    const { server, at, app, kubeconfig } = await pinWorld();
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const before = patches(server);
    server.onAsked(({ verb }) => {
      if (verb !== "patch" || aims(app()) !== COMMIT.v2) return;
      server.remove(SHOP);
      server.put(SHOP, appOf({}));
    });
    const after = await at.apply(pinTo(kubeconfig, COMMIT.v3));
    expect(after).toMatchObject({ exit: 10, step: { status: "error" } });
    expect(after.why).toContain("is another one now");
    expect([patches(server), aims(app())]).toEqual([before, "main"]);
  });

  it("deleted while its sync goes on: in doubt, and gone when that was seen twice", async () => {
    const { server, script, at } = await pinWorld();
    script.begun = () => {
      server.remove(SHOP);
    };
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 21 });
    expect(after.why).toContain("it was deleted while its sync was under way");
    expect((await at.reconcile()).step.status).not.toBe("complete");
  });
});

describe("as declared", () => {
  it("a rollback in Argo CD leaves targetRevision, and is told from what Git says", async () => {
    const { server, at, app } = await pinWorld();
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const [old] = inside(app(), "status", "history") as readonly JsonObject[];
    server.put(SHOP, {
      ...app(),
      operation: { ...asked("ann", COMMIT.v1), sync: { revision: COMMIT.v1, source: old?.["source"] ?? {} } },
    });
    await expect.poll(() => app()["operation"]).toBeUndefined();
    const seen = await at.reconcile();
    expect(seen.step).toMatchObject({ status: "error", effect: "known" });
    expect(seen.why).toContain("an older commit is deployed again: 1f0c9b2e4d (history 2, by ann");
    expect(seen.why).toContain("a rollback in Argo CD, which changes neither targetRevision nor Git");
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(inside(app(), "status", "sync", "revision")).toBe(COMMIT.v2);
  });

  it("unpinned by somebody: drift, with what it follows now", async () => {
    const { server, at, app } = await pinWorld();
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.put(SHOP, {
      ...app(),
      spec: { ...(app()["spec"] as JsonObject), source: { repoURL: REPOSITORY, targetRevision: "main" } },
    });
    const seen = await at.reconcile();
    expect(seen.step).toMatchObject({ status: "error", effect: "known" });
    expect(seen.why).toContain("aims at main, and 2a4c6e8f0b is declared");
  });

  it("of several sources the one of that repository is pinned, the others as they were", async () => {
    const sources = [
      { repoURL: "https://git.example/config.git", targetRevision: "main" },
      { repoURL: "https://user:pw@git.example/shop", path: "deploy/web", targetRevision: "main" },
    ];
    const destination = { server: "https://kubernetes.default.svc", namespace: "shop" };
    const { at, app, kubeconfig } = await pinWorld({ more: { spec: { destination, sources } } });
    const unnamed = await at.apply();
    expect(unnamed.why).toContain("it has 2 sources that may be meant");
    expect(unnamed.why).not.toContain("pw@");
    const named = pinTo(kubeconfig, COMMIT.v2, { repository: REPOSITORY, sync: false });
    expect(await at.apply(named)).toMatchObject({ exit: 0 });
    const its = inside(app(), "spec", "sources") as readonly JsonObject[];
    expect(its.map(({ targetRevision }) => targetRevision)).toEqual(["main", COMMIT.v2]);
  });

  it("without a sync of its own it says that nothing syncs it", async () => {
    const { at, app, told } = await pinWorld({}, { sync: false });
    expect(await at.apply()).toMatchObject({ exit: 0 });
    expect(app()["operation"]).toBeUndefined();
    expect(told.join()).toContain("nothing syncs it");
  });
});

describe("destroy lifts the pin, and deletes nothing", () => {
  it("targetRevision is what it was, and no mark is left", async () => {
    const { server, at, app } = await pinWorld({ aims: null });
    const uid = uidOf(app());
    expect(await at.apply()).toMatchObject({ exit: 0 });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect([aims(app()), annotations(app()), uidOf(app())]).toEqual([undefined, {}, uid]);
    expect(server.log().filter(({ verb }) => verb === "delete")).toEqual([]);
  });

  it("where somebody moved it since, it stays as they left it", async () => {
    const { server, at, app, told } = await pinWorld();
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const spec = app()["spec"] as JsonObject;
    server.put(SHOP, {
      ...app(),
      spec: { ...spec, source: { repoURL: REPOSITORY, targetRevision: "hotfix" } },
    });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect([aims(app()), annotations(app())]).toEqual(["hotfix", {}]);
    expect(told.join()).toContain("left as it is");
  });

  it("made anew by somebody: nothing of it is this step's", async () => {
    const { server, at, app } = await pinWorld();
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.remove(SHOP);
    server.put(SHOP, appOf({ aims: COMMIT.v2, annotations: { mine: "yes" } }));
    const before = patches(server);
    await at.destroy();
    expect([patches(server), aims(app()), annotations(app())]).toEqual([before, COMMIT.v2, { mine: "yes" }]);
  });
});
