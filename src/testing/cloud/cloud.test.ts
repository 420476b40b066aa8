/** Controls: every switch of the cloud really does what it says, and the cloud without it does not. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { arrived, cloudFor, manualClock, spawnCloud } from "../../../test/support/cloud.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Cloud } from "./cloud.ts";
import type { Fault, Verb } from "./fault.ts";

interface Got {
  /** null: the connection was cut before a status came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The reply ended as it should. */
  readonly whole: boolean;
  readonly chunks: number;
}

const call = (
  cloud: { url: string },
  method: string,
  path: string,
  body?: JsonObject,
  headers = {},
): Promise<Got> =>
  new Promise((resolve) => {
    const outgoing = request(cloud.url + path, { method, headers, agent: new Agent({ keepAlive: false }) });
    outgoing.on("error", () => resolve({ status: null, headers: {}, text: "", whole: false, chunks: 0 }));
    outgoing.on("response", (message) => {
      let text = "";
      let chunks = 0;
      message.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        chunks += 1;
      });
      message.on("error", () => undefined);
      message.on("close", () =>
        resolve({
          status: message.statusCode ?? null,
          headers: message.headers,
          text,
          whole: message.complete,
          chunks,
        }),
      );
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** What comes back for these bytes until the connection is closed, or is quiet for a while. */
const raw = (cloud: Cloud, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(cloud.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    socket.setTimeout(500, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });

const create = (cloud: Cloud, body: JsonObject = { size: "s" }): Promise<Got> =>
  call(cloud, "POST", "/v1/machines", body);
const withFault = (fault: Fault, verb: Verb = "create"): Promise<Cloud> =>
  cloudFor({ faults: [{ kind: "machines", verb, nth: 1, fault }] });
const made = (cloud: Cloud): number =>
  cloud
    .log()
    .flatMap((entry) => entry.effects)
    .filter((effect) => effect.what === "created").length;

describe("the cloud as it should be (the control of every fault)", () => {
  it("creates, shows, changes and deletes, and logs each with what it changed", async () => {
    const cloud = await cloudFor();
    const created = await create(cloud, { size: "s", labels: { "asfound-key": "k1" } });
    expect(created).toMatchObject({ status: 201, whole: true });
    const { id } = JSON.parse(created.text);
    expect(created.headers["location"]).toBe(`/v1/machines/${id}`);
    const shown = await call(cloud, "GET", `/v1/machines/${id}`);
    expect(JSON.parse(shown.text)).toMatchObject({ id, size: "s", status: "ready" });
    expect((await call(cloud, "PATCH", `/v1/machines/${id}`, { size: "l" })).status).toBe(200);
    expect((await call(cloud, "DELETE", `/v1/machines/${id}`)).status).toBe(204);
    expect((await call(cloud, "GET", `/v1/machines/${id}`)).status).toBe(404);
    expect(cloud.objects()).toEqual([]);
    expect(
      cloud.log().map((entry) => [entry.verb, entry.status, entry.key, entry.effects.map((e) => e.what)]),
    ).toEqual([
      ["create", 201, "k1", ["created"]],
      ["get", 200, null, []],
      ["update", 200, null, ["updated"]],
      ["delete", 204, null, ["deleted"]],
      ["get", 404, null, []],
    ]);
  });

  it("never gives an id twice", async () => {
    const cloud = await cloudFor();
    const first = JSON.parse((await create(cloud)).text);
    await call(cloud, "DELETE", `/v1/machines/${first.id}`);
    expect(JSON.parse((await create(cloud)).text).id).not.toBe(first.id);
  });

  it("honours If-Match", async () => {
    const cloud = await cloudFor();
    const { id } = JSON.parse((await create(cloud)).text);
    const { etag } = (await call(cloud, "GET", `/v1/machines/${id}`)).headers;
    expect(
      (await call(cloud, "PATCH", `/v1/machines/${id}`, { size: "l" }, { "if-match": etag })).status,
    ).toBe(200);
    expect(
      (await call(cloud, "PATCH", `/v1/machines/${id}`, { size: "m" }, { "if-match": etag })).status,
    ).toBe(412);
    expect((await call(cloud, "DELETE", `/v1/machines/${id}`, undefined, { "if-match": etag })).status).toBe(
      412,
    );
    expect(cloud.objects("machines")[0]?.body["size"]).toBe("l");
  });

  it("pages its lists, names the next page twice, and filters by label", async () => {
    const cloud = await cloudFor({ kinds: { machines: { pageSize: 2 } } });
    for (const owner of ["a", "b", "a", "a"]) await create(cloud, { labels: { owner } });
    const first = await call(cloud, "GET", "/v1/machines?label=owner=a");
    const { items, next } = JSON.parse(first.text);
    expect(items).toHaveLength(2);
    expect(first.headers["link"]).toBe(`<${next}>; rel="next"`);
    const second = JSON.parse((await call(cloud, "GET", next)).text);
    expect(second).toMatchObject({ items: [{ labels: { owner: "a" } }], next: null });
  });

  it("deletes what a parent contains, through all levels, and nothing else", async () => {
    const cloud = await cloudFor();
    const { id } = JSON.parse((await create(cloud)).text);
    await create(cloud);
    const disk = JSON.parse((await call(cloud, "POST", "/v1/disks", { parent: `machines/${id}` })).text);
    await call(cloud, "POST", "/v1/shots", { parent: `disks/${disk.id}` });
    expect((await call(cloud, "POST", "/v1/disks", { parent: "machines/none" })).status).toBe(422);
    await call(cloud, "DELETE", `/v1/machines/${id}`);
    expect(cloud.objects().map((thing) => thing.kind)).toEqual(["machines"]);
  });

  it("asks for its token", async () => {
    const cloud = await cloudFor({ token: "t" });
    expect((await create(cloud)).status).toBe(401);
    expect((await call(cloud, "POST", "/v1/machines", {}, { authorization: "Bearer t" })).status).toBe(201);
  });
});

describe("keys", () => {
  const twice = async (cloud: Cloud, second: JsonObject = { size: "s" }): Promise<readonly Got[]> => [
    await call(cloud, "POST", "/v1/machines", { size: "s" }, { "idempotency-key": "k" }),
    await call(cloud, "POST", "/v1/machines", second, { "idempotency-key": "k" }),
  ];

  it("replays the first reply to a key seen before, and refuses another body with it", async () => {
    const cloud = await cloudFor();
    const [first, second] = await twice(cloud);
    expect(second?.text).toBe(first?.text);
    expect(made(cloud)).toBe(1);
    expect(cloud.log()[1]?.replayed).toBe(true);
    expect((await twice(cloud, { size: "l" }))[1]?.status).toBe(422);
  });

  it("keys: ignore makes a second object", async () => {
    const cloud = await cloudFor({ kinds: { machines: { keys: "ignore" } } });
    await twice(cloud);
    expect(cloud.objects()).toHaveLength(2);
  });

  it("uniqueNames answers 409 to a name that is taken", async () => {
    const cloud = await cloudFor({ kinds: { machines: { uniqueNames: true } } });
    await create(cloud, { name: "web" });
    expect((await create(cloud, { name: "web" })).status).toBe(409);
    expect((await create(cloud, { name: "db" })).status).toBe(201);
  });
});

describe("a PUT to an id that is not there", () => {
  it("is 404, or makes it under that id where `puts` says so", async () => {
    const strict = await cloudFor();
    expect((await call(strict, "PUT", "/v1/machines/one", { size: "s" })).status).toBe(404);
    const cloud = await cloudFor({ kinds: { machines: { puts: "create" } } });
    expect((await call(cloud, "PUT", "/v1/machines/one", { size: "s" })).status).toBe(201);
    expect((await call(cloud, "PUT", "/v1/machines/one", { size: "l" })).status).toBe(200);
    expect(cloud.objects()).toMatchObject([{ id: "one", body: { size: "l" } }]);
    expect((await call(cloud, "PATCH", "/v1/machines/two", { size: "l" })).status).toBe(404);
  });
});

describe("asynchronous kinds", () => {
  it("operation: 202 without the object's id, which its operation names at the end", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, kinds: { machines: { async: "operation", workMs: 1_000 } } });
    const accepted = await create(cloud);
    const path = String(accepted.headers["location"]);
    expect(accepted.status).toBe(202);
    expect(JSON.parse((await call(cloud, "GET", path)).text)).not.toHaveProperty("target");
    clock.advance(1_000);
    expect(JSON.parse((await call(cloud, "GET", path)).text)).toMatchObject({
      status: "succeeded",
      target: cloud.objects()[0]?.id,
    });
  });

  it("status: provisioning, then ready; deleting, then gone", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, kinds: { machines: { async: "status", workMs: 1_000 } } });
    const path = String((await create(cloud)).headers["location"]);
    const state = async (): Promise<unknown> => JSON.parse((await call(cloud, "GET", path)).text).status;
    expect(await state()).toBe("provisioning");
    clock.advance(1_000);
    expect(await state()).toBe("ready");
    expect((await call(cloud, "DELETE", path)).status).toBe(202);
    expect(await state()).toBe("deleting");
    clock.advance(1_000);
    expect((await call(cloud, "GET", path)).status).toBe(404);
  });

  it("fail-later ends in error", async () => {
    const cloud = await cloudFor({
      kinds: { machines: { async: "operation" } },
      faults: [{ verb: "create", fault: { do: "fail-later" } }],
    });
    const path = String((await create(cloud)).headers["location"]);
    expect(JSON.parse((await call(cloud, "GET", path)).text).status).toBe("failed");
    expect(cloud.objects()[0]?.body["status"]).toBe("error");
  });
});

