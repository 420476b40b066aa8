import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Cluster, ListReading, ObjectReading, ReadFailure, Round } from "../../src/ports/cluster.ts";
import { type Fake, fakeCluster } from "../support/cluster.ts";
import { complaints, LIES, prepare } from "./cluster-lies.ts";

describe("a lying API server", () => {
  let fake: Fake;
  beforeEach(async () => {
    fake = await fakeCluster();
    prepare(fake.server);
  });

  it(`R2: is seen through in each of ${LIES.object.length + LIES.list.length} ways, and believed when it does not lie`, async () => {
    expect(await complaints(fake.server, fake.cluster)).toEqual([]);
  });

  /** Adapters that make the mistakes which the lies are there to catch. */
  const careless = (
    cluster: Cluster,
    object: (reading: ObjectReading) => ObjectReading,
    list: (reading: ListReading) => ListReading,
  ): Cluster => ({
    ...cluster,
    round: (limits) => {
      const round: Round = cluster.round(limits);
      return {
        ...round,
        get: async (ref) => object(await round.get(ref)),
        list: async (ref) => list(await round.list(ref)),
      };
    },
  });
  const same = <T>(reading: T): T => reading;
  const isFailure = (reading: ObjectReading | ListReading): reading is ReadFailure => "reason" in reading;
  const statusOf = (reading: ReadFailure): number | null => reading.exchanges.at(-1)?.status ?? null;
  const parsed = (reading: ReadFailure): JsonObject | null => {
    try {
      return JSON.parse(Buffer.from(reading.exchanges.at(-1)?.body ?? []).toString("utf8"));
    } catch {
      return null;
    }
  };
  const nothing = (reading: ReadFailure): ListReading => ({
    kind: "observed",
    items: [],
    resourceVersion: null,
    pages: [],
    exchanges: reading.exchanges,
  });

  it.each<[string, (reading: ObjectReading) => ObjectReading, (reading: ListReading) => ListReading, RegExp]>(
    [
      [
        "every 404 is an absence",
        (reading) =>
          isFailure(reading) && statusOf(reading) === 404
            ? { kind: "absent", exchanges: reading.exchanges }
            : reading,
        same,
        /^object: the plain 404 of a path is taken for an absence$/m,
      ],
      [
        "every Status NotFound is an absence",
        (reading) =>
          isFailure(reading) && parsed(reading)?.["reason"] === "NotFound"
            ? { kind: "absent", exchanges: reading.exchanges }
            : reading,
        same,
        /^object: a Status NotFound about another name is taken for an absence$/m,
      ],
      [
        "what came with 200 is believed",
        (reading) => {
          const object = isFailure(reading) && statusOf(reading) === 200 ? parsed(reading) : null;
          return object === null
            ? reading
            : { kind: "observed", object, uid: null, resourceVersion: null, exchanges: reading.exchanges };
        },
        same,
        /^object: another kind is taken for an observation$/m,
      ],
      [
        "a list that failed is an empty one",
        same,
        (reading) => (isFailure(reading) ? nothing(reading) : reading),
        /^list: 401 is taken for an observation$/m,
      ],
      [
        "a list as far as it came",
        same,
        (reading) => (isFailure(reading) && reading.reason === "truncated" ? nothing(reading) : reading),
        /^list: fewer items, and word of more is taken for an observation$/m,
      ],
      [
        "no answer is ever good enough",
        (reading) => (isFailure(reading) ? reading : { kind: "absent", exchanges: [] }),
        same,
        /^object: without a redirect there is no answer either$/m,
      ],
    ],
  )("mutant: %s", async (_name, object, list, expected) => {
    const lines = await complaints(fake.server, careless(fake.cluster, object, list));
    expect(lines.join("\n")).toMatch(expected);
  });
});
