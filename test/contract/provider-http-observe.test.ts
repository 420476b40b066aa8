/** Asking what is there: R2 (a question that went wrong is no answer), R4 and op-17 (only an exact, unique match is ours). */
import { describe, expect, it } from "vitest";
import { httpProvider } from "../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { key } from "../../src/domain/ids.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { Reading } from "../../src/domain/outcome.ts";
import type { Question } from "../../src/ports/provider.ts";
import type { Cloud } from "../../src/testing/cloud/cloud.ts";
import type { Fault } from "../../src/testing/cloud/fault.ts";
import { arrived, cloudFor, manualClock } from "../support/cloud.ts";
import { httpIntent, KEY, question, testIo } from "../support/http-intents.ts";

const provider = httpProvider(systemClock);
const OTHER = key("asf-0197c0de-0000-7000-8000-00000000000f");

const GET = { path: "/machines/{id}" };
const FIND = {
  path: "/machines?label=asfound-key%3D{key}",
  items: "/items",
  id: "/id",
  match: { "/labels/asfound-key": "{key}" },
  next: "/next",
};
const inputsFor = (cloud: Cloud, observe: JsonObject): JsonObject => ({
  base: `${cloud.url}/v1`,
  key: { body: "/labels/asfound-key" },
  create: { path: "/machines", body: { size: "s", labels: { team: "a" } }, id: "/id" },
  observe: { outputs: { ip: "/ip" }, ...observe },
});
const ask = (cloud: Cloud, observe: JsonObject, more: Partial<Question> = {}): Promise<Reading> =>
  provider.observe(question(inputsFor(cloud, observe), more), testIo());
const known = { identity: { id: "m-1" } };

/** An object made by whoever, with these labels. */
const plant = async (cloud: Cloud, body: JsonObject): Promise<void> => {
  await fetch(`${cloud.url}/v1/machines`, { method: "POST", body: JSON.stringify(body) });
};
const ours = (label: string = KEY): JsonObject => ({
  size: "s",
  labels: { team: "a", "asfound-key": label },
});
const reads = (cloud: Cloud): number => cloud.log().filter((entry) => entry.method === "GET").length;

