/** The contract of every place that keeps releases (`src/ports/releases.ts`). */
import { beforeEach, describe, expect, it } from "vitest";
import type { ReleaseListing, Releases } from "../../src/ports/releases.ts";
import { configMap, storedRelease, WEB } from "../support/made-release.ts";

/** `open`: the same place again, as another process would have it. */
export const releasesContract = (name: string, makePlace: () => { readonly open: () => Releases }): void => {
  describe(`the releases' contract, kept by ${name}`, () => {
    let open: () => Releases;
    let releases: Releases;
    beforeEach(() => {
      ({ open } = makePlace());
      releases = open();
    });
    const listed = async (...target: Parameters<Releases["list"]>): Promise<ReleaseListing> => {
      const listing = await open().list(...target);
      if ("fault" in listing) throw new Error(listing.fault);
      return listing;
    };

    it("an empty place holds nothing, and says so of what is asked by name", async () => {
      expect(await releases.list()).toEqual({ releases: [], altered: [], unfinished: [] });
      expect(await releases.read("v1", WEB)).toEqual({
        reason: "absent",
        fault: expect.stringContaining("there is no release v1 of Deployment shop/web"),
      });
      expect(await releases.key({ create: false })).toEqual({ kind: "absent" });
    });

    it("what was recorded is read back as it was, by id and by name", async () => {
      const stored = storedRelease({
        name: "v1.2+b_3",
        config: [
          configMap("settings", { "app.properties": "mode=v1\n", ".hidden": "", "-dash": "\u0000\ud7ff" }),
          configMap("empty", {}),
          { ...configMap("token", { password: "x" }), kind: "Secret", content: null },
        ],
        removed: new Map([["/spec/containers/0/env/0/value", "removed:hmac-sha256:1"]]),
        unheld: [{ kind: "Secret", name: "other", reason: "not-asked" }],
        injected: ["mesh"],
        irreversible: ["mails were sent"],
        limits: ["a sentence"],
        keyId: "0123456789abcdef",
        source: null,
        revision: null,
      });
      expect(await releases.record(stored)).toEqual({ kind: "recorded" });
      expect(await open().read(stored.release.id)).toEqual(stored);
      expect(await open().read("v1.2+b_3", WEB)).toEqual(stored);
      expect((await listed(WEB)).releases).toEqual([stored]);
    });

    it("the same release again is already there; with another name or more to tell it is another record", async () => {
      const first = storedRelease({ name: "v1" });
      await releases.record(first);
      const again = (more: Parameters<typeof storedRelease>[0]) => releases.record(storedRelease(more));
      expect(await again({})).toEqual({ kind: "already", release: first.release });
      expect(await again({ name: "v1" })).toMatchObject({ kind: "already" });
      expect(await again({ source: null })).toMatchObject({ kind: "already" });
      expect(await again({ target: { ...first.release.target, generation: 9 } })).toMatchObject({
        kind: "already",
      });
      expect(await again({ name: "first" })).toEqual({ kind: "recorded" });
      expect(await again({ source: { commit: "8".repeat(40), tree: null } })).toEqual({ kind: "recorded" });
      expect(await again({ irreversible: ["mails were sent"] })).toEqual({ kind: "recorded" });
      expect((await listed()).releases).toHaveLength(4);
    });

    it("half the same release is another: other config, a recreated object (C4), another image", async () => {
      await releases.record(storedRelease());
      const others = [
        { config: [configMap("settings", { "app.properties": "mode=v2\n" })] },
        { config: [configMap("settings", { "app.properties": "mode=v1\n" }, { uid: "made-again" })] },
        { images: [{ container: "web", image: "web:v1", digests: [`sha256:${"2".repeat(64)}`] }] },
        { target: { ...storedRelease().release.target, uid: "made-again" } },
      ];
      for (const other of others)
        expect(await releases.record(storedRelease(other))).toEqual({ kind: "recorded" });
      expect((await listed()).releases).toHaveLength(5);
    });

    it("a name means one release of a target in a cluster", async () => {
      const first = storedRelease({ name: "v1" });
      await releases.record(first);
      const other = { name: "v1", config: [] };
      expect(await releases.record(storedRelease(other))).toEqual({
        kind: "name-taken",
        release: first.release,
      });
      const cluster = { server: "https://10.0.0.2:6443", uid: "another" };
      const elsewhere = storedRelease({ ...other, cluster });
      expect(await releases.record(elsewhere)).toEqual({ kind: "recorded" });
      expect(await releases.read("v1", WEB)).toEqual({
        reason: "ambiguous",
        fault: expect.stringContaining("2 releases of Deployment shop/web"),
      });
      expect(await releases.read("v1", { ...WEB, cluster })).toEqual(elsewhere);
    });

    it("another target's releases are not this one's", async () => {
      const { target } = storedRelease().release;
      await releases.record(storedRelease({ target: { ...target, name: "api" }, name: "v1" }));
      expect((await listed(WEB)).releases).toEqual([]);
      expect(await releases.read("v1", WEB)).toHaveProperty("fault");
      expect(await releases.read("v1")).toMatchObject({ release: { name: "v1" } });
    });

    it("two at once: one name has one release, and neither is mixed with the other", async () => {
      const both = [
        storedRelease({ name: "v1", config: [configMap("settings", { a: "1" })] }),
        storedRelease({ name: "v1", config: [configMap("settings", { b: "2" })] }),
      ];
      const done = await Promise.all(both.map((one) => open().record(one)));
      expect(done.map(({ kind }) => kind).sort()).toEqual(["name-taken", "recorded"]);
      const kept = both[done.findIndex(({ kind }) => kind === "recorded")];
      expect(await listed()).toEqual({ releases: [kept], altered: [], unfinished: [] });
    });

    it("a key is made once and stays the one it is", async () => {
      const [one, other] = await Promise.all([open().key({ create: true }), open().key({ create: true })]);
      expect(one).toEqual(other);
      expect(await open().key({ create: false })).toEqual(one);
      expect(one).toMatchObject({ kind: "key", key: { id: expect.stringMatching(/^[0-9a-f]{16}$/) } });
    });

    it("what is no name of a release names none", async () => {
      for (const trick of ["../../etc", "rel_..", ".", "", "/etc/passwd", "v1\u0000"])
        expect(await releases.read(trick, WEB)).toHaveProperty("fault");
      const id = "rel_../../../../tmp/x";
      expect(await releases.record(storedRelease({ id }))).toMatchObject({ kind: "fault" });
    });

    it("a server's names that are no names are refused, and nothing is recorded", async () => {
      for (const config of [
        configMap("../../up", { a: "1" }),
        configMap("settings", { "../../up": "1" }),
        configMap("settings", { "..": "1" }),
        configMap("settings", { "": "1" }),
        configMap("a/b", { a: "1" }),
      ])
        expect(await releases.record(storedRelease({ config: [config] }))).toMatchObject({ kind: "fault" });
      expect((await listed()).releases).toEqual([]);
    });
  });
};
