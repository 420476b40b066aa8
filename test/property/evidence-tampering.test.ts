/** E1, E3: any byte of any file altered, any file taken away, moved, exchanged or added is found, and named. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acts, filesIn, flipped, isCovered, missed, someEvidence } from "../support/tampering.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHILD = fileURLToPath(new URL("../support/tampering-child.ts", import.meta.url));
const PRELOAD = new URL("../fixtures/crash-points/preload.ts", import.meta.url).href;

describe("tampering", () => {
  it("any bit of any file", async () => {
    const root = tempFolder("bits");
    const folder = join(root, "evidence");
    await someEvidence(folder);
    const files = filesIn(folder).filter((path) => isCovered(folder, path));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.nat({ max: 7 }), async (path, where, bit) => {
        const { length } = readFileSync(join(folder, path));
        expect(await missed(folder, join(root, "copy"), flipped(path, where % length, bit))).toBeNull();
      }),
      { numRuns: 250 },
    );
  }, 180_000);

  it("any file removed, renamed, emptied, cut short, made longer, exchanged; anything added", async () => {
    const root = tempFolder("acts");
    const folder = join(root, "evidence");
    await someEvidence(folder);
    const all = acts(folder);
    const found: string[] = [];
    for (const one of all) {
      const what = await missed(folder, join(root, "copy"), one);
      if (what !== null) found.push(what);
    }
    expect(found).toEqual([]);
    expect(all.length).toBeGreaterThan(200);
  }, 180_000);

  it("control: what nobody touched is as it was recorded", async () => {
    const root = tempFolder("untouched");
    const folder = join(root, "evidence");
    await someEvidence(folder);
    const nothing = { name: "nothing", files: [], apply: () => undefined };
    expect(await missed(folder, join(root, "copy"), nothing)).toBe("nothing: proven");
  });
});

/** Each a check with one thing left out, and what it then does not see. */
const MUTANTS: Readonly<Record<string, readonly [file: string, from: string, to: string, tried: RegExp]>> = {
  "digests of files are not compared": [
    "evidence/run-files.ts",
    "if (found.digest !== digest)",
    "if (false)",
    /^bit . of byte \d+ of runs\/\S+\/report\.json/,
  ],
  "what was added is not looked for": [
    "evidence/run-files.ts",
    `else if (!(kind === "folder" ? folders : its).has(path))`,
    "else if (false)",
    /^added to runs\/\S+/,
  ],
  "a missing file is no matter": [
    "evidence/run-files.ts",
    `else say(path, "missing", "is missing");`,
    "else void 0;",
    /^removed runs\/\S+\/question\.json/,
  ],
  "the seal is not compared": [
    "evidence/link.ts",
    `if (seal.bytes.toString("latin1") !== sealText(sha256)) {`,
    "if (false) {",
    /^bit . of byte \d+ of runs\/\S+\/statement\.sha256/,
  ],
  "the bundle's own text is not compared": [
    "wire/evidence/bundle.ts",
    "|| bundleText(bundle) !== text",
    "",
    /^made longer runs\/\S+\/bundle\.sigstore\.json/,
  ],
  "the signature is not checked": [
    "evidence/keyring.ts",
    "return isSignedBy(key, paeOf(bundle.payload), bundle.signature)",
    "return true",
    /^bit . of byte \d+ of runs\/\S+\/bundle\.sigstore\.json/,
  ],
  "an unfinished run is taken as one that always was": [
    "evidence/walk.ts",
    "if (expected === null) {",
    "if (false) {",
    /^removed runs\/\S+\/statement\.sha256/,
  ],
  "public keys are not looked at": [
    "evidence/check.ts",
    `key.pem !== pem || keyPath(key.keyId) !== file`,
    "false",
    /^made longer keys\/\S+/,
  ],
  "runs without a slot are not looked for": [
    "evidence/check.ts",
    "if (runs === inChain) return problems;",
    "return problems;",
    /^removed chain\/0000000006/,
  ],
};

describe("a check that leaves something out is caught", () => {
  it.each(Object.entries(MUTANTS))("%s", (_, [file, from, to, tried]) => {
    const child = spawnSync(process.execPath, [CHILD, tempFolder("mutant"), tried.source], {
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${PRELOAD}`,
        ASFOUND_TEST_MUTANT: JSON.stringify([{ file, from, to }]),
      },
      encoding: "utf8",
    });
    expect(child.stderr.replace(/^.*(Warning|--trace).*$/gm, "").trim()).toBe("");
    expect(child.stdout).toMatch(tried);
  });
});
