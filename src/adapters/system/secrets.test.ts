import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemSecrets } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "asfound-secrets-"));
const secrets = systemSecrets(folder, { TOKEN: "hunter22", EMPTY: "" });
const fault = (answer: { value: string } | { fault: string }): string =>
  "fault" in answer ? answer.fault : "no fault";

describe("secrets of the environment", () => {
  it("are read; unset, empty and inherited names are faults", () => {
    expect(secrets.env("TOKEN")).toEqual({ value: "hunter22" });
    expect(fault(secrets.env("NONE"))).toContain("is not set");
    expect(fault(secrets.env("EMPTY"))).toContain("is empty");
    expect(fault(secrets.env("constructor"))).toContain("is not set");
  });
});

describe("secrets in files", () => {
  const write = (name: string, bytes: string | Uint8Array): void => writeFileSync(join(folder, name), bytes);

  it("lose one trailing line end, and are found through links, relative and absolute", async () => {
    write("a", " hunter22\n\n");
    write("b", "x\r\n");
    symlinkSync(join(folder, "a"), join(folder, "link"));
    expect(await secrets.file("a")).toEqual({ value: " hunter22\n" });
    expect(await secrets.file("b")).toEqual({ value: "x" });
    expect(await secrets.file("link")).toEqual(await secrets.file(join(folder, "a")));
  });

  it("E5: a fault never holds what was in the file", async () => {
    write("empty", "\n");
    write("binary", Buffer.from("hunter22\xff", "latin1"));
    write("large", Buffer.alloc(1024 * 1024 + 1, "hunter22"));
    mkdirSync(join(folder, "d"));
    symlinkSync("loop", join(folder, "loop"));
    execFileSync("sh", ["-c", `mkfifo "$1"`, "sh", join(folder, "fifo")]);
    const said = await Promise.all(
      ["empty", "binary", "large", "d", "loop", "fifo", "none", "a/b", "/dev/zero"].map(async (name) =>
        fault(await secrets.file(name)),
      ),
    );
    expect(said.join()).not.toContain("hunter22");
    expect(said.map((text) => text.replace(/^the secret file /, ""))).toEqual([
      "empty is empty; put the secret in it",
      "binary is not UTF-8 text",
      "large cannot be read: it has 1048577 bytes, and at most 1048576 are read",
      "d cannot be read: it is a folder, not a file",
      "loop cannot be read: its symbolic links form a circle",
      "fifo cannot be read: it is a pipe, socket or device, not an ordinary file",
      "none cannot be read: there is no such file or folder",
      "a/b cannot be read: a part of its path is a file, not a folder",
      "/dev/zero cannot be read: it is a pipe, socket or device, not an ordinary file",
    ]);
  });
});
