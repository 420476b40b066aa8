/** resume: the last apply or destroy again, with its flags and permissions, on today's file. */
import { EXIT } from "../../../domain/exit.ts";
import type { Operation } from "../../../domain/operation.ts";
import { isRecoveryStack } from "../../../domain/recovery.ts";
import { lastResumable } from "../../../runtime/resume.ts";
import { refused } from "../../../runtime/runtime.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Working } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { ASK } from "../texts/ask.ts";
import { applyWith } from "./apply.ts";
import { destroyWith } from "./destroy.ts";
import { reading } from "./open.ts";
import { type PlaceFlags, refuse } from "./where.ts";

interface ResumeFlags extends PlaceFlags, PrintFlags, Working {
  readonly dryRun: boolean;
  readonly reason?: string;
}

export async function resume(this: Cli, flags: ResumeFlags): Promise<void> {
  const last = await lastOperation(this, flags);
  if (last === null) return;
  if (last.verb === "destroy") await destroyWith(this, flags, last.options);
  else await applyWith(this, flags, last.options, null);
}

const lastOperation = async (cli: Cli, flags: ResumeFlags): Promise<Operation | null> => {
  let last: Operation | null = null;
  await reading(cli, flags, false, async (project) => {
    const found = await lastResumable(project.runtime, project.stackName, project.fileDigest);
    if (found.kind === "refused") return refuse(cli, found);
    if (project.stack === null && isRecoveryStack(project.stackName))
      return refuse(cli, refused(EXIT.usage, ASK.madeByVerb(project.stackName)));
    last = found.operation;
    const said = [
      ASK.resuming(found.operation.verb, found.operation.id),
      ...(found.changed === null ? [] : [found.changed]),
    ];
    cli.terminal.err.write(said.map((line) => `${printable(line)}\n`).join(""));
    return 0;
  });
  return last;
};
