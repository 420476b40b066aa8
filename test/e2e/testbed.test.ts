/** The testbed itself: nothing is left of it, whatever happened; two stand side by side; faults are one sentence. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { isNothing, remainsOf } from "../../testbed/down.ts";
import { placeOf } from "../../testbed/place.ts";
import type { Status } from "../../testbed/status.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment } from "./app.ts";
import { eventually } from "./eventually.ts";
import type { KubeObject } from "./kubectl.ts";
import { has, needing } from "./lack.ts";
import { type Running, startTestbed, testbed } from "./testbed.ts";

/** Another testbed than the one that these tests run in. */
const NAME = `e2e-${process.pid}`;
const place = placeOf(NAME, process.env);
const left = () => remainsOf(place);
const own = (verb: string, ...words: readonly string[]) => testbed(verb, "--name", NAME, ...words);
const statusOf = async (): Promise<Status> =>
  JSON.parse((await startTestbed(["status", "--name", NAME, "-o", "json"]).ended).stdout);
const inside = (...words: readonly string[]) => testbed("--name", NAME, "exec", ...words);
const read = async (...words: readonly string[]): Promise<KubeObject> =>
  JSON.parse((await inside("kubectl", "get", ...words, "-o", "json")).stdout);

const apply = (object: object) =>
  inside("sh", "-c", 'echo "$0" | kubectl apply -f -', JSON.stringify(object));

beforeEach(needing("testbed"));
afterAll(async () => {
  if (has("testbed")) await own("down");
});

/** Kills at every line. */
const SOAK = process.env["ASFOUND_SOAK"] === "1";

/** Interfaces of the machine itself: pid 1 has never entered a namespace of ours. */
const interfaces = (): readonly string[] =>
  readFileSync("/proc/1/net/dev", "utf8")
    .split("\n")
    .flatMap((line) => /^\s*(\S+):/.exec(line)?.[1] ?? [])
    .sort();

/** Resolves when the command has said its n-th line, or ended before it. */
const said = ({ child, ended }: Running, count: number): Promise<"said" | "ended"> =>
  Promise.race([
    new Promise<"said">((resolve) => {
      let lines = 0;
      child.stderr.on("data", (text: string) => {
        lines += text.split("\n").length - 1;
        if (lines >= count) resolve("said");
      });
    }),
    ended.then(() => "ended" as const),
  ]);

describe("a start that is killed", () => {
  afterEach(async () => {
    if (has("testbed")) await own("down");
  });

  it("leaves what `down` finds and removes, wherever it was", { timeout: 600_000 }, async () => {
    const before = interfaces();
    let sawRemains = 0;
    // The states after the first parts have started are all of one kind.
    for (let line = 1; ; line += line < 8 || SOAK ? 1 : 3) {
      const up = startTestbed(["up", "--name", NAME]);
      const how = await said(up, line);
      // Not always where it speaks.
      await sleep((line * 17) % 50);
      up.child.kill("SIGKILL");
      const { code } = await up.ended;
      if (!isNothing(left())) sawRemains += 1;
      await own("down");
      expect(left()).toEqual({ processes: [], cgroups: [], mounts: [], state: false });
      expect(interfaces()).toEqual(before);
      if (how === "ended") {
        expect(code).toBe(0);
        break;
      }
    }
    // There was something to remove: else this test would see nothing anywhere.
    expect(sawRemains).toBeGreaterThan(7);
  });

  it("is taken down by itself when it was asked to end", async () => {
    const up = startTestbed(["up", "--name", NAME]);
    await said(up, 8);
    up.child.kill("SIGINT");
    const { code, stderr } = await up.ended;
    expect(stderr).toContain("SIGINT: taking down what was started");
    expect(code).toBe(130);
    expect(isNothing(left())).toBe(true);
  });
});