describe("faults", () => {
  it("meet only their kind, verb and turn", async () => {
    const cloud = await cloudFor({
      faults: [{ kind: "machines", verb: "create", nth: [2], fault: { do: "status", status: 500 } }],
    });
    expect((await create(cloud)).status).toBe(201);
    expect((await call(cloud, "POST", "/v1/disks", {})).status).toBe(201);
    expect((await create(cloud)).status).toBe(500);
    expect((await create(cloud)).status).toBe(201);
    expect(cloud.log().map((entry) => entry.faults)).toEqual([[], [], ["status"], []]);
  });

  it("cut before: nothing is made", async () => {
    const cloud = await withFault({ do: "cut", at: "before" });
    expect((await create(cloud)).status).toBeNull();
    expect(made(cloud)).toBe(0);
    expect(cloud.log()[0]?.status).toBeNull();
  });

  it("cut after: it is made, and no reply comes", async () => {
    const cloud = await withFault({ do: "cut", at: "after" });
    expect((await create(cloud)).status).toBeNull();
    expect(made(cloud)).toBe(1);
  });

  it("cut in the middle: a status, half a body", async () => {
    const cloud = await withFault({ do: "cut", at: "middle" });
    const got = await create(cloud);
    expect(got).toMatchObject({ status: 201, whole: false });
    expect(() => JSON.parse(got.text)).toThrow();
    expect(made(cloud)).toBe(1);
  });

  it("late: the connection is cut first, the object comes later", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({ clock, faults: [{ nth: 1, fault: { do: "late", ms: 5_000 } }] });
    expect((await create(cloud)).status).toBeNull();
    await clock.sleeping(5_000);
    expect(made(cloud)).toBe(0);
    clock.advance(5_000);
    await expect.poll(() => made(cloud)).toBe(1);
  });

  it("status: instead of the effect, or after it", async () => {
    const cloud = await cloudFor({
      faults: [
        { nth: 1, fault: { do: "status", status: 403 } },
        { nth: 2, fault: { do: "status", status: 500, after: true, body: { oops: true } } },
      ],
    });
    expect((await create(cloud)).status).toBe(403);
    expect(made(cloud)).toBe(0);
    expect(await create(cloud)).toMatchObject({ status: 500, text: '{"oops":true}' });
    expect(made(cloud)).toBe(1);
  });

  it("status with Retry-After, as seconds and as a date", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({
      clock,
      faults: [
        { nth: 1, fault: { do: "status", status: 429, retryAfter: { seconds: 7 } } },
        { nth: 2, fault: { do: "status", status: 429, retryAfter: { dateInMs: 7_000 } } },
      ],
    });
    expect((await create(cloud)).headers["retry-after"]).toBe("7");
    expect(Date.parse(String((await create(cloud)).headers["retry-after"])) - clock.now()).toBe(7_000);
  });

  it("slow: before the effect, and after it", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({
      clock,
      faults: [
        { nth: 1, fault: { do: "slow", ms: 100 } },
        { nth: 2, fault: { do: "slow", ms: 200, after: true } },
      ],
    });
    const first = create(cloud);
    await clock.sleeping(100);
    expect(made(cloud)).toBe(0);
    clock.advance(100);
    expect((await first).status).toBe(201);
    const second = create(cloud);
    await clock.sleeping(200);
    expect(made(cloud)).toBe(2);
    clock.advance(200);
    expect((await second).status).toBe(201);
  });

  it("hang: before the effect, and after it, until the cloud closes", async () => {
    const cloud = await cloudFor({
      faults: [
        { nth: 1, fault: { do: "hang" } },
        { nth: 2, fault: { do: "hang", after: true } },
      ],
    });
    const hanging = [create(cloud)];
    await arrived(cloud, 1);
    hanging.push(create(cloud));
    await expect.poll(() => made(cloud)).toBe(1);
    await cloud.close();
    expect((await Promise.all(hanging)).map((got) => got.status)).toEqual([null, null]);
  });

  it("stale: a list and a GET show the world as it was", async () => {
    const clock = manualClock();
    const cloud = await cloudFor({
      clock,
      faults: [
        { verb: "list", fault: { do: "stale", ms: 1_000 } },
        { verb: "get", fault: { do: "stale", ms: 1_000 } },
      ],
    });
    const look = async (): Promise<readonly unknown[]> => [
      JSON.parse((await call(cloud, "GET", "/v1/machines")).text).items.length,
      (await call(cloud, "GET", "/v1/machines/m-1")).status,
    ];
    await create(cloud);
    expect(await look()).toEqual([0, 404]);
    clock.advance(1_000);
    expect(await look()).toEqual([1, 200]);
    await call(cloud, "DELETE", "/v1/machines/m-1");
    clock.advance(999);
    expect(await look()).toEqual([1, 200]);
    clock.advance(1);
    expect(await look()).toEqual([0, 404]);
  });

  it("partial: leaves outputs out of the reply, not of the object", async () => {
    const cloud = await withFault({ do: "partial", without: ["ip"] });
    expect(JSON.parse((await create(cloud)).text)).not.toHaveProperty("ip");
    expect(cloud.objects()[0]?.body).toHaveProperty("ip");
  });

  it("garbage, huge and another content type, after the effect", async () => {
    const cloud = await cloudFor({
      faults: [
        { nth: 1, fault: { do: "garbage" } },
        { nth: 2, fault: { do: "huge", bytes: 100_000 } },
        { nth: 3, fault: { do: "content-type", type: "text/html" } },
      ],
    });
    const garbage = await create(cloud);
    expect(() => JSON.parse(garbage.text)).toThrow();
    expect((await create(cloud)).text.length).toBeGreaterThan(100_000);
    expect((await create(cloud)).headers["content-type"]).toBe("text/html");
    expect(made(cloud)).toBe(3);
  });

  it("drip: a few bytes at a time", async () => {
    const cloud = await withFault({ do: "drip", bytes: 10, everyMs: 5 });
    const got = await create(cloud);
    expect(JSON.parse(got.text)).toHaveProperty("id");
    expect(got.chunks).toBeGreaterThan(2);
  });

  it("redirect: elsewhere, and nothing is made", async () => {
    const cloud = await withFault({ do: "redirect", to: "/v1/other", status: 308 });
    expect(await create(cloud)).toMatchObject({ status: 308, headers: { location: "/v1/other" } });
    expect(made(cloud)).toBe(0);
  });

  it("status after the effect names what was made, where it is told to (op-20)", async () => {
    const told = await withFault({ do: "status", status: 500, after: true, tellsId: true });
    expect(JSON.parse((await create(told)).text)).toHaveProperty("id", told.objects()[0]?.id);
    const silent = await withFault({ do: "status", status: 500, after: true });
    expect(JSON.parse((await create(silent)).text)).not.toHaveProperty("id");
  });

  it("repeat: the effect twice, but for a key that is known", async () => {
    const cloud = await withFault({ do: "repeat" });
    expect((await create(cloud)).status).toBe(201);
    expect(cloud.objects()).toHaveLength(2);
    expect(cloud.log()).toMatchObject([{ effects: [{ what: "created" }, { what: "created" }] }]);
    const keyed = await withFault({ do: "repeat" });
    await call(keyed, "POST", "/v1/machines", { size: "s" }, { "idempotency-key": "k" });
    expect(keyed.objects()).toHaveLength(1);
  });

  it("reply-twice: a second reply on the same connection, one effect", async () => {
    const cloud = await withFault({ do: "reply-twice" });
    const got = await raw(cloud, "POST /v1/machines HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}");
    expect(got.match(/HTTP\/1\.1 201 /g)).toHaveLength(2);
    expect(made(cloud)).toBe(1);
    const plain = await cloudFor();
    const once = await raw(
      plain,
      "POST /v1/machines HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
    );
    expect(once.match(/HTTP\/1\.1 201 /g)).toHaveLength(1);
  });

  it("echo: says back what it was sent, and makes nothing (op-25)", async () => {
    const cloud = await withFault({ do: "echo" });
    const got = await call(
      cloud,
      "POST",
      "/v1/machines",
      { password: "hunter2" },
      { authorization: "Bearer hunter3" },
    );
    expect(got.status).toBe(400);
    expect(got.text).toMatch(/hunter2/);
    expect(got.text).toMatch(/hunter3/);
    expect(made(cloud)).toBe(0);
  });

  it("loose-filter shows others' objects; next leads where it is told", async () => {
    const cloud = await cloudFor();
    await create(cloud, { labels: { k: "asf-1" } });
    await create(cloud, { labels: { k: "asf-2" } });
    const list = async (): Promise<{ items: unknown[]; next: string | null }> =>
      JSON.parse((await call(cloud, "GET", "/v1/machines?label=k=asf-1")).text);
    expect((await list()).items).toHaveLength(1);
    cloud.setFaults([
      { verb: "list", fault: { do: "loose-filter" } },
      { verb: "list", fault: { do: "next", url: "http://elsewhere.invalid/" } },
    ]);
    expect(await list()).toMatchObject({ items: [{}, {}], next: "http://elsewhere.invalid/" });
  });

  it("refuse: connections are refused until accept, at the same address", async () => {
    const cloud = await cloudFor();
    await cloud.refuse();
    expect((await create(cloud)).status).toBeNull();
    expect(cloud.log()).toEqual([]);
    await cloud.accept();
    expect((await create(cloud)).status).toBe(201);
  });
});

describe("in a process of its own", () => {
  it("is directed over its admin listener, and ends when its stdin closes", async () => {
    const cloud = await spawnCloud({ kinds: { machines: { uniqueNames: true } } });
    await cloud.setFaults([{ verb: "create", nth: 1, fault: { do: "cut", at: "after" } }]);
    expect((await call(cloud, "POST", "/v1/machines", { name: "a" })).status).toBeNull();
    expect(await cloud.objects()).toHaveLength(1);
    expect(await cloud.log()).toMatchObject([
      { verb: "create", status: null, effects: [{ what: "created" }] },
    ]);
    await cloud.refuse();
    expect((await call(cloud, "GET", "/v1/machines")).status).toBeNull();
    await cloud.accept();
    expect((await call(cloud, "GET", "/v1/machines")).status).toBe(200);
    expect(await cloud.end()).toBe(0);
  });

  it("ends on TERM", async () => {
    const cloud = await spawnCloud();
    process.kill(cloud.pid, "SIGTERM");
    await expect.poll(() => call(cloud, "GET", "/v1/machines").then((got) => got.status)).toBeNull();
  });
});
