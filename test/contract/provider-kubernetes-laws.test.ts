/** What the kubernetes provider holds of its own: whose an object is, what is pruned, and when something is gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import {
  effects,
  inventories,
  KUBE_SYSTEM,
  on,
  place,
  settings,
  status,
  worldOf,
} from "../support/kubernetes-step.ts";

const uidOf = (object: JsonObject | undefined): unknown =>
  (object?.["metadata"] as JsonObject | undefined)?.["uid"];
const metadata = (object: JsonObject | undefined): JsonObject => (object?.["metadata"] ?? {}) as JsonObject;
const held = (name = "settings"): JsonObject => ({
  ...settings("blue", name),
  metadata: { name, finalizers: ["example.com/hold"] },
});

describe("whose an object is (R4)", () => {
  it("what is there without our mark is refused, and nothing is written; with 'adopt' it is taken over", async () => {
    const { server, at, inputs } = await worldOf([settings("blue")]);
    server.put(place(), { data: { colour: "crimson" } });
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(after.why).toContain("nobody's mark is on it");
    expect(effects(server)).toEqual([]);
    expect(await at.apply({ ...inputs(settings("blue")), adopt: true })).toMatchObject({ exit: 0 });
    expect(server.get(place())).toMatchObject({ data: { colour: "blue" } });
  });

  it("deleted and made again by somebody: it is another object, and neither changed nor destroyed", async () => {
    const { server, at, inputs } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const copy = server.get(place()) ?? {};
    server.remove(place());
    const { uid: _uid, ...kept } = metadata(copy);
    server.put(place(), { ...copy, metadata: kept });
    const seen = await at.reconcile();
    expect(seen.step).toMatchObject({ status: "error" });
    expect(seen.why).toContain("somebody made it again");
    const again = await at.apply(inputs(settings("green"), settings("green", "second")));
    expect(again.why).toContain("'adopt: true'");
    expect(server.get(place("second"))).toMatchObject({ data: { colour: "blue" } });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(uidOf(server.get(place()))).not.toBe(uidOf(copy));
    expect(server.get(place())).toBeDefined();
    expect(server.get(place("second"))).toBeUndefined();
  });

  it("what another step took over by its mark is left by destroy", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const object = server.get(place()) ?? {};
    const annotations = { "asfound.dev/inventory": "asfound-of-another-step" };
    server.put(place(), { ...object, metadata: { ...metadata(object), annotations } });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get(place())).toBeDefined();
  });

  it("another cluster shows nothing of a step: a complete step is not believed to be gone there", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.remove(KUBE_SYSTEM);
    server.put(KUBE_SYSTEM, {});
    server.remove(place());
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 20, step: { status: "complete" } });
    expect(after.why).toContain("is another cluster");
    expect((await at.destroy()).step.status).not.toBe("destroyed");
  });
});

describe("as declared", () => {
  /** A controller writes into the object right before each of the first rehearsals of it. */
  const busy = async (times: number) => {
    const world = await worldOf([settings("blue")]);
    expect(await world.at.apply()).toMatchObject({ exit: 0 });
    let left = times;
    world.server.onAsked(({ verb, path }) => {
      if (verb !== "patch" || !path.includes("/configmaps/settings") || left === 0) return;
      left -= 1;
      const object = world.server.get(place()) ?? {};
      const annotations = { ...(metadata(object)["annotations"] as JsonObject), seen: String(left) };
      world.server.put(place(), { ...object, metadata: { ...metadata(object), annotations } });
    });
    return world;
  };

  it("what somebody else wrote between reading and rehearsing is no difference: it is read again", async () => {
    const { at } = await busy(3);
    expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
  });

  it("control: what is really not as declared stays so, however often it is read", async () => {
    const { server, at } = await busy(3);
    const object = server.get(place()) ?? {};
    server.put(place(), { ...object, data: { colour: "crimson" } });
    const { step, why } = await at.reconcile();
    expect([step.status, why]).toEqual(["error", expect.stringContaining(".data.colour")]);
  });
});

