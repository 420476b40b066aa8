/** What a machine must have for a testbed to run on it. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { TestbedFault } from "./fault.ts";
import { SOURCE } from "./place.ts";
import { must } from "./run.ts";

/** Capabilities by their bit, as in linux/capability.h. */
const CAPABILITIES = {
  CAP_CHOWN: 0,
  CAP_DAC_OVERRIDE: 1,
  CAP_KILL: 5,
  CAP_SETGID: 6,
  CAP_SETUID: 7,
  CAP_NET_ADMIN: 12,
  CAP_NET_RAW: 13,
  CAP_SYS_CHROOT: 18,
  CAP_SYS_PTRACE: 19,
  CAP_SYS_ADMIN: 21,
  CAP_MKNOD: 27,
} as const;

/** What is asked of a machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  /** `CapEff` of /proc/self/status. */
  readonly capabilities: bigint;
  readonly isDebian: boolean;
}

export const thisMachine = (): Machine => ({
  platform: process.platform,
  uid: process.getuid?.() ?? -1,
  capabilities: process.platform === "linux" ? ownCapabilities() : 0n,
  isDebian: isOnPath("dpkg-query") && isOnPath("apt-get"),
});

/** Why no testbed can run there whatever is installed, or null. */
export const obstacle = ({ platform, uid, capabilities, isDebian }: Machine): string | null => {
  if (platform !== "linux") return `this is ${platform}, and namespaces are Linux's`;
  if (uid !== 0) return "only root can make namespaces, mounts and cgroups: run it as root";
  const lacking = Object.entries(CAPABILITIES)
    .filter(([, bit]) => (capabilities & (1n << BigInt(bit))) === 0n)
    .map(([name]) => name);
  if (lacking.length > 0)
    return `this root lacks ${lacking.join(", ")}: run it where root may do this (a container needs --privileged)`;
  if (!isDebian)
    return "this is no Debian: containerd, runc and the CNI plug-ins come from Debian's packages";
  return null;
};

const ownCapabilities = (): bigint =>
  BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]}`);

export const demandMachine = (): void => {
  const why = obstacle(thisMachine());
  if (why !== null) throw new TestbedFault("cannot-run", `not run, because ${why}`);
  // Made by init.sh. From in here one sees neither the machine's processes nor its mounts.
  if (existsSync("/run/testbed"))
    throw new TestbedFault("usage", "this command runs inside a testbed (`exec`): give it from outside");
};

export const demandPackages = async (): Promise<void> => {
  const missing = await must("Asking for the Debian packages", "sh", [PACKAGES, "--missing"]);
  if (missing.trim() !== "")
    throw new TestbedFault(
      "cannot-run",
      `not run, because Debian packages are missing: ${missing.trim()}; \`npm run testbed -- setup\` installs them`,
    );
};

/** Says itself, on stderr, what it does. `more`: beside those that every testbed needs. */
export const installPackages = async (more: readonly string[]): Promise<void> => {
  const { status } = spawnSync("sh", [PACKAGES, ...more], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0)
    throw new TestbedFault(
      "failed",
      `the Debian packages were not installed: ${PACKAGES} ended with ${status}, see above`,
    );
};

const PACKAGES = `${SOURCE}/packages.sh`;

export const isOnPath = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
