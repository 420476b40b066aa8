import { defineConfig } from "vitest/config";

/** On a real cluster: `npm run test:e2e`, in a testbed's network or on the cluster of `ASFOUND_E2E_KUBECONFIG`. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/support/temp-root.ts", "test/e2e/set-up.ts"],
    // Real rollouts and pulls on a loaded two-core machine.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
