/** Lists in pages: whole and of one moment, or no list at all. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ListReading } from "../../src/ports/cluster.ts";
import type { ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import {
  allInShop,
  apiServerFor,
  CONFIG_MAPS,
  type Fake,
  fakeCluster,
  kubeconfigFile,
  openedCluster,
  roundWith,
} from "../support/cluster.ts";

const LIST = { verb: "list", resource: "configmaps" } as const;

/** A namespace with so many ConfigMaps. */
const shopOf = async (count: number, faults: readonly ApiFaultRule[] = []): Promise<Fake> => {
  const fake = await fakeCluster();
  for (let index = 0; index < count; index += 1)
    fake.server.put({ resource: "configmaps", namespace: "shop", name: `c-${index}` }, { data: {} });
  fake.server.setFaults(faults);
  return fake;
};
const listed = ({ cluster }: Fake): Promise<ListReading> => roundWith(cluster).list(allInShop(CONFIG_MAPS));
const namesIn = (reading: ListReading): readonly unknown[] =>
  reading.kind === "observed" ? reading.items.map((item) => (item["metadata"] as JsonObject)["name"]) : [];
const queries = ({ server }: Fake): readonly string[] =>
  server.log().map(({ path }) => {
    const query = new URL(path, "https://x").searchParams;
    return `${query.get("limit") ?? "all"}${query.has("continue") ? " continued" : ""}`;
  });

