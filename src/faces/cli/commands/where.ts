/** Where a person said things are, and how a refusal reaches them. Light: every verb loads it. */
import type { StackFaults, Where } from "../../../compose/place.ts";
import { EXIT, type ExitCode } from "../../../domain/exit.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import type { Cli } from "../context.ts";
import type { Place } from "../flags.ts";

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

interface Opened {
  readonly kind: "project" | "ledger";
  close(): Promise<void>;
}

/** Says why it could not be opened, or uses it, and closes it whatever happens. */
export const withOpened = async <T extends Opened>(
  cli: Cli,
  opened: T | Refused | StackFaults,
  use: (opened: T) => Promise<ExitCode>,
): Promise<void> => {
  if (opened.kind === "refused" || opened.kind === "faults") {
    await refuse(cli, opened);
    return;
  }
  try {
    cli.exit(await use(opened));
  } finally {
    await opened.close();
  }
};
