/** Runs programs to their end. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { TestbedFault } from "./fault.ts";

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stdin?: string;
}

/** A program that cannot be started is a fault; one that fails is an answer. */
const run = (
  program: string,
  words: readonly string[],
  { stdin, ...options }: RunOptions = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { ...options, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    // It may have ended without reading all of it: its exit code tells.
    child.stdin.on("error", () => undefined).end(stdin);
    child.once("error", (cause) => reject(cannotStart(program, cause)));
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });

/** As `run`, for what must succeed. `doing` completes the sentence "… failed". */
export const must = async (
  doing: string,
  program: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<string> => {
  const { code, stdout, stderr } = await run(program, words, options);
  if (code !== 0)
    throw new TestbedFault(
      "failed",
      `${doing} failed: ${program} ended with ${code}: ${lastLines(stderr || stdout)}`,
    );
  return stdout;
};

/** Runs with both outputs appended to a log file; resolves to the exit code. */
export const runIntoLog = (
  program: string,
  words: readonly string[],
  log: string,
  options: Omit<RunOptions, "stdin"> = {},
): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const file = openSync(log, "a");
    const child = spawn(program, words, { ...options, stdio: ["ignore", file, file] });
    closeSync(file);
    child.once("error", (cause) => reject(cannotStart(program, cause)));
    child.once("close", resolve);
  });

/** The end of a log, for a sentence about what went wrong. */
export const tailOf = (log: string): string =>
  `the last lines of ${log}: ${existsSync(log) ? lastLines(readFileSync(log, "utf8")) : "(there is none)"}`;

const LAST_LINES = 8;
const LINE_LENGTH = 240;

const lastLines = (text: string): string => {
  const lines = text
    .trimEnd()
    .split("\n")
    .slice(-LAST_LINES)
    .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line));
  return lines.length > 1 ? `\n  ${lines.join("\n  ")}` : (lines[0] ?? "");
};

const cannotStart = (program: string, cause: Error): TestbedFault =>
  new TestbedFault("failed", `${program} cannot be started: ${cause.message}`, { cause });
