import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../wire/manifest/fault.ts";
import { findStackFile } from "./find-stack.ts";
import { type LoadedStack, loadStackFile } from "./stack-file.ts";

const folder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "asfound-stack-")));
const HEAD = "apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: shop }\n";
const none = new Map<string, string>();

const said = async (path: string): Promise<string> => {
  const loaded = await loadStackFile(path, none);
  return "faults" in loaded
    ? loaded.faults.map(formatFault).join("\n").replace(`${path}`, "FILE")
    : "no fault";
};

describe("finding the stack file", () => {
  it("takes the one named, else the nearest default above", async () => {
    const top = folder();
    mkdirSync(join(top, "a/b"), { recursive: true });
    writeFileSync(join(top, "asfound.yaml"), HEAD);
    expect(findStackFile("x/y.yaml", top)).toEqual({ path: join(top, "x/y.yaml") });
    expect(findStackFile(null, join(top, "a/b"))).toEqual({ path: join(top, "asfound.yaml") });
    writeFileSync(join(top, "a/asfound.ts"), "");
    expect(findStackFile(null, join(top, "a/b"))).toEqual({ path: join(top, "a/asfound.ts") });
  });

  it("two defaults side by side, none at all, stdin: one sentence", async () => {
    const top = folder();
    const answers = [findStackFile(null, top), findStackFile("-", top), findStackFile("", top)];
    writeFileSync(join(top, "asfound.yaml"), HEAD);
    writeFileSync(join(top, "asfound.ts"), "");
    answers.push(findStackFile(null, top));
    const faults = answers.map((answer) => ("fault" in answer ? answer.fault : "none"));
    expect(faults[0]).toContain("there is no asfound.yaml or asfound.ts in");
    expect(faults[1]).toContain("not from stdin");
    expect(faults[2]).toContain("needs the name");
    expect(faults[3]).toContain("has both asfound.yaml and asfound.ts");
  });

  it("a default that is a circle of links counts as there, so that no other stack is taken", async () => {
    const top = folder();
    mkdirSync(join(top, "a"));
    writeFileSync(join(top, "asfound.yaml"), HEAD);
    symlinkSync("asfound.yaml", join(top, "a/asfound.yaml"));
    expect(findStackFile(null, join(top, "a"))).toEqual({ path: join(top, "a/asfound.yaml") });
    expect(await said(join(top, "a/asfound.yaml"))).toBe(
      "FILE: the stack file cannot be read: its symbolic links form a circle",
    );
  });
});

