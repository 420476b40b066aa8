/** `asfound watch` over a fake API server, for stories. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openHeldReader } from "../../src/adapters/system/held/reader.ts";
import type { HeldConfig } from "../../src/domain/held.ts";
import { HeldVersions } from "../../src/domain/held-timeline.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { asfound, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "./cluster.ts";

export const place = (name: string, resource = "configmaps") => ({ resource, namespace: "shop", name });
export const mode = (text: string): JsonObject => ({ data: { MODE: text } });

export const serverWith = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor(options);
  server.put(place("settings"), mode("fast"));
  return server;
};

export const words = (server: ApiServer, to: string, more: readonly string[]): readonly string[] => [
  "watch",
  "--to",
  to,
  "--kubeconfig",
  kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
  ...more,
];

export const watch = (server: ApiServer, to: string, ...more: readonly string[]): Promise<Ran> =>
  asfound({ cwd: to }, ...words(server, to, more));

export const recordsIn = (to: string): readonly JsonObject[] =>
  readdirSync(to)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(join(to, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

export const kindsIn = (to: string): readonly unknown[] => recordsIn(to).map(({ kind }) => kind);

export const heldIn = async (to: string): Promise<readonly HeldConfig[]> => {
  const reader = await openHeldReader(to, to);
  if ("fault" in reader) throw new Error(reader.fault);
  const versions = new HeldVersions();
  await reader.read(() => versions.file());
  return versions.all();
};

/** Does one thing after the other, each when the server is next asked to watch. */
export const whenWatched = (server: ApiServer, ...acts: readonly (() => unknown)[]): void => {
  let next = 0;
  onTestFinished(
    server.onAsked(({ verb }) => {
      if (verb !== "watch") return;
      acts[next]?.();
      next += 1;
    }),
  );
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const linesOf = ({ err }: Ran): readonly string[] =>
  err
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^\s*\S+\s+/, ""));
