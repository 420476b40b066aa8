/** resolve, retain, forget, import and approve: what a person decides is recorded with its reason (R1). */
import type { Access, Project } from "../../../compose.ts";
import { EXIT } from "../../../domain/exit.ts";
import type { StepName } from "../../../domain/ids.ts";
import type { Approve } from "../../../domain/step.ts";
import type { DecisionRequest } from "../../../runtime/decisions.ts";
import type { Done } from "../../../runtime/operation.ts";
import { type Refused, refused } from "../../../runtime/runtime.ts";
import { reasonFor } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Place, Working } from "../flags.ts";
import type { ApprovingFlags } from "../flags-gate.ts";
import type { PrintFlags } from "../output/print.ts";
import { GATE } from "../texts/gate.ts";
import { Usage } from "../usage.ts";
import { operating } from "./open.ts";
import { reportDone } from "./report.ts";
import { savedPlanIn } from "./saved-plan.ts";
import { type PlaceFlags, refuse } from "./where.ts";

interface DecideFlags extends PlaceFlags, PrintFlags, Working {
  readonly reason?: string;
}

type Decisions = typeof import("../../../runtime/decisions.ts");
type Decide = (project: Project, decisions: Decisions, request: DecisionRequest) => Promise<Done | Refused>;

const decide = async (
  cli: Cli,
  flags: DecideFlags,
  asked: {
    readonly verb: string;
    readonly step: string;
    readonly access: Access;
    readonly needsFile: boolean;
  },
  carryOut: Decide,
): Promise<void> => {
  const reason = await reasonFor(cli, flags, asked.verb);
  if (reason === null) return cli.exit(EXIT.interrupted);
  await operating(cli, flags, asked, async (project, progress) => {
    const decisions = await import("../../../runtime/decisions.ts");
    const request = {
      stack: project.stackName,
      stackId: project.stackId,
      step: asked.step as StepName,
      reason,
      file: project.stack,
      leaseWaitMs: flags.leaseWait ?? 0,
    };
    return reportDone(cli, flags, { project, progress }, await carryOut(project, decisions, request));
  });
};

const recorded = (verb: string, step: string) => ({ verb, step, access: "write", needsFile: false }) as const;

export async function resolve(
  this: Cli,
  flags: DecideFlags & {
    readonly as: "present" | "absent";
    readonly id?: string;
    readonly owed?: "done" | "again";
  },
  step: string,
): Promise<void> {
  await decide(this, flags, recorded("resolve", step), ({ runtime }, { resolveStep }, request) =>
    resolveStep(runtime, { ...request, as: flags.as, id: flags.id ?? null, owed: flags.owed ?? null }),
  );
}

interface RetainFlags extends DecideFlags {
  readonly owner?: string;
  readonly reviewBy?: string;
  readonly release: boolean;
}

export async function retain(this: Cli, flags: RetainFlags, step: string): Promise<void> {
  const terms = termsOf(flags);
  await decide(this, flags, recorded("retain", step), ({ runtime }, { retainStep }, request) =>
    retainStep(runtime, { ...request, retain: terms === null ? null : { ...terms, reason: request.reason } }),
  );
}

const termsOf = (flags: RetainFlags): { readonly owner: string; readonly reviewBy: string } | null => {
  if (flags.release) {
    if (flags.owner !== undefined || flags.reviewBy !== undefined)
      throw new Usage("retain --release takes no --owner and no --review-by; give one or the other");
    return null;
  }
  if (flags.owner === undefined) throw new Usage("retain needs to know for whom; give --owner NAME");
  if (flags.reviewBy === undefined)
    throw new Usage("retain needs to know when it is looked at again; give --review-by YYYY-MM-DD");
  return { owner: flags.owner, reviewBy: flags.reviewBy };
};

export async function forget(
  this: Cli,
  flags: DecideFlags & { readonly id?: string },
  step: string,
): Promise<void> {
  await decide(this, flags, recorded("forget", step), ({ runtime }, { forgetStep }, request) =>
    forgetStep(runtime, { ...request, id: flags.id ?? null }),
  );
}

interface ImportFlags extends Place, PrintFlags, Working {
  readonly reason?: string;
  readonly id: string;
}

/** `import` is a word of the language. */
export async function importIt(this: Cli, flags: ImportFlags, step: string): Promise<void> {
  const asked = { verb: "import", step, access: "create", needsFile: true } as const;
  await decide(this, flags, asked, async ({ runtime, described }, { importStep }, request) => {
    const own = described.get(request.step);
    if (own === undefined) return refused(2, `the stack file has no step named ${step}`);
    return importStep(runtime, { ...request, id: flags.id, described: own });
  });
}

interface ApproveFlags extends DecideFlags, ApprovingFlags {
  readonly before?: Approve["before"];
  readonly plan?: string;
}

export async function approve(this: Cli, flags: ApproveFlags, step: string | undefined): Promise<void> {
  if (flags.gate !== undefined) return approveVerdict(this, flags, flags.gate, step);
  if (flags.run !== undefined) throw new Usage(GATE.needsGate);
  if (flags.plan !== undefined) return approveSaved(this, flags, flags.plan, step);
  if (step === undefined) throw new Usage("approve needs a step, or --plan FILE");
  await decide(this, flags, recorded("approve", step), ({ runtime }, { approveStep }, request) =>
    approveStep(runtime, { ...request, before: flags.before ?? "any", plan: null }),
  );
}

const approveVerdict = async (
  cli: Cli,
  flags: ApproveFlags,
  gate: string,
  step: string | undefined,
): Promise<void> => {
  if (step !== undefined) throw new Usage(GATE.noStep(step));
  const ofSteps = [
    ["--plan", flags.plan],
    ["--before", flags.before],
    ["--stack", flags.stack],
    ["--file", flags.file],
    ["--ledger", flags.ledger],
  ] as const;
  const other = ofSteps.find(([, value]) => value !== undefined);
  if (other !== undefined) throw new Usage(GATE.notWithGate(other[0]));
  return (await import("./approve-gate.ts")).approveGate(cli, flags, gate);
};

/** What the plan waits for: its own approval of what it removes, and the steps' own. */
const approveSaved = async (
  cli: Cli,
  flags: ApproveFlags,
  file: string,
  step: string | undefined,
): Promise<void> => {
  const plan = await savedPlanIn(cli, file);
  const asked = new Set<string>([...plan.gated.keys(), ...plan.destroys]);
  if (step !== undefined && !asked.has(step))
    throw new Usage(`--plan: nothing of ${step} waits for an approval in ${file}`);
  const [first] = asked;
  if (first === undefined)
    return void (await refuse(cli, refused(0, `nothing in ${file} waits for an approval`)));
  const only = step === undefined ? null : (step as StepName);
  const { approvePlan } = await import("../../../runtime/decisions.ts");
  await decide(cli, flags, recorded("approve", step ?? first), ({ runtime }, _decisions, request) =>
    approvePlan(runtime, { ...request, before: flags.before ?? "any", plan, step: only }),
  );
};
