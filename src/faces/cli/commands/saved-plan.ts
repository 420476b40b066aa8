/** A plan that `plan --out` saved, read again. */
import { readSavedPlan, type SavedPlan } from "../../../wire/api/plan.ts";
import type { Cli } from "../context.ts";
import { Usage } from "../usage.ts";

/** A plan is small; anything larger is another file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Throws `Usage` with what is wrong with the file. */
export const savedPlanIn = async (cli: Cli, file: string): Promise<SavedPlan> => {
  const { resolve } = await import("node:path");
  const { readFile, stat } = await import("node:fs/promises");
  const path = resolve(cli.terminal.cwd, file);
  const text = await (async () => {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new Usage(`--plan: ${file} is too large to be a saved plan`);
    return readFile(path, "utf8");
  })().catch((error: unknown) => {
    if (error instanceof Usage) throw error;
    throw new Usage(
      `--plan: ${file} cannot be read (${(error as { code?: string }).code ?? "unknown cause"})`,
    );
  });
  const saved = readSavedPlan(text);
  if ("fault" in saved) throw new Usage(`--plan: ${file} ${saved.fault}`);
  return saved;
};
