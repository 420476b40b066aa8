/** What the demo is played on: narration, the real `bin/asfound` as a child process, the cloud in its own process. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CloudOptions, FaultRule, LogEntry } from "../src/testing.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const colours = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";
const styled = (code: string) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = styled("1");
const dim = styled("2");
const green = styled("32");
const red = styled("31");

const print = (text: string): void => void process.stdout.write(`${text}\n`);

export const act = (title: string, sentence: string): void => print(`\n${bold(title)}\n${sentence}`);
export const say = (text: string): void => print(text);

/** An expectation that was not met: the demo ends with exit 1 and this sentence. */
export class NotSeen extends Error {
  readonly code = "DEMO_NOT_SEEN";
}

/** Checks one thing that must have been seen, and says so. */
export const expectSeen = (what: string, expected: unknown, found: unknown): void => {
  const [wanted, seen] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== seen) {
    print(`  ${red("NOT SEEN")} ${what}`);
    throw new NotSeen(`${what}: expected ${wanted}, but saw ${seen}`);
  }
  print(`  ${green("seen")} ${what}`);
};

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
}

/** `CI` and the caller's own ledger would change what is shown. */
const environment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => name !== "CI" && !name.startsWith("ASFOUND_"));
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
};

/** What people see of a command: what it tells while it works, its result, or nothing of it. */
export type Show = "work" | "result" | "nothing";

/** Runs `bin/asfound` in `folder`. */
export const asfound = async (folder: string, args: readonly string[], show: Show): Promise<Ran> => {
  if (show !== "nothing") print(`\n${bold(`$ asfound ${args.join(" ")}`)}`);
  const child = spawn(join(ROOT, "bin", "asfound"), args, {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (show !== "nothing") {
    print((show === "work" ? stderr : stdout).trimEnd().replace(/^/gm, "  "));
    print(dim(`  exit ${exit}`));
  }
  return { exit, stdout };
};

export interface Cloud {
  readonly url: string;
  log(): Promise<readonly LogEntry[]>;
  setFaults(rules: readonly FaultRule[]): Promise<void>;
  end(): Promise<void>;
}

/** Starts the cloud; it ends with us, since its stdin is ours. */
export const startCloud = async (options: CloudOptions): Promise<Cloud> => {
  const main = join(ROOT, "src", "testing", "cloud", "main.ts");
  const child = spawn(process.execPath, [main, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", () => reject(new Error("the cloud ended before it listened")));
  });
  const { url, adminUrl }: { readonly url: string; readonly adminUrl: string } = JSON.parse(line);
  return {
    url,
    log: async () => (await fetch(`${adminUrl}/log`)).json() as Promise<readonly LogEntry[]>,
    setFaults: async (rules) => {
      await fetch(`${adminUrl}/faults`, { method: "PUT", body: JSON.stringify(rules) });
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
