/** What a command has to work with: the terminal, and the way to everything behind the face. No globals. */
import type { CommandContext } from "@stricli/core";
import type { ExitCode } from "../../domain/exit.ts";
import type { Services } from "./services.ts";

/** A stream that text goes to. Writing to one whose reader has gone away (`| head`) is quietly dropped. */
export interface Sink {
  write(text: string): void;
  /** When the stream can take more: for output that is too long to be held in memory. */
  ready(): Promise<void>;
  readonly isTTY: boolean;
  /** null where nobody can tell: then nothing is cut. */
  readonly columns: number | null;
  readonly rows: number | null;
}

/** Asks on the terminal; `cancelled`: Ctrl-C, or the end of the input. */
export interface Prompter {
  confirm(question: string): Promise<"yes" | "no" | "cancelled">;
  text(question: string): Promise<string | "cancelled">;
}

export interface Terminal {
  readonly out: Sink;
  readonly err: Sink;
  /** All of the standard input, for a verb that is a filter. Throws `Usage` where there is none. */
  input(): Promise<Uint8Array>;
  /** Whether a person can be asked: the input and the error stream are a terminal. */
  readonly canAsk: boolean;
  /** Loaded when first asked. */
  prompter(): Promise<Prompter>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface Cli extends CommandContext {
  readonly terminal: Terminal;
  /** Everything behind the face; loaded when a command first needs it. */
  services(): Promise<Services>;
  /** What the process will exit with. */
  exit(code: ExitCode): void;
}
