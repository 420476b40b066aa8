/**
 * Time that moves only when everybody waits: the settle window of a minute passes at once, in the order it would.
 * Whoever sleeps or works announces it here; when nothing happened for a few turns of the event loop, the next sleeper
 * is woken.
 */
import { type Instant, instant } from "../../src/domain/ids.ts";

/** Turns of the event loop without a sign of work: more than a commit in memory takes. */
const QUIET_TURNS = 4;

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class VirtualTime {
  #now: number;
  #signs = 0;
  #sleepers: Sleeper[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): Instant {
    return instant(this.#now);
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Somebody is at work. */
  stir(): void {
    this.#signs += 1;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.stir();
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at: this.#now + ms,
        wake: () => {
          this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
          this.stir();
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
    });
  }

  /** Lets the work go on until it ends, moving time whenever all wait. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) {
      await this.quiet(() => isOver);
      if (isOver) break;
      if (!this.skip()) throw new Error("everybody waits, and nobody for the time");
    }
    return work;
  }

  /** Moves to when the next sleeper is due, and wakes it. False: nobody sleeps. */
  skip(): boolean {
    const next = this.#sleepers.reduce<Sleeper | undefined>(
      (first, one) => (first === undefined || one.at < first.at ? one : first),
      undefined,
    );
    if (next === undefined) return false;
    this.#now = Math.max(this.#now, next.at);
    next.wake();
    return true;
  }

  /** Until all wait, for the time or for each other. */
  async quiet(isOver: () => boolean = () => false): Promise<void> {
    for (let still = 0, signs = this.#signs; still < QUIET_TURNS && !isOver(); ) {
      await new Promise(setImmediate);
      still = signs === this.#signs ? still + 1 : 0;
      signs = this.#signs;
    }
  }
}
