import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksSecret } from "./secret-name.ts";

describe("E5: which keys hold a secret", () => {
  it.each([
    "password",
    "Password",
    "DB_PASSWORD",
    "dbPassword",
    "db-passwd",
    "password2",
    "password_1",
    "client.secret",
    "clientSecret",
    "token",
    "accessToken",
    "GITHUB_TOKEN",
    "credential",
    "credentials",
    "aws-credentials",
    "apikey",
    "APIKey",
    "api_key",
    "apiKey",
    "API_KEY",
    "privateKey",
    "private-key",
    "tls.private.key",
    "TLSPrivateKey",
    "secret_token ",
  ])("%s does", (key) => expect(looksSecret(key)).toBe(true));

  it.each([
    "",
    "key",
    "public_key",
    "publicKey",
    "tokenize",
    "tokenizer",
    "secretary",
    "password_file",
    "tokenCount",
    "max_tokens",
    "passwordless",
    "api",
    "keyapi",
    "monkey",
    "primary_key",
    "apiKeyId",
    "123",
    "__proto__",
  ])("%s does not", (key) => expect(looksSecret(key)).toBe(false));

  it("judges by the last word alone, whatever comes before", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("password", "token", "api_key"), (before, last) => {
        expect(looksSecret(`${before}_${last}`)).toBe(true);
        expect(looksSecret(`${before}_${last}_size`)).toBe(false);
      }),
    );
  });

  it("a huge key is judged by its end", () =>
    expect(looksSecret(`${"x".repeat(1_000_000)}_token`)).toBe(true));
});
