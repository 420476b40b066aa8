/** A server with a history, and a recorder that reads it through replies that take their time. */
import fc from "fast-check";
import type { HeldConfig } from "../../src/domain/held.ts";
import type { HeldRecord } from "../../src/domain/held-record.ts";
import { HeldTimeline, HeldVersions } from "../../src/domain/held-timeline.ts";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Exchange, Round } from "../../src/ports/cluster.ts";
import { lookAtKind, recordsOf, type SeenKind } from "../../src/runtime/held-look.ts";
import { heldRecordJson, readHeldRecord } from "../../src/wire/held/record.ts";
import { allInShop, CONFIG_MAPS } from "../support/cluster.ts";

/** What happens to one of the objects, so many ms after what happened before. */
export interface Write {
  readonly afterMs: number;
  readonly name: string;
  readonly does: "write" | "remove" | "recreate";
  readonly content: number;
}

/** A reply: on its way there, until the state is read, until its head is made, until its last byte. */
interface Delay {
  readonly thereMs: number;
  readonly readMs: number;
  readonly headMs: number;
  readonly backMs: number;
}

export interface Look {
  readonly afterMs: number;
  readonly list: Delay;
  readonly get: Delay;
  /** The network is gone for the list, or for what is got after it. */
  readonly fails: "list" | "get" | "nothing";
  /** The recorder is ended and begun again before it. */
  readonly restarts: boolean;
}

export interface World {
  readonly writes: readonly Write[];
  readonly looks: readonly Look[];
}

/** In force from `from`, to just before `until`. */
export interface True {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly content: number;
  readonly from: number;
  readonly until: number;
}

const NAMES = ["a", "b"];
const delay = fc.record({
  thereMs: fc.integer({ min: 0, max: 1_500 }),
  readMs: fc.integer({ min: 0, max: 2_500 }),
  headMs: fc.integer({ min: 0, max: 2_500 }),
  backMs: fc.integer({ min: 0, max: 1_500 }),
});

