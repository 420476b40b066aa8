/**
 * Others check it: the printed recipe, run as it is printed by a plain shell with sha256sum and openssl, and @sigstore/verify,
 * which knows nothing of asfound. Both accept what was recorded and neither what was altered.
 */
import { spawnSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFromJSON } from "@sigstore/bundle";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import { beforeAll, describe, expect, it } from "vitest";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import type { PublicKey, RunLink } from "../../src/domain/evidence-run.ts";
import { recipeText } from "../../src/wire/evidence/recipe.ts";
import { hexOf } from "../../src/wire/evidence/sums.ts";
import { newRun, signer } from "../support/made-run.ts";
import { filesIn } from "../support/tampering.ts";
import { tempFolder } from "../support/temp-folder.ts";

let root: string;
let signed: string;
let unsigned: string;
let first: RunLink;
let key: PublicKey;
let pem: string;

beforeAll(async () => {
  root = join(tempFolder("recipe"), "a folder's name");
  const evidence = openEvidence(root, "evidence");
  const alice = signer();
  key = alice.key;
  pem = join(tempFolder("keys"), "alice.pub");
  writeFileSync(pem, key.pem);
  const done = [
    await evidence.record(newRun()),
    await evidence.record(newRun({ actor: 'a "b"\n    "signer": null,\n' }, { signer: alice })),
  ];
  const [one, two] = done.map((its) => (its.kind === "recorded" ? its.link : undefined));
  if (one === undefined || two === undefined) throw new Error("not recorded");
  first = one;
  [unsigned, signed] = [join(root, "runs", one.run), join(root, "runs", two.run)];
});

/** In a process whose tools are those of a stock machine, without Node on its path. */
const run = (folder: string, named: string | null, ...more: readonly string[]) => {
  const child = spawnSync("/bin/sh", ["-s", "--", ...more], {
    input: recipeText({ folder, key: named }),
    env: { PATH: "/usr/bin:/bin" },
    cwd: tempFolder("elsewhere"),
    encoding: "utf8",
  });
  return { code: child.status, out: child.stdout, err: child.stderr };
};

const copied = (folder: string): string => {
  const copy = join(tempFolder("copy"), "run");
  cpSync(folder, copy, { recursive: true });
  return copy;
};

describe("the recipe", () => {
  it("accepts what was recorded, by the signer's key, and tells which run was before it", () => {
    const { code, out, err } = run(signed, pem);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`as recorded, and signed by ${hexOf(key.keyId)}`);
    expect(out).toContain("sequence: 2\n");
    expect(out).toContain(
      `the run before it: ${first.run}, whose statement.json has the SHA-256 ${hexOf(first.sha256)}`,
    );
    // Folder and key may be given to it as well.
    expect(run("/nowhere", null, signed, pem).code).toBe(0);
  });

  it("says of what nobody signed that nobody did, and is not content with it where a key is named", () => {
    expect(run(unsigned, null)).toMatchObject({ code: 0, out: expect.stringContaining("nobody signed it") });
    expect(run(unsigned, pem)).toMatchObject({ code: 20, out: expect.stringContaining("nobody signed it") });
  });

  it("cannot tell without the key, with another one, or without the last file", () => {
    const other = join(tempFolder("keys"), "other.pub");
    writeFileSync(other, signer().key.pem);
    expect(run(signed, null).code).toBe(20);
    expect(run(signed, other)).toMatchObject({ code: 20, out: expect.stringContaining("it is signed by") });
    const copy = copied(signed);
    rmSync(join(copy, "bundle.sigstore.json"));
    expect(run(copy, pem).code).toBe(20);
  });

  it("refuses each file of it with a byte altered, each that is missing, and one that was added", () => {
    for (const path of filesIn(signed)) {
      const length = readFileSync(join(signed, path)).length;
      for (const at of [0, length >> 1, length - 2]) {
        const copy = copied(signed);
        const bytes = readFileSync(join(copy, path));
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        chmodSync(join(copy, path), 0o644);
        writeFileSync(join(copy, path), bytes);
        expect(run(copy, pem).code, `${path} ${at}`).toBe(10);
      }
      const copy = copied(signed);
      rmSync(join(copy, path));
      expect([10, 20], path).toContain(run(copy, pem).code);
    }
    const copy = copied(signed);
    writeFileSync(join(copy, "snapshot", "more.json"), "{}");
    expect(run(copy, pem)).toMatchObject({ code: 10, out: expect.stringContaining("snapshot/more.json") });
  }, 120_000);

  it("refuses a signature by another key that was put under this one's name", async () => {
    const mallory = signer();
    const forged = join(tempFolder("forged"), "evidence");
    const as = { ...mallory, key: { keyId: key.keyId, pem: mallory.key.pem } };
    const done = await openEvidence(forged, "evidence").record(newRun({}, { signer: as }));
    if (done.kind !== "recorded") throw new Error(done.kind);
    expect(run(join(forged, "runs", done.link.run), pem)).toMatchObject({
      code: 10,
      out: expect.stringContaining("the signature is not by"),
    });
  });
});

describe("@sigstore/verify", () => {
  const verify = (folder: string, pems: Readonly<Record<string, string>>): void => {
    const bundle = bundleFromJSON(JSON.parse(readFileSync(join(folder, "bundle.sigstore.json"), "utf8")));
    const material = {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: (hint: string) => {
        const its = pems[hint];
        if (its === undefined) throw new Error(`no key for ${hint}`);
        return { publicKey: createPublicKey(its), validFor: () => true };
      },
    };
    const options = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
    new Verifier(material, options).verify(toSignedEntity(bundle));
  };

  it("accepts the bundle by the signer's key, and no other key, payload or signature", () => {
    const hint = hexOf(key.keyId);
    expect(() => verify(signed, { [hint]: key.pem })).not.toThrow();
    expect(() => verify(signed, { [hint]: signer().key.pem })).toThrow(/signature verification failed/);
    expect(() => verify(signed, {})).toThrow();
    for (const field of ["payload", "sig"]) {
      const copy = copied(signed);
      const file = join(copy, "bundle.sigstore.json");
      const text = readFileSync(file, "utf8");
      const at = text.indexOf(`"${field}": "`) + field.length + 25;
      chmodSync(file, 0o644);
      writeFileSync(file, `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`);
      expect(() => verify(copy, { [hint]: key.pem }), field).toThrow(/signature verification failed/);
    }
  });

  it("what it holds is an in-toto Statement about the very files", () => {
    const { dsseEnvelope } = JSON.parse(readFileSync(join(signed, "bundle.sigstore.json"), "utf8"));
    expect(dsseEnvelope.payloadType).toBe("application/vnd.in-toto+json");
    const payload = Buffer.from(dsseEnvelope.payload, "base64");
    expect(payload).toEqual(readFileSync(join(signed, "statement.json")));
    const statement = JSON.parse(payload.toString());
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://asfound.dev/verdict/v1alpha1",
    });
    expect(statement.subject[0]).toEqual({ name: "SHA256SUMS", digest: { sha256: expect.any(String) } });
  });
});