describe("loading text", () => {
  it("gives the stack, its text, and a digest that formatting does not change", async () => {
    const top = folder();
    const write = (name: string, text: string): string => {
      writeFileSync(join(top, name), text);
      return join(top, name);
    };
    const digest = async (text: string, vars = none): Promise<string> => {
      const loaded = await loadStackFile(write("s.yaml", text), vars);
      if ("faults" in loaded) throw new Error(loaded.faults.map(formatFault).join("\n"));
      expect(loaded.text).toBe(text);
      return loaded.fileDigest;
    };
    const one = await digest(`${HEAD}steps:\n  a: { uses: exec, with: { x: 1, password: hunter22 } }\n`);
    expect(
      await digest(`# c\n${HEAD}steps: { "a": {"with": {"password": hunter22, "x": 1}, uses: exec} }`),
    ).toBe(one);
    expect(await digest(`${HEAD}steps:\n  a: { uses: exec, with: { x: 2, password: hunter22 } }\n`)).not.toBe(
      one,
    );
    // E5: nothing can be guessed from it about a secret that stands in the file.
    expect(await digest(`${HEAD}steps:\n  a: { uses: exec, with: { x: 1, password: other } }\n`)).toBe(one);
    const withVar = `${HEAD}steps:\n  a: { uses: exec, with: { x: "$${"{var.v}"}" } }\n`;
    expect(await digest(withVar, new Map([["v", "1"]]))).not.toBe(
      await digest(withVar, new Map([["v", "2"]])),
    );
  });

  it("what is no readable text file is one fault, at once", async () => {
    const top = folder();
    const path = (name: string): string => join(top, name);
    mkdirSync(path("dir.yaml"));
    execFileSync("sh", ["-c", `mkfifo "$1"`, "sh", path("pipe.yaml")]);
    writeFileSync(path("binary.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(path("large.yaml"), Buffer.alloc(8 * 1024 * 1024 + 1, "#"));
    writeFileSync(path("bom.yaml"), `\ufeff${HEAD}steps: {}`);
    expect(await said(path("dir.yaml"))).toContain("it is a folder");
    expect(await said(path("pipe.yaml"))).toContain("it is a pipe");
    expect(await said(path("binary.yaml"))).toContain("not UTF-8");
    expect(await said(path("large.yaml"))).toContain("8388609 bytes");
    expect(await said(path("none.yaml"))).toContain("no such file");
    expect(await said("/dev/zero")).toContain("device");
    expect(await said("/proc/self/mem")).not.toBe("no fault");
    expect(await said(path("bom.yaml"))).toBe("no fault");
  });
});

describe("loading TypeScript", () => {
  const here = fileURLToPath(new URL("./stack-file.ts", import.meta.url));
  const define = fileURLToPath(new URL("../../wire/manifest/define-stack.ts", import.meta.url));

  /** In a real Node, as a user has it: the test runner loads modules in its own way. */
  const load = (text: string, name = "asfound.ts"): LoadedStack & { names?: string[] } => {
    const path = join(folder(), name);
    writeFileSync(path, text);
    const script = `
      const { loadStackFile } = await import(${JSON.stringify(here)});
      const loaded = await loadStackFile(${JSON.stringify(path)}, new Map(), { importTimeoutMs: 1000 });
      console.log(JSON.stringify("faults" in loaded ? loaded : { names: [...loaded.stack.steps.keys()], text: loaded.text }));
      process.exit(0);`;
    return JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
    );
  };
  const fault = (text: string, name?: string): [number | null, string] => {
    const loaded = load(text, name);
    if (!("faults" in loaded)) throw new Error("no fault");
    return [loaded.faults[0]?.line ?? null, String(loaded.faults[0]?.message)];
  };
  const body = `{ apiVersion: "asfound.dev/v1alpha1", kind: "Stack", metadata: { name: "t" }, steps: { a: { uses: "exec" } } }`;

  it("takes a default export or one called stack, made by defineStack or by hand", () => {
    const good = { names: ["a"], text: null };
    expect(
      load(
        `import { defineStack } from ${JSON.stringify(define)};\nexport const stack = defineStack(${body});`,
      ),
    ).toEqual(good);
    expect(load(`const s: object = ${body};\nexport default s;`)).toEqual(good);
    expect(load(`export const stack = ${body};`, "x.mjs")).toEqual(good);
  });

  it("checks it as text is checked", () => {
    expect(fault(`export default ${body.replace("uses", "usse")};`)[1]).toContain("did you mean uses?");
  });

  it("what the file throws is one sentence, with its line", () => {
    expect(fault("const a: number = 1;\n\nthrow new Error('boom\\nmore');")).toEqual([
      3,
      "loading the file failed: boom",
    ]);
    expect(fault("export const x = 1;\nconst = 3;")[0]).toBe(2);
    expect(fault("import './gone.ts';")[1]).toContain("loading the file failed: Cannot find module");
    expect(fault("throw { toString() { throw 1 } };")[1]).toContain("cannot be shown");
    expect(fault("export const x = 1;")[1]).toContain("exports no stack");
    expect(fault(`export default ${body}; export const stack = {};`)[1]).toContain("exports two stacks");
    expect(fault("await new Promise(() => setInterval(() => {}, 1000));\nexport default 1;")[1]).toContain(
      "did not finish loading within 1 s",
    );
    expect(fault("enum A { x }\nexport default {};")[1]).toContain("loading the file failed");
  });
});
