/** The commit that a working folder is at, and its tree. */
import { type Environment, isId } from "./hardened.ts";
import { runGit } from "./run.ts";

export interface Head {
  readonly commit: string;
  readonly tree: string;
}

/** The fault is a sentence. */
export const headOf = async (
  folder: string,
  environment: Environment,
): Promise<Head | { readonly fault: string }> => {
  const run = (object: string) => resolved(folder, environment, object);
  const commit = await run("HEAD^{commit}");
  if ("fault" in commit) return commit;
  const tree = await run(`${commit.id}^{tree}`);
  return "fault" in tree ? tree : { commit: commit.id, tree: tree.id };
};

const resolved = async (
  folder: string,
  environment: Environment,
  object: string,
): Promise<{ readonly id: string } | { readonly fault: string }> => {
  const ran = await runGit(folder, environment, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    object,
  ]);
  const id = "fault" in ran ? "" : ran.out.trim();
  if (isId(id)) return { id };
  const why =
    "fault" in ran && !ran.fault.endsWith("no answer") ? ran.fault : "git names no commit that it is at";
  return { fault: `the commit of this folder is not known: ${why}; say --commit SHA` };
};
