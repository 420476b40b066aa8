import { setTimeout as sleep } from "node:timers/promises";

/** What takes so long on a loaded machine does not come any more. */
const WITHIN_MS = 180_000;
const EVERY_MS = 200;

/** Asks until the assertions hold; what was seen last is told by the failure. */
export const eventually = async <T>(ask: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw inTheEnd(error);
      await sleep(EVERY_MS);
    }
  }
};

const inTheEnd = (error: unknown): unknown => {
  if (error instanceof Error) error.message = `not within ${WITHIN_MS / 1000} s; last: ${error.message}`;
  return error;
};
