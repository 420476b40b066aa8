/** packages.sh with a Debian that has only what the test says, told by stand-ins on the PATH. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const SCRIPT = fileURLToPath(new URL("../../testbed/packages.sh", import.meta.url));

/** `missing`: dpkg-query knows nothing of it; `removed`: it knows, and it is not installed. */
const debian = (uid: number, missing: string, removed = "none") => {
  const folder = tempFolder("debian");
  const program = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program("id", `echo ${uid}`);
  program("apt-get", `echo "apt-get $*" >&2`);
  program(
    "dpkg-query",
    `case $4 in
      ${missing}) echo "no packages found matching $4" >&2; exit 1 ;;
      ${removed}) printf 'deinstall ok config-files' ;;
      *) printf 'install ok installed' ;;
    esac`,
  );
  return (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("sh", [SCRIPT, ...words], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    });
    return { status, stdout, stderr };
  };
};

describe("the Debian packages", () => {
  it("that are missing are named, those that were removed among them", () =>
    expect(debian(1000, "runc", "socat")("--missing").stdout).toBe("runc socat\n"));

  it("that only an extra needs are asked for with it", () =>
    expect(debian(1000, "runc", "redis-server")("--missing", "redis-server", "git").stdout).toBe(
      "runc redis-server\n",
    ));

  it("are not installed by anybody but root, and that is said", () =>
    expect(debian(1000, "runc")()).toEqual({
      status: 1,
      stdout: "",
      stderr: "Debian packages: not run, because only root can install runc\n",
    }));

  it("that are there are left alone", () =>
    expect(debian(0, "none")()).toEqual({ status: 0, stdout: "", stderr: "Debian packages: all there\n" }));
});
