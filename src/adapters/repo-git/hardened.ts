/**
 * How git is started here: by an array of arguments, in an environment that says nothing of where a repository is, with all that
 * a repository could name to be run, fetched or substituted turned off. A repository is not trusted.
 */
import { isAbsolute } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration that is given here comes after the repository's own. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "log.showSignature=false",
];

export const HARDENED: readonly string[] = ["--no-pager", ...SETTINGS.flatMap((setting) => ["-c", setting])];

/** An id of SHA-1 or SHA-256, in full. */
export const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/**
 * `GIT_ALLOW_PROTOCOL` stands above `protocol.ext.allow` of the repository, which `protocol.allow` does not; gits before 2.44
 * know no `GIT_NO_LAZY_FETCH`.
 */
const OWN = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_PAGER: "cat",
  LC_ALL: "C",
};

/** Programs are looked for in whole paths only: a git in the working folder is none of ours. */
export const gitEnvironment = (environment: Environment): Record<string, string> => {
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || name.startsWith("GIT_") || name.endsWith("_ASKPASS")
      ? []
      : [[name, name === "PATH" ? value.split(":").filter(isAbsolute).join(":") : value] as const],
  );
  return { ...Object.fromEntries(kept), ...OWN };
};

/** Why git gave no answer, a clause. */
export const whyNot = (error: { readonly code?: unknown } | null, said: string): string => {
  if (error?.code === "ENOENT") return "there is no git on this machine, or no such folder";
  const line = said
    .trim()
    .split("\n")
    .findLast((one) => one !== "");
  return line === undefined ? "git gave no answer" : `git says "${line.slice(0, 200)}"`;
};
