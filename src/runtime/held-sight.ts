/** What the recorder sees and does not, from when to when, as it is told on the way and at its end. */
import type { ConfigKind } from "../domain/config.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import type { Blind, HeldRecord, HeldScope } from "../domain/held-record.ts";
import { type Instant, iso } from "../domain/ids.ts";
import { counted, listed } from "../judge/words.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { SeenKind } from "./held-look.ts";

export interface Recording {
  readonly scope: HeldScope;
  /** The first and the last reading, by the API server's clock; null: there was none. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** Objects that are held now. */
  readonly objects: number;
  /** Contents that were recorded. */
  readonly versions: number;
  readonly blind: readonly BlindTime[];
  /** More than are told one by one. */
  readonly moreBlind: number;
  readonly statement: string;
  readonly exit: ExitCode;
}

interface BlindTime {
  readonly of: ConfigKind;
  /** null: nothing was seen before. */
  readonly from: Instant | null;
  readonly to: Instant;
  readonly why: string;
}

/** A recorder runs for months. */
const MOST_BLIND = 100;

export class Sight {
  readonly #reporter: Reporter;
  readonly #lost = new Map<ConfigKind, string>();
  readonly #blind: Blind[] = [];
  #blindCount = 0;
  #unread = new Set<string>();
  #from: Instant | null = null;
  #to: Instant | null = null;
  #versions = 0;

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  lost(of: ConfigKind, why: string): void {
    if (!this.#lost.has(of)) {
      const since = this.#to === null ? "" : ` since ${iso(this.#to)}`;
      this.#say(`${of}s are not seen${since}: ${why}`);
    }
    this.#lost.set(of, why);
  }

  /** `last`: its last reading before. */
  found(
    of: ConfigKind,
    { time, gone, versions, unread }: SeenKind,
    last: Instant | null,
  ): readonly HeldRecord[] {
    for (const why of unread) if (!this.#unread.has(why)) this.#say(why);
    this.#unread = new Set(unread);
    this.#versions += versions.length;
    const why = this.#lost.get(of);
    if (why === undefined) return [];
    this.#lost.delete(of);
    const blind: Blind = { kind: "blind", of, from: last, to: time.from, why };
    this.#blindCount += 1;
    if (this.#blind.length < MOST_BLIND) this.#blind.push(blind);
    const moved =
      gone.length === 0
        ? "nothing that was held changed meanwhile"
        : `${gone.length} changed or went meanwhile, and what they held in between is not known`;
    this.#say(`${of}s are seen again since ${iso(time.from)}: ${moved}`);
    return [blind];
  }

  looked({ namespace, kinds }: HeldScope, looks: readonly SeenKind[], objects: number): void {
    for (const { time } of looks) {
      if (this.#from === null) {
        const where = namespace === null ? "all namespaces" : `namespace ${namespace}`;
        this.#say(
          `recording ${counted(objects, "object")} (${listed(kinds.map((kind) => `${kind}s`))} of ${where}) since ${iso(time.from)}`,
        );
      }
      this.#from ??= time.from;
      if (this.#to === null || time.to > this.#to) this.#to = time.to;
    }
  }

  recording(scope: HeldScope, objects: number): Recording {
    const [from, to] = [this.#from, this.#to];
    const blind = this.#blind.map(({ of, from: since, to: until, why }) => ({
      of,
      from: since,
      to: until,
      why,
    }));
    const now = [...this.#lost].map(([of, why]) => `${of}s were not seen at its end: ${why}`);
    const seen =
      from === null || to === null
        ? "Nothing was seen."
        : `${counted(this.#versions, "content")} recorded, ${counted(objects, "object")} held, from ${iso(from)} to ${iso(to)}; blind ${counted(this.#blindCount, "time")}.`;
    return {
      scope,
      from,
      to,
      objects,
      versions: this.#versions,
      blind,
      moreBlind: this.#blindCount - blind.length,
      statement: [seen, ...now].join(" "),
      exit: from === null ? EXIT.undetermined : EXIT.proven,
    };
  }

  #say(text: string): void {
    this.#reporter.report({ kind: "note", text });
  }
}
