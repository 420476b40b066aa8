import { setTimeout as sleep } from "node:timers/promises";

const WITHIN_MS = 90_000;
const EVERY_MS = 200;

/** Asks until the assertions hold; the last failure is the test's. */
export const eventually = async <T>(ask: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(EVERY_MS);
    }
  }
};
