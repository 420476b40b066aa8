import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // These have commands of their own: `npm run test:proof`, `npm run test:e2e`.
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**", "test/proof/**", "test/e2e/**"],
    globalSetup: ["test/support/temp-root.ts"],
    // Real child processes, kill -9 and fsync: slow on a loaded two-core machine, never this slow when right.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Processes, not threads: tests change directory, send signals, and open SQLite natively.
    pool: "forks",
    maxWorkers: 2,
  },
});
