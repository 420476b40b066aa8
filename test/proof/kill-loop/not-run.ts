/** What a machine must have for these tests: without it they are said to be not run, and in CI that is a failure. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "vitest";
import { isCi } from "../../../src/wire/environment.ts";

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
    if (missing.length === 0) return;
    const why = `not run: this machine has no ${missing.join(", no ")}`;
    if (isCi(process.env)) throw new Error(why);
    context.skip(why);
  };
