/**
 * Runs one command: own process group, no shell, stdin once, stdout and stderr as lines, ended at its deadline or when
 * told to stop (N4: TERM to the group, after 5 s KILL). Says how it ended; what the lines mean is not known here.
 *
 * Never waits for ever: a process that keeps the pipes open after the command ended is waited for 2 s, and said.
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Reached } from "../../domain/crash-point.ts";
import { groupLives, signalGroup } from "./group.ts";
import type { PrintedLine } from "./lines.ts";
import { lineSplitter } from "./lines.ts";
import { clip } from "./printed.ts";

export interface CommandRun {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly deadlineMs: number;
  readonly stop: AbortSignal;
  /** Awaited in order; while it works, the command's output waits. */
  readonly onStdout: (line: PrintedLine) => Promise<void> | void;
  readonly onStderr: (line: PrintedLine) => void;
  readonly waits: Waits;
  readonly reached: Reached;
}

export interface Waits {
  /** Between TERM and KILL. */
  readonly termMs: number;
  /** For the end of the output after the command ended, since the last output came. */
  readonly quietMs: number;
}

export const WAITS: Waits = { termMs: 5_000, quietMs: 2_000 };

export interface Ended {
  readonly kind: "ended";
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why we ended it; null when it ended by itself. */
  readonly cut: "deadline" | "stopped" | null;
  /** Processes of its group are still alive. */
  readonly survivors: boolean;
  /** The last line on stderr that is not blank, shortened. */
  readonly lastError: string | null;
}

/** It never ran, and that is known. */
export interface NotStarted {
  readonly kind: "not-started";
  readonly reason: string;
}

/** More than any pipe holds: what comes later was not written by the command itself. */
const MAX_AFTER_EXIT_BYTES = 2 * 1024 * 1024;
/** `setTimeout` fires at once beyond this. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const POLL_MS = 25;

export const runCommand = async (run: CommandRun): Promise<Ended | NotStarted> => {
  if (run.stop.aborted)
    return { kind: "not-started", reason: "asfound was told to stop before it was started" };
  const started = await start(run);
  if ("kind" in started) return started;
  const { child, pid } = started;
  run.reached("exec-spawned");

  let lastError: string | null = null;
  const stdout = pump(child.stdout, run.onStdout, run.waits.quietMs);
  const stderr = pump(
    child.stderr,
    (line) => {
      if (line.text.trim() !== "") lastError = clip(line.text.trim(), 500);
      run.onStderr(line);
    },
    run.waits.quietMs,
  );
  feed(child, run.stdin, () => run.reached("exec-fed"));

  const end = await ending(child, pid, run);
  stdout.exited();
  stderr.exited();
  await Promise.all([stdout.done, stderr.done]);
  run.reached("exec-ended");
  child.stdin.destroy();
  child.unref();
  return { kind: "ended", ...end, survivors: await outlives(pid), lastError };
};

type Piped = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

const start = async (run: CommandRun): Promise<{ child: Piped; pid: number } | NotStarted> => {
  const [command, ...args] = run.argv;
  if (command === undefined) return { kind: "not-started", reason: "its argument array is empty" };
  const notStarted = (error: unknown): NotStarted => ({
    kind: "not-started",
    reason: `${clip(command, 200)} could not be started: ${whyNot(error, run.directory)}`,
  });
  try {
    const child = spawn(command, args, {
      cwd: run.directory,
      env: { ...run.environment },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      shell: false,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) {
      // A later error is one of a signal we sent; how it ended is told by its exit.
      child.on("error", () => {});
      return { child, pid };
    }
    return await new Promise<NotStarted>((resolve) =>
      child.once("error", (error) => resolve(notStarted(error))),
    );
  } catch (error) {
    return notStarted(error);
  }
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "it is not executable, or a folder on its path may not be entered; check chmod +x",
  E2BIG: "its arguments and environment are too large for this system; pass large values in inputs",
  EMFILE: "asfound has too many files open",
  ENFILE: "this system has too many files open",
  EAGAIN: "this system has too many processes",
  ENOMEM: "this system has no memory left for a process",
  ENOEXEC: "it is no program for this system",
  ETXTBSY: "its file is being written to",
  ENOTDIR: "a part of its path is not a folder",
};

const whyNot = (error: unknown, directory: string): string => {
  const code = String((error as NodeJS.ErrnoException).code);
  if (!isDirectory(directory)) return `its directory ${directory} does not exist or is not a folder`;
  if (code === "ENOENT")
    return "no such program (nor, for a script, the interpreter that its first line names)";
  return REASONS[code] ?? `the system says ${code}`;
};

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** A command may ignore its stdin, or close it: EPIPE is no fault. */
const feed = (child: Piped, text: string, fed: () => void): void => {
  child.stdin.on("error", () => {});
  child.stdin.once("finish", fed);
  child.stdin.end(text);
};

