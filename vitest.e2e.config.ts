import { defineConfig } from "vitest/config";

/** On a real cluster: `npm run test:e2e`, in a testbed's network or on the cluster of `ASFOUND_E2E_KUBECONFIG`. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/support/temp-root.ts", "test/e2e/set-up.ts"],
    // Real rollouts and pulls on a loaded two-core machine. A wait has a bound of its own (test/e2e/eventually.ts) and says
    // what it saw last; a story is several of them, and its bound is only for what hangs.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
