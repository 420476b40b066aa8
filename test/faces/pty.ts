/** A command on a real terminal (a pty of util-linux's script), with a screen that shows what it wrote. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { HOUSE } from "../canary/tree.ts";
import { Screen } from "./screen.ts";

/** What keeps it from running here, a clause; null: nothing. */
export const noPty = (): string | null =>
  /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "")
    ? null
    : "there is no script of util-linux here, which makes a terminal";

export interface OnPty {
  readonly screen: Screen;
  /** Everything that was written. */
  written(): string;
  /** As a person types it: "\x03" is Ctrl-C. */
  type(text: string): void;
  resize(columns: number): Promise<void>;
  /** Waits until the screen is as told. */
  until(holds: (lines: readonly string[]) => boolean): Promise<readonly string[]>;
  /** The exit of the command, once it has ended, and whether the terminal is set as it was before. */
  ended(): Promise<{ readonly code: number; readonly isSane: boolean }>;
}

const ROWS = 20;

/** `line`: for sh, with `asfound` on its path. */
export const onPty = (
  cwd: string,
  columns: number,
  line: string,
  environment: Readonly<Record<string, string>> = {},
): OnPty => {
  const screen = new Screen(columns, ROWS);
  // sh gets the signals of its terminal too, and has to outlive them.
  const whole = `trap : INT; tty >tty; stty cols ${columns} rows ${ROWS}; stty -g >before; ${line}; echo $? >code; stty -g >after`;
  const child = spawn("script", ["-qfec", whole, "/dev/null"], {
    cwd,
    env: {
      PATH: `${join(HOUSE, "bin")}:${process.env["PATH"]}`,
      HOME: cwd,
      TERM: "xterm",
      SHELL: "/bin/sh",
      ...environment,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  let shown: Promise<void> = Promise.resolve();
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
    shown = shown.then(() => screen.write(more));
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) child.kill();
    await closed;
  });
  const read = (name: string): string => readFileSync(join(cwd, name), "utf8").trim();
  return {
    screen,
    written: () => text,
    type: (keys) => child.stdin.write(keys),
    resize: async (to) => {
      await shown;
      screen.resize(to, ROWS);
      execFileSync("stty", ["-F", read("tty"), "cols", String(to)]);
    },
    until: async (holds) => {
      for (;;) {
        await shown;
        if (holds(screen.lines)) return screen.lines;
        if (child.exitCode !== null) throw new Error(`it ended, and showed ${JSON.stringify(screen.lines)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    ended: async () => {
      await closed;
      await shown;
      return { code: Number(read("code")), isSane: read("before") === read("after") };
    },
  };
};
