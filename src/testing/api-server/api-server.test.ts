/** The fake API server does each wrong thing that it is told to, to the requests it is told of, and nothing of it else. */
import { request } from "node:https";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { realClock } from "../cloud/real-clock.ts";
import type { ApiServer, ApiServerOptions } from "./api-server.ts";
import type { ApiFault } from "./fault.ts";
import { startApiServer } from "./start.ts";

const start = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await startApiServer(options);
  onTestFinished(() => server.close());
  for (const name of ["a", "b", "c"])
    server.put({ resource: "configmaps", namespace: "shop", name }, { data: { name } });
  return server;
};

interface Seen {
  /** What broke it; null: nothing. */
  readonly broke: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

const MAPS = "/api/v1/namespaces/shop/configmaps";
interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives up after so long. */
  readonly patienceMs?: number;
}
const ask = (
  server: ApiServer,
  { method = "GET", path = `${MAPS}/a`, body, headers = {}, patienceMs = 30_000 }: Ask = {},
): Promise<Seen> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [status, received]: [number, Readonly<Record<string, unknown>>] = [0, {}];
    const end = (broke: string | null): void =>
      resolve({ broke, status, headers: received, bytes: Buffer.concat(chunks) });
    const { hostname, port } = new URL(server.url);
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const sent = request({
      method,
      hostname,
      port,
      path,
      ca: server.ca,
      agent: false,
      headers: {
        authorization: "Bearer admin-token",
        ...(bytes === null ? {} : { "content-length": String(bytes.length) }),
        ...headers,
      },
    });
    const timer = setTimeout(() => {
      end("nothing came");
      sent.destroy();
    }, patienceMs);
    sent.on("error", () => end("cut"));
    sent.on("close", () => clearTimeout(timer));
    sent.on("response", (response) => {
      [status, received] = [response.statusCode ?? 0, response.headers];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => end("cut"));
      response.on("end", () => end(null));
    });
    sent.end(bytes ?? undefined);
  });
const textOf = ({ bytes }: Seen): string => bytes.toString("utf8");
const jsonOf = (seen: Seen): JsonObject => JSON.parse(textOf(seen));
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const itemsIn = (seen: Seen): number => (jsonOf(seen)["items"] as readonly unknown[]).length;

/** A fault, how it is asked for, and whether it shows. A new fault does not compile without a line here. */
const SHOWS: {
  readonly [D in ApiFault["do"]]: {
    readonly fault: Extract<ApiFault, { readonly do: D }>;
    readonly ask?: Ask;
    /** `slept`: how long the server slept, each time. */
    shows(seen: Seen, slept: readonly number[]): boolean;
  };
} = {
  slow: { fault: { do: "slow", ms: 150 }, shows: (_seen, slept) => slept.includes(150) },
  hang: { fault: { do: "hang" }, ask: { patienceMs: 150 }, shows: ({ broke }) => broke === "nothing came" },
  cut: { fault: { do: "cut", at: "middle" }, shows: ({ broke }) => broke === "cut" },
  half: { fault: { do: "half" }, shows: (seen) => seen.broke === null && !isJson(textOf(seen)) },
  reply: {
    fault: { do: "reply", body: "<html>", status: 418 },
    shows: (seen) => seen.status === 418 && textOf(seen) === "<html>",
  },
  redirect: {
    fault: { do: "redirect", to: "/x" },
    shows: ({ status, headers }) => status === 302 && headers["location"] === "/x",
  },
  throttle: {
    fault: { do: "throttle", retryAfter: "3" },
    shows: ({ status, headers }) => status === 429 && headers["retry-after"] === "3",
  },
  unavailable: {
    fault: { do: "unavailable", retryAfter: null },
    shows: (seen) => seen.status === 503 && textOf(seen) === "service unavailable\n",
  },
  stale: { fault: { do: "stale", revisions: 1 }, ask: { path: MAPS }, shows: (seen) => itemsIn(seen) === 2 },
  twist: {
    fault: { do: "twist", patch: { kind: "Secret", metadata: null } },
    shows: (seen) => jsonOf(seen)["kind"] === "Secret" && !("metadata" in jsonOf(seen)),
  },
  shorten: {
    fault: { do: "shorten", items: 1, silent: true },
    ask: { path: MAPS },
    shows: (seen) => itemsIn(seen) === 1 && !textOf(seen).includes("remaining"),
  },
  expire: {
    fault: { do: "expire" },
    ask: { path: `${MAPS}?limit=1&continue=${Buffer.from('{"revision":3,"from":1}').toString("base64url")}` },
    shows: ({ status }) => status === 410,
  },
  circle: {
    fault: { do: "circle" },
    ask: { path: `${MAPS}?limit=1` },
    shows: (seen) =>
      Buffer.from(String((jsonOf(seen)["metadata"] as JsonObject)["continue"]), "base64url")
        .toString()
        .includes('"from":0'),
  },
  huge: {
    fault: { do: "huge", bytes: 100_000, gzip: true },
    shows: ({ bytes, headers }) =>
      headers["content-encoding"] === "gzip" && bytes.length < 10_000 && gunzipSync(bytes).length > 100_000,
  },
  encoding: {
    fault: { do: "encoding", name: "br" },
    shows: (seen) => seen.headers["content-encoding"] === "br" && isJson(textOf(seen)),
  },
  skew: {
    fault: { do: "skew", ms: -86_400_000 },
    shows: ({ headers }) => Date.now() - Date.parse(String(headers["date"])) > 80_000_000,
  },
  drip: {
    fault: { do: "drip", bytes: 50, everyMs: 40 },
    shows: ({ broke }, slept) => broke === null && slept.filter((ms) => ms === 40).length > 2,
  },
};

