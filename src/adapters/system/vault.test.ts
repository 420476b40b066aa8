import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../domain/json.ts";
import type { Vault } from "../../ports/vault.ts";
import { openVault } from "./vault.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "asfound-vault-"));

const made = async (path = join(folder(), "ledger.db.key")): Promise<Vault> => {
  const opened = await openVault(path, { create: true });
  if (opened.kind !== "vault") throw new Error(JSON.stringify(opened));
  return opened.vault;
};
const faultAt = async (path: string): Promise<string> => {
  const opened = await openVault(path, { create: true });
  return opened.kind === "fault" ? opened.fault : opened.kind;
};

describe("the key file", () => {
  it("is made once, 0600, and nothing else is left beside it", async () => {
    const dir = folder();
    const path = join(dir, "k");
    expect(await openVault(path, { create: false })).toEqual({ kind: "absent" });
    expect(existsSync(path)).toBe(false);
    const first = await made(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(path).size).toBe(32);
    expect(readdirSync(dir)).toEqual(["k"]);
    expect((await made(path)).keyId).toBe(first.keyId);
  });

  it("many that make it at once all use the same", async () => {
    const path = join(folder(), "k");
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await made(path)).keyId));
    expect(new Set(ids).size).toBe(1);
  });

  it("that others can read, a link, a folder, a short one: refused, and left as it is", async () => {
    const dir = folder();
    const path = (name: string): string => join(dir, name);
    await made(path("good"));
    writeFileSync(path("open"), Buffer.alloc(32, 1));
    chmodSync(path("open"), 0o640);
    symlinkSync(path("good"), path("link"));
    mkdirSync(path("dir"));
    writeFileSync(path("short"), Buffer.alloc(31), { mode: 0o600 });
    writeFileSync(path("empty"), "", { mode: 0o600 });
    expect(await faultAt(path("open"))).toContain("can be read by others (mode 640); run chmod 600");
    expect(await faultAt(path("link"))).toContain("is a symbolic link");
    expect(await faultAt(path("dir"))).toContain("is not an ordinary file");
    expect(await faultAt(path("short"))).toContain("has 31 bytes where a key has 32");
    expect(await faultAt(path("empty"))).toContain("has 0 bytes");
    expect(await faultAt(path("no/where"))).toContain(
      "cannot be made durable: there is no such file or folder",
    );
    expect(readFileSync(path("short"))).toEqual(Buffer.alloc(31));
    expect(readFileSync(path("open"))).toEqual(Buffer.alloc(32, 1));
    chmodSync(path("open"), 0o600);
    expect(await faultAt(path("open"))).toBe("vault");
  });
});

describe("what the key does", () => {
  it("seals and opens any value, differently each time, for this key only", async () => {
    const [one, other] = [await made(), await made()];
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as JsonValue;
        const sealed = one.seal(value);
        expect(sealed).toMatch(/^aes-256-gcm:[0-9a-f]{16}:[\w-]+:[\w-]+$/);
        expect(one.open(sealed)).toEqual(value);
        expect(one.seal(value)).not.toBe(sealed);
        expect(other.open(sealed)).toBeUndefined();
      }),
    );
  });

  it("what was altered, cut or relabelled does not open, and nothing throws", async () => {
    const [vault, other] = [await made(), await made()];
    const sealed = vault.seal({ token: "hunter22" });
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      // The last character of a group may hold bits that base64url does not use.
      const same = vault.open(changed);
      if (same !== undefined) expect(same).toEqual({ token: "hunter22" });
      expect(vault.open(sealed.slice(0, at))).toBeUndefined();
    }
    expect(other.open(sealed.replace(vault.keyId, other.keyId))).toBeUndefined();
    expect(vault.open("")).toBeUndefined();
  });

  it("digests by value, keyed: equal for equal values, never the plain hash", async () => {
    const [one, other] = [await made(), await made()];
    expect(one.digest({ a: 1, b: 2 })).toBe(one.digest({ b: 2, a: 1 }));
    expect(one.digest("x")).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(one.digest("x")).not.toBe(other.digest("x"));
    expect(one.digest("\ud800")).not.toBe(one.digest("\ud801"));
  });
});
