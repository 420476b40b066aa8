/** Disks of their own, as small as a test wants them, for as long as the test runs. */
import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { tempFolder } from "./temp-folder.ts";

export const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** The folder that it is mounted at. */
export const smallDisk = (sizeKiB: number): string => {
  const folder = tempFolder("disk");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKiB}k`, "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
};
