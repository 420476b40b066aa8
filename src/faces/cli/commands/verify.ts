/** verify: judges one object or many, of a live cluster or of what was saved of one. Changes nothing. */
import type { StackFaults } from "../../../compose/place.ts";
import type { Recorded } from "../../../compose/verify-cluster.ts";
import type { ClaimName } from "../../../domain/claim.ts";
import type { Question, SweepQuestion } from "../../../domain/question.ts";
import { isRefused, type Refused } from "../../../runtime/runtime.ts";
import type { VerdictList } from "../../../runtime/sweep.ts";
import type { VerdictReport } from "../../../runtime/verify.ts";
import type { Watching } from "../../../runtime/watch.ts";
import type { Cli } from "../context.ts";
import { Usage } from "../usage.ts";
import { besideBystanders } from "./bystanders.ts";
import { askingCluster } from "./cluster.ts";
import { declaredRules, ruledBy } from "./declared-rules.ts";
import { printList, printReport } from "./print-verdict.ts";
import { isRecording, selected, unfitFlag, type VerifyFlags } from "./verify-flags.ts";
import { refuse } from "./where.ts";

export async function verify(this: Cli, flags: VerifyFlags, typed?: string): Promise<void> {
  const claims = await toExplain(flags, typed);
  const unfit = unfitFlag(flags, this.terminal.environment);
  if (unfit !== undefined) throw new Usage(unfit);
  if (claims !== null && !isTargeted(flags, typed))
    return (await import("./explain.ts")).printExplanations(this, flags, claims);
  if (flags.file !== undefined) return verifyFile(this, flags, flags.file, { typed, claims });
  if (flags.release !== undefined) return verifyReleased(this, flags, flags.release, { typed, claims });
  const wanted = selected(flags, typed);
  const rules = await declaredRules(this, flags);
  if ("kind" in rules) return void (await refuse(this, rules));
  if (wanted.kind === "one") {
    const report = await judgedOne(this, flags, ruledBy(wanted.question, rules));
    if ("kind" in report) return void (await refuse(this, report));
    return printReport(this, flags, { report, typed: wanted.typed, claims });
  }
  const list = await judgedMany(this, flags, ruledBy(wanted.question, rules));
  if ("kind" in list) return void (await refuse(this, list));
  return printList(this, flags, list);
}

const isTargeted = (flags: VerifyFlags, typed: string | undefined): boolean =>
  typed !== undefined || flags.file !== undefined || flags.release !== undefined;

/** null: nothing is to be explained, and what explains is not even loaded. */
const toExplain = async (
  flags: VerifyFlags,
  typed: string | undefined,
): Promise<readonly ClaimName[] | null> =>
  flags.explain === undefined
    ? null
    : (await import("./explain.ts")).explainedBy(flags, isTargeted(flags, typed));

const verifyFile = async (
  cli: Cli,
  given: VerifyFlags,
  file: string,
  { typed, claims }: { readonly typed: string | undefined; readonly claims: readonly ClaimName[] | null },
): Promise<void> => {
  const { askedInFile } = await import("./verify-file.ts");
  const asked = await askedInFile(cli, given, file, typed);
  if ("faults" in asked) return void (await refuse(cli, asked));
  const { release } = asked;
  const { releasedInFile } = await import("./verify-release.ts");
  const held = release === null ? asked : await releasedInFile(cli, given, asked, release);
  if ("kind" in held) return void (await refuse(cli, held));
  const { wanted, flags } = held;
  const rules = await declaredRules(cli, flags, asked.rules);
  if ("kind" in rules) return void (await refuse(cli, rules));
  const report = await judgedOne(cli, flags, ruledBy(wanted.question, rules));
  if ("kind" in report) return void (await refuse(cli, report));
  return printReport(cli, flags, { report, typed: wanted.typed, claims });
};

