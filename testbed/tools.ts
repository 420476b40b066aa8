/**
 * Builds the Go programs of a testbed, once: the folder they are in is named after a digest of everything that the build
 * depends on, and appears whole or not at all.
 */
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { TestbedFault } from "./fault.ts";
import { fingerprint } from "./fingerprint.ts";
import { isOnPath } from "./machine.ts";
import {
  CORE_MODULES,
  linkFlagsOf,
  MODULES,
  type Module,
  type ModuleName,
  pinnedVersion,
} from "./modules.ts";
import { type Place, SOURCE } from "./place.ts";
import { MARK, MARK_ROLE } from "./processes.ts";
import { must, runIntoLog, tailOf } from "./run.ts";

/** Built tools: for each module the folder with its programs. */
export interface Tools {
  readonly folders: Readonly<Record<ModuleName, string>>;
  /** Module → version, of those that are built and somebody else's. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Static, without paths of this machine; the flags are part of the fingerprint. */
const GO_ENVIRONMENT = {
  CGO_ENABLED: "0",
  GOFLAGS: "-buildvcs=false",
  GOTOOLCHAIN: "local",
  GOOS: "linux",
} as const;
const FLAGS = ["-trimpath"];

/** Hundreds of modules are downloaded on a new machine, and what was downloaded and built is kept between attempts. */
const MOST_ATTEMPTS = 3;

const NAMES = Object.keys(MODULES) as readonly ModuleName[];

/** Where each would be, built or not. */
export const foldersOf = (place: Place): Tools["folders"] =>
  Object.fromEntries(NAMES.map((name) => [name, folderOf(place, name)])) as Tools["folders"];

/** Where the tools are; a fault when one of `wanted` is not built. */
export const builtTools = (place: Place, wanted: readonly ModuleName[] = CORE_MODULES): Tools => {
  const missing = wanted.filter((name) => !isBuilt(place, name));
  if (missing.length > 0) {
    const extras = missing.filter((name) => !CORE_MODULES.some((core) => core === name));
    throw new TestbedFault(
      "cannot-run",
      `not run, because the tools are not built (${missing.join(", ")}); \`npm run testbed -- ${["setup", ...extras].join(" ")}\` builds them`,
    );
  }
  return {
    folders: foldersOf(place),
    versions: Object.fromEntries(
      NAMES.flatMap((name) => {
        const version = isBuilt(place, name) ? pinnedVersion(MODULES[name]) : null;
        return version === null ? [] : [[name, version]];
      }),
    ),
  };
};

/**
 * Builds what is missing, one program after the other, so that others can work on the machine meanwhile. One at a time:
 * whoever calls this holds the cache's lock.
 */
export const buildTools = async (
  place: Place,
  wanted: readonly ModuleName[],
  say: (line: string) => void,
  againAfterMs = 5_000,
): Promise<void> => {
  const missing = wanted.filter((name) => !isBuilt(place, name));
  if (missing.length === 0) return say("Go tools: all built");
  if (!isOnPath("go"))
    throw new TestbedFault(
      "cannot-run",
      "not run, because there is no `go` on the PATH to build the tools with",
    );
  mkdirSync(place.cache, { recursive: true });
  // Of those who were killed. What they started may still run: it writes to a name that is never used again.
  for (const left of readdirSync(place.cache))
    if (left.endsWith(".part")) rmSync(join(place.cache, left), { recursive: true });
  for (const name of missing) await build(place, name, say, againAfterMs);
};

const build = async (
  place: Place,
  name: ModuleName,
  say: (line: string) => void,
  againAfterMs: number,
): Promise<void> => {
  const module: Module = MODULES[name];
  const target = folderOf(place, name);
  const log = join(place.cache, `build-${name}.log`);
  const unfinished = `${target}.${randomUUID()}.part`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(log, "");
  const version = pinnedVersion(module);
  const linkFlags = linkFlagsOf(module).join(" ");
  const goEnvironment = { ...process.env, ...GO_ENVIRONMENT, [MARK]: place.name, [MARK_ROLE]: "build" };
  const cwd = join(SOURCE, module.folder);
  for (const [program, path] of Object.entries(module.programs)) {
    say(`Go tools: building ${program}${version === null ? "" : ` ${version}`} (log: ${log})`);
    const words = ["build", ...FLAGS, `-ldflags=${linkFlags}`, "-o", join(unfinished, program), path];
    for (let attempt = 1; ; attempt += 1) {
      appendFileSync(log, `$ go ${words.join(" ")}\n`);
      const code = await runIntoLog("nice", ["-n", "19", "go", ...words], log, { cwd, env: goEnvironment });
      if (code === 0) break;
      const why = `go ended with ${code}; ${tailOf(log)}`;
      if (attempt === MOST_ATTEMPTS)
        throw new TestbedFault("failed", `building ${program} failed ${MOST_ATTEMPTS} times: ${why}`);
      say(`Go tools: building ${program} failed, and is tried again: ${why}`);
      await setTimeout(againAfterMs);
    }
  }
  if (module.files !== undefined) {
    const words = ["list", "-m", "-f", "{{.Dir}}", module.files.module];
    const source = (
      await must(`Finding ${module.files.module}`, "go", words, { cwd, env: goEnvironment })
    ).trim();
    for (const path of module.files.paths) copyYaml(join(source, path), unfinished);
  }
  renameSync(unfinished, target);
};

/** Copies the YAML files of a folder, but what only puts them together. The module cache's are read-only. */
const copyYaml = (folder: string, target: string): void => {
  for (const name of readdirSync(folder))
    if (name.endsWith(".yaml") && name !== "kustomization.yaml")
      writeFileSync(join(target, name), readFileSync(join(folder, name)));
};

const isBuilt = (place: Place, name: ModuleName): boolean => existsSync(folderOf(place, name));

const folderOf = (place: Place, name: ModuleName): string =>
  join(place.cache, `${name}-${fingerprint(join(SOURCE, MODULES[name].folder), settingsOf(MODULES[name]))}`);

/** Not the Go version: the pins name the least one. */
const settingsOf = (module: Module): readonly unknown[] => [
  process.arch,
  GO_ENVIRONMENT,
  FLAGS,
  linkFlagsOf(module),
  module.programs,
  module.files,
];
