/** `kustomize`: by the person's own binary, whose word is checked like any manifest. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { declaredObjects } from "../../src/adapters/provider-kubernetes/declared.ts";
import { parse } from "../../src/adapters/provider-kubernetes/spec.ts";
import { configFiles } from "../../src/adapters/system/config-files.ts";
import { tempFolder } from "../support/temp-folder.ts";

const before = process.env["PATH"];
afterEach(() => {
  process.env["PATH"] = before;
});

/** Each: a script of that name on the PATH, and nothing else of the kind. */
const tools = (scripts: Readonly<Record<string, string>>): void => {
  const bin = tempFolder("kustomize-bin");
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  process.env["PATH"] = [bin, "/usr/bin", "/bin"].join(delimiter);
};

const built = () => {
  const base = tempFolder("kustomize");
  mkdirSync(join(base, "overlay"));
  const parsed = parse({ kustomize: "overlay" }, true);
  if ("faults" in parsed) throw new Error("the spec has faults");
  return declaredObjects({ readConfig: configFiles }, parsed.spec, base);
};

const PRINTS = "cat <<END\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: $(basename $2) }\nEND";

it("kustomize build FOLDER, and its objects are the step's", async () => {
  tools({ kustomize: `[ "$1" = build ] || exit 9\n${PRINTS}`, kubectl: "exit 8" });
  expect(await built()).toEqual({
    objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "overlay" } }],
    notes: [],
  });
});

it("without it, kubectl's own", async () => {
  tools({ kubectl: `[ "$1" = kustomize ] || exit 9\n${PRINTS}` });
  expect(await built()).toMatchObject({ objects: [{ metadata: { name: "overlay" } }] });
});

it("neither is there: a sentence that says what to do", async () => {
  process.env["PATH"] = tempFolder("kustomize-none");
  expect(await built()).toEqual({
    fault: expect.stringContaining("neither kustomize nor kubectl is on the PATH"),
  });
});

it("it fails: its own last words, without escapes", async () => {
  tools({ kustomize: "printf 'Error: \\033[31mno such base\\n' >&2; exit 1" });
  const read = await built();
  expect(read).toEqual({
    fault: expect.stringMatching(/overlay cannot be built by kustomize: .*no such base/),
  });
  expect(JSON.stringify(read)).not.toContain("\\u001b[");
});

it("what it prints is no object: a fault, as of any manifest", async () => {
  tools({ kustomize: "echo 'apiVersion: v1'" });
  expect(await built()).toEqual({ fault: expect.stringContaining("apiVersion and kind") });
});
