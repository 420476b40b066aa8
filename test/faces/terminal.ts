/** A terminal that remembers what was written, a person who answers, and folders with a stack in them. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Sink, Terminal } from "../../src/faces/cli/context.ts";
import { runCli } from "../../src/faces/cli/run.ts";
import type { Services } from "../../src/faces/cli/services.ts";
import { HOUSE } from "../canary/tree.ts";

export interface Answers {
  readonly confirm?: "yes" | "no" | "cancelled";
  readonly text?: string;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly asked: readonly string[];
}

export interface Where {
  readonly cwd: string;
  /** Absent: no terminal, nobody can be asked. */
  readonly answers?: Answers;
  /** What stands on the standard input. */
  readonly input?: string | Uint8Array;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly services?: () => Promise<Services>;
}

/** One command line, run in this process. */
export const asfound = async (where: Where, ...words: readonly string[]): Promise<Ran> => {
  const written = { out: "", err: "" };
  const asked: string[] = [];
  const sink = (name: "out" | "err"): Sink => ({
    write: (text) => {
      written[name] += text;
    },
    ready: async () => {},
    isTTY: where.isTTY ?? false,
    columns: where.columns ?? 80,
    rows: 24,
  });
  const { answers } = where;
  const terminal: Terminal = {
    out: sink("out"),
    err: sink("err"),
    input: async () => Buffer.from(where.input ?? ""),
    canAsk: answers !== undefined,
    prompter: async () => ({
      confirm: async (question) => {
        asked.push(question);
        return answers?.confirm ?? "cancelled";
      },
      text: async (question) => {
        asked.push(question);
        return answers?.text ?? "cancelled";
      },
    }),
    environment: { PATH: process.env["PATH"] ?? "", ...where.environment },
    cwd: where.cwd,
  };
  const code = await runCli(words, terminal, where.services ?? (() => import("../../src/compose.ts")));
  return { code, ...written, asked };
};

/** A folder of its own with these files, gone after the test. */
export const folder = (files: Readonly<Record<string, string>> = {}): string => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "asfound-faces-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
};

/** bin/asfound as a process of its own, its input closed: there is no terminal. */
export const launched = (
  cwd: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(HOUSE, "bin/asfound"), words, {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => (out += bytes));
    child.stderr.on("data", (bytes) => (err += bytes));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });

const shell = (script: string): string => JSON.stringify(["sh", "-c", script]);

/** An exec step that keeps a file; any of its commands may be replaced. */
export const fileStep = (
  file: string,
  commands: Partial<Record<"observe" | "create" | "update" | "destroy", string | null>> = {},
  more = "",
): string => {
  const usual = {
    observe: `if [ -e ${file} ]; then printf '{"present":true,"id":"%s","asDeclared":true,"outputs":{"file":"%s"}}\\n' ${file} ${file}; else echo '{"present":false}'; fi`,
    create: `echo hello >${file}; printf '{"outcome":"done","id":"%s"}\\n' ${file}`,
    update: `echo '{"outcome":"done"}'`,
    destroy: `rm -f ${file}; echo '{"outcome":"done"}'`,
    ...commands,
  };
  const lines = Object.entries(usual).flatMap(([action, script]) =>
    script === null ? [] : [`      ${action}: ${shell(script)}`],
  );
  return ["    uses: exec", ...(more === "" ? [] : [more]), "    with:", ...lines].join("\n");
};

export const stackOf = (steps: Readonly<Record<string, string>>, name = "shop"): string =>
  [
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Stack",
    `metadata: { name: ${name} }`,
    "steps:",
    ...Object.entries(steps).map(([step, text]) => `  ${step}:\n${text}`),
    "",
  ].join("\n");
