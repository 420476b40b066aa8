/** Ends one part: asked first and killed when it does not go, as an operator would, or killed at once, as a crash does. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ComponentName } from "./component-name.ts";
import { TestbedFault } from "./fault.ts";
import type { Place } from "./place.ts";
import { componentOf, processesOf } from "./processes.ts";

const GRACE_MS = 10_000;

export const stopComponent = async (
  place: Place,
  name: ComponentName,
  signal: "SIGTERM" | "SIGKILL",
): Promise<void> => {
  const found = componentOf(processesOf(place), name);
  if (found === undefined) throw new TestbedFault("failed", `${name} does not run in testbed ${place.name}`);
  process.kill(found.pid, signal);
  const deadline = performance.now() + GRACE_MS;
  while (componentOf(processesOf(place), name)?.pid === found.pid) {
    if (performance.now() > deadline) process.kill(found.pid, "SIGKILL");
    await sleep(50);
  }
};
