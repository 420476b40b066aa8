import { vi } from "vitest";

/** Asks until the assertions hold; the last failure is the test's. */
export const eventually = <T>(ask: () => Promise<T>): Promise<T> =>
  vi.waitFor(ask, { timeout: 90_000, interval: 200 });
