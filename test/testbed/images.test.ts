import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { appImages, type Image } from "../../testbed/images.ts";
import { tar } from "../../testbed/tar.ts";
import { tempFolder } from "../support/temp-folder.ts";

describe("an archive", () => {
  it("is read by tar as it was written", () => {
    const archive = tar([
      { path: "bin", mode: 0o755, content: null },
      { path: "bin/app", mode: 0o750, content: Buffer.from("x".repeat(513)) },
      { path: "empty", mode: 0o600, content: Buffer.alloc(0) },
    ]);
    const listed = spawnSync("tar", ["-tvf", "-", "--numeric-owner", "--utc"], {
      input: archive,
      encoding: "utf8",
    });
    expect(listed.stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^drwxr-xr-x 0\/0 +0 1970-01-01 00:00 bin\/$/),
      expect.stringMatching(/^-rwxr-x--- 0\/0 +513 1970-01-01 00:00 bin\/app$/),
      expect.stringMatching(/^-rw------- 0\/0 +0 1970-01-01 00:00 empty$/),
    ]);
    const read = spawnSync("tar", ["-xOf", "-", "bin/app"], { input: archive, encoding: "utf8" });
    expect(read.stdout).toBe("x".repeat(513));
    expect(archive.length % 512).toBe(0);
  });

  it("refuses a path that its header has no room for", () =>
    expect(() => tar([{ path: "ä".repeat(51), mode: 0o644, content: null }])).toThrow(/too long/));
});

describe("an image", () => {
  const program = join(tempFolder("images"), "app");
  writeFileSync(program, "a program");
  const made = (...versions: readonly string[]): readonly Image[] =>
    appImages(program, versions).map(({ image }) => image);
  const sha256 = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

  it("is the same for the same content, and another for another version", () => {
    const [one, two] = made("1.0.0", "2.0.0");
    expect(made("1.0.0")[0]?.manifest.digest).toBe(one?.manifest.digest);
    expect(two?.manifest.digest).not.toBe(one?.manifest.digest);
    // The program is pushed once.
    expect(two?.blobs[1]?.digest).toBe(one?.blobs[1]?.digest);
  });

  it("names each part by the digest of its bytes, and each layer by that of its archive", () => {
    const [image] = made("1.0.0");
    for (const { digest, bytes } of image?.blobs ?? []) expect(digest).toBe(sha256(bytes));
    const [config, ...layers] = image?.blobs ?? [];
    const { rootfs } = JSON.parse(String(config?.bytes));
    expect(rootfs.diff_ids).toEqual(layers.map(({ bytes }) => sha256(gunzipSync(bytes))));
    const manifest = JSON.parse(String(image?.manifest.bytes));
    expect(manifest.layers.map((layer: { readonly digest: string }) => layer.digest)).toEqual(
      layers.map(({ digest }) => digest),
    );
    expect(manifest.config).toEqual({
      mediaType: config?.mediaType,
      digest: config?.digest,
      size: config?.bytes.length,
    });
  });
});
