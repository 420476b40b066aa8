/** C3: stock tools come to the same digests. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { configDigest, keyDigests } from "./config-digest.ts";

const key = fc.stringMatching(/^[A-Za-z0-9_][-._A-Za-z0-9]{0,12}$/);

it("are those that sha256sum prints over the keys as files", () => {
  const content = fc.dictionary(key, fc.string({ unit: "grapheme" }), {
    maxKeys: 5,
    minKeys: 1,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(
      content,
      fc.dictionary(key, fc.uint8Array(), { maxKeys: 3, noNullPrototype: true }),
      (data, binary) => {
        const folder = tempFolder("config-digest");
        const binaryData = Object.fromEntries(
          Object.entries(binary).flatMap(([name, bytes]) =>
            Object.hasOwn(data, name) ? [] : [[name, Buffer.from(bytes).toString("base64")]],
          ),
        );
        for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
        for (const [name, text] of Object.entries(binaryData))
          writeFileSync(join(folder, name), Buffer.from(text, "base64"));
        const command = "export LC_ALL=C; sha256sum -- * | sha256sum";
        const printed = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
        expect(configDigest({ data, binaryData })).toBe(printed.slice(0, 64));
      },
    ),
    { numRuns: 40 },
  );
});

it("a line break at the end is another content", () => {
  expect(configDigest({ data: { MODE: "v1" } })).not.toBe(configDigest({ data: { MODE: "v1\n" } }));
});

it("what is neither text nor base64 has none", () => {
  expect(configDigest({ data: { MODE: 7 } })).toBeNull();
  expect(configDigest({ binaryData: { MODE: "%%%" } })).toBeNull();
  expect(keyDigests({ data: "MODE" })).toBeNull();
});
