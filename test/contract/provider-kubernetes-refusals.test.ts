/** What the kubernetes provider makes of every way in which a server can say no, or nothing. */
import { describe, expect, it } from "vitest";
import type { ApiFault } from "../../src/testing/api-server/fault.ts";
import { effects, on, place, settings, status, worldOf } from "../support/kubernetes-step.ts";

/** As kube-apiserver words them (apiserver, admission and validation). */
const NO: readonly (readonly [string, ApiFault, RegExp])[] = [
  [
    "403, a right is missing",
    status(403, "Forbidden", 'configmaps "second" is forbidden: User "eve" cannot patch resource'),
    /cannot patch/,
  ],
  [
    "403, a webhook denies",
    status(403, "Forbidden", 'admission webhook "policy.example.com" denied the request: no root'),
    /denied the request: no root/,
  ],
  [
    "400, a webhook denies with another code",
    status(400, "BadRequest", 'admission webhook "policy.example.com" denied the request: bad'),
    /denied the request: bad/,
  ],
  [
    "403, the namespace is being deleted",
    status(403, "Forbidden", "unable to create new content in namespace shop because it is being terminated"),
    /being terminated/,
  ],
  [
    "404, there is no such namespace",
    status(404, "NotFound", 'namespaces "shop" not found'),
    /namespaces "shop" not found/,
  ],
  [
    "422, the object is not valid",
    status(422, "Invalid", 'ConfigMap "second" is invalid: data: Too long'),
    /is invalid/,
  ],
  ["409 without conflicts", status(409, "Conflict", "Operation cannot be fulfilled"), /cannot be fulfilled/],
  ["429 without Retry-After", { do: "throttle", retryAfter: null }, /429/],
];

describe("refused while it is rehearsed: of two objects none is touched", () => {
  it.each(NO)("%s", async (_, fault, says) => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([
      { verb: "patch", path: "/api/v1/namespaces/shop/configmaps/second", dryRun: true, fault },
    ]);
    const after = await at.apply();
    expect(after).toMatchObject({ exit: 10, step: { status: "error", effect: "none" } });
    expect(after.why).toMatch(says);
    expect(after.why).toContain("nothing was changed");
    expect(effects(server)).toEqual([]);
    server.setFaults([]);
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
  });
});

describe("refused only when it is applied: what was made before it is kept, and the next apply goes on", () => {
  it.each(NO)("%s", async (_, fault, says) => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([on("patch", "second", fault)]);
    const after = await at.apply();
    expect(after.step).toMatchObject({ status: "error", effect: "possible" });
    expect(after.why).toMatch(says);
    expect(after.why).toContain("1 of 2 objects were applied");
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(effects(server).filter((effect) => effect === "created settings")).toHaveLength(1);
  });
});

describe("no answer, or one that proves nothing: unresolved, and settled by looking", () => {
  it.each<readonly [string, ApiFault]>([
    ["the connection is cut after the effect", { do: "cut", at: "after" }],
    ["the connection is cut in the middle of the reply", { do: "cut", at: "middle" }],
    [
      "a page of a proxy with 403, after the effect",
      { do: "reply", status: 403, body: "<html>no</html>", contentType: "text/html", after: true },
    ],
    [
      "200, but another object",
      {
        do: "reply",
        status: 200,
        body: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"other","uid":"u"}}',
        after: true,
      },
    ],
    ["200 and nothing", { do: "reply", status: 200, body: "", after: true }],
  ])("%s", async (_, fault) => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([on("patch", "second", fault)]);
    expect(await at.apply()).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    expect(await at.reconcile()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(effects(server)).toEqual(["created inventory", "created settings", "created second"]);
  });

  it("the connection is cut before the effect: not as declared, and the next apply makes it", async () => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    server.setFaults([on("patch", "second", { do: "cut", at: "before" })]);
    expect(await at.apply()).toMatchObject({ exit: 21, step: { status: "unresolved" } });
    expect((await at.reconcile()).why).toContain("ConfigMap shop/second is not there");
    expect(await at.apply()).toMatchObject({ exit: 0 });
    expect(effects(server).filter((effect) => effect === "created settings")).toHaveLength(1);
  });

  it("a 500 after the effect: it answered that it failed, and looking tells what is there", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    const failed = status(500, "InternalError", "etcdserver: request timed out");
    server.setFaults([on("patch", "settings", failed.do === "reply" ? { ...failed, after: true } : failed)]);
    expect((await at.apply()).step).toMatchObject({ status: "error", effect: "possible" });
    expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
    expect(effects(server).filter((effect) => effect === "created settings")).toHaveLength(1);
  });
});

