/**
 * E1: a release is whole or is none. Real disks that are full or read-only, a process that dies after each write, files that
 * somebody altered; each with the control that it is the fault that makes it so.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { withFolderLock } from "../../src/adapters/system/folder-lock.ts";
import { openReleases } from "../../src/adapters/system/releases.ts";
import type { ReleaseListing } from "../../src/ports/releases.ts";
import { configMap, storedRelease } from "../support/made-release.ts";
import { canMount, smallDisk } from "../support/small-disk.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHILD = fileURLToPath(new URL("release-record-child.ts", import.meta.url));
const list = async (folder: string): Promise<ReleaseListing> => {
  const listing = await openReleases(folder, "releases").list();
  if ("fault" in listing) throw new Error(listing.fault);
  return listing;
};
/** The folder of the one workload that was recorded. */
const targetIn = (folder: string): string =>
  join(folder, String(readdirSync(folder).find((name) => name.startsWith("deployment."))));

describe("kill -9", () => {
  /** mkdir aside: five files, SHA256SUMS among them, the folders synced, named. */
  const steps = ["file", "file", "file", "report", "release", "sums", "synced", "named"];

  it("after each write: no release before it is named, a whole one after, and the next recording is in nobody's way", async () => {
    for (const at of [...steps.keys(), steps.length]) {
      const folder = tempFolder("killed");
      const child = spawnSync(process.execPath, [CHILD, folder, String(at + 1)]);
      const isNamed = at >= steps.length - 1;
      expect(child.signal, String(at)).toBe(at < steps.length ? "SIGKILL" : null);
      const { releases, altered, unfinished } = await list(folder);
      expect([releases.length, altered, unfinished.length], steps[at]).toEqual([
        isNamed ? 1 : 0,
        [],
        isNamed ? 0 : 1,
      ]);
      const again = spawnSync(process.execPath, [CHILD, folder, "0"]);
      expect(String(again.stdout)).toBe(isNamed ? "already" : "recorded");
      expect((await list(folder)).releases).toHaveLength(1);
    }
  }, 60_000);
});

describe.skipIf(!canMount)("a disk that takes no more", () => {
  const large = (bytes: number) =>
    storedRelease({ config: [configMap("settings", { a: "x".repeat(bytes) })] });

  it("full at whatever byte: nothing is recorded, and nothing shorter is there", async () => {
    for (const sizeKiB of [16, 32, 64, 128]) {
      const folder = smallDisk(sizeKiB);
      const done = await openReleases(folder, "releases").record(large(1_000_000));
      expect(done).toEqual({ kind: "fault", fault: expect.stringContaining("the disk is full") });
      expect(await list(folder)).toEqual({ releases: [], altered: [], unfinished: [] });
    }
    // Control: with room it is recorded.
    expect(await openReleases(smallDisk(4_096), "releases").record(large(1_000_000))).toEqual({
      kind: "recorded",
    });
  });

  it("read-only: said, and what is there can still be read", async () => {
    const folder = smallDisk(1_024);
    const first = storedRelease();
    await openReleases(folder, "releases").record(first);
    execFileSync("mount", ["-o", "remount,ro", folder]);
    const releases = openReleases(folder, "releases");
    expect(await releases.record(storedRelease({ config: [] }))).toMatchObject({ kind: "fault" });
    expect(await releases.key({ create: true })).toMatchObject({
      kind: "fault",
      fault: expect.stringContaining("read-only"),
    });
    expect((await list(folder)).releases).toEqual([first]);
  });
});

