/** Where a testbed lives: its name, which is the machine's, and the folders that belong to it. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestbedFault } from "./fault.ts";

/** This folder. */
export const SOURCE = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

export interface Place {
  /** Of all testbeds on a machine only one has this name; processes and cgroups carry it. */
  readonly name: string;
  /** What this testbed writes: logs, keys, kubeconfig. Everything else of it is in the memory of its namespaces. */
  readonly state: string;
  readonly logs: string;
  readonly keys: string;
  readonly kubeconfig: string;
  /** Written last by `up`, so it says that the start was whole. */
  readonly upRecord: string;
  /** Held by whoever changes the testbed. Beside the state, which comes and goes. */
  readonly lock: string;
  /** Built tools, shared by all testbeds of a user. */
  readonly cache: string;
  /** Under each cgroup hierarchy. */
  readonly cgroup: string;
}

const NAME = /^[a-z]([-a-z0-9]{0,22}[a-z0-9])?$/;

/** `asked` is `--name`; without it `ASFOUND_TESTBED_NAME`, else `main`. */
export const placeOf = (asked: string | undefined, environment: NodeJS.ProcessEnv): Place => {
  const name = asked ?? environment["ASFOUND_TESTBED_NAME"] ?? "main";
  if (!NAME.test(name))
    throw new TestbedFault(
      "usage",
      `${JSON.stringify(name)} is no name for a testbed: up to 24 lower-case letters, digits and hyphens, a letter first`,
    );
  const folder = (variable: string, standard: string): string =>
    join(environment[variable] || join(environment["HOME"] || homedir(), standard), "asfound-testbed");
  const states = folder("XDG_STATE_HOME", ".local/state");
  if (/^\/run(\/|$)/.test(states))
    throw new TestbedFault(
      "usage",
      `${states} cannot hold a testbed, since each has a /run of its own: set XDG_STATE_HOME to another folder`,
    );
  const state = join(states, name);
  return {
    name,
    state,
    logs: join(state, "logs"),
    keys: join(state, "keys"),
    kubeconfig: join(state, "kubeconfig"),
    upRecord: join(state, "up.json"),
    lock: join(states, `${name}.lock`),
    cache: folder("XDG_CACHE_HOME", ".cache"),
    cgroup: `asfound-testbed-${name}`,
  };
};

/** The addresses are the same in every testbed: each has a network of its own. */
export const NETWORK = {
  node: "10.77.0.10",
  nodePrefix: 24,
  services: "10.96.0.0/16",
  apiService: "10.96.0.1",
  pods: "10.88.0.0/16",
  registry: "registry.test:5000",
  registryPort: 5000,
  privateRegistry: "registry.test:5001",
  privateRegistryPort: 5001,
  git: "10.77.0.10:9480",
  gitPort: 9480,
} as const;

export const ARGOCD_NAMESPACE = "argocd";

export const NODE_NAME = "testbed-node";