describe("by id", () => {
  it("observed, with id and outputs", async () => {
    const cloud = await cloudFor();
    await plant(cloud, ours());
    expect(await ask(cloud, { get: GET }, known)).toMatchObject({
      kind: "observed",
      id: "m-1",
      outputs: { ip: "10.0.0.1" },
    });
  });

  it.each([404, 410])("%i: absent", async (status) => {
    const cloud = await cloudFor({ faults: [{ fault: { do: "status", status } }] });
    expect(await ask(cloud, { get: GET }, known)).toEqual({ kind: "absent" });
  });

  it.each<[string, Fault, Reading["kind"]]>([
    ["401", { do: "status", status: 401 }, "denied"],
    ["403", { do: "status", status: 403 }, "denied"],
    ["400", { do: "status", status: 400 }, "failed"],
    ["500", { do: "status", status: 500 }, "failed"],
    ["503", { do: "status", status: 503 }, "failed"],
    ["204 without a body", { do: "status", status: 204 }, "failed"],
    ["206, a part", { do: "status", status: 206, body: { id: "m-1" } }, "failed"],
    ["304", { do: "status", status: 304 }, "failed"],
    ["garbage", { do: "garbage" }, "failed"],
    ["huge", { do: "huge", bytes: 9 * 1024 * 1024 }, "failed"],
    ["cut", { do: "cut", at: "before" }, "failed"],
    ["cut in the middle", { do: "cut", at: "middle" }, "failed"],
    ["another host", { do: "redirect", to: "http://elsewhere.invalid/" }, "failed"],
  ])("R2: %s is no answer", async (_name, fault, kind) => {
    const cloud = await cloudFor();
    await plant(cloud, ours());
    cloud.setFaults([{ verb: "get", fault }]);
    expect((await ask(cloud, { get: GET }, known)).kind).toBe(kind);
    expect(reads(cloud)).toBe(1);
  });

  it("refused connections: failed, not absent", async () => {
    const cloud = await cloudFor();
    await cloud.refuse();
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("failed");
  });

  it("hanging: timed out, at 30 s at the latest", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ faults: [{ fault: { do: "hang" } }] });
    const asking = httpProvider(clock).observe(question(inputsFor(cloud, { get: GET }), known), testIo());
    await arrived(cloud, 1);
    clock.advance(30_000);
    expect((await asking).kind).toBe("timed-out");
  });

  it("follows redirects on the same origin, five at most", async () => {
    const cloud = await cloudFor();
    await plant(cloud, ours());
    const rule = (nth: number) => ({
      verb: "get" as const,
      nth,
      fault: { do: "redirect" as const, to: "/v1/machines/m-1" },
    });
    cloud.setFaults([1, 2, 3, 4, 5].map(rule));
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("observed");
    cloud.setFaults([1, 2, 3, 4, 5, 6].map(rule));
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("failed");
  });

  it("nothing is ever asked of another origin: no redirect, no next page", async () => {
    const [cloud, other] = [await cloudFor(), await cloudFor()];
    await plant(other, ours());
    const before = other.log().length;
    cloud.setFaults([
      { verb: "get", fault: { do: "redirect", to: `${other.url}/v1/machines/m-1` } },
      { verb: "list", fault: { do: "next", url: `${other.url}/v1/machines` } },
    ]);
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("failed");
    expect((await ask(cloud, { find: FIND })).kind).toBe("failed");
    expect(other.log()).toHaveLength(before);
  });

  it("429: waits as asked, and reads again; a wait too long is a failed reading", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock });
    await plant(cloud, ours());
    const asking = (seconds: number): Promise<Reading> => {
      cloud.setFaults([
        { verb: "get", nth: 1, fault: { do: "status", status: 429, retryAfter: { seconds } } },
      ]);
      return httpProvider(clock).observe(question(inputsFor(cloud, { get: GET }), known), testIo());
    };
    const first = asking(7);
    await clock.sleeping(7_000);
    clock.advance(7_000);
    expect((await first).kind).toBe("observed");
    expect((await asking(3_600)).kind).toBe("failed");
  });

  it("R3's reason: a stale GET says absent of what is new, so one reading is not enough", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, faults: [{ verb: "get", fault: { do: "stale", ms: 1_000 } }] });
    await plant(cloud, ours());
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("absent");
    clock.advance(1_000);
    expect((await ask(cloud, { get: GET }, known)).kind).toBe("observed");
  });

  it("the object below a pointer, and a reply without it", async () => {
    const cloud = await cloudFor({
      faults: [{ fault: { do: "status", status: 200, body: { machine: { ip: "10.9.9.9" } } } }],
    });
    expect(await ask(cloud, { get: GET, object: "/machine" }, known)).toMatchObject({
      outputs: { ip: "10.9.9.9" },
    });
    expect((await ask(cloud, { get: GET, object: "/server" }, known)).kind).toBe("failed");
  });
});

