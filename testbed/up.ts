/** Starts a testbed: keys and namespaces here, the cluster from a process in its network. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCgroups } from "./cgroups.ts";
import { COMPONENTS } from "./component-name.ts";
import { endAll, isNothing, remainsOf, takeDown } from "./down.ts";
import { TestbedFault } from "./fault.ts";
import { fingerprint } from "./fingerprint.ts";
import { makeKeys } from "./keys.ts";
import { demandPackages } from "./machine.ts";
import { makeNamespaces } from "./namespaces.ts";
import { inside } from "./order.ts";
import { type Place, SOURCE } from "./place.ts";
import { componentOf, initOf, processesOf } from "./processes.ts";
import { writeSettings } from "./settings.ts";
import { builtTools, type Tools } from "./tools.ts";

/** What `up` writes when all works. */
export interface UpRecord {
  readonly since: string;
  /** Of this folder, as it was then. */
  readonly source: string;
  readonly tools: Tools;
}

/** Null: no start was ever whole. */
export const readUpRecord = (place: Place): UpRecord | null => {
  try {
    return JSON.parse(readFileSync(place.upRecord, "utf8")) as UpRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

export const bringUp = async (place: Place, say: (line: string) => void): Promise<void> => {
  await demandPackages();
  const tools = builtTools(place);
  if (isUpAlready(place)) return say(`testbed ${place.name} is up already`);
  if (!isNothing(remainsOf(place))) {
    say("removing what an earlier start left");
    await takeDown(place);
  }
  mkdirSync(place.logs, { recursive: true });
  try {
    await makeKeys(place);
    writeSettings(place);
    say("keys and settings made");
    makeCgroups(place);
    await makeNamespaces(place, join(tools.folders.images, "pause"));
    say("namespaces made");
    await inside(place, { kind: "start" }, say);
  } catch (error) {
    await endAll(place);
    throw error;
  }
  recordUp(place, tools);
  say(`testbed ${place.name} is up`);
};

/** Written under another name first, so that it is there whole or not at all. */
export const recordUp = (place: Place, tools: Tools): void => {
  const record: UpRecord = { since: new Date().toISOString(), source: fingerprint(SOURCE, null), tools };
  writeFileSync(`${place.upRecord}.part`, JSON.stringify(record));
  renameSync(`${place.upRecord}.part`, place.upRecord);
};

export const forgetUp = (place: Place): void => rmSync(place.upRecord, { force: true });

const isUpAlready = (place: Place): boolean => {
  const record = readUpRecord(place);
  const processes = processesOf(place);
  if (record === null || initOf(place.name, processes) === undefined) return false;
  const dead = COMPONENTS.filter((name) => componentOf(processes, name) === undefined);
  if (dead.length > 0)
    throw new TestbedFault(
      "failed",
      `testbed ${place.name} is up since ${record.since}, but without ${dead.join(", ")}: \`start\` them, \`reset\` it, or take it \`down\``,
    );
  if (record.source !== fingerprint(SOURCE, null))
    throw new TestbedFault(
      "failed",
      `testbed ${place.name} is up since ${record.since}, and testbed/ has changed since then: take it \`down\` first`,
    );
  return true;
};
