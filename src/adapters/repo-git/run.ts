/** One short question to git, answered in one text. */
import { execFile } from "node:child_process";
import { type Environment, gitEnvironment, HARDENED, whyNot } from "./hardened.ts";

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;

export type Ran =
  | { readonly out: string; readonly err: string }
  | { readonly fault: string; readonly exit: number | null };

export const runGit = (
  folder: string,
  environment: Environment,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      "git",
      [...HARDENED, ...words],
      {
        cwd: folder,
        env: { ...gitEnvironment(environment), ...more },
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
        maxBuffer: MOST_BYTES,
      },
      (error, out, err) => {
        if (error === null) return resolve({ out, err });
        const { code } = error as { readonly code?: unknown };
        const exit = typeof code === "number" ? code : null;
        if (error.killed === true)
          return resolve({ fault: "git was not done in time, or said too much", exit });
        resolve({ fault: whyNot(error as { readonly code?: unknown }, err), exit });
      },
    );
  });
