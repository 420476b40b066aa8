/** The folder of releases keeps the contract, and its files are what stock tools reproduce (C3). */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openReleases } from "../../src/adapters/system/releases.ts";
import { configMap, storedRelease } from "../support/made-release.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { releasesContract } from "./releases.ts";

releasesContract("a folder", () => {
  const path = join(tempFolder("releases"), "made", "at", "need");
  return { open: () => openReleases(path, "releases") };
});

const sh = (cwd: string, script: string): string => execFileSync("bash", ["-c", script], { cwd }).toString();

it("C3: sha256sum finds every file as recorded, and the digest of a ConfigMap from its files", async () => {
  const path = tempFolder("releases");
  const settings = configMap("settings", { "b.txt": "two\n", A: "one", a: "" });
  const { release, report } = storedRelease({ config: [settings] });
  await openReleases(path, "releases").record({ release, report });
  const [target = ""] = readdirSync(path).filter((name) => name.startsWith("deployment.shop.web_"));
  const folder = join(path, target, release.id);
  expect(sh(folder, "sha256sum --strict -c SHA256SUMS").match(/: OK$/gm)).toHaveLength(5);
  const digest = sh(join(folder, "config", "settings"), "(LC_ALL=C sha256sum *) | sha256sum");
  expect(digest.slice(0, 64)).toBe(settings.digest);
  const files = sh(folder, "find . -type f").trim().split("\n");
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o444);
});
