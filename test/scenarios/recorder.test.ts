/** `asfound watch` over a fake API server: what it records, what it says when it is blind, and how it ends. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ApiServer, ApiServerOptions } from "../../src/testing/api-server/api-server.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";

const place = (name: string) => ({ resource: "configmaps", namespace: "shop", name });

const serverWith = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
  const server = await apiServerFor(options);
  server.put(place("settings"), { data: { MODE: "fast" } });
  return server;
};

const watch = (server: ApiServer, to: string, ...words: readonly string[]): Promise<Ran> =>
  asfound(
    { cwd: to },
    "watch",
    "--to",
    to,
    "--kubeconfig",
    kubeconfigFile(server.kubeconfig({ namespace: "shop" })),
    ...words,
  );

const recordsIn = (to: string): readonly JsonObject[] =>
  readdirSync(to)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(join(to, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Does one thing after the other, each when the server is next asked to watch. */
const whenWatched = (server: ApiServer, ...acts: readonly (() => void)[]): void => {
  let next = 0;
  onTestFinished(
    server.onAsked(({ verb }) => {
      if (verb !== "watch") return;
      acts[next]?.();
      next += 1;
    }),
  );
};

describe("what it records", () => {
  it("a content, an edit, and a deletion", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(
      server,
      () => server.put(place("settings"), { data: { MODE: "slow" } }),
      () => server.remove(place("settings")),
    );
    const ran = await watch(server, to, "--for", "3s", "-o", "json");
    expect(ran).toMatchObject({ code: 0 });
    const report = JSON.parse(ran.out);
    expect(API_SCHEMAS["held-recording"]?.safeParse(report).error).toBe(undefined);
    expect(report).toMatchObject({ objects: 0, versions: 2, blind: [], exit: 0 });
    const kinds = recordsIn(to).map(({ kind, name, keys }) =>
      [kind, name, keys === undefined ? undefined : Object.values(keys as JsonObject)[0]]
        .filter(Boolean)
        .join(" "),
    );
    // printf fast | sha256sum; printf slow | sha256sum
    const fast = "115dc3606fbf8691fb69f2aefec86f2ecd302362a0502b3a9648bf2c4dc8290f";
    const slow = "5e0cf7bd1dfa3831788b0cf6dedcdd228fba6f34dc238d371e746567e80bc7b6";
    expect(kinds.filter((kind) => kind !== "read")).toEqual([
      "file",
      "began",
      `version settings ${fast}`,
      "gone settings",
      `version settings ${slow}`,
      "gone settings",
      "ended",
    ]);
    expect(ran.err).toMatch(/recording 1 object \(ConfigMaps of namespace shop\) since /);
    for (const name of readdirSync(to)) expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
  });
});
