/**
 * The testbed's cgroup, one folder under each hierarchy: the kubelet puts every Pod below it. With cgroup v1 a new
 * cpuset has no processors and no memory until somebody gives it some.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TestbedFault } from "./fault.ts";
import type { Place } from "./place.ts";

export const makeCgroups = ({ cgroup }: Place): void => {
  const all = hierarchies();
  const v1 = all.filter(({ version }) => version === 1);
  for (const { at } of v1.length > 0 ? v1 : all) {
    const folder = `${at}/${cgroup}`;
    mkdirSync(folder, { recursive: true });
    for (const setting of ["cpuset.cpus", "cpuset.mems"])
      if (existsSync(`${folder}/${setting}`) && readFileSync(`${folder}/${setting}`, "utf8").trim() === "")
        writeFileSync(`${folder}/${setting}`, readFileSync(`${at}/${setting}`, "utf8"));
  }
};

export const cgroupFolders = ({ cgroup }: Place): readonly string[] =>
  hierarchies()
    .map(({ at }) => `${at}/${cgroup}`)
    .filter((folder) => existsSync(folder));

/** Removes them all. The kernel lets go of a cgroup a moment after its last process has ended. */
export const removeCgroups = async (place: Place): Promise<void> => {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const left = cgroupFolders(place).filter((folder) => !removed(folder));
    if (left.length === 0) return;
    if (performance.now() > deadline)
      throw new TestbedFault("failed", `the kernel does not let go of ${left.join(" and ")}`);
    await sleep(50);
  }
};

/** Removes the folder and all below it, the deepest first. */
const removed = (folder: string): boolean => {
  const below = globSync(`${folder}/**/`).map((path) => path.replace(/\/$/, ""));
  try {
    for (const path of [...new Set([...below, folder])].sort((a, b) => b.length - a.length)) rmdirSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EBUSY" || code === "ENOTEMPTY") return false;
    if (code === "ENOENT") return !existsSync(folder);
    throw error;
  }
};

/**
 * Where cgroups are mounted: with v1 a folder for each set of controllers, with v2 one. Where v2 is mounted beside v1 it
 * has no controllers, yet runc makes folders in it too.
 */
const hierarchies = (): readonly Hierarchy[] =>
  readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .flatMap(([, at = "", type = ""]): readonly Hierarchy[] => {
      const version = VERSIONS[type];
      return version === undefined ? [] : [{ at, version }];
    });

interface Hierarchy {
  readonly at: string;
  readonly version: 1 | 2;
}

/** By the file system's type. */
const VERSIONS: Readonly<Record<string, 1 | 2>> = { cgroup: 1, cgroup2: 2 };