describe("destroy (D1, D3, D4)", () => {
  it("the inventory is gone: what the ledger has by UID is destroyed all the same", async () => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const [inventory] = inventories(server);
    server.remove(place(inventory));
    expect((await at.reconcile()).why).toContain("its inventory ConfigMap shop/asfound-");
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get(place())).toBeUndefined();
    expect(server.get(place("second"))).toBeUndefined();
  });

  it("control: with the inventory gone it is not destroyed while one of its objects stands", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.remove(place(inventories(server)[0]));
    server.setFaults([
      {
        verb: "delete",
        path: "/api/v1/namespaces/shop/configmaps/settings",
        fault: status(403, "Forbidden", "no"),
      },
    ]);
    const after = await at.destroy();
    expect(after.step.status).not.toBe("destroyed");
    expect(server.get(place())).toBeDefined();
  });

  it("the inventory is gone: the next apply writes it anew, and no object is made again", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const before = uidOf(server.get(place()));
    server.remove(place(inventories(server)[0]));
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(inventories(server)).toHaveLength(1);
    expect(uidOf(server.get(place()))).toBe(before);
  });

  it("somebody emptied the inventory: what the ledger has is destroyed all the same", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const name = inventories(server)[0];
    server.put(place(name), { ...server.get(place(name)), data: { objects: "[]" } });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get(place())).toBeUndefined();
  });

  it("a finalizer holds an object: not destroyed until it was seen to be gone, and what holds it is told meanwhile", async () => {
    const { server, at, told } = await worldOf([held()], { step: { deadline: "4s" } });
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const after = await at.destroy();
    expect(after.step.status).not.toBe("destroyed");
    expect(server.get(place())).toBeDefined();
    expect(told.join("\n")).toContain("ConfigMap shop/settings is being deleted, held by example.com/hold");
    server.remove(place());
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
  });

  it("something changed an object between the look and the delete: the delete names the version it was read at, and is tried again", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    let isTouched = false;
    server.onAsked(({ verb, path }) => {
      if (verb !== "delete" || !path.includes("settings") || isTouched) return;
      isTouched = true;
      server.put(place(), { ...server.get(place()), data: { colour: "touched" } });
    });
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(
      server.log().filter(({ verb, path }) => verb === "delete" && path.includes("settings")),
    ).toHaveLength(2);
  });
});

describe("prune", () => {
  it("removes what left the manifests, and only what carries our mark", async () => {
    const { server, at, inputs } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.put(place("bystander"), { data: {} });
    expect(await at.apply(inputs(settings("blue")))).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(server.get(place("second"))).toBeUndefined();
    expect(server.get(place("bystander"))).toBeDefined();
  });

  it("from what somebody took the mark, it is left, and said", async () => {
    const { server, at, inputs, told } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const object = server.get(place("second")) ?? {};
    server.put(place("second"), { ...object, metadata: { ...metadata(object), annotations: {} } });
    await at.apply(inputs(settings("blue")));
    expect(server.get(place("second"))).toBeDefined();
    expect(told.join("\n")).toContain("second left the manifests and carries no mark of this step");
  });

  it("'prune: false' leaves it, and destroy removes it in the end", async () => {
    const { server, at, inputs } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    expect(await at.apply({ ...inputs(settings("blue")), prune: false })).toMatchObject({ exit: 0 });
    expect(server.get(place("second"))).toBeDefined();
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get(place("second"))).toBeUndefined();
  });

  it("a finalizer holds what left the manifests: the update waits, tells it, and is not done before it is gone", async () => {
    const { server, at, inputs, told } = await worldOf([settings("blue"), held("second")], {
      step: { deadline: "4s" },
    });
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const after = await at.apply(inputs(settings("blue")));
    expect(after.step).toMatchObject({ status: "error" });
    expect(after.why).toContain("held by example.com/hold");
    expect(told.join("\n")).toContain("waiting until it is gone: ConfigMap shop/second is being deleted");
    server.remove(place("second"));
    expect(await at.apply(inputs(settings("blue")))).toMatchObject({ exit: 0, step: { status: "complete" } });
  });

  it("let go in time: the update is done once it is gone", async () => {
    const { server, at, inputs } = await worldOf([settings("blue"), held("second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.onAsked(({ verb, path }) => {
      if (
        verb === "get" &&
        path.endsWith("/second") &&
        metadata(server.get(place("second")))["deletionTimestamp"] !== undefined
      )
        server.remove(place("second"));
    });
    expect(await at.apply(inputs(settings("blue")))).toMatchObject({ exit: 0, step: { status: "complete" } });
  });
});