describe("a list in pages", () => {
  it.each([0, 1, 499, 500, 501, 1_000, 1_001])("of %i objects is whole, each of them once", async (count) => {
    const fake = await shopOf(count);
    const reading = await listed(fake);
    expect(new Set(namesIn(reading)).size).toBe(count);
    expect(namesIn(reading)).toHaveLength(count);
    expect(queries(fake)).toHaveLength(Math.max(1, Math.ceil(count / 500)));
  });

  it("a page asked for ahead of one that is none is ended, never waited for, and told", async () => {
    const fake = await shopOf(600, [
      { ...LIST, nth: 1, fault: { do: "twist", patch: { items: [{}] } } },
      { ...LIST, nth: 2, fault: { do: "hang" } },
    ]);
    // Whoever waits for it waits longer than a test may take.
    const reading = await roundWith(fake.cluster, 3_600_000).list(allInShop(CONFIG_MAPS));
    expect(reading).toMatchObject({ kind: "failed", reason: "wrong-kind" });
    expect(reading.exchanges.map(({ status }) => status)).toEqual([200, null]);
  });

  it("a token that is not where the server writes it is found all the same", async () => {
    const fake = await shopOf(0);
    const item = (name: string) => ({ metadata: { name, namespace: "shop" } });
    const page = (name: string, token: string): string =>
      JSON.stringify({
        items: [item(name)],
        metadata: { continue: token, resourceVersion: "7" },
        kind: "ConfigMapList",
        apiVersion: "v1",
      });
    fake.server.setFaults([
      { ...LIST, nth: 1, fault: { do: "reply", body: page("first", "next") } },
      { ...LIST, nth: 2, fault: { do: "reply", body: page("second", "") } },
    ]);
    expect(namesIn(await listed(fake))).toEqual(["first", "second"]);
    expect(queries(fake)).toEqual(["500", "500 continued"]);
  });

  it("what was asked for ahead counts only if the page, read whole, leads there", async () => {
    const fake = await shopOf(0);
    const path = "/api/v1/namespaces/shop/configmaps?limit=500";
    const page = (name: string, tokens: string): string =>
      `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"${tokens}},"items":[{"metadata":{"name":"${name}","namespace":"shop"}}]}`;
    fake.server.setFaults([
      { ...LIST, path: `${path}&continue=early`, fault: { do: "reply", body: page("early", "") } },
      { ...LIST, path: `${path}&continue=late`, fault: { do: "reply", body: page("late", "") } },
      {
        ...LIST,
        nth: 1,
        fault: {
          do: "reply",
          body: page("first", ',"continue":"early","remainingItemCount":1,"continue":"late"'),
        },
      },
    ]);
    expect(namesIn(await listed(fake))).toEqual(["first", "late"]);
  });

  it("what is not to be kept is let go: the bytes of pages, and who wrote which field", async () => {
    const fake = await shopOf(501);
    const metadata = {
      labels: { app: "web" },
      managedFields: [{ manager: "kubectl", fieldsV1: { "f:data": {} } }],
    };
    fake.server.put(
      { resource: "configmaps", namespace: "shop", name: "written" },
      { metadata, data: { a: "b" } },
    );
    const kept = async (bytes: boolean, writers: boolean) => {
      const reading = await roundWith(fake.cluster).list(allInShop(CONFIG_MAPS), { bytes, writers });
      if (reading.kind !== "observed") throw new Error(JSON.stringify(reading));
      const written = reading.items.find((item) => (item["metadata"] as JsonObject)["name"] === "written");
      return {
        items: reading.items.length,
        sizes: new Set(
          [...reading.exchanges, ...reading.pages.map((page) => page.exchange)].map(
            ({ body }) => body.length > 0,
          ),
        ),
        written: { ...written, metadata: Object.keys(written?.["metadata"] as JsonObject).sort() },
      };
    };
    const names = [
      "creationTimestamp",
      "generation",
      "labels",
      "name",
      "namespace",
      "resourceVersion",
      "uid",
    ];
    const without = { data: { a: "b" }, metadata: names };
    const whole = { ...without, metadata: [...names, "managedFields"].sort() };
    expect(await kept(true, true)).toEqual({ items: 502, sizes: new Set([true]), written: whole });
    expect(await kept(false, true)).toEqual({ items: 502, sizes: new Set([false]), written: whole });
    expect(await kept(true, false)).toEqual({ items: 502, sizes: new Set([true]), written: without });
    expect(await kept(false, false)).toEqual({ items: 502, sizes: new Set([false]), written: without });
  });

  it("is as it was when it began, whatever changes meanwhile", async () => {
    const fake = await shopOf(600, [{ ...LIST, nth: 2, fault: { do: "slow", ms: 150 } }]);
    const before = String(fake.server.revision());
    const reading = listed(fake);
    while (fake.server.log().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    fake.server.remove({ resource: "configmaps", namespace: "shop", name: "c-599" });
    fake.server.put({ resource: "configmaps", namespace: "shop", name: "a-new-one" }, {});
    expect(namesIn(await reading)).toHaveLength(600);
    expect(await reading).toMatchObject({ resourceVersion: before });
  });

  it("whose moment is forgotten on the way begins anew, and is of the new moment", async () => {
    const fake = await shopOf(600, [{ ...LIST, nth: 2, fault: { do: "expire" } }]);
    const reading = await listed(fake);
    expect(namesIn(reading)).toHaveLength(600);
    expect(queries(fake)).toEqual(["500", "500 continued", "500", "500 continued"]);
    if (reading.kind !== "observed") return;
    expect(reading.exchanges).toHaveLength(4);
    expect(reading.pages.map(({ exchange }) => exchange)).toEqual(reading.exchanges.slice(2));
    for (const { exchange, items } of reading.pages)
      expect(JSON.parse(Buffer.from(exchange.body).toString("utf8")).items).toEqual(items);
  });

  it("that expires twice is asked for in one piece", async () => {
    const fake = await shopOf(600, [{ ...LIST, nth: [2, 4], fault: { do: "expire" } }]);
    const reading = await listed(fake);
    expect(namesIn(reading)).toHaveLength(600);
    expect(queries(fake)).toEqual(["500", "500 continued", "500", "500 continued", "all"]);
  });

  it("the token for the rest from another moment, which a 410 offers, is never used", async () => {
    const fake = await shopOf(600, [{ ...LIST, nth: [2, 4], fault: { do: "expire" } }]);
    await listed(fake);
    const offered = fake.server.log().filter(({ path }) => path.includes("continue="));
    const tokens = offered.map(({ path }) => new URL(path, "https://x").searchParams.get("continue"));
    // Both are the token of a first page.
    expect(new Set(tokens).size).toBe(1);
  });

  it.each<[string, ApiFaultRule["fault"], string]>([
    [
      "from different moments",
      { do: "twist", patch: { metadata: { resourceVersion: "1" } } },
      "inconsistent",
    ],
    ["that lead back", { do: "circle" }, "inconsistent"],
    ["one of which is cut", { do: "cut", at: "middle" }, "cut"],
    ["one of which is a login page", { do: "reply", body: "<html>" }, "not-json"],
    ["one of which is denied", { do: "reply", body: "{}", status: 403 }, "forbidden"],
    ["one of which ends too early", { do: "shorten", items: 1 }, "truncated"],
  ])("pages %s are no list", async (_name, fault, reason) => {
    const fake = await shopOf(1_200, [{ ...LIST, nth: [2, 4, 6, 8], fault }]);
    const reading = await listed(fake);
    // What is inconsistent is asked again; in one piece it has no pages that could differ.
    if (reason === "inconsistent") {
      expect(namesIn(reading).length === 1_200 || reading.kind === "failed").toBe(true);
      expect(queries(fake).length).toBeGreaterThan(2);
    } else expect(reading).toMatchObject({ reason });
    expect(reading.kind === "observed" ? namesIn(reading).length : 1_200).toBe(1_200);
  });

  it("one object on two pages is no list", async () => {
    const twice = [1, 2, 3, 4, 5].map((nth) => ({
      ...LIST,
      nth,
      fault: {
        do: "twist" as const,
        patch: {
          items: [
            { metadata: { name: "c-1", namespace: "shop", uid: "u" } },
            { metadata: { name: "c-1", namespace: "shop", uid: "u" } },
          ],
        },
      },
    }));
    expect(await listed(await shopOf(600, twice))).toMatchObject({ kind: "failed", reason: "inconsistent" });
  });

  it("null for items is how Go writes an empty list that was never made", async () => {
    const fake = await shopOf(0);
    const body = JSON.stringify({
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: "7" },
      items: null,
    });
    fake.server.setFaults([{ ...LIST, fault: { do: "reply", body } }]);
    expect(await listed(fake)).toMatchObject({ kind: "observed", items: [], resourceVersion: "7" });
  });

  it("control: a server that leaves items out and does not say so cannot be seen through", async () => {
    const fake = await shopOf(5, [{ ...LIST, fault: { do: "shorten", items: 3, silent: true } }]);
    expect(namesIn(await listed(fake))).toHaveLength(3);
  });

  it("control: a cache that lags is believed, with its own resourceVersion beside it", async () => {
    const fake = await shopOf(5, [{ ...LIST, fault: { do: "stale", revisions: 2 } }]);
    const reading = await listed(fake);
    expect(namesIn(reading)).toHaveLength(3);
    expect(reading).toMatchObject({ resourceVersion: String(fake.server.revision() - 2) });
  });

  it("control: a server whose clock is off is believed, with its own time beside ours", async () => {
    const fake = await shopOf(1, [{ ...LIST, fault: { do: "skew", ms: -3_600_000 } }]);
    const reading = await listed(fake);
    expect(namesIn(reading)).toHaveLength(1);
    const [exchange] = reading.exchanges;
    const apartMs = (exchange?.askedAt ?? 0) - Date.parse(exchange?.serverDate ?? "");
    expect(apartMs).toBeGreaterThan(3_500_000);
  });

  it("whole numbers beyond 2^53 are kept as their digits, and others as numbers", async () => {
    const fake = await shopOf(0);
    const body = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a","namespace":"shop","generation":9007199254740993,"labels":{"x":"1, 12345678901234567890"}},"a":1,"b":-9007199254740993,"c":1e999,"d":0.5}]}`;
    fake.server.setFaults([{ ...LIST, fault: { do: "reply", body } }]);
    const reading = await listed(fake);
    expect(reading.kind === "observed" ? reading.items[0] : null).toEqual({
      metadata: {
        name: "a",
        namespace: "shop",
        generation: "9007199254740993",
        labels: { x: "1, 12345678901234567890" },
      },
      a: 1,
      b: "-9007199254740993",
      c: "1e999",
      d: 0.5,
    });
  });

  it.each([false, true])(
    "a large page is read as the JSON it is, with disable-compression %s",
    async (isPlain) => {
      const server = await apiServerFor();
      for (let index = 0; index < 20; index += 1)
        server.put(
          { resource: "configmaps", namespace: "shop", name: `c-${index}` },
          { data: { text: "x".repeat(20_000) } },
        );
      const kubeconfig = JSON.parse(server.kubeconfig());
      kubeconfig.clusters[0].cluster["disable-compression"] = isPlain;
      const cluster = await openedCluster(kubeconfigFile(JSON.stringify(kubeconfig)));
      const reading = await listed({ server, cluster });
      expect(namesIn(reading)).toHaveLength(20);
      const [page] = reading.exchanges;
      expect(page?.body.length).toBeGreaterThan(400_000);
      expect(JSON.parse(Buffer.from(page?.body ?? []).toString("utf8")).items).toHaveLength(20);
      expect(server.log()[0]?.acceptEncoding).toBe(isPlain ? "identity" : "gzip");
    },
  );
});

