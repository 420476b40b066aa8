/**
 * V5, R2: whatever changes while a list is read, and whatever goes wrong on whichever page, a list that is observed is
 * exactly what existed at its resourceVersion. What may come out instead is a failure, and nothing else.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Cluster, ListReading } from "../../src/ports/cluster.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import type { ApiFault, ApiFaultRule } from "../../src/testing/api-server/fault.ts";
import { allInShop, CONFIG_MAPS, fakeCluster, roundWith } from "../support/cluster.ts";

/** What can be seen through: a server that leaves items out in silence, or names another moment on an only page, cannot. */
const FAULTS: readonly ApiFault[] = [
  { do: "expire" },
  { do: "circle" },
  { do: "cut", at: "before" },
  { do: "cut", at: "middle" },
  { do: "half" },
  { do: "reply", body: "<html>" },
  { do: "reply", body: "" },
  { do: "reply", body: "404 page not found\n", status: 404 },
  { do: "throttle", retryAfter: "0" },
  { do: "unavailable", retryAfter: null },
  { do: "shorten", items: 3 },
  { do: "twist", patch: { metadata: { continue: null } } },
  { do: "twist", patch: { items: null } },
  { do: "twist", patch: { kind: "Pod" } },
  { do: "drip", bytes: 40_000, everyMs: 0 },
  { do: "skew", ms: 1_000_000 },
];

const faulty: fc.Arbitrary<readonly ApiFaultRule[]> = fc.array(
  fc.record({
    verb: fc.constant("list" as const),
    nth: fc.integer({ min: 1, max: 7 }),
    fault: fc.constantFrom(...FAULTS),
  }),
  { maxLength: 3 },
);
/** Comes when so many requests for a page have been made: when the processor has time is no matter of chance here. */
const change = fc.record({
  asked: fc.integer({ min: 1, max: 8 }),
  what: fc.constantFrom("put", "remove", "compact"),
  name: fc.integer({ min: 0, max: 1_300 }),
});
const world = fc.record({
  count: fc.constantFrom(0, 3, 499, 500, 501, 1_200),
  changes: fc.array(change, { maxLength: 30 }),
  faults: faulty,
});

const place = (name: number) => ({ resource: "configmaps", namespace: "shop", name: `c-${name}` });
const shown = (item: JsonObject): string => {
  const { name, uid, resourceVersion } = item["metadata"] as JsonObject;
  return `${name} ${uid} ${resourceVersion}`;
};

/** What exists, moment by moment: kept by the test, not by the server. */
class Truth {
  readonly #moments = new Map<string, ReadonlySet<string>>();
  readonly #now = new Map<number, string>();
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
    this.#keep();
  }

  put(name: number, text: string): void {
    this.#now.set(name, shown(this.#server.put(place(name), { data: { text } })));
    this.#keep();
  }

  remove(name: number): void {
    this.#server.remove(place(name));
    this.#now.delete(name);
    this.#keep();
  }

  /** undefined: there was no such moment. */
  at(resourceVersion: string): ReadonlySet<string> | undefined {
    return this.#moments.get(resourceVersion);
  }

  #keep(): void {
    this.#moments.set(String(this.#server.revision()), new Set(this.#now.values()));
  }
}

const run = async (
  { count, changes, faults }: typeof world extends fc.Arbitrary<infer T> ? T : never,
  list: (cluster: Cluster) => Promise<ListReading>,
): Promise<string | null> => {
  const { server, cluster } = await fakeCluster();
  const truth = new Truth(server);
  for (let name = 0; name < count; name += 1) truth.put(name, "first");
  server.setFaults(faults);
  let requests = 0;
  const silence = server.onAsked(({ verb }) => {
    if (verb !== "list") return;
    requests += 1;
    for (const { asked, what, name } of changes) {
      if (asked !== requests) continue;
      if (what === "put") truth.put(name, "later");
      else if (what === "remove") truth.remove(name);
      else server.compact();
    }
  });
  const read = await list(cluster);
  silence();
  cluster.close();
  await server.close();
  if (read.kind !== "observed") return null;
  const existed = truth.at(String(read.resourceVersion));
  if (existed === undefined) return `a moment that never was: ${read.resourceVersion}`;
  const items = read.items.map(shown);
  const isExact = items.length === existed.size && items.every((item) => existed.has(item));
  return isExact ? null : `${items.length} items, and ${existed.size} existed at ${read.resourceVersion}`;
};

const honest = (cluster: Cluster): Promise<ListReading> =>
  roundWith(cluster, 30_000).list(allInShop(CONFIG_MAPS));

it("an observed list is what existed at its moment, whatever goes wrong", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      expect(await run(drawn, honest)).toBeNull();
    }),
    { numRuns: 60 },
  );
});

it("without faults it is always observed", async () => {
  const { server, cluster } = await fakeCluster();
  for (let name = 0; name < 1_200; name += 1) server.put(place(name), {});
  expect((await honest(cluster)).kind).toBe("observed");
});

it("mutant: a list as far as it came is caught", async () => {
  const hasty = async (cluster: Cluster): Promise<ListReading> => {
    const reading = await honest(cluster);
    if (reading.kind === "observed") return reading;
    const pages = reading.exchanges.flatMap((exchange) => {
      try {
        const page = JSON.parse(Buffer.from(exchange.body).toString("utf8"));
        return Array.isArray(page.items) ? [{ exchange, page }] : [];
      } catch {
        return [];
      }
    });
    const resourceVersion = pages[0]?.page.metadata.resourceVersion ?? null;
    const items = pages.flatMap(({ page }) => page.items);
    return resourceVersion === null
      ? reading
      : { kind: "observed", items, resourceVersion, pages: [], exchanges: reading.exchanges };
  };
  const found = await fc.check(
    fc.asyncProperty(world, async (drawn) => (await run(drawn, hasty)) === null),
    { numRuns: 200, endOnFailure: true, seed: 5 },
  );
  expect(found.failed).toBe(true);
});
