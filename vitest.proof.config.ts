import { defineConfig } from "vitest/config";

/** The proof of DESIGN §12: crash points, faults in system calls, power cuts, the kill loop, fuzz. `npm run test:proof`. */
export default defineConfig({
  test: {
    include: ["test/proof/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    // One test may be hundreds of crashes of real processes; a soak run (`npm run test:soak`) is an hour of them.
    testTimeout: process.env["ASFOUND_SOAK"] === "1" ? 7_200_000 : 600_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
