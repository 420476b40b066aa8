/** The embedded cloud for tests: in this process with a clock that the test moves, or in a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Cloud, CloudOptions } from "../../src/testing/cloud/cloud.ts";
import type { FaultRule } from "../../src/testing/cloud/fault.ts";
import type { LogEntry } from "../../src/testing/cloud/log.ts";
import { startCloud } from "../../src/testing/cloud/start.ts";
import type { Shown } from "../../src/testing/cloud/things.ts";

/** A cloud that closes when the test ends. */
export const cloudFor = async (options: CloudOptions = {}): Promise<Cloud> => {
  const cloud = await startCloud(options);
  onTestFinished(() => cloud.close());
  return cloud;
};

/** Waits until the cloud has seen that many requests. */
export const arrived = (cloud: Cloud, count: number): Promise<void> =>
  vi.waitFor(
    () => {
      if (cloud.log().length < count) throw new Error(`${cloud.log().length} of ${count} requests arrived`);
    },
    { timeout: 20_000, interval: 5 },
  );

export interface ManualClock extends Clock {
  /** Moves both clocks and wakes whoever is due. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as a machine that slept does. */
  leapWall(ms: number): void;
  /** Resolves when someone sleeps for exactly so long. */
  sleeping(ms: number): Promise<void>;
}

export const manualClock = (startMs = 1_800_000_000_000): ManualClock => {
  let wall = startMs;
  let mono = 0;
  const sleepers = new Set<{ readonly due: number; readonly ms: number; readonly wake: () => void }>();
  return {
    now: () => instant(wall),
    monotonicMs: () => mono,
    id: "manual",
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { due: mono + ms, ms, wake };
        if (signal?.aborted) return resolve();
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake, { once: true });
      }),
    advance: (ms) => {
      wall += ms;
      mono += ms;
      for (const sleeper of [...sleepers]) if (sleeper.due <= mono) sleeper.wake();
    },
    leapWall: (ms) => {
      wall += ms;
    },
    sleeping: (ms) =>
      vi.waitFor(
        () => {
          if (![...sleepers].some((sleeper) => sleeper.ms === ms))
            throw new Error(`nobody sleeps for ${ms} ms`);
        },
        { timeout: 20_000, interval: 5 },
      ),
  };
};

/** A cloud in its own process, directed over its admin listener. */
export interface RemoteCloud {
  readonly url: string;
  readonly pid: number;
  log(): Promise<readonly LogEntry[]>;
  objects(): Promise<readonly Shown[]>;
  setFaults(rules: readonly FaultRule[]): Promise<void>;
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Closes its stdin and waits for its exit code. */
  end(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL("../../src/testing/cloud/main.ts", import.meta.url));

export const spawnCloud = async (options: CloudOptions = {}): Promise<RemoteCloud> => {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const end = async (): Promise<number | null> => {
    child.stdin.end();
    return await ended;
  };
  onTestFinished(async () => void (await end()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", () => reject(new Error("the cloud ended before it listened")));
  });
  const { url, adminUrl }: { url: string; adminUrl: string } = JSON.parse(line);
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(adminUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as T;
  };
  return {
    url,
    pid: child.pid ?? 0,
    log: () => ask("GET", "/log"),
    objects: () => ask("GET", "/objects"),
    setFaults: (rules) => ask("PUT", "/faults", rules),
    refuse: () => ask("POST", "/refuse"),
    accept: () => ask("POST", "/accept"),
    end,
  };
};
