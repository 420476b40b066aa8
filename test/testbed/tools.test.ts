/** Building, with a stand-in for `go` on the PATH that writes down what it was asked. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CORE_MODULES } from "../../testbed/modules.ts";
import { type Place, placeOf } from "../../testbed/place.ts";
import { buildTools, builtTools } from "../../testbed/tools.ts";
import { tempFolder } from "../support/temp-folder.ts";

let place: Place;
let asked: string;
const said: string[] = [];
const build = () => buildTools(place, CORE_MODULES, (line) => said.push(line), 1);

/** Writes the file that is asked for, but fails at `broken`: always, or only so many times. */
const stubGo = (broken: string, times = Number.MAX_SAFE_INTEGER): void => {
  const folder = tempFolder("go");
  asked = join(folder, "asked");
  writeFileSync(
    join(folder, "go"),
    `#!/bin/sh
echo "$PWD $CGO_ENABLED $*" >>${asked}
while [ "$1" != -o ]; do shift; done
case $2 in */${broken})
  echo >>${asked}.failed
  [ "$(wc -l <${asked}.failed)" -gt ${times} ] || { echo "undefined: nonsense"; exit 2; } ;;
esac
echo built >"$2"
`,
    { mode: 0o755 },
  );
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
};

beforeEach(() => {
  said.length = 0;
  place = placeOf("tools", { XDG_CACHE_HOME: tempFolder("cache"), XDG_STATE_HOME: tempFolder("state") });
});
afterEach(() => vi.unstubAllEnvs());

describe("the tools", () => {
  it("are missing until they are built, and are then built once", async () => {
    stubGo("nothing");
    expect(() => builtTools(place)).toThrow(
      /^not run, because the tools are not built \(etcd, .*`npm run testbed -- setup`/,
    );
    await build();
    const { folders, versions } = builtTools(place);
    expect(readdirSync(folders.kubernetes)).toContain("kube-apiserver");
    expect(versions).toMatchObject({ kubernetes: expect.stringMatching(/^v1\.\d+\.\d+$/) });
    const before = readFileSync(asked, "utf8");
    expect(before).toMatch(/^\S+\/testbed\/tools\/etcd 0 build -trimpath /);
    await build();
    expect(readFileSync(asked, "utf8")).toBe(before);
    expect(said.at(-1)).toBe("Go tools: all built");
  });

  it("that cannot be built are told with the end of the log, and are not taken for built", async () => {
    stubGo("kubelet");
    const log = join(place.cache, "build-kubernetes.log");
    await expect(build()).rejects.toThrow(
      new RegExp(
        `^building kubelet failed 3 times: go ended with 2; the last lines of ${log}:[^]*undefined: nonsense$`,
      ),
    );
    expect(() => builtTools(place)).toThrow(/the tools are not built \(kubernetes\)/);
  });

  it("are tried again after a download that failed, and that is said", async () => {
    stubGo("kubelet", 2);
    await build();
    expect(builtTools(place).versions).toHaveProperty("kubernetes");
    expect(
      said.filter((line) => /kubelet failed, and is tried again: go ended with 2/.test(line)),
    ).toHaveLength(2);
  });

  it("half built by somebody who was killed are built again, and his half is removed", async () => {
    stubGo("nothing");
    const half = join(place.cache, "etcd-0123456789abcdef.somebody.part");
    mkdirSync(half, { recursive: true });
    await build();
    expect(existsSync(half)).toBe(false);
    expect(existsSync(join(builtTools(place).folders.etcd, "etcd"))).toBe(true);
  });

  it("cannot be built without Go, and that is said", async () => {
    vi.stubEnv("PATH", tempFolder("nothing"));
    await expect(build()).rejects.toThrow("not run, because there is no `go` on the PATH");
  });
});
