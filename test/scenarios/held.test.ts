/** `--held`: of a recorder's folder, what the target's Pods take something from is evidence, and nothing else is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { openHeldWriter } from "../../src/adapters/system/held/writer.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import type { HeldRecord, HeldVersion } from "../../src/domain/held-record.ts";
import { instant } from "../../src/domain/ids.ts";
import type { ApiServer } from "../../src/testing/api-server/api-server.ts";
import { asfound, folder, type Ran } from "../faces/terminal.ts";
import { apiServerFor, kubeconfigFile } from "../support/cluster.ts";
import { SCOPE } from "../support/held.ts";
import { byEnv, configMap, taking } from "../support/kubernetes/config.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { list, at as timeAt } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

const moment = (seconds: number) => instant(Date.parse(timeAt(seconds)));
const version = (name: string, more: Partial<HeldVersion> = {}): HeldVersion => ({
  kind: "version",
  of: "ConfigMap",
  namespace: "shop",
  name,
  uid: `uid-${name}`,
  resourceVersion: "7",
  immutable: false,
  sha256: "0".repeat(64),
  keys: new Map([["MODE", "1".repeat(64)]]),
  from: moment(100),
  to: moment(99),
  ...more,
});

const recorded = async (...records: readonly HeldRecord[]): Promise<string> => {
  const to = join(folder(), "records");
  const host = systemHost({ clock: systemClock });
  const made = await openHeldWriter({
    folder: to,
    host,
    clock: systemClock,
    actor: "test",
    keepMs: 1e9,
    maxBytes: 1024 * 1024,
    stop: new AbortController().signal,
    note: () => undefined,
  });
  if (made.kind !== "opened") throw new Error(made.why);
  await made.writer.append(records, moment(100), () => [
    { kind: "began", at: moment(100), scope: SCOPE, era: 0 },
  ]);
  await made.writer.end("told to stop");
  return to;
};

const FILES: Files = {
  ...taking(worldFiles(done), () => byEnv("settings")),
  "configmaps.json": list([configMap("settings")]),
};

const server = async (): Promise<ApiServer> => {
  const made = await apiServerFor({ clock: clockAt(READ_AT) });
  serve(made, FILES);
  return made;
};

const run = (on: ApiServer, ...words: readonly string[]): Promise<Ran> =>
  asfound({ cwd: folder() }, ...words, "--kubeconfig", kubeconfigFile(on.kubeconfig({ namespace: "shop" })));

/** What of the folder is evidence, as `snapshot` keeps it. */
const evidenceIn = async (records: string): Promise<readonly { readonly name: string }[]> => {
  const into = join(folder(), "saved");
  const words = ["snapshot", into, "deployment/web", "--held", records];
  const asked = await run(await server(), ...words);
  expect(asked.code).toBe(0);
  try {
    return JSON.parse(readFileSync(join(into, "held.json"), "utf8"));
  } catch {
    return [];
  }
};

const read = (seconds: number): HeldRecord => ({
  kind: "read",
  of: "ConfigMap",
  to: moment(seconds),
  resourceVersion: "9",
});

describe("what is taken of a recorder's folder", () => {
  it("the objects that the Pods take something from, in their namespace, and no others; Secrets are another kind", async () => {
    const records = await recorded(
      version("settings"),
      version("others"),
      version("settings", { namespace: "other" }),
      version("settings", { of: "Secret", sha256: null, keys: null }),
      read(300),
    );
    expect(await evidenceIn(records)).toEqual([
      {
        kind: "ConfigMap",
        namespace: "shop",
        name: "settings",
        uid: "uid-settings",
        resourceVersion: "7",
        immutable: false,
        sha256: "0".repeat(64),
        keys: { MODE: "1".repeat(64) },
        from: "2026-11-30T03:01:40.000Z",
        to: "2026-11-30T03:05:00.000Z",
      },
    ]);
  });

  it("a snapshot of many keeps all that was held in their namespace, and is judged with it", async () => {
    const records = await recorded(
      version("settings"),
      version("others"),
      version("far", { namespace: "other" }),
      read(300),
    );
    const into = join(folder(), "saved");
    expect(
      (await run(await server(), "snapshot", into, "deployments", "--all", "--held", records)).code,
    ).toBe(0);
    const held: readonly { readonly name: string }[] = JSON.parse(
      readFileSync(join(into, "held.json"), "utf8"),
    );
    expect(held.map(({ name }) => name)).toEqual(["settings", "others"]);
    expect(readFileSync(join(into, "snapshot.json"), "utf8")).toContain("nothing but that folder shows");
    const saved = await asfound({ cwd: folder() }, "verify", "deployment/web", "-n", "shop", "--from", into);
    expect(saved.code).toBe(0);
  });

  it("what was seen once is a moment, and no evidence", async () => {
    expect(await evidenceIn(await recorded(version("settings")))).toEqual([]);
  });

  it("behind a broken line nothing counts, and the report says which file and line; verify, config trace and --from alike", async () => {
    const records = await recorded(version("settings"), read(300), read(600));
    const file = join(records, "held-00000001.jsonl");
    const text = readFileSync(file, "utf8").replace(
      /("to":")[^"]*(","resourceVersion":"9"\}\n.*\n)$/,
      "$12026-11-30T03:59:00Z$2",
    );
    expect(text).not.toBe(readFileSync(file, "utf8"));
    writeFileSync(file, text);
    expect(await evidenceIn(records)).toMatchObject([{ to: "2026-11-30T03:05:00.000Z" }]);
    const says =
      "held-00000001.jsonl: line 5: its sum does not fit it and the lines before it; nothing of this file from there on counts";
    const into = join(folder(), "saved");
    await run(await server(), "snapshot", into, "deployment/web");
    for (const words of [
      ["verify", "deployment/web", "--held", records],
      ["verify", "deployments", "--all", "--held", records],
      ["config", "trace", "deployment/web", "--held", records],
      ["config", "trace", "deployments", "--all", "--held", records],
    ])
      expect((await run(await server(), ...words, "-o", "json")).out, words.join(" ")).toContain(says);
    const saved = [
      "config",
      "trace",
      "deployment/web",
      "-n",
      "shop",
      "--from",
      into,
      "--held",
      records,
      "-o",
      "json",
    ];
    expect((await asfound({ cwd: folder() }, ...saved)).out).toContain(says);
  });

  it("records of another address are judged with, and that is said; of the same one nothing is", async () => {
    const other = await recorded(version("settings"), read(300));
    const on = await server();
    const said = async (records: string) =>
      (await run(on, "verify", "deployment/web", "--held", records, "-o", "json")).out.includes(
        "nothing shows that both are one cluster",
      );
    expect(await said(other)).toBe(true);
    const own = join(folder(), "records");
    expect((await run(on, "watch", "--to", own, "--for", "1ms")).code).toBe(0);
    expect(await said(own)).toBe(false);
  });

  it("a folder without records is refused before anything is asked", async () => {
    const on = await server();
    for (const words of [
      ["verify", "deployment/web"],
      ["config", "trace", "deployment/web"],
      ["snapshot", "x", "deployment/web"],
    ]) {
      const ran = await run(on, ...words, "--held", folder());
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(/no records of asfound watch .* nothing was asked\n$/);
    }
    expect(on.log()).toEqual([]);
  });
});