describe("the fake API server's faults", () => {
  it.each(Object.entries(SHOWS))(
    "%s shows, and without it nothing does",
    async (_name, { fault, ask: how, shows }) => {
      const slept: number[] = [];
      const clock = { now: realClock.now, sleep: async (ms: number) => void slept.push(ms) };
      const server = await start({ clock, faults: [{ nth: 1, fault }] });
      expect(shows(await ask(server, how), slept)).toBe(true);
      slept.length = 0;
      const { patienceMs: _patienceMs, ...patient } = how ?? {};
      expect(shows(await ask(server, patient), slept)).toBe(false);
      expect(server.log().map(({ faults }) => faults)).toEqual([[fault.do], []]);
    },
  );

  it("meets only what its rule names", async () => {
    const fault: ApiFault = { do: "reply", body: "", status: 500 };
    const server = await start({
      faults: [{ verb: "list", resource: "configmaps", path: MAPS, nth: [2], fault }],
    });
    const statuses: number[] = [];
    for (const path of [MAPS, `${MAPS}/a`, "/api/v1/namespaces/shop/pods", MAPS, MAPS, "/apis"])
      statuses.push((await ask(server, { path })).status);
    expect(statuses).toEqual([200, 200, 200, 500, 200, 200]);
  });

  it.each(["before", "after"] as const)("a connection that is cut %s the effect", async (at) => {
    const server = await start({ faults: [{ verb: "delete", fault: { do: "cut", at } }] });
    expect(await ask(server, { method: "DELETE" })).toMatchObject({ broke: "cut" });
    expect(server.get({ resource: "configmaps", namespace: "shop", name: "a" }) === undefined).toBe(
      at === "after",
    );
    expect(server.log().at(-1)).toMatchObject({
      status: null,
      effect: at === "after" ? { what: "deleted", name: "a" } : null,
    });
  });

  it("an error after the effect is an error all the same", async () => {
    const server = await start({
      faults: [{ verb: "create", fault: { do: "reply", body: "", status: 500, after: true } }],
    });
    const body = { metadata: { name: "new" } };
    expect(await ask(server, { method: "POST", path: MAPS, body })).toMatchObject({ status: 500 });
    expect(server.get({ resource: "configmaps", namespace: "shop", name: "new" })).toBeDefined();
  });
});

