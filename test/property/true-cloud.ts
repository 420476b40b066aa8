/**
 * What really exists: a provider that keeps its word about `settle`, and nothing else. Replies get lost, effects come
 * late, readings are denied or show an old picture as long as they may. Nothing here knows the domain's rules.
 *
 * Effects of one call: at the latest when the call is past; seen by every reading from `shownBy` on. Until then a
 * reading may show the picture before them, unless an earlier reading already showed the new one.
 */
import { known, notAsked } from "../../src/domain/known.ts";
import type { Reading } from "../../src/domain/outcome.ts";
import type { RetryClass } from "../../src/domain/step.ts";

export interface Moment {
  readonly at: number;
  readonly shownBy: number;
}

export interface Thing {
  readonly id: string;
  readonly key: string;
  readonly foreign: boolean;
  /** Made by the same call as that one. */
  readonly twinOf: string | null;
  body: string;
  bodyBefore: string;
  bodySince: Moment;
  born: Moment;
  died: Moment | null;
  wasSeen: boolean;
  wasMissed: boolean;
}

export interface Picture {
  readonly hideBirths: boolean;
  readonly hideDeaths: boolean;
  readonly hideBodies: boolean;
  /** Shows nothing at all for a moment, at most for `settle`, though no call is under way (R3). */
  readonly blinks: boolean;
}

export interface CloudTraits {
  readonly retry: RetryClass;
  readonly hasIds: boolean;
  readonly tellsDeclared: boolean;
  readonly settleMs: number;
}

export class TrueCloud {
  readonly things: Thing[] = [];
  readonly #traits: CloudTraits;
  #blinkedAt: number | null = null;

  constructor(traits: CloudTraits) {
    this.#traits = traits;
  }

  /** Ours and alive at that time. */
  alive(now: number): readonly Thing[] {
    return this.things.filter(
      (t) => !t.foreign && t.born.at <= now && !(t.died !== null && t.died.at <= now),
    );
  }

  /** Ours, and alive now or yet to be born. */
  expected(now: number): readonly Thing[] {
    return this.things.filter((t) => !t.foreign && !(t.died !== null && t.died.at <= now));
  }

  addForeign(now: number): Thing {
    return this.#add("foreign", "foreign", { at: now, shownBy: now }, true);
  }

  double(thing: Thing, born: Moment): Thing {
    return this.#add(thing.key, thing.body, born, false, thing.id);
  }

  #add(key: string, body: string, born: Moment, foreign = false, twinOf: string | null = null): Thing {
    const thing: Thing = {
      id: `id-${this.things.length + 1}`,
      key,
      foreign,
      twinOf,
      body,
      bodyBefore: body,
      bodySince: born,
      born,
      died: null,
      wasSeen: false,
      wasMissed: false,
    };
    this.things.push(thing);
    return thing;
  }

  /** The thing this create makes or finds; a conflict where the name is taken. */
  create(key: string, body: string, when: Moment): Thing | "conflict" {
    const { retry } = this.#traits;
    const there = this.things.filter((t) => !(t.died !== null && t.died.at <= when.at));
    const same = retry === "keyed" ? there.find((t) => t.key === key) : there[0];
    if (same === undefined || retry === "once") return this.#add(key, body, when);
    if (same.born.at > when.at) {
      // What the earlier call was about to make is made by this one.
      same.born = when;
      same.body = body;
      return same;
    }
    if (retry === "named") return "conflict";
    if (retry === "idempotent") this.update(same.id, body, when);
    return same;
  }

  update(id: string, body: string, when: Moment): void {
    const thing = this.things.find((t) => t.id === id);
    if (thing === undefined) return;
    thing.bodyBefore = thing.body;
    thing.body = body;
    thing.bodySince = when;
  }

  /** By id (D4); without ids, what the name or key finds. */
  destroy(id: string | null, keys: readonly string[], when: Moment): readonly Thing[] {
    const dying = this.#matching(id, keys).filter((t) => t.died === null || t.died.at > when.at);
    for (const thing of dying) thing.died = when;
    return dying;
  }

  #matching(id: string | null, keys: readonly string[]): readonly Thing[] {
    if (id !== null) return this.things.filter((t) => t.id === id);
    const { retry } = this.#traits;
    if (retry === "named" || retry === "idempotent") return this.things;
    return this.things.filter((t) => keys.includes(t.key));
  }

  /** A true reading, or an old picture as far as it may still be shown. */
  read(
    now: number,
    about: { readonly id: string | null; readonly keys: readonly string[]; readonly body: string },
    show: Picture,
  ): Reading {
    const byId = about.id === null ? [] : this.#visible(this.#matching(about.id, []), now, show);
    const found = byId.length > 0 ? byId : this.#visible(this.#matching(null, about.keys), now, show);
    return this.#told(found, now, about.body, show);
  }

  /** One that may blink shows nothing; two such readings are never `settle` apart without a true one between them. */
  blink(now: number): boolean {
    this.#blinkedAt ??= now;
    return now - this.#blinkedAt < this.#traits.settleMs;
  }

  /** What is asked for by its id alone: a second object. */
  readById(now: number, id: string, show: Picture): Reading {
    return this.#told(this.#visible(this.#matching(id, []), now, show), now, "", show);
  }

  #visible(things: readonly Thing[], now: number, show: Picture): readonly Thing[] {
    return things.filter((t) => {
      if (t.born.at > now) return false;
      if (show.hideBirths && now < t.born.shownBy && !t.wasSeen) return false;
      if (t.died === null || t.died.at > now) return true;
      if (show.hideDeaths && now < t.died.shownBy && !t.wasMissed) return true;
      t.wasMissed = true;
      return false;
    });
  }

  #told(found: readonly Thing[], now: number, wanted: string, show: Picture): Reading {
    const [thing] = found;
    if (thing === undefined) return { kind: "absent" };
    if (found.length > 1) return { kind: "ambiguous", ids: found.map((t) => t.id) };
    thing.wasSeen = true;
    this.#blinkedAt = null;
    const old = thing.bodySince.at > now || (show.hideBodies && now < thing.bodySince.shownBy);
    const body = old ? thing.bodyBefore : thing.body;
    return {
      kind: "observed",
      id: this.#traits.hasIds ? thing.id : null,
      outputs: { [`read-${thing.id}`]: body },
      asDeclared: this.#traits.tellsDeclared ? known(body === wanted) : notAsked,
      reason: null,
    };
  }
}
