/**
 * What a reply to a changing request proves: every row of PROOF against the real cloud over loopback. The cloud's own
 * log is the control: it says what really happened.
 */
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROOF, type ReplyClass } from "../../src/adapters/provider-http/proof.ts";
import { httpProvider } from "../../src/adapters/provider-http/provider.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { NotSent } from "../../src/domain/not-sent.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Cloud } from "../../src/testing/cloud/cloud.ts";
import type { Fault, Verb } from "../../src/testing/cloud/fault.ts";
import { arrived, cloudFor, type ManualClock, manualClock } from "../support/cloud.ts";
import { httpIntent, KEY, testIo } from "../support/http-intents.ts";

const provider = httpProvider(systemClock);

const inputsFor = (base: string, more: JsonObject = {}): JsonObject => ({
  base: `${base}/v1`,
  key: { header: "Idempotency-Key" },
  create: { path: "/machines", body: { size: "s" }, id: "/id", outputs: { ip: "/ip" } },
  observe: { get: { path: "/machines/{id}" } },
  update: { path: "/machines/{id}", body: { size: "l" } },
  destroy: { path: "/machines/{id}" },
  compensate: { path: "/shots", body: {} },
  owed: { path: "/restarts", body: {} },
  ...more,
});
const made = (cloud: Cloud): number =>
  cloud
    .log()
    .flatMap((entry) => entry.effects)
    .filter((effect) => effect.what === "created").length;
const withFault = (fault: Fault, verb: Verb = "create"): Promise<Cloud> =>
  cloudFor({ faults: [{ verb, nth: 1, fault }] });
const create = (cloud: Cloud, more: JsonObject = {}, io = testIo()): Promise<Outcome> =>
  provider.create(httpIntent("create", { inputs: inputsFor(cloud.url, more) }), io);
const reasonOf = (outcome: Outcome): string => ("reason" in outcome ? outcome.reason : "");