type End = Pick<Ended, "exitCode" | "signal" | "cut">;

/** Until the command ended: by itself, or by us at the deadline or when told to stop. */
const ending = async (child: Piped, pid: number, run: CommandRun): Promise<End> => {
  let cut: Ended["cut"] = null;
  let killed = false;
  let killTimer: NodeJS.Timeout | undefined;
  let giveUpTimer: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let onStop = (): void => {};

  const exit = new Promise<End>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, cut }));
    const cutOff = (why: "deadline" | "stopped"): void => {
      if (cut !== null || child.exitCode !== null || child.signalCode !== null) return;
      cut = why;
      signalGroup(pid, "SIGTERM");
      killTimer = setTimeout(() => {
        killed = true;
        signalGroup(pid, "SIGKILL");
        // A process in an uninterruptible wait survives even KILL; we do not wait with it.
        giveUpTimer = setTimeout(() => resolve({ exitCode: null, signal: null, cut }), run.waits.termMs);
      }, run.waits.termMs);
    };
    deadline = setTimeout(() => cutOff("deadline"), Math.min(run.deadlineMs, MAX_TIMER_MS));
    onStop = () => cutOff("stopped");
    if (run.stop.aborted) onStop();
    run.stop.addEventListener("abort", onStop, { once: true });
  });

  const end = await exit;
  clearTimeout(deadline);
  run.stop.removeEventListener("abort", onStop);
  // The command obeyed TERM; what it started gets the same time before KILL.
  while (cut !== null && !killed && groupLives(pid)) await pause(POLL_MS);
  clearTimeout(killTimer);
  clearTimeout(giveUpTimer);
  return { ...end, cut };
};

/** Lines of one stream to `take`, in order; `done` at its end, or when it stays quiet after the command ended. */
const pump = (
  stream: Readable,
  take: (line: PrintedLine) => Promise<void> | void,
  quietMs: number,
): { readonly done: Promise<void>; exited(): void } => {
  const lines = lineSplitter();
  let exited = false;
  let afterExit = 0;
  let waiting = 0;
  let quiet: NodeJS.Timeout | undefined;
  let queue = Promise.resolve();

  const awaitMore = (): void => {
    clearTimeout(quiet);
    if (exited && waiting === 0 && !stream.destroyed) quiet = setTimeout(() => stream.destroy(), quietMs);
  };
  const handle = async (chunk: Buffer): Promise<void> => {
    for (const line of lines.push(chunk)) {
      const taken = take(line);
      // Most lines are progress and taken at once; an `await` for each would cost more than the line.
      if (taken !== undefined) await taken;
    }
    waiting--;
    if (afterExit > MAX_AFTER_EXIT_BYTES) stream.destroy();
    else if (waiting === 0) {
      awaitMore();
      stream.resume();
    }
  };
  const done = new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => {
      clearTimeout(quiet);
      waiting++;
      if (exited) afterExit += chunk.length;
      stream.pause();
      queue = queue.then(() => handle(chunk));
      queue.catch(reject);
    });
    stream.on("error", () => {});
    stream.on("close", () => {
      clearTimeout(quiet);
      queue
        .then(async () => {
          for (const line of lines.end()) await take(line);
        })
        .then(resolve, reject);
    });
  });
  return {
    done,
    exited: () => {
      exited = true;
      awaitMore();
    },
  };
};

/** Whether processes of the group live on; those that are just ending get a moment. */
const outlives = async (pid: number): Promise<boolean> => {
  for (let look = 0; look < 8; look++) {
    if (!groupLives(pid)) return false;
    await pause(POLL_MS);
  }
  return true;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
