/** The steps that the ledger knows, for completion. */
import { whereOf } from "./commands/where.ts";
import type { Cli } from "./context.ts";
import { quiet } from "./progress/progress.ts";

const never = new AbortController().signal;

/** Reads only; a broken file or ledger proposes nothing. */
export const stepNames = async (cli: Cli): Promise<readonly string[]> => {
  try {
    const { openProject } = await cli.services();
    const io = { reporter: quiet, interrupt: { drain: never, kill: never, first: () => null } };
    const project = await openProject(whereOf(cli, {}, false), "read", io);
    if (project.kind !== "project") return [];
    try {
      return [...(await project.runtime.store.steps(project.stackName)).keys()];
    } finally {
      await project.close();
    }
  } catch {
    return [];
  }
};