it("429 that says when: the same request is sent again after that, and it is one object", async () => {
  const { server, at } = await worldOf([settings("blue")]);
  server.setFaults([on("patch", "settings", { do: "throttle", retryAfter: "1" })]);
  expect(await at.apply()).toMatchObject({ exit: 0, step: { status: "complete" } });
  expect(effects(server)).toEqual(["created inventory", "created settings"]);
});

it("409 of another manager: it, the field and the way out are named, and no value", async () => {
  const { server, at, inputs } = await worldOf([settings("blue")]);
  expect(await at.apply()).toMatchObject({ exit: 0 });
  server.setFaults([
    {
      verb: "patch",
      path: "/api/v1/namespaces/shop/configmaps/settings",
      fault: {
        do: "reply",
        status: 409,
        body: JSON.stringify({
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          reason: "Conflict",
          message: 'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.colour',
          details: {
            causes: [
              {
                reason: "FieldManagerConflict",
                message: 'conflict with "kubectl-edit" using v1',
                field: ".data.colour",
              },
            ],
          },
          code: 409,
        }),
      },
    },
  ]);
  const after = await at.apply(inputs(settings("crimson")));
  expect(after.why).toContain('"kubectl-edit" using v1');
  expect(after.why).toContain(".data.colour");
  expect(after.why).toContain("'force: true' would take that field over");
  expect(after.why).not.toContain("crimson");
  expect(effects(server).filter((effect) => effect === "updated settings")).toEqual([]);
});

it("an object that is being deleted is not applied to: it would vanish", async () => {
  const held = { ...settings("blue"), metadata: { name: "settings", finalizers: ["example.com/hold"] } };
  const { server, at, inputs } = await worldOf([held]);
  expect(await at.apply()).toMatchObject({ exit: 0 });
  const object = server.get(place()) ?? {};
  const metadata = { ...(object["metadata"] as object), deletionTimestamp: "2026-01-01T00:00:00Z" };
  server.put(place(), { ...object, metadata });
  const after = await at.apply(inputs({ ...held, data: { colour: "green" } }));
  expect(after.why).toContain("is being deleted, held by example.com/hold");
  expect(server.get(place())).toMatchObject({ data: { colour: "blue" } });
});

describe("a destroy that is refused, or not answered", () => {
  it("403: nothing is called destroyed, and the reason is said", async () => {
    const { server, at } = await worldOf([settings("blue"), settings("blue", "second")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.setFaults([on("delete", "settings", status(403, "Forbidden", "configmaps is forbidden"))]);
    const after = await at.destroy();
    expect(after.step.status).not.toBe("destroyed");
    expect(after.why).toContain("1 of 2 were removed");
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect([server.get(place()), server.get(place("second"))]).toEqual([undefined, undefined]);
  });

  it("the reply to the inventory's own delete is lost: it is seen to be gone", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.setFaults([on("delete", "asfound-", { do: "cut", at: "after" })]);
    expect(await at.destroy()).toMatchObject({ exit: 0, step: { status: "destroyed" } });
    expect(
      server.log().filter(({ verb, path }) => verb === "delete" && path.includes("asfound-")),
    ).toHaveLength(1);
  });

  it("reading is denied meanwhile: unresolved, and not destroyed", async () => {
    const { server, at } = await worldOf([settings("blue")]);
    expect(await at.apply()).toMatchObject({ exit: 0 });
    server.setFaults([{ verb: "get", resource: "configmaps", fault: status(403, "Forbidden", "no") }]);
    expect((await at.destroy()).step.status).not.toBe("destroyed");
    expect(server.get(place())).toBeDefined();
  });
});