const verifyReleased = async (
  cli: Cli,
  given: VerifyFlags,
  release: string,
  { typed, claims }: { readonly typed: string | undefined; readonly claims: readonly ClaimName[] | null },
): Promise<void> => {
  const { askedOfRelease } = await import("./verify-release.ts");
  const asked = await askedOfRelease(cli, given, release, typed);
  if ("kind" in asked) return void (await refuse(cli, asked));
  const { wanted, flags } = asked;
  const rules = await declaredRules(cli, flags);
  if ("kind" in rules) return void (await refuse(cli, rules));
  const report = await judgedOne(cli, flags, ruledBy(wanted.question, rules));
  if ("kind" in report) return void (await refuse(cli, report));
  return printReport(cli, flags, { report, typed: wanted.typed, claims });
};

const judgedOne = async (
  cli: Cli,
  flags: VerifyFlags,
  asked: Question,
): Promise<VerdictReport | StackFaults | Refused> => {
  const question = await besideBystanders(cli, flags, asked);
  if ("faults" in question) return question;
  if (flags.from !== undefined) {
    const { verifySaved } = await import("../../../compose/verify.ts");
    const recorded = await recordedBy(cli, flags);
    if (isRefused(recorded)) return recorded;
    return verifySaved({ ...savedIn(cli, flags, flags.from), ...recorded }, question);
  }
  const { verifyLive } = await import("../../../compose/verify-cluster.ts");
  const recorded = await recordedBy(cli, flags);
  if (isRefused(recorded)) return recorded;
  const earlier = { ...earlierIn(flags), ...recorded };
  return askingCluster(cli, flags, (live) => verifyLive(live, question, watchingBy(flags), earlier));
};

const judgedMany = async (
  cli: Cli,
  flags: VerifyFlags,
  question: SweepQuestion,
): Promise<VerdictList | StackFaults | Refused> => {
  const recorded = await recordedBy(cli, flags);
  if (isRefused(recorded)) return recorded;
  if (flags.from !== undefined) {
    const { verifySweepSaved } = await import("../../../compose/verify.ts");
    return verifySweepSaved({ ...savedIn(cli, flags, flags.from), ...recorded }, question);
  }
  const { verifySweepLive } = await import("../../../compose/verify-cluster.ts");
  return askingCluster(cli, flags, (asked) =>
    verifySweepLive(asked, question, flags.allNamespaces, watchingBy(flags), {
      ...earlierIn(flags),
      ...recorded,
    }),
  );
};

/** Where the verdict is kept, opened before anything is asked. */
const recordedBy = async (cli: Cli, flags: VerifyFlags): Promise<Recorded | Refused> => {
  if (!isRecording(flags)) return { recording: null };
  const { openRecording } = await import("../../../compose/open-recording.ts");
  const { version } = await import("../version.ts");
  const opened = await openRecording({
    evidence: flags.evidence ?? null,
    key: flags.signingKey ?? null,
    verb: "verify",
    version: await version(),
    cwd: cli.terminal.cwd,
    environment: cli.terminal.environment,
  });
  return isRefused(opened) ? opened : { recording: opened.recording };
};

const savedIn = (cli: Cli, flags: VerifyFlags, from: string) => ({
  from,
  at: flags.at ?? null,
  baseline: flags.baseline ?? null,
  cwd: cli.terminal.cwd,
  held: flags.held,
  git: flags.git === undefined ? undefined : { named: flags.git, environment: cli.terminal.environment },
});

const earlierIn = (flags: VerifyFlags) => ({
  baseline: flags.baseline ?? null,
  record: flags.proven ?? null,
});

const WINDOW_MS = 5 * 60_000;
/** A watch tells of the target itself; what goes on around it is looked for this often. */
const EVERY_MS = 5_000;

const watchingBy = (flags: VerifyFlags): Watching | null =>
  flags.watch ? { windowMs: flags.window ?? WINDOW_MS, everyMs: EVERY_MS, failFast: flags.failFast } : null;