describe("a list whose pages go to a sink", () => {
  const streamed = async ({ cluster }: Fake) => {
    let names: unknown[] = [];
    let begun = 0;
    const reading = await roundWith(cluster).stream(allInShop(CONFIG_MAPS), {
      begin: async () => {
        names = [];
        begun += 1;
      },
      page: async (items) =>
        void names.push(...items.map((item) => (item["metadata"] as JsonObject)["name"])),
    });
    return { reading, names, begun };
  };

  it.each([0, 500, 1_001])("of %i objects is the same as the one that is held", async (count) => {
    const fake = await shopOf(count);
    const { reading, names } = await streamed(fake);
    const held = await listed(fake);
    expect(names).toEqual(namesIn(held));
    expect(reading).toMatchObject({
      kind: "observed",
      resourceVersion: held.kind === "observed" ? held.resourceVersion : "",
    });
    expect(reading.exchanges.every(({ body }) => body.length === 0)).toBe(true);
  });

  it.each<[string, string]>([
    [
      "whole objects, from a server that does not know the form",
      '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}',
    ],
    [
      "data beside the metadata",
      '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a","namespace":"shop"},"data":{"password":"cGFzcw=="}}]}',
    ],
  ])("C6: where metadata alone was asked for, %s are refused", async (_name, body) => {
    const fake = await shopOf(0, [{ ...LIST, fault: { do: "reply", body } }]);
    let pages = 0;
    const sink = { begin: async () => {}, page: async () => void pages++ };
    const reading = await roundWith(fake.cluster).stream(allInShop(CONFIG_MAPS), sink, "metadata");
    expect([reading.kind, "reason" in reading && reading.reason, pages]).toEqual(["failed", "wrong-kind", 0]);
  });

  it("410 in its midst: it begins anew, and what came before is void", async () => {
    const fake = await shopOf(1_001, [{ ...LIST, nth: 2, fault: { do: "expire" } }]);
    const { reading, names, begun } = await streamed(fake);
    expect([reading.kind, begun, new Set(names).size, names.length]).toEqual(["observed", 2, 1_001, 1_001]);
  });

  it("what a sink throws ends it, and is thrown on", async () => {
    const fake = await shopOf(1_001);
    const full = roundWith(fake.cluster).stream(allInShop(CONFIG_MAPS), {
      begin: async () => {},
      page: () => Promise.reject(new Error("the disk is full")),
    });
    await expect(full).rejects.toThrow("the disk is full");
    expect(queries(fake)).toHaveLength(1);
  });
});
