/** What package.json and the lock file promise. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { HOUSE } from "../canary/tree.ts";

it("every version is exact", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

it("the lock file holds digests and no download addresses", () => {
  const lock = readFileSync(`${HOUSE}/package-lock.json`, "utf8");
  expect(lock).toContain('"integrity"');
  expect(lock).not.toContain('"resolved"');
});

it("the tests run on the Node that the package brings, and it has SQLite", async () => {
  expect(process.versions.node).toBe(manifest.devDependencies.node);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(":memory:");
  expect(database.prepare("select 1 as one").get()).toEqual({ one: 1 });
  database.close();
});