describe("by our keys", () => {
  it("finds the exact match on any page", async () => {
    const cloud = await cloudFor({ kinds: { machines: { pageSize: 1 } } });
    for (const label of [OTHER, `${KEY}0`, KEY]) await plant(cloud, ours(label));
    const everything = { ...FIND, path: "/machines" };
    expect(await ask(cloud, { find: everything })).toMatchObject({ kind: "observed", id: "m-3" });
    expect(reads(cloud)).toBe(3);
    expect(await ask(cloud, { find: { ...everything, next: "link" } })).toMatchObject({ id: "m-3" });
  });

  it("a page token goes into the query", async () => {
    const page = (body: JsonObject, nth: number) => ({
      nth,
      fault: { do: "status" as const, status: 200, body },
    });
    const cloud = await cloudFor({
      faults: [
        page({ items: [], token: "t 2" }, 1),
        page({ items: [{ id: "m-1", ...ours() }], token: "" }, 2),
      ],
    });
    const find = { ...FIND, next: { token: "/token", query: "after" } };
    expect(await ask(cloud, { find })).toMatchObject({ kind: "observed", id: "m-1" });
    expect(new URL(cloud.url + cloud.log()[1]?.path).searchParams.get("after")).toBe("t 2");
  });

  it("op-01: what a create made whose reply was lost is found by the key it carried, with or without 'replay'", async () => {
    for (const keys of ["replay", "ignore"] as const) {
      const cloud = await cloudFor({ kinds: { machines: { keys } } });
      cloud.setFaults([{ verb: "create", nth: 1, fault: { do: "cut", at: "after" } }]);
      const intent = httpIntent("create", { inputs: inputsFor(cloud, { find: FIND }) });
      expect((await provider.create(intent, testIo())).kind).toBe("unknown");
      expect(await ask(cloud, { get: GET, find: FIND, declared: ["/size", "/labels"] })).toMatchObject({
        kind: "observed",
        id: "m-1",
        asDeclared: { kind: "known", value: true },
      });
    }
  });

  it("op-17: what a careless filter shows is not ours", async () => {
    const cloud = await cloudFor({ faults: [{ verb: "list", fault: { do: "loose-filter" } }] });
    await plant(cloud, ours(OTHER));
    expect(await ask(cloud, { find: FIND })).toEqual({ kind: "absent" });
    await plant(cloud, ours());
    expect(await ask(cloud, { find: FIND })).toMatchObject({ kind: "observed", id: "m-2" });
  });

  it("R4: two matches are ambiguous, by one key or by two", async () => {
    const cloud = await cloudFor({ kinds: { machines: { keys: "ignore" } } });
    await plant(cloud, ours());
    await plant(cloud, ours(OTHER));
    expect(await ask(cloud, { find: FIND }, { keys: [KEY] })).toMatchObject({ kind: "observed", id: "m-1" });
    expect(await ask(cloud, { find: FIND }, { keys: [KEY, OTHER] })).toEqual({
      kind: "ambiguous",
      ids: ["m-1", "m-2"],
    });
    await plant(cloud, ours());
    expect(await ask(cloud, { find: FIND }, { keys: [KEY] })).toEqual({
      kind: "ambiguous",
      ids: ["m-1", "m-3"],
    });
  });

  it("every key is looked for; the last page without a match is absence", async () => {
    const cloud = await cloudFor();
    await plant(cloud, ours(OTHER));
    expect(await ask(cloud, { find: FIND }, { key: KEY, keys: [KEY, OTHER] })).toMatchObject({ id: "m-1" });
    expect(await ask(cloud, { find: FIND }, { key: KEY, keys: [KEY] })).toEqual({ kind: "absent" });
  });

  it("no key was ever sent: not asked, and nothing is read", async () => {
    const cloud = await cloudFor();
    expect((await ask(cloud, { find: FIND }, { key: null, keys: [] })).kind).toBe("not-asked");
    expect(cloud.log()).toEqual([]);
  });

  it("a unique name needs no key", async () => {
    const cloud = await cloudFor();
    const find = { ...FIND, path: "/machines?name=web", match: { "/name": "web" } };
    const first = { key: null, keys: [] };
    expect((await ask(cloud, { find }, first)).kind).toBe("absent");
    await plant(cloud, { name: "web" });
    expect(await ask(cloud, { find }, first)).toMatchObject({ kind: "observed", id: "m-1" });
  });

  it("a tag among others is a match", async () => {
    const cloud = await cloudFor();
    await plant(cloud, { tags: ["a", `asfound:${KEY}`] });
    const find = { ...FIND, path: "/machines", match: { "/tags": "asfound:{key}" } };
    expect(await ask(cloud, { find })).toMatchObject({ kind: "observed", id: "m-1" });
    expect(await ask(cloud, { find }, { key: OTHER, keys: [OTHER] })).toEqual({ kind: "absent" });
  });

  it.each<[string, Fault]>([
    ["denied", { do: "status", status: 403 }],
    ["not there", { do: "status", status: 404 }],
    ["failing", { do: "status", status: 500 }],
    ["garbage", { do: "garbage" }],
    ["without items", { do: "partial", without: ["items"] }],
    ["cut", { do: "cut", at: "middle" }],
    ["leading to another host", { do: "next", url: "http://elsewhere.invalid/v1/machines" }],
    ["leading to itself", { do: "next", url: `/v1/machines?label=asfound-key%3D${KEY}` }],
  ])("R2: a list that is %s is never absence", async (_name, fault) => {
    const cloud = await cloudFor();
    expect((await ask(cloud, { find: FIND })).kind).toBe("absent");
    cloud.setFaults([{ verb: "list", fault }]);
    expect(["failed", "denied"]).toContain((await ask(cloud, { find: FIND })).kind);
  });

  it("R2: ... nor one whose second page fails, or which goes on although 'next' is none", async () => {
    const cloud = await cloudFor({ kinds: { machines: { pageSize: 1, keys: "ignore" } } });
    for (const label of [OTHER, OTHER]) await plant(cloud, ours(label));
    const everything = { ...FIND, path: "/machines" };
    expect((await ask(cloud, { find: everything })).kind).toBe("absent");
    expect((await ask(cloud, { find: { ...everything, next: "none" } })).kind).toBe("failed");
    cloud.setFaults([{ verb: "list", nth: 2, fault: { do: "status", status: 502 } }]);
    expect((await ask(cloud, { find: everything })).kind).toBe("failed");
  });

  it("a match without an id is a failed reading, not nobody", async () => {
    const cloud = await cloudFor({
      faults: [{ verb: "list", fault: { do: "status", status: 200, body: { items: [ours()] } } }],
    });
    expect((await ask(cloud, { find: FIND })).kind).toBe("failed");
  });

  it("found, then read by id: gone is a contradiction, denied keeps what the list shows (op-03)", async () => {
    const cloud = await cloudFor();
    await plant(cloud, ours());
    const both = { get: GET, find: FIND };
    expect(await ask(cloud, both)).toMatchObject({
      kind: "observed",
      id: "m-1",
      outputs: { ip: "10.0.0.1" },
    });
    cloud.setFaults([{ verb: "get", fault: { do: "status", status: 404 } }]);
    expect((await ask(cloud, both)).kind).toBe("failed");
    cloud.setFaults([{ verb: "get", fault: { do: "status", status: 403 } }]);
    expect(await ask(cloud, both)).toMatchObject({
      kind: "observed",
      id: "m-1",
      asDeclared: { kind: "unreadable" },
    });
  });

  it("a lagging list shows nothing of what is new: absent, which only time can tell apart", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, faults: [{ verb: "list", fault: { do: "stale", ms: 500 } }] });
    await plant(cloud, ours());
    expect((await ask(cloud, { find: FIND })).kind).toBe("absent");
    clock.advance(500);
    expect((await ask(cloud, { find: FIND })).kind).toBe("observed");
  });
});

