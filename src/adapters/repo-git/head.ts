/**
 * The commit that a working folder is at, by the system's git. A repository is not trusted: nothing that its own
 * configuration names is run (no hooks, no file-system monitor, no transport), and the environment says nothing of where it is.
 */
import { execFile } from "node:child_process";

export interface Head {
  readonly commit: string;
  readonly tree: string;
}

const TIMEOUT_MS = 10_000;
const HARDENED = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.allow=never"].flatMap(
  (setting) => ["-c", setting],
);

/** The fault is a sentence. */
export const headOf = async (
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Head | { readonly fault: string }> => {
  const run = (object: string) => resolved(folder, environment, object);
  const commit = await run("HEAD^{commit}");
  if ("fault" in commit) return commit;
  const tree = await run(`${commit.id}^{tree}`);
  return "fault" in tree ? tree : { commit: commit.id, tree: tree.id };
};

const resolved = (
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  object: string,
): Promise<{ readonly id: string } | { readonly fault: string }> =>
  new Promise((resolve) => {
    execFile(
      "git",
      [...HARDENED, "rev-parse", "--verify", "--quiet", "--end-of-options", object],
      { cwd: folder, env: withoutGit(environment), timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 },
      (error, out, err) => {
        const id = /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(out)?.[1];
        if (error === null && id !== undefined) return resolve({ id });
        resolve({ fault: `the commit of this folder is not known: ${whyNot(error, err)}; say --commit SHA` });
      },
    );
  });

const whyNot = (error: (Error & { code?: unknown }) | null, said: string): string => {
  if (error?.code === "ENOENT") return "there is no git on this machine";
  const [line = ""] = said.trim().split("\n");
  return line === "" ? "git names no commit that it is at" : `git says "${line.slice(0, 200)}"`;
};

const withoutGit = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || name.startsWith("GIT_") ? [] : [[name, value] as const],
    ),
  ),
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  LC_ALL: "C",
});
