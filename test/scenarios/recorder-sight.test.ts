/** `asfound watch` when it cannot see, or what it sees cannot be joined to what it saw before. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { sha256Hex } from "../../src/wire/digest.ts";
import { asfound, folder } from "../faces/terminal.ts";
import { kubeconfigFile } from "../support/cluster.ts";
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
} from "../support/recorder.ts";

describe("when it cannot see", () => {
  it("the server gone and back: said with its times; what did not change is held throughout, what did is not in between", async () => {
    const server = await serverWith();
    server.put(place("edited"), mode("one"));
    const to = folder();
    let change = (): unknown => undefined;
    whenWatched(server, async () => {
      await server.refuse();
      change();
      await pause(1_500);
      await server.accept();
    });
    change = () => {
      server.put(place("edited"), mode("two"));
      server.put(place("edited"), mode("three"));
    };
    const ran = await watch(server, to, "--for", "8s", "-o", "json");
    const report = JSON.parse(ran.out);
    expect(report).toMatchObject({
      exit: 0,
      blind: [{ of: "ConfigMap", why: expect.stringContaining("could not be read") }],
    });
    const lines = linesOf(ran);
    expect(lines).toEqual([
      expect.stringMatching(/^recording 2 objects/),
      expect.stringMatching(/^ConfigMaps are not seen since 20\S+: /),
      expect.stringMatching(/^ConfigMaps are seen again since 20\S+: 1 changed or went meanwhile/),
    ]);
    expect(kindsIn(to)).toContain("blind");
    const held = await heldIn(to);
    const [blind] = report.blind;
    const of = (name: string) => held.filter((one) => one.name === name);
    expect(of("settings")).toHaveLength(1);
    const [settings] = of("settings");
    const [begun] = recordsIn(to).filter(({ kind, name }) => kind === "version" && name === "settings");
    expect(Date.parse(String(settings?.from))).toBe(Date.parse(String(begun?.["from"])));
    expect(String(settings?.to) >= blind.to).toBe(true);
    const contents = of("edited").map(({ keys }) => keys?.["MODE"]);
    expect(contents).not.toContain(sha256Hex("two"));
    for (const { from, to: until } of of("edited"))
      expect(until <= blind.from || from >= blind.to).toBe(true);
  });

  it("a moment that the server forgot (410), a list that is cut, a 500: it looks again, and loses nothing", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(server, () => {
      server.put(place("other"), mode("x"));
      server.compact();
      server.setFaults([
        { verb: "list", nth: 1, fault: { do: "cut", at: "middle" } },
        { verb: "list", nth: 2, fault: { do: "reply", status: 500, body: "" } },
      ]);
    });
    await watch(server, to, "--for", "12s");
    const held = await heldIn(to);
    expect(held.map(({ name }) => name).sort()).toEqual(["other", "settings"]);
    expect(kindsIn(to).filter((kind) => kind === "blind")).toHaveLength(1);
  });

  it("a token that was renewed in its file: it goes on with the new one, and was never blind", async () => {
    const all = { rules: "all" } as const;
    const server = await serverWith({
      users: [
        { name: "before", token: "token-before", ...all },
        { name: "after", token: "token-after", ...all },
      ],
    });
    const to = folder();
    const token = join(folder({ token: "token-before" }), "token");
    const kubeconfig = server
      .kubeconfig({ namespace: "shop", user: "before" })
      .replace(/"token": *"token-before"|token: token-before/, (found) =>
        found.startsWith('"') ? `"tokenFile": ${JSON.stringify(token)}` : `tokenFile: ${token}`,
      );
    expect(kubeconfig).toContain("tokenFile");
    whenWatched(server, () => {
      writeFileSync(token, "token-after");
      server.setFaults([{ verb: "list", nth: 1, fault: { do: "reply", status: 401, body: "{}" } }]);
      server.put(place("hint"), mode("x"));
    });
    const ran = await asfound(
      { cwd: to },
      "watch",
      "--to",
      to,
      "--kubeconfig",
      kubeconfigFile(kubeconfig),
      "--for",
      "3s",
    );
    expect(ran.code).toBe(0);
    expect(new Set(server.log().map(({ user }) => user))).toEqual(new Set(["before", "after"]));
    expect(kindsIn(to)).not.toContain("blind");
    expect((await heldIn(to)).map(({ name }) => name)).toContain("settings");
  });

  it("one that cannot be read is said once, asked for again, and not taken for unchanged", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(server, () => {
      server.setFaults([{ verb: "get", nth: 1, fault: { do: "reply", status: 500, body: "" } }]);
      server.put(place("settings"), mode("slow"));
      setTimeout(() => server.put(place("hint"), mode("x")), 1_500);
    });
    const ran = await watch(server, to, "--for", "9s");
    expect(linesOf(ran).filter((line) => line.includes("settings"))).toHaveLength(1);
    const told = recordsIn(to)
      .filter(({ name }) => name === "settings")
      .map(({ kind }) => kind);
    expect(told).toEqual(["version", "gone", "version"]);
  });

  it("never, with --for: exit 20, and an empty folder proves nothing", async () => {
    const server = await serverWith();
    await server.refuse();
    const ran = await watch(server, folder(), "--for", "1s", "-o", "json");
    expect(ran.code).toBe(20);
    expect(JSON.parse(ran.out)).toMatchObject({ window: { from: null, to: null }, exit: 20 });
  });

  it("replies without a date are no reading", async () => {
    const server = await serverWith({
      faults: [{ verb: "list", fault: { do: "reply", body: "{}", headers: { date: "" } } }],
    });
    expect((await watch(server, folder(), "--for", "1s")).code).toBe(20);
  });
});

describe("where a resourceVersion could lie", () => {
  it("a store that went back begins a new era: nothing from before counts", async () => {
    const server = await serverWith();
    const to = folder();
    const before = server.revision();
    whenWatched(server, () => {
      server.put(place("settings"), mode("slow"));
      // As a backup that was restored: the list is that of before, with what was there then.
      server.setFaults([
        { verb: "list", nth: [2, 3, 4, 5, 6, 7, 8, 9], fault: { do: "stale", revisions: 3 } },
      ]);
      setTimeout(() => server.put(place("hint"), mode("x")), 1_200);
    });
    const ran = await watch(server, to, "--for", "9s");
    expect(before).toBeGreaterThan(0);
    expect(recordsIn(to).filter(({ kind }) => kind === "rewound")).toHaveLength(1);
    expect(linesOf(ran).join("\n")).toContain("the API server's store is behind what it showed before");
  });

  it("a store that went back is told by an object's own version, where its list has passed what it was", async () => {
    const server = await serverWith();
    const to = folder();
    const key = { resource: "configmaps", namespace: "shop", name: "settings" };
    const was = server.get(key) as JsonObject;
    whenWatched(server, () => {
      server.put(place("settings"), mode("slow"));
      setTimeout(() => {
        const metadata = was["metadata"] as JsonObject;
        const list = {
          apiVersion: "meta.k8s.io/v1",
          kind: "PartialObjectMetadataList",
          metadata: { resourceVersion: "999999" },
          items: [{ metadata }],
        };
        const as = (body: JsonObject) => ({ do: "reply", body: JSON.stringify(body) }) as const;
        server.setFaults([
          { verb: "list", fault: as(list) },
          { verb: "get", fault: as(was) },
        ]);
        server.put(place("hint"), mode("x"));
      }, 3_000);
    });
    const ran = await watch(server, to, "--for", "9s");
    expect(recordsIn(to).filter(({ kind }) => kind === "rewound")).toHaveLength(1);
    expect(linesOf(ran).join("\n")).toContain("the API server's store is behind what it showed before");
  });

  it("a clock that was set voids what it dated", async () => {
    const server = await serverWith();
    const to = folder();
    whenWatched(server, () => {
      server.setFaults([{ fault: { do: "skew", ms: 60_000 } }]);
      server.put(place("hint"), mode("x"));
    });
    await watch(server, to, "--for", "4s");
    expect(recordsIn(to).filter(({ kind }) => kind === "rewound")).toMatchObject([
      { why: expect.stringMatching(/clock was set forward by 5\ds or more/) },
    ]);
    const began = Date.now();
    for (const { from } of await heldIn(to)) expect(Date.parse(from)).toBeGreaterThan(began + 30_000);
  });
});
