/** `asfound watch` over a fake API server: what it records, how it begins and ends, and what it has to be allowed. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../src/domain/json.ts";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import { API_SCHEMAS } from "../../src/wire/api/schemas.ts";
import { sha256Hex } from "../../src/wire/digest.ts";
import { HOUSE } from "../canary/tree.ts";
import { folder } from "../faces/terminal.ts";
import {
  heldIn,
  kindsIn,
  linesOf,
  mode,
  pause,
  place,
  recordsIn,
  serverWith,
  watch,
  whenWatched,
  words,
} from "../support/recorder.ts";

describe("what it records", () => {
  it("a content, an edit, and a deletion; with -o jsonl the same on the output", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(
      server,
      () => server.put(place("settings"), mode("slow")),
      () => server.remove(place("settings")),
    );
    const ran = await watch(server, to, "--for", "12s", "-o", "jsonl");
    expect(ran).toMatchObject({ code: 0 });
    const records = recordsIn(to);
    const told = records
      .filter(({ kind }) => kind !== "read")
      .map(({ kind, name, keys }) =>
        [kind, name, (keys as JsonObject | undefined)?.["MODE"]].filter(Boolean).join(" "),
      );
    expect(told).toEqual([
      "file",
      "began",
      // printf fast | sha256sum
      "version settings 115dc3606fbf8691fb69f2aefec86f2ecd302362a0502b3a9648bf2c4dc8290f",
      "gone settings",
      "version settings 5e0cf7bd1dfa3831788b0cf6dedcdd228fba6f34dc238d371e746567e80bc7b6",
      "gone settings",
      "ended",
    ]);
    const [first, ...streamed] = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ apiVersion: "asfound.dev/v1alpha1", kind: "HeldRecordStream", version: 1 });
    const kept = records.filter(({ kind }) => !["file", "began", "ended"].includes(String(kind)));
    expect(streamed).toEqual(kept.map(({ sum: _sum, ...record }) => record));
    expect(linesOf(ran)).toEqual([
      expect.stringMatching(/^recording 1 object \(ConfigMaps of namespace shop\) since 20/),
    ]);
    for (const name of readdirSync(to)) expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
  });

  it("its report has a schema; a selection takes in what it names, all namespaces what there is", async () => {
    const server = await serverWith();
    server.put(place("chosen"), { metadata: { labels: { app: "web" } }, ...mode("x") });
    server.put({ ...place("far"), namespace: "other" }, mode("x"));
    const report = async (...more: readonly string[]) => {
      const ran = await watch(server, folder(), "--for", "1ms", "-o", "json", ...more);
      const json = JSON.parse(ran.out);
      expect(API_SCHEMAS["held-recording"]?.safeParse(json).error).toBe(undefined);
      return { code: ran.code, objects: json.objects, versions: json.versions };
    };
    expect(await report()).toEqual({ code: 0, objects: 2, versions: 2 });
    expect(await report("-l", "app=web")).toEqual({ code: 0, objects: 1, versions: 1 });
    expect(await report("-A")).toEqual({ code: 0, objects: 3, versions: 3 });
  });

  it("many at once are read by one list; the digests are the same", async () => {
    const server = await serverWith();
    for (let at = 0; at < 30; at += 1) server.put(place(`many-${at}`), mode(String(at)));
    const to = folder();
    await watch(server, to, "--for", "1ms");
    expect(server.log().filter(({ verb, resource }) => verb === "get" && resource === "configmaps")).toEqual(
      [],
    );
    const versions = recordsIn(to).filter(({ kind }) => kind === "version");
    expect(versions).toHaveLength(31);
    for (const { name, keys } of versions)
      if (name !== "settings") expect(keys).toEqual({ MODE: sha256Hex(String(name).replace("many-", "")) });
  });

  it("C6: of a Secret its metadata is asked for and nothing else is ever sent, kept or shown", async () => {
    const server = await serverWith();
    const canary = "aHVudGVyMg==";
    server.put(place("password", "secrets"), { data: { password: canary } });
    const to = folder();
    whenWatched(server, () =>
      server.put(place("password", "secrets"), { data: { password: canary, more: canary } }),
    );
    const ran = await watch(server, to, "--for", "3s", "--secrets", "-o", "jsonl");
    const versions = recordsIn(to).filter(({ kind, of }) => kind === "version" && of === "Secret");
    expect(versions).toMatchObject([
      { name: "password", sha256: null, keys: null },
      { name: "password", sha256: null, keys: null },
    ]);
    expect(new Set(versions.map(({ resourceVersion }) => resourceVersion)).size).toBe(2);
    const asked = server.log().filter(({ resource }) => resource === "secrets");
    expect(new Set(asked.map(({ verb }) => verb))).toEqual(new Set(["list", "watch"]));
    expect(asked.every(({ accept }) => accept?.includes("as=PartialObjectMetadata"))).toBe(true);
    const all = [
      ran.out,
      ran.err,
      ...readdirSync(to).map((name) => readFileSync(join(to, name), "utf8")),
    ].join("");
    expect(all).not.toContain(canary);
    // Without the flag nobody asks.
    const quiet = await serverWith();
    await watch(quiet, folder(), "--for", "1ms");
    expect(quiet.log().filter(({ resource }) => resource === "secrets")).toEqual([]);
  });
});

describe("how it begins and ends", () => {
  it("begun again, it goes on: what did not change is held over the time that it was not there", async () => {
    const server = await serverWith();
    const to = folder();
    await watch(server, to, "--for", "1ms");
    const [first] = recordsIn(to).filter(({ kind }) => kind === "version");
    await pause(1_200);
    await watch(server, to, "--for", "2s");
    const [held, ...others] = await heldIn(to);
    expect(others).toEqual([]);
    expect(Date.parse(String(held?.from))).toBe(Date.parse(String(first?.["from"])));
    expect(Date.parse(String(held?.to)) - Date.parse(String(held?.from))).toBeGreaterThan(0);
    // Another scope is another recording; another cluster is refused.
    server.put(place("settings"), mode("slow"));
    await watch(server, to, "--for", "1ms", "-l", "app=none");
    expect((await heldIn(to)).map(({ keys }) => keys?.["MODE"])).toEqual([sha256Hex("fast")]);
    const other = await watch(await serverWith(), to, "--for", "1ms");
    expect(other).toMatchObject({ code: 23, err: expect.stringContaining("name another folder") });
  });

  it("SIGTERM ends it with its last reading recorded, exit 143", async () => {
    const server = await serverWith();
    const to = folder();
    const child = spawn(join(HOUSE, "bin/asfound"), words(server, to, ["-o", "json"]), {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    child.stdout.on("data", (bytes) => (out += bytes));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    await new Promise<void>((resolve) => {
      const stop = server.onAsked(({ verb }) => {
        if (verb !== "watch") return;
        stop();
        resolve();
      });
    });
    const looks = server.log().filter(({ verb }) => verb === "list").length;
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(JSON.parse(out)).toMatchObject({ exit: 143, objects: 1 });
    expect(server.log().filter(({ verb }) => verb === "list").length).toBe(looks + 1);
    expect(kindsIn(to).slice(-2)).toEqual(["read", "ended"]);
  });

  it("a right that is missing: exit 23, and it is named", async () => {
    const rules: readonly PolicyRule[] = [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "watch"] },
    ];
    const server = await serverWith({ users: [{ name: "nobody", token: "nobody-token", rules }] });
    const ran = await watch(server, folder(), "--for", "1s");
    expect(ran).toMatchObject({ code: 23, err: expect.stringContaining("the right to list configmaps") });
  });

  it("a record that cannot be kept ends it: exit 22", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(server, () => {
      for (const name of readdirSync(to)) rmSync(join(to, name));
      server.put(place("hint"), mode("x"));
    });
    const ran = await watch(server, to, "--for", "20s");
    expect(ran).toMatchObject({ code: 22, err: expect.stringContaining("was removed meanwhile") });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a size without a unit", ["--max-size", "64"], /--max-size must be a size, written as 64MiB/],
    ["a size that holds nothing", ["--max-size", "1KiB"], /--max-size must be 64KiB or more/],
    ["an age that is none", ["--keep", "30"], /--keep cannot be read/],
    ["two places", ["-A", "-n", "shop"], /leave one of them out/],
  ])("%s: exit 2 with one sentence, and nothing is asked", async (_name, more, says) => {
    const server = await serverWith();
    const ran = await watch(server, folder(), ...more);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(says);
    expect(server.log()).toEqual([]);
  });

  it("a folder with other things in it is refused, and nothing is asked", async () => {
    const server = await serverWith();
    const to = folder();
    writeFileSync(join(to, "notes.txt"), "");
    expect(await watch(server, to)).toMatchObject({ code: 2, err: expect.stringContaining("notes.txt") });
    expect(server.log()).toEqual([]);
  });
});

describe("docs/rbac/watch.yaml", () => {
  const roles = parseAllDocuments(readFileSync(join(HOUSE, "docs/rbac/watch.yaml"), "utf8")).map(
    (document) => document.toJS() as { readonly rules: readonly PolicyRule[] },
  );
  const rules = roles.flatMap((role) => role.rules);

  const asked = async (
    may: readonly PolicyRule[],
    ...more: readonly string[]
  ): Promise<readonly string[]> => {
    const server = await serverWith({ users: [{ name: "recorder", token: "recorder-token", rules: may }] });
    server.put(place("password", "secrets"), { data: {} });
    whenWatched(server, () => server.put(place("settings"), mode("slow")));
    await watch(server, folder(), "--for", "2s", ...more);
    return server
      .log()
      .filter(({ verb }) => verb !== "discover")
      .map(({ verb, resource, status }) => `${resource} ${verb} ${status}`);
  };

  it("is enough, and each right of it is used", async () => {
    const all = await asked(rules, "--secrets");
    expect(all.filter((one) => !one.endsWith(" 200"))).toEqual([]);
    const rights = rules.flatMap(({ resources = [], verbs }) =>
      resources.flatMap((one) => verbs.map((verb) => `${one} ${verb} 200`)),
    );
    expect([...new Set(all)].sort()).toEqual(rights.sort());
    const first = await asked(roles[0]?.rules ?? []);
    expect(first.filter((one) => !one.endsWith(" 200"))).toEqual([]);
  });

  it("control: without the second role Secrets are refused", async () => {
    expect(await asked(roles[0]?.rules ?? [], "--secrets")).toContain("secrets list 403");
  });
});
