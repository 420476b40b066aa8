/** plan: what apply would do. Changes no row, and leaves no file but the one that --out names. */
import { EXIT } from "../../../domain/exit.ts";
import { plan as planJson } from "../../../wire/api/plan.ts";
import type { Cli } from "../context.ts";
import type { Place } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { Usage } from "../usage.ts";
import { reading } from "./open.ts";
import { previewOf, printPlan } from "./show-plan.ts";

interface PlanFlags extends Place, PrintFlags {
  readonly allowDestroy: boolean;
  readonly out?: string;
}

export async function plan(this: Cli, flags: PlanFlags): Promise<void> {
  await reading(this, flags, true, async (project) => {
    const report = await previewOf(project, { verb: "apply", allowDestroy: flags.allowDestroy });
    if (flags.out !== undefined)
      await save(this, flags.out, `${JSON.stringify(planJson(report), null, 2)}\n`);
    await printPlan(this, flags, report, flags.out ?? null);
    return EXIT.proven;
  });
}

/** Never over another file: a name typed wrongly must not cost one. */
const save = async (cli: Cli, file: string, text: string): Promise<void> => {
  const { resolve } = await import("node:path");
  const { writeFile } = await import("node:fs/promises");
  try {
    await writeFile(resolve(cli.terminal.cwd, file), text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST")
      throw new Usage(`--out: ${file} is there already, and is not overwritten; name a new file`);
    throw new Usage(`--out: ${file} cannot be written (${code ?? "unknown cause"}); name another place`);
  }
};
