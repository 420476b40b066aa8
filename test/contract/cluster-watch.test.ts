/** V6: a watch says when to look again, and nothing that could be judged. */
import { describe, expect, it } from "vitest";
import type { ApiFault } from "../../src/testing/api-server/fault.ts";
import { allInShop, CONFIG_MAPS, type Fake, fakeCluster, roundWith } from "../support/cluster.ts";

const place = (name: string) => ({ resource: "configmaps", namespace: "shop", name });
const shop = async (fault?: ApiFault): Promise<Fake> => {
  const fake = await fakeCluster();
  fake.server.put(place("web"), { data: { text: "ümläut".repeat(50) } });
  if (fault !== undefined) fake.server.setFaults([{ verb: "watch", fault }]);
  return fake;
};
const begun = async (fake: Fake, deadlineMs = 20_000, since = String(fake.server.revision())) => {
  const hint = roundWith(fake.cluster, deadlineMs).untilChanged(allInShop(CONFIG_MAPS), since);
  while (fake.server.log().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return { hint };
};

describe("a watch", () => {
  it.each<[string, (fake: Fake) => void]>([
    ["a new object", ({ server }) => server.put(place("new"), {})],
    ["a changed one", ({ server }) => server.put(place("web"), { data: {} })],
    ["one that went", ({ server }) => server.remove(place("web"))],
  ])("%s is a change", async (_name, change) => {
    const fake = await shop();
    const { hint } = await begun(fake);
    change(fake);
    expect(await hint).toMatchObject({ kind: "changed" });
  });

  it("what happened before it began, after the moment that was read, is a change too", async () => {
    const fake = await shop();
    const since = String(fake.server.revision());
    fake.server.remove(place("web"));
    expect(await (await begun(fake, 20_000, since)).hint).toMatchObject({ kind: "changed" });
  });

  it.each([1, 2, 3, 7, 50])("events in pieces of %i bytes are read whole", async (bytes) => {
    const fake = await shop({ do: "drip", bytes, everyMs: 0 });
    const { hint } = await begun(fake);
    fake.server.put(place("web"), { data: { text: "ünd" } });
    expect(await hint).toMatchObject({ kind: "changed" });
  });

  it("a moment that is forgotten is a reason to look", async () => {
    const fake = await shop();
    fake.server.put(place("web"), {});
    fake.server.compact();
    expect(await (await begun(fake, 20_000, "1")).hint).toMatchObject({ kind: "changed" });
  });

  it("a bookmark is no change, nor is another namespace's object; then the server ends it", async () => {
    const fake = await shop();
    const { hint } = await begun(fake, 1_900);
    fake.server.put({ ...place("web"), namespace: "other" }, {});
    expect(await hint).toMatchObject({ kind: "ended" });
  });

  it.each<[string, ApiFault, string]>([
    ["a login page", { do: "reply", body: "<html>\n", contentType: "text/html" }, "not-json"],
    ["a broken connection", { do: "cut", at: "before" }, "cut"],
    ["too many requests", { do: "throttle", retryAfter: null }, "throttled"],
    ["an error", { do: "reply", status: 500, body: "" }, "unexpected-status"],
  ])("%s is a failure, so that whoever waits does not look without a pause", async (_name, fault, reason) => {
    expect(await (await begun(await shop(fault))).hint).toMatchObject({ kind: "failed", reason });
  });

  it("an event without an end is a reason to look, and is not kept", async () => {
    const fake = await shop({ do: "huge", bytes: 20 * 1024 * 1024 });
    fake.server.setFaults([
      { verb: "watch", fault: { do: "reply", body: `{"type":"${"x".repeat(20 * 1024 * 1024)}` } },
    ]);
    const hint = await (await begun(fake)).hint;
    expect(hint).toMatchObject({ kind: "changed" });
    expect(hint.exchanges[0]?.body.length).toBe(0);
  });

  it("nothing of an event leaves the adapter", async () => {
    const fake = await shop();
    const { hint } = await begun(fake);
    fake.server.put(place("secret-name"), {});
    const told = await hint;
    expect(Object.keys(told).sort()).toEqual(["exchanges", "kind"]);
    expect(told.exchanges.map(({ body }) => body.length)).toEqual([0]);
  });
});
