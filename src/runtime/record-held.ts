/**
 * asfound watch: looks at the config objects again and again, and writes down what was held from when to when. A watch of
 * the server only says when to look (V6). It changes nothing in the cluster.
 *
 * Laws: what could not be read is never recorded as unchanged or gone (R2); what did not move is held throughout, however
 * long the server was away (ADR 0040); a record that cannot be kept ends it (exit 22), since it would go on seeing in vain.
 */
import type { ConfigKind } from "../domain/config.ts";
import type { HeldRecord, HeldScope, HeldVersion, Rewound } from "../domain/held-record.ts";
import { HeldTimeline } from "../domain/held-timeline.ts";
import type { Instant } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Cluster, CollectionRef } from "../ports/cluster.ts";
import type { HeldWriter } from "../ports/held-records.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type KindLook, lookAtKind, recordsOf, type SeenKind } from "./held-look.ts";
import { type Recording, Sight } from "./held-sight.ts";
import { MARGIN_MS, ServerClock } from "./server-clock.ts";
import { untilNextRecording } from "./until-next-recording.ts";

export interface RecordOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** For one look. */
  readonly timeoutMs: number;
  readonly collections: ReadonlyMap<ConfigKind, CollectionRef>;
  readonly scope: HeldScope;
  readonly writer: HeldWriter;
  readonly reporter: Reporter;
  /** Handed each record when it is durable. */
  readonly told: (record: HeldRecord) => void;
  /** null: until it is told to stop. */
  readonly forMs: number | null;
}

/** A sentence. */
export interface NotRecording {
  readonly kind: "not-begun";
  readonly why: string;
}

/** At the longest between two looks: between them an edit is dated no better than this. */
const EVERY_MS = 10_000;
/** At the shortest, however often something changes. */
const REST_MS = 1_000;
/** Of the time that a look takes, so much is not looked at least: a large cluster is not kept busy. */
const REST_TIMES = 9;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** For the last look, when it is told to stop. */
const LAST_LOOK_MS = 500;

export const recordHeld = (options: RecordOptions): Promise<Recording | NotRecording> =>
  new Recorder(options).run();

