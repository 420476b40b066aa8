import { describe, expect, it } from "vitest";
import { type Machine, obstacle } from "../../testbed/machine.ts";

const able: Machine = { platform: "linux", uid: 0, capabilities: (1n << 41n) - 1n, isDebian: true };

describe("where no testbed can run", () => {
  it("nothing is in the way of root on a Debian", () => expect(obstacle(able)).toBeNull());

  it.each<[Partial<Machine>, RegExp]>([
    [{ platform: "darwin" }, /^this is darwin, and namespaces are Linux's$/],
    [{ uid: 1000 }, /^only root .*: run it as root$/],
    [{ capabilities: able.capabilities & ~(1n << 21n) }, /^this root lacks CAP_SYS_ADMIN: /],
    [{ capabilities: 0n }, /lacks CAP_CHOWN, .*CAP_MKNOD: /],
    [{ isDebian: false }, /^this is no Debian: /],
  ])("%o is said", (lacking, sentence) => expect(obstacle({ ...able, ...lacking })).toMatch(sentence));

  it("runs without CAP_SYS_RESOURCE, which containers often lack", () =>
    expect(obstacle({ ...able, capabilities: able.capabilities & ~(1n << 24n) })).toBeNull());
});
