import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolve } from "../../domain/expression.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import {
  isKeptSecret,
  type KeepOptions,
  keepInputs,
  keepOutputs,
  openAllKept,
  openKept,
  type SecretKeeper,
} from "./kept-secret.ts";

/** A vault whose seal is readable, so that a test sees what was put in. */
const vault = (keyId = "k1"): SecretKeeper => ({
  keyId,
  digest: (value) => `hmac-sha256:${createHmac("sha256", keyId).update(JSON.stringify(value)).digest("hex")}`,
  seal: (value) => `${keyId}:${Buffer.from(JSON.stringify(value)).toString("base64")}`,
  open: (sealed) =>
    sealed.startsWith(`${keyId}:`)
      ? (JSON.parse(Buffer.from(sealed.slice(keyId.length + 1), "base64").toString()) as JsonValue)
      : undefined,
});
const options = (more: Partial<KeepOptions> = {}): KeepOptions => ({
  public: [],
  keepSecrets: false,
  vault: vault(),
  ...more,
});

describe("E5: secret outputs are kept as digests", () => {
  it("at any depth, as a whole, and nothing else changes", () => {
    const outputs = {
      id: "vm-1",
      db: { user: "u", password: "hunter22", list: [{ apiKey: { a: "deep-secret" } }] },
      token: null,
    };
    const kept = keepOutputs(outputs, options());
    expect(JSON.stringify(kept)).not.toMatch(/hunter22|deep-secret/);
    expect(kept).toMatchObject({
      id: "vm-1",
      db: { user: "u", list: [{ apiKey: { $secret: { keyId: "k1" } } }] },
      token: null,
    });
    expect(isKeptSecret((kept["db"] as JsonObject)["password"] as JsonValue)).toBe(true);
    // Control: a key that is public is kept as it is.
    expect(JSON.stringify(keepOutputs(outputs, options({ public: ["password"] })))).toContain("hunter22");
  });

  it("a value that came from a secret is kept so under any key", () => {
    const kept = keepOutputs(
      { "a/b": ["x", "y"], ok: "z" },
      options({ public: ["a/b"], secretPaths: ["/a~1b/1"] }),
    );
    expect(kept).toMatchObject({ "a/b": ["x", { $secret: {} }], ok: "z" });
  });

  it("sealed where asked, opened with the same key only", () => {
    const kept = keepOutputs({ token: { a: [1] } }, options({ keepSecrets: true }));
    const token = kept["token"] as JsonValue;
    expect(openKept(token, vault())).toEqual({ a: [1] });
    expect(openKept(token, vault("k2"))).toBeUndefined();
    expect(openAllKept(kept, vault())).toEqual({ value: { token: { a: [1] } }, closed: [] });
    expect(openAllKept(kept, vault("k2"))).toEqual({ value: kept, closed: ["/token"] });
    expect(openAllKept(kept, null).closed).toEqual(["/token"]);
    expect(openKept(keepOutputs({ token: 1 }, options())["token"] as JsonValue, vault())).toBeUndefined();
  });

  it("keeping twice is keeping once, and another ledger's key is left alone", () => {
    const key = fc.constantFrom("a", "password", "apiKey", "token", "__proto__", "$secret");
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (outputs) => {
        const once = keepOutputs(outputs as JsonObject, options());
        expect(keepOutputs(once, options())).toEqual(once);
        expect(keepOutputs(once, options({ vault: vault("k2") }))).toEqual(once);
      }),
    );
  });

  it("what only resembles a kept secret is not taken for one", () => {
    const digest = `hmac-sha256:${"0".repeat(64)}`;
    expect(isKeptSecret({ $secret: { digest, keyId: "k" } })).toBe(true);
    for (const fake of [
      { $secret: "x" },
      { $secret: { digest: "x", keyId: "k" } },
      { $secret: { digest } },
      { $secret: { digest, keyId: "k", plain: "hunter22" } },
      { $secret: { digest, keyId: "k" }, plain: "hunter22" },
    ])
      expect(isKeptSecret(fake)).toBe(false);
  });
});

describe("E5: secret literals in inputs", () => {
  const reference = `$${"{secret.env.P}"}`;

  it("are replaced one by one, references stay resolvable", () => {
    const inputs = {
      credentials: { user: "u", pass: reference, n: 5 },
      password: `pre-${reference}`,
      url: "u",
      token: "t",
    };
    const kept = keepInputs(inputs, options({ keepSecrets: true }));
    expect(kept).toMatchObject({
      credentials: { user: { $secret: {} }, pass: reference, n: { $secret: {} } },
      password: `pre-${reference}`,
      url: "u",
      token: { $secret: {} },
    });
    expect(keepInputs(kept, options())).toEqual(kept);
    const again = resolve(kept, () => ({ value: "hunter22", secret: true }));
    if ("faults" in again) throw new Error("faults");
    expect(openAllKept(again.resolved, vault()).value).toEqual({
      credentials: { user: "u", pass: "hunter22", n: 5 },
      password: "pre-hunter22",
      url: "u",
      token: "t",
    });
  });

  it("an escaped literal is kept as the text it stands for", () => {
    const kept = keepInputs({ token: `$$${"{x}"}` }, options({ keepSecrets: true }));
    expect(openAllKept(kept, vault()).value).toEqual({ token: `$${"{x}"}` });
    expect(openAllKept(kept, vault(), "written").value).toEqual({ token: `$$${"{x}"}` });
  });
});
