/** Opens what a verb works on, says why it cannot, and closes it again whatever happens. */

import type { LedgerToAsk } from "../../../compose/ask.ts";
import type { Access, Io, Project, StackFaults, Where } from "../../../compose.ts";
import { EXIT, type ExitCode } from "../../../domain/exit.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Place, Working } from "../flags.ts";
import { progressFor } from "../progress/choose.ts";
import { type Progress, quiet } from "../progress/progress.ts";
import { elapsed } from "../progress/sentence.ts";
import { PROGRESS } from "../texts/progress.ts";

export interface PlaceFlags extends Place {
  readonly stack?: string;
}

export const whereOf = (cli: Cli, flags: PlaceFlags, needsFile: boolean): Where => ({
  file: flags.file ?? null,
  ledger: flags.ledger ?? null,
  stack: flags.stack ?? null,
  vars: new Map(flags.var ?? []),
  actor: flags.actor ?? null,
  cwd: cli.terminal.cwd,
  needsFile,
  environment: cli.terminal.environment,
});

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

/** Asks the ledger alone: what opens a project, with its providers and its file, is not even loaded. */
export const asking = async (
  cli: Cli,
  flags: PlaceFlags,
  use: (ledger: LedgerToAsk) => Promise<ExitCode>,
): Promise<void> => {
  const { openLedgerToAsk } = await import("../../../compose/ask.ts");
  const opened = await openLedgerToAsk(whereOf(cli, flags, false));
  if (opened.kind !== "ledger") {
    await refuse(cli, opened);
    return;
  }
  try {
    cli.exit(await use(opened));
  } finally {
    await opened.close();
  }
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

/** A name of a hundred thousand letters is no help in a sentence. */
const shortened = (text: string): string => (text.length > 2_000 ? `${text.slice(0, 2_000)}...` : text);

/** Why it was not begun, on the error stream; the exit that means it. */
export const refuse = async (cli: Cli, refusal: Refused | StackFaults): Promise<ExitCode> => {
  if (refusal.kind === "refused") {
    const { printable } = await import("../../../wire/redact.ts");
    cli.terminal.err.write(`asfound: ${shortened(printable(refusal.why))}\n`);
    cli.exit(refusal.exit);
    return refusal.exit;
  }
  const { formatFault } = await import("../../../wire/manifest/fault.ts");
  for (const fault of refusal.faults) cli.terminal.err.write(`${formatFault(fault)}\n`);
  cli.exit(EXIT.usage);
  return EXIT.usage;
};
