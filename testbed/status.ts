/** What lives, as it is seen at this moment. */
import { BY_NAME, COMPONENTS, type ComponentName } from "./component-name.ts";
import { isNothing, type Remains, remainsOf } from "./down.ts";
import type { Place } from "./place.ts";
import { componentOf, initOf, type Process } from "./processes.ts";
import { must } from "./run.ts";
import { readUpRecord, type UpRecord } from "./up.ts";

export interface Part {
  readonly name: string;
  /** Null: it does not run. */
  readonly pid: number | null;
  readonly since: string | null;
  readonly residentBytes: number | null;
}

export interface Status {
  readonly name: string;
  /** `up`: a whole start, and every part lives. `broken`: something lives or is left. `down`: nothing is. */
  readonly state: "up" | "broken" | "down";
  readonly since: string | null;
  readonly parts: readonly Part[];
  /** Processes of the testbed that are no part: Pods, shims, commands. */
  readonly others: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  readonly logs: string;
}

export const statusOf = async (place: Place): Promise<Status> => {
  const remains = remainsOf(place);
  const init = initOf(place.name, remains.processes);
  const find = (name: ComponentName) => [name, componentOf(remains.processes, name)] as const;
  const extras = BY_NAME.map(find).filter(([, process]) => process !== undefined);
  const parts = [["namespaces", init] as const, ...COMPONENTS.map(find), ...extras].map(([name, process]) =>
    partOf(name, process),
  );
  const record = readUpRecord(place);
  return {
    name: place.name,
    state: stateOf(remains, record, parts),
    since: record?.since ?? null,
    parts,
    others: remains.processes.length - parts.filter(({ pid }) => pid !== null).length,
    versions: { ...record?.tools.versions, ...(await packageVersions()) },
    kubeconfig: place.kubeconfig,
    logs: place.logs,
  };
};

const stateOf = (remains: Remains, record: UpRecord | null, parts: readonly Part[]): Status["state"] => {
  if (isNothing(remains)) return "down";
  return record !== null && parts.every(({ pid }) => pid !== null) ? "up" : "broken";
};

const partOf = (name: string, process: Process | undefined): Part => ({
  name,
  pid: process?.pid ?? null,
  since: process?.startedAt.toISOString() ?? null,
  residentBytes: process?.residentBytes ?? null,
});

/** Those of Debian's packages whose version matters to a Pod; none where they are not installed. */
const packageVersions = async (): Promise<Readonly<Record<string, string>>> => {
  const lines = await must("Asking for the Debian packages", "dpkg-query", [
    "-W",
    "-f",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
    "${Package}\t${Version}\t${db:Status-Status}\n",
    // Patterns: without one dpkg-query fails over a package that it never heard of.
    "containerd*",
    "containernetworking-plugins*",
    "runc*",
    "iptables*",
  ]);
  return Object.fromEntries(
    lines
      .split("\n")
      .map((line) => line.split("\t"))
      .filter(
        ([name = "", , state]) =>
          state === "installed" &&
          ["containerd", "runc", "containernetworking-plugins", "iptables"].includes(name),
      )
      .map(([name, version]) => [String(name), String(version)]),
  );
};

/** For people: a line for each part, then the versions. */
export const formatStatus = (status: Status): string => {
  const since = status.since === null ? "" : ` since ${status.since}`;
  const lines = status.parts.map(({ name, pid, since, residentBytes }) =>
    pid === null
      ? `  ${name.padEnd(24)} not running`
      : `  ${name.padEnd(24)} pid ${String(pid).padEnd(8)} since ${since}  ${Math.round((residentBytes ?? 0) / 2 ** 20)} MiB`,
  );
  const versions = Object.entries(status.versions).map(([name, version]) => `${name} ${version}`);
  if (status.state === "down")
    return `testbed ${status.name} is down: no process, no cgroup, no mount, no file is left`;
  return [
    `testbed ${status.name} is ${status.state}${since}`,
    ...lines,
    `  and ${status.others} other processes (Pods, their shims, commands)`,
    `  versions: ${versions.join(", ")}`,
    `  kubeconfig: ${status.kubeconfig}`,
    `  logs: ${status.logs}`,
  ].join("\n");
};