describe("as declared", () => {
  const declared = async (body: JsonObject, observe: JsonObject): Promise<Reading> => {
    const cloud = await cloudFor();
    await plant(cloud, body);
    return await ask(cloud, { get: GET, ...observe }, known);
  };
  const verdict = (value: JsonValue): JsonObject => ({ kind: "known", value });

  it("compares the declared fields of the body; more is allowed, less and other is not", async () => {
    const observe = { declared: ["/size", "/labels"] };
    expect(await declared(ours(), observe)).toMatchObject({ asDeclared: verdict(true) });
    expect(await declared({ ...ours(), size: "l" }, observe)).toMatchObject({
      asDeclared: verdict(false),
      reason: "not as declared at /size",
    });
    expect(await declared({ size: "s", labels: { team: "b" } }, observe)).toMatchObject({
      asDeclared: verdict(false),
    });
    expect(await declared({ labels: { team: "a" } }, observe)).toMatchObject({
      asDeclared: { kind: "unreadable" },
    });
  });

  it("names places, never values", async () => {
    const reading = await declared({ ...ours(), size: "hush" }, { declared: ["/size"] });
    expect(JSON.stringify({ ...reading, outputs: {} })).not.toContain("hush");
  });

  it("asDeclared names other places and values; nothing named is not asked", async () => {
    expect(await declared(ours(), { asDeclared: { "/status": "ready" } })).toMatchObject({
      asDeclared: verdict(true),
    });
    expect(await declared(ours(), { asDeclared: { "/size": 1 } })).toMatchObject({
      asDeclared: verdict(false),
    });
    expect(await declared(ours(), {})).toMatchObject({ asDeclared: { kind: "not-asked" } });
  });

  it("a state that is not ready is not as declared; one that means gone is absence", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, kinds: { machines: { async: "status", workMs: 100 } } });
    await plant(cloud, ours());
    const ready = {
      pointer: "/status",
      is: ["ready"],
      pending: ["provisioning"],
      failed: ["error"],
      gone: ["deleting"],
    };
    const look = (more = {}): Promise<Reading> =>
      ask(cloud, { get: GET, ready: { ...ready, ...more } }, known);
    expect(await look()).toMatchObject({
      asDeclared: verdict(false),
      reason: "its state is 'provisioning', so it is not ready yet",
    });
    clock.advance(100);
    expect(await look()).toMatchObject({ asDeclared: verdict(true), reason: null });
    expect(await look({ is: ["up"], failed: ["ready"] })).toMatchObject({ asDeclared: verdict(false) });
    expect(await look({ pointer: "/nowhere" })).toMatchObject({ asDeclared: { kind: "unreadable" } });
    await fetch(`${cloud.url}/v1/machines/m-1`, { method: "DELETE" });
    expect(await look()).toEqual({ kind: "absent" });
  });
});

describe("what cannot be asked", () => {
  it("no observe, no id and no find, inputs at fault: said, nothing read", async () => {
    const cloud = await cloudFor();
    const { observe: _observe, ...without } = inputsFor(cloud, { get: GET });
    expect((await provider.observe(question(without), testIo())).kind).toBe("not-asked");
    expect((await ask(cloud, { get: GET })).kind).toBe("not-asked");
    expect((await provider.observe(question({ base: 1 }), testIo())).kind).toBe("failed");
    expect(cloud.log()).toEqual([]);
  });
});
