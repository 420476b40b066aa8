import { defineConfig } from "vitest/config";

/** On a real cluster, in a testbed's network: `npm run test:e2e`. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/support/temp-root.ts"],
    // Real rollouts and pulls on a loaded two-core machine.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
