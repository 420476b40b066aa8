/** Starts one component inside the testbed, and waits until it works. Runs in the testbed's network. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./api.ts";
import type { Component } from "./component.ts";
import { TestbedFault } from "./fault.ts";
import { entering, environmentOf, insidePath } from "./namespaces.ts";
import type { Place } from "./place.ts";
import type { Process } from "./processes.ts";
import { tailOf } from "./run.ts";

export interface Started {
  /** Resolves when it works; a fault when it ended or did not answer in time. */
  ready(api: Api): Promise<void>;
  /** Throws when the component has ended. */
  demandAlive(): void;
}

const READY_WITHIN_MS = 90_000;

export const startComponent = (place: Place, init: Process, component: Component): Started => {
  const log = join(place.logs, `${component.name}.log`);
  const file = openSync(log, "a");
  const [enter = "", ...words] = entering(init, "all");
  const child = spawn(enter, [...words, component.program, ...component.words], {
    cwd: "/",
    env: { ...environmentOf(place, component.name), ...component.environment },
    stdio: ["ignore", file, file],
    detached: true,
  });
  closeSync(file);
  child.unref();
  let end: string | undefined;
  child.once("error", (cause) => {
    end = `could not be started: ${cause.message}`;
  });
  child.once("exit", (code, signal) => {
    end = `ended with ${signal ?? code}`;
  });
  const demandAlive = (): void => {
    if (end !== undefined) throw new TestbedFault("failed", `${component.name} ${end}; ${tailOf(log)}`);
  };
  return {
    demandAlive,
    ready: (api) =>
      until(`${component.name} does not answer`, log, async () => {
        demandAlive();
        return await answers(api, init, component);
      }),
  };
};

/** Asks until the answer is yes. `otherwise` is the sentence when it never is, and `log` the one that may tell why. */
export const until = async (
  otherwise: string,
  log: string,
  ask: () => Promise<boolean>,
  withinMs = READY_WITHIN_MS,
): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > deadline)
      throw new TestbedFault("failed", `${otherwise} after ${withinMs / 1000} s; ${tailOf(log)}`);
    await sleep(50);
  }
};

/** Nobody listening yet is a no. */
const answers = async (api: Api, init: Process, { ready }: Component): Promise<boolean> => {
  try {
    if (ready.kind === "socket") return await connects(insidePath(init, ready.path));
    if (ready.url.startsWith("https:")) return (await api.get(ready.url)).status === 200;
    return (await fetch(ready.url)).status === 200;
  } catch {
    return false;
  }
};

const connects = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
