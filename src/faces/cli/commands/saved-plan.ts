/** A plan that `plan --out` saved, read again. */
import { readSavedPlan, type SavedPlan } from "../../../wire/api/plan.ts";
import type { Cli } from "../context.ts";
import { openOrdinary } from "../read-file.ts";
import { Usage } from "../usage.ts";

/** A plan is small; anything larger is another file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Throws `Usage` with what is wrong with the file. */
export const savedPlanIn = async (cli: Cli, file: string): Promise<SavedPlan> => {
  const { resolve } = await import("node:path");
  const handle = await openOrdinary(resolve(cli.terminal.cwd, file), `--plan: ${file}`);
  try {
    if ((await handle.stat()).size > MAX_BYTES)
      throw new Usage(`--plan: ${file} is too large to be a saved plan`);
    return savedIn(await handle.readFile("utf8"), file);
  } finally {
    await handle.close();
  }
};

const savedIn = (text: string, file: string): SavedPlan => {
  const saved = readSavedPlan(text);
  if ("fault" in saved) throw new Usage(`--plan: ${file} ${saved.fault}`);
  return saved;
};