describe("a namespace that changes", () => {
  it("moves the objects: made in the new one, then pruned from the old one; the inventory stays", async () => {
    const { server, at, inputs } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const moved = await at.apply({ ...inputs(settings("blue")), namespace: "market" });
    expect(moved, moved.why).toMatchObject({ exit: 0 });
    expect(server.get({ ...place(), namespace: "market" })).toBeDefined();
    expect(server.get(place())).toBeUndefined();
    expect(inventories(server)).toHaveLength(1);
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get({ ...place(), namespace: "market" })).toBeUndefined();
    expect(inventories(server)).toEqual([]);
  });

  it("'inventory' that says another one is refused, and nothing is changed", async () => {
    const { server, at, inputs } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    const before = effects(server);
    const after = await at.apply({ ...inputs(settings("green")), inventory: "market" });
    expect(after.why).toContain("it does not move");
    expect(effects(server)).toEqual(before);
  });
});

describe("what is recorded", () => {
  it("W4: of two objects the second is refused by the server alone: the first one's uid is kept, and destroy removes it", async () => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([on("patch", "second", status(403, "Forbidden", "exceeded quota"))]);
    const after = await at.apply();
    expect(after.step).toMatchObject({ status: "error", effect: "possible" });
    expect(after.why).toContain("1 of 2 objects were applied");
    expect(after.step.outputs["objects"]).toMatchObject([
      { kind: "ConfigMap", name: "settings", uid: uidOf(server.get(place())) },
      { name: "second", uid: null },
    ]);
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(server.get(place())).toBeUndefined();
  });

  it("W3, R1: the reply to the second object is lost: unresolved; reconcile finds all of it, and nothing is sent again", async () => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([on("patch", "second", { do: "cut", at: "after" })]);
    expect(await at.apply()).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(at.calls.filter(({ action }) => action === "create")).toHaveLength(1);
    expect((await at.status()).outputs["objects"]).toMatchObject([
      { uid: uidOf(server.get(place())) },
      { uid: uidOf(server.get(place("second"))) },
    ]);
  });

  it("drift by another manager is seen, named, and its value is not shown", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.put(place(), { ...server.get(place()), data: { colour: "crimson" } });
    const after = await at.reconcile();
    expect(after.step).toMatchObject({ status: "error" });
    expect(after.why).toContain(".data.colour");
    expect(after.why).not.toContain("crimson");
  });
});

describe("a create in doubt is looked for where it was sent (R1)", () => {
  const SETTLED = { step: { settle: "10ms" } };

  it("its namespace was changed in the file meanwhile: what it left is found there, and moved; nothing is forgotten", async () => {
    const { server, at, inputs } = await worldOf([settings("blue")], SETTLED);
    server.setFaults([on("patch", "asfound-", { do: "cut", at: "after" })]);
    expect(await at.apply()).toMatchObject({ exit: 21, step: { status: "unresolved", identity: null } });
    server.setFaults([]);
    // Within settle, what is not as declared may still become so, and nothing would be sent.
    await sleep(30);
    const moved = await at.apply({ ...inputs(settings("blue")), namespace: "market" });
    expect(moved, moved.why).toMatchObject({ exit: 0 });
    expect(inventories(server)).toHaveLength(1);
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(effects(server).filter((effect) => effect.startsWith("created"))).toHaveLength(2);
    expect(effects(server).filter((effect) => effect.startsWith("deleted"))).toHaveLength(2);
  });
});
