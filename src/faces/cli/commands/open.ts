/** Opens what a verb works on, says why it cannot, and closes it again whatever happens. */

import type { Access, Io, Project } from "../../../compose.ts";
import type { ExitCode } from "../../../domain/exit.ts";
import { isCi } from "../../../wire/environment.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Working } from "../flags.ts";
import { progressFor } from "../progress/choose.ts";
import { type Progress, quiet } from "../progress/progress.ts";
import { elapsed } from "../progress/sentence.ts";
import { PROGRESS } from "../texts/progress.ts";
import { type PlaceFlags, whereOf, withOpened } from "./where.ts";

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
export const operating = (
  cli: Cli,
  flags: PlaceFlags & Working & Everywhere,
  open: { readonly access: Access; readonly needsFile: boolean },
  use: (project: Project, progress: Progress) => Promise<ExitCode>,
): Promise<void> =>
  signalling(cli, flags, async (io) => {
    const { openProject } = await cli.services();
    const opened = await openProject(whereOf(cli, flags, open.needsFile), open.access, io);
    await withOpened(cli, opened, (project) => use(project, io.reporter));
  });

/** For whatever runs operations, one or several: signals armed, and progress shown. */
export const signalling = async <T>(
  cli: Cli,
  flags: Pick<Working, "progress" | "grace"> & Everywhere,
  use: (io: Io & { readonly reporter: Progress }) => Promise<T>,
): Promise<T> => {
  const { armSignals, systemClock } = await cli.services();
  const progress = await progressFor(cli, flags, systemClock);
  const graceMs = flags.grace ?? usualGraceMs(cli);
  const signals = armSignals({
    graceMs,
    clock: systemClock,
    onDrain: (signal) => progress.report({ kind: "note", text: PROGRESS.drain(signal, elapsed(graceMs)) }),
  });
  try {
    return await use({ reporter: progress, interrupt: signals });
  } finally {
    progress.stop();
    signals.disarm();
  }
};

/** CI gives a job that it stops only a few seconds. */
const usualGraceMs = (cli: Cli): number => (isCi(cli.terminal.environment) ? 6_000 : 30_000);
