import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fingerprint } from "../../testbed/fingerprint.ts";
import { tempFolder } from "../support/temp-folder.ts";

it("tools are built again when a pin, a source or a flag changes, and else not", () => {
  const folder = tempFolder("pins");
  mkdirSync(join(folder, "app"));
  writeFileSync(join(folder, "go.sum"), "h1:a");
  writeFileSync(join(folder, "app", "main.go"), "package main");
  const first = fingerprint(folder, ["-trimpath"]);
  utimesSync(join(folder, "go.sum"), 0, 0);
  expect(fingerprint(folder, ["-trimpath"])).toBe(first);
  expect(fingerprint(folder, ["-race"])).not.toBe(first);
  writeFileSync(join(folder, "go.sum"), "h1:b");
  const pinned = fingerprint(folder, ["-trimpath"]);
  expect(pinned).not.toBe(first);
  writeFileSync(join(folder, "app", "main.go"), "package app");
  expect(fingerprint(folder, ["-trimpath"])).not.toBe(pinned);
});
