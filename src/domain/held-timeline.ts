/**
 * From records to what was held (C1, L2). Owns the rule of the recorder (ADR 0040); must never make an interval longer than
 * two readings show.
 *
 * 1. Two readings of one object with the same UID and resourceVersion show one content throughout: every write moves the
 *    resourceVersion, and none ever comes back. Whether the recorder was connected in between does not matter.
 * 2. Two readings that differ show nothing of the time between them: what was there may be a third content.
 * 3. One reading alone shows a moment, and no interval.
 * 4. Rule 1 holds within one era: a store that went back, or a clock that was set, ends it, and nothing from before counts.
 * 5. A file stands for itself: what it holds is written out at its beginning.
 */
import type { ConfigKind } from "./config.ts";
import type { HeldConfig } from "./held.ts";
import type { Began, HeldRecord, HeldVersion, Reread } from "./held-record.ts";
import type { Instant } from "./ids.ts";
import { instant, iso } from "./ids.ts";

interface Open {
  readonly version: HeldVersion;
  /** How many readings of its kind had been told when it came. */
  readonly since: number;
}

interface Readings {
  readonly count: number;
  readonly to: Instant;
  readonly resourceVersion: string | null;
}

const placeOf = ({ of, namespace, name }: Pick<HeldVersion, "of" | "namespace" | "name">): string =>
  `${of} ${namespace}/${name}`;

/** The records of one file, in their order. */
export class HeldTimeline {
  readonly #open = new Map<string, Open>();
  readonly #readings = new Map<ConfigKind, Readings>();
  readonly #told: (version: HeldVersion) => void;
  #began: Began | null = null;
  #era: number;

  /** `told`: handed each version when nothing more will be known of it. */
  constructor(era = 0, told: (version: HeldVersion) => void = () => undefined) {
    this.#era = era;
    this.#told = told;
  }

  /** null: nothing says. */
  get began(): Began | null {
    return this.#began;
  }

  get era(): number {
    return this.#era;
  }

  take(record: HeldRecord): void {
    switch (record.kind) {
      case "began":
        this.end();
        this.#began = record;
        this.#era = record.era;
        return;
      case "version":
        this.#close(placeOf(record));
        this.#open.set(placeOf(record), { version: record, since: this.#count(record.of) });
        return;
      case "gone":
        this.#close(placeOf(record));
        return;
      case "read":
        this.#readings.set(record.of, {
          count: this.#count(record.of) + 1,
          to: latest(record.to, this.#readings.get(record.of)?.to),
          resourceVersion: record.resourceVersion,
        });
        return;
      case "rewound":
        this.end();
        this.#readings.clear();
        this.#era += 1;
        return;
      case "blind":
      case "dropped":
      case "ended":
    }
  }

  /** What is held now, each as it is known so far. */
  open(): readonly HeldVersion[] {
    return [...this.#open.values()].map((one) => this.#known(one));
  }

  held(of: Pick<HeldVersion, "of" | "namespace" | "name">): HeldVersion | undefined {
    return this.#open.get(placeOf(of))?.version;
  }

  get count(): number {
    return this.#open.size;
  }

  /** The last reading of a kind; undefined: none was told. */
  last(of: ConfigKind): Pick<Reread, "to" | "resourceVersion"> | undefined {
    return this.#readings.get(of);
  }

  end(): void {
    for (const place of [...this.#open.keys()]) this.#close(place);
  }

  #count(of: ConfigKind): number {
    const readings = this.#readings.get(of);
    return readings === undefined ? 0 : readings.count;
  }

  #known({ version, since }: Open): HeldVersion {
    const readings = this.#readings.get(version.of);
    return readings === undefined || readings.count === since
      ? version
      : { ...version, to: latest(version.to, readings.to) };
  }

  #close(place: string): void {
    const open = this.#open.get(place);
    if (open === undefined) return;
    this.#open.delete(place);
    this.#told(this.#known(open));
  }
}

const latest = (a: Instant, b: Instant | undefined): Instant => (b === undefined || a > b ? a : b);

/** What all files of a folder show together, by rule 1, in the last era (rule 4). */
export class HeldVersions {
  readonly #versions = new Map<string, HeldVersion>();
  readonly #wanted: (version: HeldVersion) => boolean;
  readonly #servers = new Set<string>();
  #era: number | null = null;

  constructor(wanted: (version: HeldVersion) => boolean = () => true) {
    this.#wanted = wanted;
  }

  /** Takes the records of one more file; call `end` when there are no more of it. */
  file(): { take(record: HeldRecord): void; end(): void } {
    const timeline = new HeldTimeline(0, (version) => this.#add(version));
    return {
      take: (record) => {
        if (record.kind === "version" && !this.#wanted(record)) return;
        timeline.take(record);
        if (record.kind === "began") this.#servers.add(record.scope.server);
        if (record.kind === "rewound" || record.kind === "began") this.#enter(timeline.era);
      },
      end: () => timeline.end(),
    };
  }

  /** The clusters' addresses, as the recorder had them. */
  get servers(): readonly string[] {
    return [...this.#servers];
  }

  all(): readonly HeldConfig[] {
    return [...this.#versions.values()].flatMap(configOf);
  }

  #add(version: HeldVersion): void {
    const key = JSON.stringify([version.of, version.uid, version.resourceVersion]);
    const before = this.#versions.get(key);
    this.#versions.set(key, before === undefined ? version : hull(before, version));
  }

  #enter(era: number): void {
    if (this.#era !== null && this.#era !== era) this.#versions.clear();
    this.#era = era;
  }
}

/** Rule 1: also where nothing else is known of the time between the two. */
const hull = (a: HeldVersion, b: HeldVersion): HeldVersion => ({
  ...a,
  from: instant(Math.min(a.from, b.from)),
  to: latest(a.to, b.to),
});

const configOf = ({ of, kind: _kind, keys, from, to, ...rest }: HeldVersion): readonly HeldConfig[] =>
  to < from
    ? []
    : [
        {
          ...rest,
          kind: of,
          keys: keys === null ? null : Object.fromEntries(keys),
          from: iso(from),
          to: iso(to),
        },
      ];