describe("a start that fails", () => {
  /** The built tools, with one that ends at once in place of `program`. */
  const cacheWithout = (program: string): string => {
    const cache = join(tempFolder("cache"), "asfound-testbed");
    mkdirSync(cache);
    for (const folder of readdirSync(place.cache)) {
      const kept = join(place.cache, folder);
      if (!folder.startsWith("kubernetes-")) {
        symlinkSync(kept, join(cache, folder));
        continue;
      }
      mkdirSync(join(cache, folder));
      for (const tool of readdirSync(kept))
        if (tool !== program) symlinkSync(join(kept, tool), join(cache, folder, tool));
      writeFileSync(join(cache, folder, program), "#!/bin/sh\necho out of luck\nexit 3\n", { mode: 0o755 });
    }
    return join(cache, "..");
  };

  it("says which part ended, with the last lines of its log, and leaves the logs alone", async () => {
    const { code, stderr } = await startTestbed(["up", "--name", NAME], {
      XDG_CACHE_HOME: cacheWithout("kube-scheduler"),
    }).ended;
    expect(stderr.trim().split("\n").slice(-1)[0]).toBe(
      `testbed: kube-scheduler ended with 3; the last lines of ${join(place.logs, "kube-scheduler.log")}: out of luck`,
    );
    expect(code).toBe(10);
    const { processes, cgroups, mounts } = left();
    expect({ processes, cgroups, mounts }).toEqual({ processes: [], cgroups: [], mounts: [] });
    await own("down");
  });

  it("does not begin without the tools", async () => {
    const { code, stderr } = await startTestbed(["up", "--name", NAME], {
      XDG_CACHE_HOME: tempFolder("empty"),
    }).ended;
    expect(stderr).toMatch(
      /^testbed: not run, because the tools are not built .*`npm run testbed -- setup` builds them$/m,
    );
    expect(code).toBe(23);
    expect(isNothing(left())).toBe(true);
  });
});

describe("two testbeds", () => {
  it("stand side by side; one is reset and ended, and the other does not notice", async () => {
    const mine = async (...words: readonly string[]): Promise<KubeObject> =>
      JSON.parse((await testbed("exec", "kubectl", "get", ...words, "-o", "json")).stdout);
    const node = (await mine("node", "testbed-node")).metadata.uid;
    const up = startTestbed(["up", "--name", NAME]);
    await said(up, 1);
    const refused = await startTestbed(["down", "--name", NAME]).ended;
    expect(refused.stderr).toMatch(
      /^testbed: `up` \(pid \d+\) is at work on it: wait for its end, or end it$/m,
    );
    expect((await up.ended).code).toBe(0);

    const other = (await read("node", "testbed-node")).metadata.uid;
    expect(other).not.toBe(node);
    await apply(deployment("web"));
    await inside("kubectl", "rollout", "status", "deployment/web", "--timeout=240s");
    expect((await statusOf()).state).toBe("up");

    const kubeconfig = readFileSync(place.kubeconfig, "utf8");
    const command = startTestbed(["--name", NAME, "exec", "--net", "sleep", "1000"]);
    await eventually(async () => expect(left().processes.map(({ program }) => program)).toContain("sleep"));
    await own("reset");
    expect((await read("node", "testbed-node")).metadata.uid).not.toBe(other);
    const { items } = (await read("deployments,pods", "-A")) as unknown as {
      readonly items: readonly unknown[];
    };
    expect(items).toEqual([]);
    expect(readFileSync(place.kubeconfig, "utf8")).toBe(kubeconfig);
    expect(left().processes.map(({ program }) => program)).toContain("sleep");

    expect((await own("up")).stderr).toContain("is up already");
    await own("stop", "registry");
    expect((await statusOf()).state).toBe("broken");
    const broken = await startTestbed(["up", "--name", NAME]).ended;
    expect(broken.stderr).toMatch(/^testbed: testbed \S+ is up since \S+, but without registry: /m);
    await apply(deployment("cut-off", { image: appReference(":2.0.0"), replicas: 1 }));
    await eventually(async () => {
      const { items } = (await read("pods", "-l", "app=cut-off")) as unknown as {
        readonly items: KubeObject[];
      };
      expect(items[0]?.status.containerStatuses[0].state.waiting.message).toContain("connection refused");
    });
    await own("start", "registry");
    expect((await statusOf()).state).toBe("up");
    await inside("kubectl", "rollout", "status", "deployment/cut-off", "--timeout=400s");

    await own("down");
    expect((await command.ended).code).not.toBe(0);
    expect((await statusOf()).state).toBe("down");
    expect((await mine("node", "testbed-node")).metadata.uid).toBe(node);
    expect((await mine("node", "testbed-node")).status.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "True" }),
    );
  });
});
