import { setTimeout as wait } from "node:timers/promises";
import { instant } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";

/** All the time that the cloud needs. */
export type CloudClock = Pick<Clock, "now" | "sleep">;

/** The cloud is an outside thing, so it has a clock of its own. */
export const realClock: CloudClock = {
  // biome-ignore lint/plugin: the cloud stands outside asfound and in its own process; no port of ours is there.
  now: () => instant(Date.now()),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
};