/** A server that does what HTTP servers do not. */
const rawServer = async (reply: string | null): Promise<string> => {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => (reply === null ? socket.destroy() : socket.end(reply)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
};

describe("what a reply to a create proves", () => {
  it("taken on: done, with id and outputs; sent once, with our key", async () => {
    const cloud = await cloudFor();
    const outcome = await create(cloud);
    expect(outcome).toEqual({ kind: "done", id: "m-1", outputs: { ip: "10.0.0.1" }, owes: [] });
    expect(cloud.log()).toMatchObject([
      { verb: "create", key: KEY, effects: [{ what: "created", id: "m-1" }] },
    ]);
  });

  const refusals = [
    400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 416, 417, 421, 422, 423, 426, 428, 431,
    451,
  ];
  it.each([...refusals, 412])("%i: refused, sent once", async (status) => {
    const cloud = await withFault({ do: "status", status });
    const outcome = await create(cloud);
    expect(outcome.kind).toBe("refused");
    expect(reasonOf(outcome)).toContain(`(status ${status})`);
    expect(cloud.log()).toHaveLength(1);
  });

  it.each([408, 409, 424, 425, 418, 499, 500, 501, 502, 503, 504, 507])(
    "%i: unknown, sent once",
    async (status) => {
      const cloud = await withFault({ do: "status", status, after: true });
      const outcome = await create(cloud);
      expect(outcome.kind).toBe("unknown");
      expect(cloud.log()).toHaveLength(1);
      expect(made(cloud)).toBe(1);
    },
  );

  it.each([301, 302, 303, 307, 308])("%i: unknown, and never followed", async (status) => {
    const cloud = await withFault({ do: "redirect", to: "/v1/machines", status });
    expect((await create(cloud)).kind).toBe("unknown");
    expect(cloud.log()).toHaveLength(1);
  });

  it.each([203, 205, 206, 226])("%i, which is not expected: unknown", async (status) => {
    const cloud = await withFault({ do: "status", status, after: true, body: { id: "m-1" } });
    const outcome = await create(cloud);
    expect(outcome).toMatchObject({ kind: "unknown" });
    expect(reasonOf(outcome)).toContain(PROOF["unexpected 2xx"].because);
  });

  it.each<[string, Fault]>([
    ["garbage", { do: "garbage" }],
    ["no id", { do: "partial", without: ["id"] }],
    ["an id of the wrong type", { do: "status", status: 201, after: true, body: { id: { not: "an id" } } }],
    ["an empty id", { do: "status", status: 201, after: true, body: { id: "" } }],
    ["a login page", { do: "status", status: 200, headers: { "content-type": "text/html" }, body: "<html>" }],
    [
      "compressed",
      { do: "status", status: 201, after: true, headers: { "content-encoding": "br" }, body: { id: "x" } },
    ],
  ])("taken on, without its id (%s): unknown", async (_name, fault) => {
    const outcome = await create(await withFault(fault));
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toContain(PROOF["taken on, without its id"].because);
  });

  it("another content type with a readable id: done", async () => {
    expect((await create(await withFault({ do: "content-type", type: "text/plain" }))).kind).toBe("done");
  });

  it("partial outputs: done, with those that came", async () => {
    const cloud = await withFault({ do: "partial", without: ["ip"] });
    expect(await create(cloud)).toEqual({ kind: "done", id: "m-1", outputs: {}, owes: [] });
  });

  it("too large: unknown", async () => {
    const outcome = await create(await withFault({ do: "huge", bytes: 9 * 1024 * 1024 }));
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toContain(PROOF["too large"].because);
  });

  it("8 MiB less a little is read (the control of the cap)", async () => {
    const body = { id: "m-1", padding: "x".repeat(8 * 1024 * 1024 - 1_000) };
    expect((await create(await withFault({ do: "status", status: 201, body }))).kind).toBe("done");
  });

  it.each<[string, Fault, number]>([
    ["before the effect", { do: "cut", at: "before" }, 0],
    ["after the effect", { do: "cut", at: "after" }, 1],
    ["in the middle of the reply", { do: "cut", at: "middle" }, 1],
  ])("cut %s: unknown, and the request is not sent again", async (_name, fault, effects) => {
    const cloud = await withFault(fault);
    const outcome = await create(cloud);
    expect(outcome).toMatchObject({ kind: "unknown", id: null });
    expect(cloud.log()).toHaveLength(1);
    expect(made(cloud)).toBe(effects);
  });

  it("late commit: unknown at once, and the object comes after it", async () => {
    const cloud = await withFault({ do: "late", ms: 50 });
    expect((await create(cloud)).kind).toBe("unknown");
    await expect.poll(() => made(cloud)).toBe(1);
    expect(cloud.log()).toHaveLength(1);
  });

  it("slow and dripping replies are waited for", async () => {
    expect((await create(await withFault({ do: "slow", ms: 20, after: true }))).kind).toBe("done");
    expect((await create(await withFault({ do: "drip", bytes: 20, everyMs: 1 }))).kind).toBe("done");
  });

  it.each<[string, string | null]>([
    ["closed without a word", null],
    ["no HTTP", "hello\r\n\r\n"],
    ["headers beyond the cap", `HTTP/1.1 201 Created\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
    ["a body shorter than said", 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id":"m-1"}'],
    ["a broken chunk", 'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{"id":"m-1"}'],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["only an informational status", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["a status that HTTP does not know", "HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n"],
  ])("a reply that is no reply (%s): unknown", async (_name, reply) => {
    const base = await rawServer(reply);
    const outcome = await provider.create(httpIntent("create", { inputs: inputsFor(base) }), testIo());
    expect(outcome.kind).toBe("unknown");
  });

  it("timed out: unknown at the deadline", async () => {
    const clock = manualClock();
    const cloud = await withFault({ do: "hang", after: true });
    const intent = httpIntent("create", { inputs: inputsFor(cloud.url), callBy: clock.now() + 30_000 });
    const calling = httpProvider(clock).create(intent, testIo({ deadlineMs: 600_000 }));
    await expect.poll(() => made(cloud)).toBe(1);
    clock.advance(600_000);
    const outcome = await calling;
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toContain(PROOF["timed out"].because);
  });

  it("stopped: unknown at once", async () => {
    const cloud = await withFault({ do: "hang" });
    const io = testIo();
    const calling = create(cloud, {}, io);
    await arrived(cloud, 1);
    io.stopper.abort();
    const outcome = await calling;
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toContain(PROOF["stopped"].because);
  });

  it("an error's id is kept only where the step says where it stands (op-20), never from a conflict", async () => {
    const body = { id: "trace-77", resource: "m-1" };
    const inputs = { create: { path: "/machines", body: {}, id: "/id", idInError: "/resource" } };
    const failing: Fault = { do: "status", status: 500, after: true, body };
    expect(await create(await withFault(failing))).toMatchObject({ kind: "unknown", id: null });
    expect(await create(await withFault(failing), inputs)).toMatchObject({ kind: "unknown", id: "m-1" });
    const conflict: Fault = { do: "status", status: 409, body };
    expect(await create(await withFault(conflict), inputs)).toMatchObject({ kind: "unknown", id: null });
  });

  it("quotes at most 200 characters of what it said, and hides our headers in it", async () => {
    const body = { error: `bad token secret-token-1 ${"x".repeat(500)}` };
    const cloud = await withFault({ do: "status", status: 400, body });
    const reason = reasonOf(await create(cloud, { headers: { authorization: "Bearer secret-token-1" } }));
    expect(reason).not.toContain("secret-token-1");
    expect(reason).toContain("(hidden)");
    expect([...reason.slice(reason.indexOf('"') + 1, -1)]).toHaveLength(200);
  });
});

describe("not sent: refused, and the cloud saw nothing", () => {
  it("connection refused", async () => {
    const cloud = await cloudFor();
    await cloud.refuse();
    const outcome = await create(cloud);
    expect(outcome.kind).toBe("refused");
    expect(reasonOf(outcome)).toContain("ECONNREFUSED");
    await cloud.accept();
    expect((await create(cloud)).kind).toBe("done");
  });

  it("a name that is not known", async () => {
    const outcome = await provider.create(
      httpIntent("create", { inputs: inputsFor("http://nowhere.invalid") }),
      testIo(),
    );
    expect(outcome.kind).toBe("refused");
  });

  it("stopped before it began", async () => {
    const cloud = await cloudFor();
    const io = testIo();
    io.stopper.abort();
    expect((await create(cloud, {}, io)).kind).toBe("refused");
    expect(cloud.log()).toEqual([]);
  });

  it("N5: the fence is closed", async () => {
    const cloud = await cloudFor();
    const fence = async (): Promise<void> => {
      throw new NotSent("the call-by has passed");
    };
    const intent = httpIntent("create", { inputs: inputsFor(cloud.url), fence });
    expect(await provider.create(intent, testIo())).toEqual({
      kind: "refused",
      reason: "the call-by has passed",
    });
    expect(cloud.log()).toEqual([]);
  });

  it("N5: the call-by passes between the fence and the first byte, by either clock", async () => {
    const update = async (
      leap: (clock: ManualClock) => void,
    ): Promise<readonly [Outcome["kind"], readonly string[]]> => {
      const cloudClock = manualClock();
      const cloud = await cloudFor({
        clock: cloudClock,
        faults: [{ verb: "get", fault: { do: "slow", ms: 100 } }],
      });
      await create(cloud);
      const clock = manualClock();
      const guarded = { update: { path: "/machines/{id}", body: {}, ifMatch: "etag" } };
      const inputs = inputsFor(cloud.url, guarded);
      const intent = httpIntent("update", { inputs, id: "m-1", callBy: clock.now() + 1_000 });
      const calling = httpProvider(clock).update(intent, testIo());
      await cloudClock.sleeping(100);
      leap(clock);
      cloudClock.advance(100);
      return [(await calling).kind, cloud.log().map((entry) => entry.verb)];
    };
    const onTime = (clock: ManualClock): void => clock.advance(9_000);
    const byWall = (clock: ManualClock): void => clock.leapWall(10_500);
    const byMonotonic = (clock: ManualClock): void => {
      clock.advance(10_500);
      clock.leapWall(-10_500);
    };
    expect(await update(onTime)).toEqual(["done", ["create", "get", "update"]]);
    expect(await update(byWall)).toEqual(["refused", ["create", "get"]]);
    expect(await update(byMonotonic)).toEqual(["refused", ["create", "get"]]);
  });

  it("W1: an intent that was used is not used again", async () => {
    const cloud = await cloudFor();
    const intent = httpIntent("create", { inputs: inputsFor(cloud.url) });
    await provider.create(intent, testIo());
    await expect(provider.create(intent, testIo())).rejects.toThrow("never sent");
    expect(cloud.log()).toHaveLength(1);
  });

  it("inputs that went wrong when they were resolved, and an action that is not declared", async () => {
    const cloud = await cloudFor();
    expect((await create(cloud, { create: { path: "/machines", body: 1, id: "id" } })).kind).toBe("refused");
    const { destroy: _destroy, ...without } = inputsFor(cloud.url);
    expect(
      (await provider.destroy(httpIntent("destroy", { inputs: without, id: "m-1" }), testIo())).kind,
    ).toBe("refused");
    expect(
      (await provider.destroy(httpIntent("destroy", { inputs: inputsFor(cloud.url) }), testIo())).kind,
    ).toBe("refused");
    expect(cloud.log()).toEqual([]);
  });

  it.each(["..", ".", "", "%2e%2e", "a/../b"])(
    "an id that would move the path ('%s') never reaches another one",
    async (id) => {
      const cloud = await cloudFor();
      const outcome = await provider.destroy(
        httpIntent("destroy", { inputs: inputsFor(cloud.url), id }),
        testIo(),
      );
      const paths = cloud.log().map((entry) => entry.path);
      if (id === "%2e%2e" || id === "a/../b")
        expect(paths).toEqual([`/v1/machines/${encodeURIComponent(id)}`]);
      else expect([outcome.kind, paths]).toEqual(["refused", []]);
    },
  );
});

describe("429: turned away, and sent again as the server asks", () => {
  const limited = (retryAfter?: { seconds: number } | { dateInMs: number }): Fault => ({
    do: "status",
    status: 429,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  const calling = async (faults: readonly Fault[], waitsMs: readonly number[]) => {
    const clock = manualClock();
    const cloud = await cloudFor({
      clock,
      faults: faults.map((fault, index) => ({ nth: index + 1, fault })),
    });
    const intent = httpIntent("create", { inputs: inputsFor(cloud.url), callBy: clock.now() + 30_000 });
    const call = httpProvider(clock).create(intent, testIo({ deadlineMs: 600_000 }));
    for (const wait of waitsMs) {
      await clock.sleeping(wait);
      clock.advance(wait);
    }
    return { outcome: await call, cloud };
  };

  it("waits the seconds it asks for, then sends the very same request", async () => {
    const { outcome, cloud } = await calling([limited({ seconds: 7 })], [7_000]);
    expect(outcome.kind).toBe("done");
    expect(cloud.log().map((entry) => [entry.status, entry.key])).toEqual([
      [429, KEY],
      [201, KEY],
    ]);
  });

  it("waits until the date it names", async () => {
    expect((await calling([limited({ dateInMs: 5_000 })], [5_000])).outcome.kind).toBe("done");
  });

  it("doubles its own wait where none is named", async () => {
    const { outcome } = await calling([limited(), limited(), limited()], [1_000, 2_000, 4_000]);
    expect(outcome.kind).toBe("done");
  });

  it("N5: never sends again after the call-by: refused, and says how long the server asks to wait", async () => {
    const { outcome, cloud } = await calling([limited({ seconds: 31 })], []);
    expect(outcome.kind).toBe("refused");
    expect(reasonOf(outcome)).toContain("31 s");
    expect(cloud.log()).toHaveLength(1);
  });

  it("what comes after a 429 counts: a cut is unknown, a refused connection is refused", async () => {
    expect((await calling([limited({ seconds: 1 }), { do: "cut", at: "after" }], [1_000])).outcome.kind).toBe(
      "unknown",
    );
  });
});

describe("update and destroy", () => {
  const one = async (cloud: Cloud): Promise<string> => {
    const outcome = await create(cloud);
    return "id" in outcome ? (outcome.id ?? "") : "";
  };
  const update = (cloud: Cloud, id: string, more: JsonObject = {}): Promise<Outcome> =>
    provider.update(httpIntent("update", { inputs: inputsFor(cloud.url, more), id }), testIo());
  const destroy = (cloud: Cloud, id: string, more: JsonObject = {}): Promise<Outcome> =>
    provider.destroy(httpIntent("destroy", { inputs: inputsFor(cloud.url, more), id }), testIo());

  it("change what the id names, and return done", async () => {
    const cloud = await cloudFor();
    const id = await one(cloud);
    expect((await update(cloud, id)).kind).toBe("done");
    expect(cloud.objects()[0]?.body["size"]).toBe("l");
    expect((await destroy(cloud, id)).kind).toBe("done");
    expect(cloud.objects()).toEqual([]);
  });

  it("D3: 404 and 410 to a destroy are done (an observation decides), to an update refused", async () => {
    const cloud = await cloudFor();
    expect((await destroy(cloud, "m-9")).kind).toBe("done");
    expect((await update(cloud, "m-9")).kind).toBe("refused");
    expect((await destroy(await withFault({ do: "status", status: 410 }, "delete"), "m-9")).kind).toBe(
      "done",
    );
  });

  it.each<[Fault, Outcome["kind"]]>([
    [{ do: "cut", at: "after" }, "unknown"],
    [{ do: "status", status: 500 }, "unknown"],
    [{ do: "status", status: 409 }, "unknown"],
    [{ do: "status", status: 403 }, "refused"],
    [{ do: "garbage" }, "done"],
  ])("%o", async (fault, kind) => {
    const cloud = await cloudFor();
    const id = await one(cloud);
    cloud.setFaults([
      { verb: "update", fault },
      { verb: "delete", fault },
    ]);
    expect((await update(cloud, id)).kind).toBe(kind);
    expect((await destroy(cloud, id)).kind).toBe(kind);
  });

  it("ifMatch takes the ETag just before, and a change in between is a refusal", async () => {
    const cloud = await cloudFor();
    const id = await one(cloud);
    const guarded = { update: { path: "/machines/{id}", body: { size: "l" }, ifMatch: "etag" } };
    expect((await update(cloud, id, guarded)).kind).toBe("done");
    expect(cloud.log().at(-1)).toMatchObject({ verb: "update", ifMatch: '"v1"' });
    cloud.setFaults([{ verb: "update", fault: { do: "status", status: 412 } }]);
    expect((await update(cloud, id, guarded)).kind).toBe("refused");
  });

  it.each<[string, Fault]>([
    ["denied", { do: "status", status: 403 }],
    ["gone", { do: "status", status: 404 }],
    ["cut", { do: "cut", at: "before" }],
    ["without an ETag", { do: "status", status: 200 }],
    ["with a weak ETag", { do: "status", status: 200, headers: { etag: 'W/"1"' } }],
  ])("ifMatch: when the read is %s, nothing is sent", async (_name, fault) => {
    const cloud = await cloudFor();
    const id = await one(cloud);
    cloud.setFaults([{ verb: "get", fault }]);
    const guarded = { update: { path: "/machines/{id}", body: { size: "l" }, ifMatch: "etag" } };
    expect((await update(cloud, id, guarded)).kind).toBe("refused");
    expect(cloud.log().some((entry) => entry.verb === "update")).toBe(false);
  });

  it("ifMatch on a destroy of what is gone: done, nothing sent", async () => {
    const cloud = await cloudFor();
    const guarded = { destroy: { path: "/machines/{id}", ifMatch: "etag" } };
    expect((await destroy(cloud, "m-9", guarded)).kind).toBe("done");
    expect(cloud.log().map((entry) => entry.verb)).toEqual(["get"]);
  });

  it("a replacing update carries our key again, a patch does not touch other labels", async () => {
    const cloud = await cloudFor();
    const labelled = {
      key: { body: "/labels/asfound-key" },
      create: { path: "/machines", body: { labels: { team: "a" } }, id: "/id" },
    };
    const created = await create(cloud, labelled);
    const id = "id" in created ? (created.id ?? "") : "";
    expect(cloud.objects()[0]?.body["labels"]).toEqual({ team: "a", "asfound-key": KEY });
    await update(cloud, id, {
      ...labelled,
      update: { method: "PUT", path: "/machines/{id}", body: { size: "l" } },
    });
    expect(cloud.objects()[0]?.body).toMatchObject({ size: "l", labels: { "asfound-key": KEY } });
    await update(cloud, id, { ...labelled, update: { path: "/machines/{id}", body: { size: "m" } } });
    expect(cloud.objects()[0]?.body).toMatchObject({ size: "m", labels: { "asfound-key": KEY } });
  });

  it("compensate and owed send their requests; create says what is owed afterwards", async () => {
    const cloud = await cloudFor();
    expect(
      await provider.compensate(httpIntent("compensate", { inputs: inputsFor(cloud.url) }), testIo()),
    ).toMatchObject({ kind: "done" });
    expect(await provider.owed(httpIntent("owed", { inputs: inputsFor(cloud.url) }), testIo())).toMatchObject(
      { kind: "done" },
    );
    expect(cloud.objects().map((thing) => thing.kind)).toEqual(["shots", "restarts"]);
    const owing = { create: { path: "/machines", body: {}, id: "/id", owes: ["restart"] } };
    expect(await create(cloud, owing)).toMatchObject({ kind: "done", owes: ["restart"] });
  });
});

describe("202: accepted, and followed", () => {
  const operation = { async: "operation", workMs: 1_000 } as const;
  const byLocation = {
    create: {
      path: "/machines",
      body: {},
      id: "/id",
      poll: { pointer: "/status", done: ["succeeded"], failed: ["failed"], every: "50ms", id: "/target" },
    },
  };
  const byStatus = {
    create: {
      path: "/machines",
      body: {},
      id: { header: "location" },
      poll: {
        path: "/machines/{id}",
        pointer: "/status",
        done: ["ready"],
        failed: ["error"],
        every: "50ms",
        outputs: { ip: "/ip" },
      },
    },
  };
  const start = async (kind: "operation" | "status", inputs: JsonObject, faults: readonly Fault[] = []) => {
    const clock = manualClock();
    const cloud = await cloudFor({
      clock,
      kinds: { machines: { ...operation, async: kind } },
      faults: faults.map((fault) => ({ verb: "create" as const, fault })),
    });
    const io = testIo({ deadlineMs: 10_000 });
    const intent = httpIntent("create", {
      inputs: inputsFor(cloud.url, inputs),
      callBy: clock.now() + 30_000,
    });
    return { clock, cloud, io, calling: httpProvider(clock).create(intent, io) };
  };

  it("the operation's end names the object", async () => {
    const { clock, cloud, io, calling } = await start("operation", byLocation);
    await clock.sleeping(50);
    expect(io.ids).toEqual([]);
    clock.advance(1_000);
    expect(await calling).toEqual({ kind: "done", id: "m-1", outputs: {}, owes: [] });
    expect(cloud.log().filter((entry) => entry.verb === "create")).toHaveLength(1);
  });

  it("W7: an id in the Location is committed before anything else is asked", async () => {
    const { clock, cloud, io, calling } = await start("status", byStatus);
    await clock.sleeping(50);
    expect(io.ids[0]?.id).toBe("m-1");
    expect(cloud.log()).toHaveLength(1);
    clock.advance(1_000);
    expect(await calling).toMatchObject({ kind: "done", id: "m-1", outputs: { ip: "10.0.0.1" } });
  });

  it("W7: ... even while the body is still dripping, and it is kept when the body is cut", async () => {
    const cloud = await withFault({ do: "cut", at: "middle" });
    const io = testIo();
    const inputs = { create: { path: "/machines", body: { size: "s" }, id: { header: "location" } } };
    expect(await create(cloud, inputs, io)).toMatchObject({ kind: "unknown", id: "m-1" });
    expect(io.ids.map((one) => one.id)).toEqual(["m-1"]);
  });

  it("a Location that is followed names the work, never the thing", async () => {
    const named = { create: { ...byLocation.create, id: { header: "location" } } };
    const { clock, io, calling } = await start("operation", named);
    await clock.sleeping(50);
    expect(io.ids).toEqual([]);
    clock.advance(1_000);
    expect(await calling).toMatchObject({ kind: "done", id: "m-1" });
  });

  it("an id is not taken from the Location of an error", async () => {
    const headers = { location: "/errors/77" };
    const cloud = await withFault({ do: "status", status: 500, headers });
    const io = testIo();
    const inputs = { create: { path: "/machines", body: {}, id: { header: "location" } } };
    expect(await create(cloud, inputs, io)).toMatchObject({ kind: "unknown", id: null });
    expect(io.ids).toEqual([]);
  });

  it("work that ended well but names nothing: unknown", async () => {
    const nameless = {
      create: { ...byLocation.create, poll: { ...byLocation.create.poll, id: "/nothing" } },
    };
    const { clock, calling } = await start("operation", nameless);
    await clock.sleeping(50);
    clock.advance(1_000);
    expect(await calling).toMatchObject({ kind: "unknown", id: null });
  });

  it("work that ends badly: failed, with the id", async () => {
    const { clock, calling } = await start("status", byStatus, [{ do: "fail-later" }]);
    await clock.sleeping(50);
    clock.advance(1_000);
    expect(await calling).toMatchObject({ kind: "failed", id: "m-1", outputs: { ip: "10.0.0.1" } });
  });

  it("op-02: the deadline comes first: unknown, with the id", async () => {
    const { clock, calling } = await start("status", {
      create: { ...byStatus.create, poll: { ...byStatus.create.poll, done: ["never"] } },
    });
    await clock.sleeping(50);
    clock.advance(10_000);
    expect(await calling).toMatchObject({ kind: "unknown", id: "m-1" });
  });

  it("how it goes is denied: unknown, with the id; a failing read is asked again", async () => {
    const { clock, cloud, calling } = await start("status", byStatus);
    cloud.setFaults([
      { verb: "get", nth: 1, fault: { do: "status", status: 502 } },
      { verb: "get", nth: 2, fault: { do: "status", status: 403 } },
    ]);
    await clock.sleeping(50);
    clock.advance(50);
    await arrived(cloud, 2);
    await clock.sleeping(50);
    clock.advance(50);
    expect(await calling).toMatchObject({ kind: "unknown", id: "m-1" });
  });

  it("a destroy is followed too: to its operation's end, or until the thing is not there", async () => {
    for (const kind of ["operation", "status"] as const) {
      const clock = manualClock();
      const cloud = await cloudFor({ clock, kinds: { machines: { async: kind, workMs: 1_000 } } });
      await fetch(`${cloud.url}/v1/machines`, { method: "POST", body: "{}" });
      clock.advance(1_000);
      const poll =
        kind === "operation"
          ? { pointer: "/status", done: ["succeeded"], every: "50ms" }
          : { path: "/machines/{id}", pointer: "/status", done: ["gone"], every: "50ms" };
      const inputs = inputsFor(cloud.url, { destroy: { path: "/machines/{id}", poll } });
      const intent = httpIntent("destroy", { inputs, id: "m-1", callBy: clock.now() + 30_000 });
      const calling = httpProvider(clock).destroy(intent, testIo({ deadlineMs: 10_000 }));
      await clock.sleeping(50);
      clock.advance(1_000);
      expect((await calling).kind).toBe("done");
      expect(cloud.objects()).toEqual([]);
    }
  });

  it("a Location on another origin is not followed: unknown", async () => {
    const cloud = await withFault({
      do: "status",
      status: 202,
      after: true,
      headers: { location: "http://elsewhere.invalid/1" },
    });
    const outcome = await create(cloud, byLocation);
    expect(outcome.kind).toBe("unknown");
    expect(reasonOf(outcome)).toContain("another origin");
  });

  it("202 without 'poll': done where it names its id, else unknown", async () => {
    const accepted = (body: JsonObject): Fault => ({ do: "status", status: 202, after: true, body });
    expect((await create(await withFault(accepted({ id: "m-1" })))).kind).toBe("done");
    expect((await create(await withFault(accepted({})))).kind).toBe("unknown");
  });
});

describe("the table", () => {
  it("has every class that the provider can say, each with its sentence", () => {
    const classes: readonly ReplyClass[] = Object.keys(PROOF) as ReplyClass[];
    expect(classes).toHaveLength(17);
    for (const name of classes) expect(PROOF[name].because, name).toMatch(/^[a-z]/);
  });
});