describe("the fake API server", () => {
  it("gives each incarnation a UID of its own, and each change a resourceVersion", async () => {
    const server = await start();
    const place = { resource: "configmaps", namespace: "shop", name: "a" };
    const before = server.get(place)?.["metadata"] as JsonObject;
    server.remove(place);
    const after = server.put(place, {})["metadata"] as JsonObject;
    expect(after["uid"]).not.toBe(before["uid"]);
    expect(Number(after["resourceVersion"])).toBe(Number(before["resourceVersion"]) + 4);
  });

  it("refuses who is refused, and closes", async () => {
    const server = await start();
    await server.refuse();
    expect(await ask(server)).toMatchObject({ broke: "cut" });
    await server.accept();
    expect(await ask(server)).toMatchObject({ status: 200 });
  });

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ["nobody", { authorization: "" }, 401],
    ["a stranger", { authorization: "Bearer x" }, 401],
    ["an administrator who is somebody else for once", { "impersonate-user": "guest" }, 403],
  ])("%s is not let in", async (_name, headers, status) => {
    expect(await ask(await start(), { headers })).toMatchObject({ status });
  });

  it("rules allow what they name, by name too, and nothing else", async () => {
    const server = await start({
      users: [
        {
          name: "reader",
          token: "admin-token",
          rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs: ["get"] }],
          inNamespace: { shop: [{ apiGroups: ["*"], resources: ["pods"], verbs: ["*"] }] },
        },
      ],
    });
    const statusOf = async (path: string, method = "GET") => (await ask(server, { path, method })).status;
    expect(await statusOf(`${MAPS}/a`)).toBe(200);
    expect(await statusOf(`${MAPS}/b`)).toBe(403);
    expect(await statusOf(MAPS)).toBe(403);
    expect(await statusOf(`${MAPS}/a`, "DELETE")).toBe(403);
    expect(await statusOf("/api/v1/namespaces/shop/pods")).toBe(200);
    expect(await statusOf("/api/v1/namespaces/other/pods")).toBe(403);
    expect(await statusOf("/metrics")).toBe(403);
  });

  it("who may ask for a path may ask for that one", async () => {
    const rules = [{ nonResourceURLs: ["/version", "/healthz/*"], verbs: ["get"] }];
    const server = await start({ users: [{ name: "probe", token: "admin-token", rules }] });
    const statusOf = async (path: string) => (await ask(server, { path })).status;
    // It serves neither, but says so only to who may ask.
    expect([await statusOf("/version"), await statusOf("/healthz/etcd"), await statusOf("/metrics")]).toEqual(
      [404, 404, 403],
    );
  });

  it("a change of a body that is none, or of a kind it does not take, is refused", async () => {
    const server = await start();
    const patch = (type: string, body: JsonObject): Promise<Seen> =>
      ask(server, { method: "PATCH", headers: { "content-type": type }, body });
    expect(await patch("application/json-patch+json", {})).toMatchObject({ status: 415 });
    expect(await patch("application/merge-patch+json", { data: { x: "y" } })).toMatchObject({ status: 200 });
    expect(await ask(server, { method: "POST", path: MAPS })).toMatchObject({ status: 400 });
    expect(await ask(server, { method: "PUT", path: `${MAPS}/a` })).toMatchObject({ status: 400 });
    expect(await ask(server, { method: "DELETE", path: `${MAPS}/zzz` })).toMatchObject({ status: 404 });
  });

  it("two versions of one resource are one object", async () => {
    const server = await start();
    server.put({ resource: "widgets.example.com", namespace: "shop", name: "w" }, { spec: {} });
    const of = async (version: string): Promise<JsonObject> =>
      jsonOf(await ask(server, { path: `/apis/example.com/${version}/namespaces/shop/widgets/w` }));
    const [one, other] = [await of("v1"), await of("v1beta1")];
    expect([one["apiVersion"], other["apiVersion"]]).toEqual(["example.com/v1", "example.com/v1beta1"]);
    expect(one["metadata"]).toEqual(other["metadata"]);
  });
});
