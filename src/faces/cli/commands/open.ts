/** Opens what a verb works on, says why it cannot, and closes it again whatever happens. */

import type { Access, Io, Project, StackFaults } from "../../../compose.ts";
import type { ExitCode } from "../../../domain/exit.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Working } from "../flags.ts";
import { progressFor } from "../progress/choose.ts";
import { type Progress, quiet } from "../progress/progress.ts";
import { elapsed } from "../progress/sentence.ts";
import { PROGRESS } from "../texts/progress.ts";
import { type PlaceFlags, refuse, whereOf } from "./where.ts";

/** Reads: nothing is written anywhere, and a signal ends the process as it always does. */
export const reading = async (
  cli: Cli,
  flags: PlaceFlags,
  needsFile: boolean,
  use: (project: Project) => Promise<ExitCode>,
): Promise<void> => {
  const { openProject } = await cli.services();
  await withOpened(cli, await openProject(whereOf(cli, flags, needsFile), "read", idle), use);
};

const never = new AbortController().signal;
const idle: Io = { reporter: quiet, interrupt: { drain: never, kill: never, first: () => null } };

/** Changes something: signals are armed before the lock is taken (N4), and progress is shown. */
export const operating = async (
  cli: Cli,
  flags: PlaceFlags & Working & Everywhere,
  open: { readonly access: Access; readonly needsFile: boolean },
  use: (project: Project, progress: Progress) => Promise<ExitCode>,
): Promise<void> => {
  const { armSignals, openProject, systemClock } = await cli.services();
  const progress = await progressFor(cli, flags, systemClock);
  const graceMs = flags.grace ?? usualGraceMs(cli);
  const signals = armSignals({
    graceMs,
    clock: systemClock,
    onDrain: (signal) => progress.report({ kind: "note", text: PROGRESS.drain(signal, elapsed(graceMs)) }),
  });
  try {
    const opened = await openProject(whereOf(cli, flags, open.needsFile), open.access, {
      reporter: progress,
      interrupt: signals,
    });
    await withOpened(cli, opened, (project) => use(project, progress));
  } finally {
    progress.stop();
    signals.disarm();
  }
};

/** CI gives a job that it stops only a few seconds. */
const usualGraceMs = (cli: Cli): number => {
  const ci = cli.terminal.environment["CI"] ?? "";
  return ci === "" || ci === "false" || ci === "0" ? 30_000 : 6_000;
};

const withOpened = async (
  cli: Cli,
  opened: Project | Refused | StackFaults,
  use: (project: Project) => Promise<ExitCode>,
): Promise<void> => {
  if (opened.kind !== "project") {
    await refuse(cli, opened);
    return;
  }
  try {
    cli.exit(await use(opened));
  } finally {
    await opened.close();
  }
};
