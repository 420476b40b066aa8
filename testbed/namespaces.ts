/** Makes a testbed's namespaces, and enters them. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TestbedFault } from "./fault.ts";
import { NETWORK, type Place, SOURCE } from "./place.ts";
import { allProcesses, initOf, MARK, MARK_ROLE, type Process, type Role } from "./processes.ts";
import { tailOf } from "./run.ts";

/** What every process of a testbed is started with: nothing of ours leaks into the cluster. */
export const environmentOf = (place: Place, role: Role): NodeJS.ProcessEnv => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  LANG: "C.UTF-8",
  [MARK]: place.name,
  [MARK_ROLE]: role,
});

/** Resolves to the first process, once it has set up mounts and network. */
export const makeNamespaces = async (place: Place, pause: string): Promise<Process> => {
  const log = join(place.logs, "init.log");
  const file = openSync(log, "a");
  const words = ["--mount", "--net", "--pid", "--fork", "--mount-proc", "--propagation", "private", "--"];
  const init = [
    "sh",
    `${SOURCE}/init.sh`,
    join(place.state, "etc"),
    pause,
    `${NETWORK.node}/${NETWORK.nodePrefix}`,
  ];
  const unshare = spawn("unshare", [...words, ...init], {
    env: environmentOf(place, "init"),
    stdio: ["ignore", file, file],
    detached: true,
  });
  closeSync(file);
  unshare.unref();
  let ended = false;
  unshare.once("exit", () => {
    ended = true;
  });
  unshare.once("error", () => {
    ended = true;
  });
  for (;;) {
    const process = initOf(place.name);
    if (process !== undefined && existsSync(insidePath(process, "/run/testbed/ready"))) return process;
    if (ended) throw new TestbedFault("failed", `the namespaces could not be made; ${tailOf(log)}`);
    await sleep(20);
  }
};

/** A path as the testbed has it, seen from outside. */
export const insidePath = (init: Process, path: string): string => `/proc/${init.pid}/root${path}`;

/** Words to put before a command. `network` leaves it this machine's files and processes, `all` takes both away. */
export const entering = (init: Process, which: "all" | "network"): readonly string[] =>
  which === "network"
    ? ["nsenter", `--net=/proc/${init.pid}/ns/net`, "--"]
    : ["nsenter", `--target=${init.pid}`, "--mount", "--net", "--pid", "--"];

/** The living first process, or a fault. */
export const demandInit = (place: Place): Process => {
  const init = initOf(place.name, allProcesses());
  if (init === undefined)
    throw new TestbedFault(
      "failed",
      `the testbed ${place.name} is not up; \`npm run testbed -- up\` starts it`,
    );
  return init;
};
