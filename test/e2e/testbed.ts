/** Runs `npm run testbed` commands for tests. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../testbed/main.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

export const startTestbed = (words: readonly string[], environment: NodeJS.ProcessEnv = {}): Running => {
  const child = spawn(process.execPath, [MAIN, ...words], { env: { ...process.env, ...environment } });
  child.stdin.end();
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
};

/** A command that must succeed. */
export const testbed = async (...words: readonly string[]): Promise<Ended> => {
  const ended = await startTestbed(words).ended;
  if (ended.code !== 0)
    throw new Error(`testbed ${words.join(" ")} ended with ${ended.code}: ${ended.stderr}`);
  return ended;
};
