/** What asfound claims: `status`, by the real command and in this process. */
import { asfound, type How } from "./cli.ts";
import type { Stage } from "./scenario.ts";

export interface ShownStep {
  readonly step: string;
  readonly status: string;
  readonly failedCommand: string | null;
  readonly owes: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly previous: readonly { readonly outputs: Readonly<Record<string, unknown>> }[];
}
export interface ShownStatus {
  readonly exit: number | null;
  readonly steps: readonly ShownStep[];
}

/** By the real command. */
export const status = async (stage: Stage, how: How): Promise<ShownStatus> => {
  const { exit, out } = await asfound(stage.place.folder, ["status", "-o", "json"], how);
  const steps = out.startsWith("{")
    ? (JSON.parse(out) as { readonly steps: readonly ShownStep[] }).steps
    : [];
  return { exit, steps };
};

/** In this process: cheaper, and the same report. */
export const statusHere = async (stage: Stage): Promise<ShownStatus> => {
  try {
    return await stage.place.status();
  } catch {
    // The ledger knows no stack yet.
    return { exit: null, steps: [] };
  }
};

export const inDoubt = ({ steps }: ShownStatus): readonly ShownStep[] =>
  steps.filter((step) => step.status === "unresolved");