export const worlds: fc.Arbitrary<World> = fc.record({
  writes: fc.array(
    fc.record({
      afterMs: fc.integer({ min: 1, max: 9_000 }),
      name: fc.constantFrom(...NAMES),
      does: fc.constantFrom("write", "write", "write", "remove", "recreate"),
      content: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  looks: fc.array(
    fc.record({
      afterMs: fc.integer({ min: 1, max: 9_000 }),
      list: delay,
      get: delay,
      fails: fc.constantFrom("nothing", "nothing", "nothing", "list", "get"),
      restarts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  ),
});

const BEGAN = Date.parse("2026-11-30T03:00:00Z");

/** All that ever was there. */
export const historyOf = ({ writes }: World): readonly True[] => {
  const all: True[] = [];
  const now = new Map<string, True>();
  let at = BEGAN;
  let revision = 100;
  const end = (name: string): void => {
    const before = now.get(name);
    if (before !== undefined) all.push({ ...before, until: at });
    now.delete(name);
  };
  for (const { afterMs, name, does, content } of writes) {
    at += afterMs;
    revision += 1;
    const before = now.get(name);
    end(name);
    if (does === "remove") continue;
    const uid = does === "write" && before !== undefined ? before.uid : `uid-${revision}`;
    now.set(name, {
      name,
      uid,
      resourceVersion: String(revision),
      content,
      from: at,
      until: Number.POSITIVE_INFINITY,
    });
  }
  return [...all, ...now.values()];
};

const stateAt = (history: readonly True[], at: number): readonly True[] =>
  history.filter(({ from, until }) => from <= at && at < until);

const objectOf = ({ name, uid, resourceVersion, content }: True): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop", uid, resourceVersion },
  data: { content: String(content) },
});

/** Asks from `at` on; each request begins when the one before has ended. */
class Network {
  at: number;
  readonly #history: readonly True[];
  readonly #look: Look;

  constructor(history: readonly True[], look: Look, at: number) {
    this.#history = history;
    this.#look = look;
    this.at = at;
  }

  #exchange({ thereMs, readMs, headMs, backMs }: Delay): {
    readonly exchange: Exchange;
    readonly readAt: number;
  } {
    const askedAt = this.at;
    const readAt = askedAt + thereMs + readMs;
    const headAt = readAt + headMs;
    this.at = headAt + backMs;
    return {
      readAt,
      exchange: {
        request: "GET",
        askedAt: instant(askedAt),
        answeredAt: instant(this.at),
        durationMs: this.at - askedAt,
        status: 200,
        serverDate: new Date(Math.floor(headAt / 1_000) * 1_000).toUTCString(),
        contentType: "application/json",
        body: new Uint8Array(),
        whole: true,
      },
    };
  }

  round(): Round {
    const failure = (reason: "unreachable") =>
      ({ kind: "failed", reason, sentence: "it could not be read", missing: null, exchanges: [] }) as const;
    const nothing = (): never => {
      throw new Error("the recorder asks for nothing of that");
    };
    return {
      stream: async (_ref, sink) => {
        const { exchange, readAt } = this.#exchange(this.#look.list);
        if (this.#look.fails === "list") return failure("unreachable");
        await sink.begin();
        await sink.page(
          stateAt(this.#history, readAt).map(({ ...one }) => ({
            metadata: objectOf(one)["metadata"] ?? null,
          })),
        );
        return { kind: "observed", resourceVersion: "1", exchanges: [exchange] };
      },
      get: async ({ name }) => {
        const { exchange, readAt } = this.#exchange(this.#look.get);
        if (this.#look.fails === "get") return failure("unreachable");
        const found = stateAt(this.#history, readAt).find((one) => one.name === name);
        if (found === undefined) return { kind: "absent", exchanges: [exchange] };
        const { uid, resourceVersion } = found;
        return { kind: "observed", object: objectOf(found), uid, resourceVersion, exchanges: [exchange] };
      },
      list: nothing,
      proxied: nothing,
      log: nothing,
      readFile: nothing,
      find: nothing,
      untilChanged: nothing,
      ownNetwork: nothing,
      end: () => undefined,
    };
  }
}

/** What a recorder writes of one look. */
export type Writes = (look: SeenKind) => readonly HeldRecord[];

const SCOPE = { server: "https://api", namespace: "shop", selector: null, kinds: ["ConfigMap"] } as const;

/** As JSON and back, as it goes through the folder. */
const asWritten = (record: HeldRecord): HeldRecord => {
  const read = readHeldRecord(JSON.parse(JSON.stringify(heldRecordJson(record))));
  if ("fault" in read) throw new Error(read.fault);
  return read.record;
};

export interface Recorded {
  readonly held: readonly HeldConfig[];
  /** Of the looks that saw all: between which times the state that they show was read. */
  readonly seen: readonly { readonly look: SeenKind; readonly shows: readonly True[] }[];
}

export const recorded = async (world: World, writes: Writes = recordsOf): Promise<Recorded> => {
  const history = historyOf(world);
  const versions = new HeldVersions();
  let timeline = new HeldTimeline();
  let file = versions.file();
  const write = (record: HeldRecord): void => {
    timeline.take(asWritten(record));
    file.take(asWritten(record));
  };
  const seen: Recorded["seen"][number][] = [];
  let at = BEGAN;
  for (const look of world.looks) {
    at += look.afterMs;
    if (look.restarts) {
      // As a new process: what is held is written out at the beginning of a new file.
      file.end();
      file = versions.file();
      const whole: readonly HeldRecord[] = [
        { kind: "began", at: instant(Math.floor(at / 1_000) * 1_000), scope: SCOPE, era: 0 },
        ...timeline.open(),
      ];
      timeline = new HeldTimeline();
      for (const record of whole) write(record);
    }
    const network = new Network(history, look, at);
    const readAt = at + look.list.thereMs + look.list.readMs;
    const looked = await lookAtKind(network.round(), "ConfigMap", allInShop(CONFIG_MAPS), timeline);
    at = network.at;
    if (looked.kind !== "seen") continue;
    for (const record of writes(looked)) write(record);
    seen.push({ look: looked, shows: stateAt(history, readAt) });
  }
  file.end();
  return { held: versions.all(), seen };
};