class Recorder {
  readonly #options: RecordOptions;
  readonly #clocks = new ServerClock();
  readonly #sight: Sight;
  #timeline = new HeldTimeline();
  #began = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#sight = new Sight(options.reporter);
  }

  async run(): Promise<Recording | NotRecording> {
    const { clock, forMs, stop, timeoutMs, writer } = this.#options;
    const other = await this.#resume();
    if (other !== null) {
      await writer.end("the folder is of another cluster");
      return { kind: "not-begun", why: other };
    }
    const untilMs = forMs === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() + forMs;
    for (;;) {
      const beganMs = clock.monotonicMs();
      const looks = await this.#look(timeoutMs, stop);
      if (stop.aborted) break;
      const refused = this.#refusedAtFirst(looks);
      if (refused !== null) {
        await writer.end("a right is missing");
        return { kind: "not-begun", why: refused };
      }
      const again = await this.#keep(looks);
      if (clock.monotonicMs() >= untilMs) break;
      if (again) await clock.sleep(REST_MS, stop);
      else await this.#rest(looks, clock.monotonicMs() - beganMs, untilMs);
      if (stop.aborted) break;
    }
    if (stop.aborted) await this.#lastLook();
    await writer.end(stop.aborted ? "told to stop" : "its time was over");
    return this.#sight.recording(this.#options.scope, this.#timeline.count);
  }

  /** Goes on where the last recorder of this folder ended, if that one looked at the same. A sentence: it may not. */
  async #resume(): Promise<string | null> {
    const { writer, scope, reporter } = this.#options;
    const left = new HeldTimeline();
    const isTrusted = await writer.left((record) => left.take(record));
    const { began } = left;
    if (began !== null && began.scope.server !== scope.server)
      return `its records are of the cluster ${began.scope.server}, and this one is ${scope.server}; name another folder`;
    const isSame = began !== null && JSON.stringify(began.scope) === JSON.stringify(scope);
    if (isSame && isTrusted) this.#timeline = left;
    // What could not be read may have said that a new era began.
    else this.#timeline = new HeldTimeline(isTrusted ? left.era : left.era + 1);
    if (!isTrusted)
      reporter.report({ kind: "note", text: "what the last recorder left is not whole: it begins anew" });
    return null;
  }

  async #look(deadlineMs: number, stop: AbortSignal): Promise<ReadonlyMap<ConfigKind, KindLook>> {
    const { cluster, collections } = this.#options;
    const round = cluster.round({ deadlineMs, stop });
    const beganMs = this.#options.clock.monotonicMs();
    try {
      const looks = await Promise.all(
        [...collections].map(
          async ([of, ref]) => [of, await lookAtKind(round, of, ref, this.#timeline)] as const,
        ),
      );
      return new Map(looks);
    } finally {
      this.#lookedMs = { beganMs, endedMs: this.#options.clock.monotonicMs() };
      round.end();
    }
  }
  #lookedMs = { beganMs: 0, endedMs: 0 };

  /** For the last `to`, where the server is quick about it. */
  async #lastLook(): Promise<void> {
    const looks = await this.#look(LAST_LOOK_MS, new AbortController().signal);
    if ([...looks.values()].every(({ kind }) => kind === "seen")) await this.#keep(looks);
  }

  /** A right that is missing from the start is not waited for. */
  #refusedAtFirst(looks: ReadonlyMap<ConfigKind, KindLook>): string | null {
    if (this.#began) return null;
    for (const look of looks.values()) if (look.kind === "blind" && look.isDenied) return look.why;
    return null;
  }

  /** true: what was seen does not count, and is to be looked at anew. */
  async #keep(looks: ReadonlyMap<ConfigKind, KindLook>): Promise<boolean> {
    const seen = [...looks].flatMap(([of, look]) => (look.kind === "seen" ? [{ of, look }] : []));
    for (const [of, look] of looks) if (look.kind === "blind") this.#sight.lost(of, look.why);
    const [first] = seen;
    if (first === undefined) {
      await this.#options.writer.alive();
      return false;
    }
    const at = first.look.time.from;
    const rewound = this.#rewoundBy(seen);
    if (rewound !== null) {
      this.#options.reporter.report({
        kind: "note",
        text: `${rewound.why}: what was held before is not carried on`,
      });
      await this.#append([rewound], at);
      return true;
    }
    const records = seen.flatMap(({ of, look }) => [
      ...this.#sight.found(of, look, this.#timeline.last(of)?.to ?? null),
      ...recordsOf(look),
    ]);
    await this.#append(records, at);
    this.#sight.looked(
      this.#options.scope,
      seen.map(({ look }) => look),
      this.#timeline.count,
    );
    return false;
  }

  #rewoundBy(seen: readonly { readonly of: ConfigKind; readonly look: SeenKind }[]): Rewound | null {
    const { beganMs, endedMs } = this.#lookedMs;
    const [first] = seen;
    const set = first === undefined ? null : this.#clocks.setSince(first.look.exchange, beganMs, endedMs);
    if (set !== null && this.#began) return { kind: "rewound", why: set };
    for (const { of, look } of seen) {
      const last = this.#timeline.last(of);
      if (last === undefined) continue;
      if (look.time.from + MARGIN_MS < last.to)
        return {
          kind: "rewound",
          why: "the API server's clock is behind what it showed before",
        };
      if (
        isBefore(look.reread.resourceVersion, last.resourceVersion) ||
        look.versions.some((version) => this.#wasLater(version))
      )
        return {
          kind: "rewound",
          why: "the API server's store is behind what it showed before, as when a backup was restored",
        };
    }
    return null;
  }

  /** The list may have passed what it was; an object that has its UID and an earlier version is one of a store that went back. */
  #wasLater(version: HeldVersion): boolean {
    const held = this.#timeline.held(version);
    return held?.uid === version.uid && isBefore(version.resourceVersion, held.resourceVersion);
  }

  async #append(records: readonly HeldRecord[], at: Instant): Promise<void> {
    const { writer, scope, told } = this.#options;
    await writer.append(records, at, () => [
      { kind: "began", at, scope, era: this.#timeline.era },
      ...this.#timeline.open(),
    ]);
    this.#began = true;
    for (const record of records) {
      this.#timeline.take(record);
      told(record);
    }
  }

  async #rest(looks: ReadonlyMap<ConfigKind, KindLook>, tookMs: number, untilMs: number): Promise<void> {
    const { cluster, clock, collections, stop } = this.#options;
    const leftMs = Math.max(0, untilMs - clock.monotonicMs());
    const isSeen = [...looks.values()].every(({ kind }) => kind === "seen");
    if (!isSeen) {
      await clock.sleep(Math.min(this.#pauseMs, leftMs), stop);
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
      return;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    const restMs = Math.max(REST_MS, REST_TIMES * tookMs);
    const watched = [...collections].flatMap(([of, collection]) => {
      const look = looks.get(of);
      const version = look?.kind === "seen" ? look.reread.resourceVersion : null;
      return version === null ? [] : [{ collection, resourceVersion: version }];
    });
    const waitMs = Math.min(Math.max(EVERY_MS, restMs), leftMs);
    await untilNextRecording({ cluster, clock, stop }, watched, { waitMs, restMs: Math.min(restMs, waitMs) });
  }
}

/** Numbers in all servers so far (KEP-5504); where one is not, nothing follows. */
const isBefore = (now: string | null, before: string | null): boolean =>
  now !== null &&
  before !== null &&
  /^\d{1,20}$/.test(now) &&
  /^\d{1,20}$/.test(before) &&
  BigInt(now) < BigInt(before);
