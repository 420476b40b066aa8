/** What a machine must have for these tests. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "vitest";
import { notRunWithout } from "../../support/not-run.ts";

const has = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

const isProgram = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => has(join(folder, name)));

/** For `beforeEach`: /proc of Linux, and these programs. */
export const needs =
  (...programs: readonly string[]) =>
  (context: TestContext): void => {
    const missing = [
      ...(has("/proc/self/stat") ? [] : ["/proc"]),
      ...programs.filter((name) => !isProgram(name)),
    ];
    notRunWithout(context, missing.length === 0 ? null : `this machine has no ${missing.join(", no ")}`);
  };