describe("what was altered is said with the file, and is no release", () => {
  const recorded = async () => {
    const folder = tempFolder("altered");
    const stored = storedRelease({ config: [configMap("settings", { a: "1" }), configMap("empty", {})] });
    await openReleases(folder, "releases").record(stored);
    return { folder, id: stored.release.id, path: join(targetIn(folder), stored.release.id) };
  };
  const rewrite = (file: string, text: string): void => {
    chmodSync(file, 0o644);
    writeFileSync(file, text);
  };
  const sums = (path: string): void => {
    rmSync(join(path, "SHA256SUMS"));
    execFileSync("sh", ["-c", "find config *.json -type f | LC_ALL=C sort | xargs sha256sum > SHA256SUMS"], {
      cwd: path,
    });
  };
  const edited = (path: string, file: string, from: string | RegExp, to: string): void =>
    rewrite(join(path, file), readFileSync(join(path, file), "utf8").replace(from, to));

  it.each<[string, (path: string) => void, RegExp]>([
    [
      "content",
      (path) => rewrite(join(path, "config/settings/a"), "2"),
      /config\/settings\/a is not as it was recorded/,
    ],
    [
      "release.json",
      (path) => edited(path, "release.json", "web:v1", "web:v9"),
      /release\.json is not as it was recorded/,
    ],
    [
      "report.json",
      (path) => rewrite(join(path, "report.json"), "{}"),
      /report\.json is not as it was recorded/,
    ],
    [
      "a file taken away",
      (path) => rmSync(join(path, "config/settings/a")),
      /config\/settings\/a: there is no such file/,
    ],
    [
      "a file added",
      (path) => writeFileSync(join(path, "config/settings/b"), ""),
      /config\/settings\/b was not there/,
    ],
    [
      "a link",
      (path) => symlinkSync("/etc/passwd", join(path, "config/link")),
      /config\/link is no file of a release/,
    ],
    ["no sums", (path) => rmSync(join(path, "SHA256SUMS")), /SHA256SUMS: there is no such file/],
    ["sums cut", (path) => edited(path, "SHA256SUMS", /\n$/, ""), /SHA256SUMS is not whole/],
    [
      "sums of another place",
      (path) => edited(path, "SHA256SUMS", "report.json", "../report.json"),
      /a line that asfound does not write/,
    ],
    // With sums that fit, the digests within release.json still tell.
    [
      "content and its sum",
      (path) => {
        rewrite(join(path, "config/settings/a"), "2");
        sums(path);
      },
      /key a of ConfigMap settings is not what release\.json names/,
    ],
    [
      "template and its sum",
      (path) => {
        edited(
          path,
          "release.json",
          '"image": "registry.example/web:v1"\n        }\n      ]',
          '"image": "registry.example/web:v9"\n        }\n      ]',
        );
        sums(path);
      },
      /templateDigest/,
    ],
    [
      "report and its sum",
      (path) => {
        rewrite(join(path, "report.json"), "{}\n");
        sums(path);
      },
      /report\.json is not the report/,
    ],
    [
      "an unknown field",
      (path) => {
        edited(path, "release.json", '"id"', '"more": 1, "id"');
        sums(path);
      },
      /is no release of this version/,
    ],
    [
      "another id",
      (path) => {
        edited(path, "release.json", /"rel_0/, '"rel_1');
        sums(path);
      },
      /says that it is rel_1/,
    ],
    [
      "two of one key",
      (path) => {
        edited(path, "release.json", '"id"', '"id": "x", "id"');
        sums(path);
      },
      /release\.json: /,
    ],
  ])("%s", async (_, alter, fault) => {
    const { folder, id, path } = await recorded();
    const before = await list(folder);
    expect(before.altered).toEqual([]);
    alter(path);
    const { releases, altered } = await list(folder);
    expect(releases).toEqual([]);
    expect(altered).toEqual([{ id, fault: expect.stringMatching(fault) }]);
    expect(await openReleases(folder, "releases").read(id)).toMatchObject({ reason: "altered" });
    // What it was called cannot be told, so a name cannot be given away again.
    const named = await openReleases(folder, "releases").record(storedRelease({ name: "v1", config: [] }));
    expect(named).toMatchObject({ kind: "fault", fault: expect.stringContaining(id) });
  });

  it("control: sums that were made again over what was not altered fit", async () => {
    const { folder, path } = await recorded();
    sums(path);
    expect((await list(folder)).releases).toHaveLength(1);
  });

  it("a release that was moved to another workload's folder", async () => {
    const { folder, id, path } = await recorded();
    const other = join(folder, `deployment.shop.api_${"0".repeat(32)}`);
    mkdirSync(other);
    execFileSync("mv", [path, other]);
    expect((await list(folder)).altered).toEqual([{ id, fault: "release.json is of another workload" }]);
  });
});

it("a folder that is held by another recorder is waited for, then said; a dead one holds nothing", async () => {
  const folder = tempFolder("held");
  const held = await withFolderLock(folder, 0, async () =>
    withFolderLock(folder, 60, async () => "never" as const),
  );
  expect(held).toEqual({ fault: expect.stringContaining("others write there") });
  const script = `import { DatabaseSync } from "node:sqlite"; const lock = new DatabaseSync(process.argv[1] + "/.lock"); lock.exec("BEGIN EXCLUSIVE"); process.kill(process.pid, "SIGKILL");`;
  spawnSync(process.execPath, ["--input-type=module", "-e", script, folder]);
  expect(existsSync(join(folder, ".lock"))).toBe(true);
  expect(await withFolderLock(folder, 0, async () => "used" as const)).toBe("used");
});

it("a key that others can read is said, and left as it is", async () => {
  const folder = tempFolder("key");
  const releases = openReleases(folder, "releases");
  await releases.key({ create: true });
  chmodSync(join(folder, "key"), 0o644);
  expect(await releases.key({ create: true })).toMatchObject({
    kind: "fault",
    fault: expect.stringContaining("can be read by others"),
  });
});
