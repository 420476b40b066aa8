/** The plan first, then the question: what apply, resume, destroy and compensate have in common. */
import type { Project } from "../../../compose.ts";
import { EXIT } from "../../../domain/exit.ts";
import { mayGoOn, requireConsent } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { ProgressMode } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { reading } from "./open.ts";
import { planOf, previewOf, tellPlan, type Wanted } from "./show-plan.ts";
import type { PlaceFlags } from "./where.ts";

/**
 * True: go on. The plan is made from what may only be read, so that a person who declines leaves nothing behind.
 * With `--yes` nothing is opened here.
 */
export const consented = async (
  cli: Cli,
  flags: PlaceFlags & PrintFlags,
  asked: {
    readonly needsFile: boolean;
    readonly wanted: Wanted;
    readonly question: (stack: string) => string;
  },
): Promise<boolean> => {
  requireConsent(cli, flags, asked.wanted.verb);
  if (flags.yes) return true;
  let agreed = false;
  await reading(cli, flags, asked.needsFile, async (project) => {
    tellPlan(cli, flags, await previewOf(project, asked.wanted));
    const stopped = await mayGoOn(cli, asked.question(project.stackName));
    agreed = stopped === null;
    return stopped ?? EXIT.proven;
  });
  return agreed;
};

/** With `--yes` the plan is still told, unless the error stream belongs to a program. */
export const tellWhatComes = async (
  cli: Cli,
  flags: PrintFlags & { readonly progress: ProgressMode },
  project: Project,
  wanted: Wanted,
): Promise<void> => {
  if (flags.progress === "quiet" || flags.progress === "json") return;
  tellPlan(cli, flags, await planOf(project, wanted));
};
